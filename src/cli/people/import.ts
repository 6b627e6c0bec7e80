/** `latchkey owner import FILE`: people from elsewhere, batch by batch. A run that broke off goes on. */
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { UsageFault } from '../../config/remote.ts'
import { type CommandOutput, escapeForTerminal } from '../../operations/surface/said.ts'
import { readJson } from '../../owners/hashes/json.ts'
import { type RunStoreCommand, useStore } from '../on-store.ts'
import { renderCounts, showFraction } from '../progress.ts'
import type { Flags } from '../store.ts'
import type { ImportEntry, ImportOutcome } from './batch.ts'
import {
  batchLimits,
  FileFault,
  type Format,
  openPeople,
  type PeopleFile,
  type ReadRecord,
} from './read.ts'

/** The hash parameters of a Firebase project: their names in its console, and those in its API. */
const firebaseNames = {
  signerKey: ['base64_signer_key', 'signerKey'],
  saltSeparator: ['base64_salt_separator', 'saltSeparator'],
  rounds: ['rounds'],
  memoryCost: ['mem_cost', 'memoryCost'],
} as const

/** @returns null without a file */
const readFirebaseParameters = async (path: unknown): Promise<object | null> => {
  if (typeof path !== 'string') return null
  const text = await readFile(path, 'utf8')
  const found = Object.entries(firebaseNames).flatMap(([name, written]) => {
    const line = new RegExp(`(?:^|[\\s"{,])(?:${written.join('|')})"?\\s*:\\s*"?([^\\s",}]+)`)
    const value = line.exec(text)?.[1]
    return value === undefined ? [] : [[name, value]]
  })
  if (found.length < Object.keys(firebaseNames).length) {
    const needed = Object.values(firebaseNames).map(([name]) => name)
    throw new UsageFault(`${path} has to name ${needed.join(', ')}`)
  }
  return Object.fromEntries(found)
}

const addFirebase = (
  members: Record<string, unknown>,
  firebase: object | null,
): Record<string, unknown> => {
  if (firebase === null) return members
  const hash = readJson(members.password_hash)
  if (hash === null || !('passwordHash' in hash)) return members
  return { ...members, password_hash: { ...firebase, ...hash } }
}

type ImportCounts = Record<ImportOutcome['is'], number>

const formatOf = (path: string, { format }: Flags): Format => {
  const said = format ?? (extname(path).toLowerCase() === '.csv' ? 'csv' : 'ndjson')
  if (said === 'csv' || said === 'ndjson') return said
  throw new UsageFault('--format has to be ndjson or csv')
}

/** The refused lines as they stand in the file, which are a file to import again. */
const openRejects = async (path: unknown, file: string) => {
  if (typeof path !== 'string') return { add: async () => {}, close: async () => {} }
  if (resolve(path) === resolve(file)) throw new UsageFault('--rejects has to be another file')
  let handle: FileHandle | null = null
  return {
    async add(bytes: Buffer, header: Buffer | null) {
      if (handle === null) {
        handle = await open(path, 'w', 0o600)
        if (header !== null) await handle.write(Buffer.concat([header, Buffer.from('\n')]))
      }
      await handle.write(Buffer.concat([bytes, Buffer.from('\n')]))
    },
    close: async () => handle?.close(),
  }
}

interface ImportJob {
  readonly file: PeopleFile
  readonly flags: Flags
  readonly run: RunStoreCommand
  readonly isInterrupted: () => boolean
  /** Told of each outcome, in the order of the file. */
  readonly tell: (record: ReadRecord, outcome: ImportOutcome) => Promise<void>
}

/** After Ctrl-C the batch under way is finished. A second one ends the process at once. */
const watchInterrupt = () => {
  let isInterrupted = false
  const note = (): void => {
    isInterrupted = true
  }
  process.once('SIGINT', note)
  return { isInterrupted: () => isInterrupted, end: () => process.off('SIGINT', note) }
}

const send = async (
  records: readonly ReadRecord[],
  { flags, run, tell }: ImportJob,
  firebase: object | null,
): Promise<void> => {
  const entries = records.flatMap(({ line, read }): readonly ImportEntry[] =>
    'members' in read ? [{ line, members: addFirebase({ ...read.members }, firebase) }] : [],
  )
  const { dryRun, update, withDeleted } = flags
  const answer =
    entries.length === 0
      ? '[]'
      : await run('owner import', { entries, dryRun, update, withDeleted })
  const outcomes = new Map(
    (JSON.parse(answer) as ImportOutcome[]).map((outcome) => [outcome.line, outcome]),
  )
  for (const record of records) {
    const { line, read } = record
    const reason = 'problem' in read ? read.problem : 'the service said nothing about it'
    await tell(record, outcomes.get(line) ?? { line, is: 'refused', reason })
  }
}

const sendAll = async (job: ImportJob, firebase: object | null): Promise<void> => {
  const { lines, characters } = batchLimits
  let records: ReadRecord[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    await send(records, job, firebase)
    records = []
    size = 0
  }
  for await (const record of job.file.records()) {
    if (records.length === lines || size + record.characters > characters) {
      await flush()
      if (job.isInterrupted()) return
    }
    records.push(record)
    size += record.characters
  }
  await flush()
}

type ImportEnd = CommandOutput & { readonly exitCode: number }

const endOf = (counts: ImportCounts, isInterrupted: boolean, { dryRun }: Flags): ImportEnd => {
  const isDry = dryRun === true
  const json = { ...counts, dry_run: isDry }
  const said = renderCounts(counts)
  const dry = isDry && said !== '' ? 'This would happen, and nothing was written:\n' : ''
  const text = dry + said || 'The file has no owners.'
  if (!isInterrupted) return { json, text, exitCode: counts.refused === 0 ? 0 : 1 }
  // As shells count the end by this signal.
  const exitCode = 130
  return { json, text: `${text}\nInterrupted. Run the import again: it goes on.`, exitCode }
}

/** @returns what to say; the exit code is 0 if every line was taken */
export const importPeople = async (path: string, flags: Flags): Promise<ImportEnd> => {
  const file = openPeople(path, formatOf(path, flags))
  const firebase = await readFirebaseParameters(flags.firebaseParameters)
  const input = await open(path)
  const { size } = await input.stat().finally(() => input.close())
  const progress = showFraction(process.stderr)
  const rejects = await openRejects(flags.rejects, path)
  const counts: ImportCounts = { created: 0, existing: 0, changed: 0, refused: 0 }
  const tell: ImportJob['tell'] = async ({ bytes, end }, { line, is, reason }) => {
    counts[is]++
    if (is === 'refused') {
      progress.end()
      process.stderr.write(`${escapeForTerminal(`${path}:${line}: ${reason ?? ''}`)}\n`)
      await rejects.add(bytes, file.header())
    }
    if (process.stderr.isTTY) progress.tell('importing owners', size === 0 ? 1 : end / size)
  }
  const interrupt = watchInterrupt()
  const { isInterrupted } = interrupt
  try {
    await useStore('owner import', flags, (run) =>
      sendAll({ file, flags, run, isInterrupted, tell }, firebase),
    )
  } catch (fault) {
    const isUnderWay = Object.values(counts).some((count) => count > 0)
    if (!isUnderWay || fault instanceof FileFault || !(fault instanceof Error)) throw fault
    throw new Error(`${fault.message}; run the import again: it goes on`)
  } finally {
    interrupt.end()
    progress.end()
    await rejects.close()
  }
  return endOf(counts, isInterrupted(), flags)
}
