/**
 * Uses of tokens by applications: collected in memory and written in batches, so that reading costs
 * no write.
 */

import { type Rest, rest } from '../clock.ts'
import { getNetwork } from '../http/address.ts'
import { type AuthorizationId, type Clock, type Given, makeId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { NotedUse, Used } from '../model/use.ts'
import type { UseBatch } from '../store/contract/event.ts'
import type { Store } from '../store/store.ts'
import { runInTurn } from './in-turn.ts'
import type { Metrics } from './metrics.ts'

export interface OneUse {
  readonly authorizationId: AuthorizationId
  readonly used: Used
  /** False where the token was alive but did not allow it. */
  readonly allowed: boolean
  /** The client's address; '' if not known. */
  readonly address: string
  /** The id of the one item that was asked for, or a name by an API; absent without one. */
  readonly target?: string
  /** Unix seconds. */
  readonly at: number
}

export const usesLimits = {
  usesTogether: 128,
  /** A page that shows uses waits at most so long for the latest of them to be written. */
  usesWaitMilliseconds: 1000,
  /** Kinds of uses held in memory: of all authorizations, and of one before networks are not told apart any more. */
  usesCollected: 100_000,
  usesCollectedOfOne: 32,
  /** The same of one kind, before its items are not told apart any more. */
  targetsCollectedOfOne: 16,
} as const

/** Uses alike within one minute, from one address. */
interface Noted extends Omit<OneUse, 'authorizationId' | 'at'> {
  readonly minute: number
  uses: number
  lastAt: number
}

type NotedUses = Map<AuthorizationId, Noted[]>

const getMinute = (at: number): number => Math.floor(at / 60)

const dropTarget = ({ target: _target, ...use }: OneUse): OneUse => use

/** Few uses are of one authorization, so looking through them is quicker than making a key. */
const findAlike = (
  noted: readonly Noted[],
  { used, allowed, target }: OneUse,
  address: string,
  minute: number,
): Noted | undefined =>
  noted.find(
    (one) =>
      one.minute === minute &&
      one.allowed === allowed &&
      one.used === used &&
      one.target === target &&
      one.address === address,
  )

/** Names by one API must not take the places of another one's items. */
const countOfKind = (noted: readonly Noted[], { used }: OneUse): number =>
  noted.filter((one) => one.used === used).length

/** Piece by piece, each made only when the one before it is written: making all at once would take long. */
function* splitUses(noted: NotedUses): Generator<readonly NotedUse[]> {
  const networks = new Map<string, string>()
  const shortened = (address: string): string => {
    const known = networks.get(address)
    if (known !== undefined) return known
    const network = getNetwork(address)
    networks.set(address, network)
    return network
  }
  let piece: NotedUse[] = []
  for (const [authorizationId, ones] of noted) {
    for (const { address, minute, ...one } of ones) {
      piece.push({ ...one, authorizationId, network: shortened(address) })
    }
    if (piece.length < usesLimits.usesTogether) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

interface CollectorGiven {
  readonly store: Pick<Store, 'recordUses'>
  /** Names this process: no other has the same. */
  readonly collector: string
  readonly clock: Clock
  /** Resolves after so many milliseconds. */
  readonly pause: Rest
  /** Told once at each writing how many uses found no room since the one before. */
  readonly tellDropped: (uses: number) => void
}

export const collectUses = (given: CollectorGiven) => {
  const { store, collector, clock, pause, tellDropped } = given
  let noted: NotedUses = new Map()
  let pieces = splitUses(new Map())
  /** The piece that is being written. The batch stays as it is until that is certain. */
  let batch: UseBatch | null = null
  let turn = 0
  /** Kinds of uses in memory, noted or on their way. */
  let held = 0
  /** Uses that found no room since they were last told of. */
  let dropped = 0

  const add = (use: OneUse, ones: Noted[], address: string): void => {
    const { used, allowed, at } = use
    const alike = findAlike(ones, use, address, getMinute(at))
    if (alike !== undefined) {
      alike.uses++
      alike.lastAt = Math.max(alike.lastAt, at)
    } else if ('target' in use && countOfKind(ones, use) >= usesLimits.targetsCollectedOfOne) {
      add(dropTarget(use), ones, address)
    } else if (address !== '' && ones.length >= usesLimits.usesCollectedOfOne) {
      add(use, ones, '')
    } else if (held < usesLimits.usesCollected) {
      held++
      const target = use.target === undefined ? {} : { target: use.target }
      ones.push({ used, allowed, address, ...target, minute: getMinute(at), uses: 1, lastAt: at })
    } else dropped++
  }

  const nextBatch = (): UseBatch | null => {
    const { value: uses, done } = pieces.next()
    if (done) return null
    turn = Math.max(turn + 1, clock())
    return { collector, turn, uses }
  }

  const writePieces = async (): Promise<void> => {
    for (batch ??= nextBatch(); batch !== null; batch = nextBatch()) {
      await store.recordUses(batch)
      held -= batch.uses.length
    }
  }

  const writeAll = async (): Promise<void> => {
    if (dropped > 0) tellDropped(dropped)
    dropped = 0
    await writePieces()
    pieces = splitUses(noted)
    noted = new Map()
    await writePieces()
  }

  const flush = runInTurn(writeAll)

  return {
    note(use: OneUse): void {
      const known = noted.get(use.authorizationId)
      const ones = known ?? []
      add(use, ones, use.address)
      if (known === undefined && ones.length > 0) noted.set(use.authorizationId, ones)
    },
    /** Writes what was noted. A fault keeps it for the next time. */
    flush,
    /** The same for a page that shows uses: waits a moment only, and ignores failures. */
    async catchUp(): Promise<void> {
      const written = flush().catch(() => {})
      await Promise.race([written, pause(usesLimits.usesWaitMilliseconds)])
    },
  }
}

export type Uses = ReturnType<typeof collectUses>

/**
 * One collector for each machine with rows of owners, so that none waits for a machine that is away.
 *
 * @param pause by default one that does not keep the process from ending
 */
export const openUses = (
  given: Given & { readonly store: Pick<Store, 'recordUses' | 'machines'> },
  metrics: Metrics,
  tell: Tell,
  pause: Rest = rest,
): Uses => {
  const open = (): Uses => openCollector(given, metrics, tell, pause)
  const { machines } = given.store
  if (machines === null) return open()
  const collectors = new Map<number | null, Uses>()
  return {
    note(use) {
      const machine = machines.locate(use.authorizationId)
      const known = collectors.get(machine) ?? open()
      collectors.set(machine, known)
      known.note(use)
    },
    async flush() {
      const flushed = await Promise.allSettled([...collectors.values()].map((one) => one.flush()))
      for (const one of flushed) if (one.status === 'rejected') throw one.reason
    },
    async catchUp() {
      await Promise.all([...collectors.values()].map((one) => one.catchUp()))
    },
  }
}

const openCollector = (
  given: Given & Pick<CollectorGiven, 'store'>,
  metrics: Metrics,
  tell: Tell,
  pause: Rest,
): Uses =>
  collectUses({
    store: given.store,
    collector: makeId(given),
    clock: given.clock,
    pause,
    tellDropped(uses) {
      metrics.countDroppedUses(uses)
      const message = 'too many uses wait for the store: these are in no ledger'
      tell({ level: 'warn', message, uses })
    },
  })
