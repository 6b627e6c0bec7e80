/** `latchkey event follow`: every event once, as it becomes visible (decision 0074). */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageFault } from '../../config/remote.ts'
import { syncFolderAtOnce } from '../../config/sync-folder.ts'
import { isEventPosition } from '../../model/event.ts'
import { formatEventCells, listEvents } from '../../operations/events.ts'
import { type JsonRow, renderRows, show } from '../../operations/surface/said.ts'
import { type AdminApi, type AdminQuery, ApiFault } from '../api.ts'
import type { Flags } from '../store.ts'
import { getNow, queryOf } from './work.ts'

/**
 * Null where there is no file yet. Anything else in it is refused: to begin anew without a word would
 * leave events out.
 *
 * @throws UsageFault
 */
const readPosition = (path: string): string | null => {
  if (!existsSync(path)) return null
  const position = readFileSync(path, 'utf8').trim()
  if (isEventPosition(position)) return position
  throw new UsageFault(
    `the file ${path} holds no position: remove it, and say with --since how far back to begin`,
  )
}

const standardOutput = 1

/** The lines come to the disk before the position that says they are there. */
const syncLines = (): void => {
  try {
    fsyncSync(standardOutput)
  } catch {
    // A pipe or a terminal, of which nothing is kept.
  }
}

/** Replaces the file as a whole, so that a power failure leaves the old position or the new one. */
export const writePosition = (path: string, position: string): void => {
  syncLines()
  const file = openSync(`${path}.new`, 'w')
  try {
    writeSync(file, `${position}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  syncFolderAtOnce(path)
}

/** Reading the past again after a failure begins so much earlier. */
const overlapSeconds = 10
/** An event of the past that may become visible just then is remembered for so long. */
const rememberedSeconds = 3600
const longestPauseSeconds = 30

const { until: _, ...followed } = listEvents.filters ?? {}

const formatEvent = (event: JsonRow, { json }: Flags): string =>
  json === true ? JSON.stringify(event) : renderRows([formatEventCells(event)])

const isPassing = (fault: unknown): boolean =>
  fault instanceof ApiFault &&
  (fault.status === null || fault.status >= 500 || fault.status === 429)

interface Following {
  readonly flags: Flags
  readonly write: (line: string) => Promise<void>
  readonly complain: (text: string) => void
  readonly isEnded: () => boolean
}

interface FollowedSoFar {
  /** The events of the past that were written, by id; the time of each. */
  readonly written: Map<string, number>
  readonly query: AdminQuery
  /** Where the events go on that become visible from now on; null before the first answer. */
  position: string | null
  /** What the file of the position says. */
  kept: string | null
  /** The rest of the past begins here (unix seconds, or as the flag says); null: there is none. */
  since: string | null
}

const forgetOld = ({ written }: FollowedSoFar): void => {
  for (const [id, at] of written) if (at < getNow() - rememberedSeconds) written.delete(id)
}

/** Writes the past from `since` on, in the order of time. */
const writePast = async (
  api: AdminApi,
  progress: FollowedSoFar,
  { flags, write, isEnded }: Following,
): Promise<void> => {
  const { written, query, since } = progress
  let after: string | undefined
  do {
    const asked = { ...query, since: since ?? undefined, order: 'oldest', after }
    const page = await api.page('events', asked)
    for (const event of page.rows) {
      const [id, at] = [show(event.id), Number(event.at)]
      if (written.has(id)) continue
      await write(`${formatEvent(event, flags)}\n`)
      written.set(id, at)
      progress.since = String(at - overlapSeconds)
    }
    forgetOld(progress)
    after = page.next
  } while (after !== undefined && !isEnded())
  progress.since = null
}

/** @returns false once there is no more for now */
const writeNew = async (
  api: AdminApi,
  progress: FollowedSoFar,
  { flags, write }: Following,
): Promise<boolean> => {
  const { query, position, written } = progress
  const asked = { ...query, order: 'committed', after: position ?? undefined }
  const page = await api.page('events', asked)
  for (const event of page.rows) {
    if (!written.has(show(event.id))) await write(`${formatEvent(event, flags)}\n`)
  }
  progress.position = page.next ?? position
  keepPosition(progress, flags)
  if (page.rows.length > 0) return true
  // With a filter, events that were written already may still come behind an empty page.
  forgetOld(progress)
  return false
}

/** The file is replaced as a whole, after the lines were written. Not before the past is. */
const keepPosition = (progress: FollowedSoFar, { position: path }: Flags): void => {
  const { position, kept, since } = progress
  if (path === undefined || position === null || position === kept || since !== null) return
  writePosition(String(path), position)
  progress.kept = position
}

const begin = async (api: AdminApi, flags: Flags): Promise<FollowedSoFar> => {
  const { since = null, ...query } = await queryOf(api, { filters: followed }, flags)
  const kept = flags.position === undefined ? null : readPosition(String(flags.position))
  return { query, written: new Map(), position: kept, kept, since: kept === null ? since : null }
}

/**
 * Writes events as they become visible, until it is ended. The loop outlives a restart of the service, and
 * goes on with the first event it has not written.
 */
export const followEvents = async (api: AdminApi, following: Following): Promise<void> => {
  const { flags, complain, isEnded } = following
  let progress: FollowedSoFar | null = null
  let wait = 1
  while (!isEnded()) {
    try {
      progress ??= await begin(api, flags)
      // The position is taken before the past is read, so nothing falls between them.
      if (progress.position === null) await writeNew(api, progress, following)
      if (progress.since !== null) await writePast(api, progress, following)
      while ((await writeNew(api, progress, following)) && !isEnded());
      wait = 1
    } catch (fault) {
      if (!isPassing(fault)) throw fault
      if (wait === 1) complain(`${(fault as Error).message}; trying again`)
      wait = Math.min(wait * 2, longestPauseSeconds)
    }
    await pause(wait * 1000)
  }
}
