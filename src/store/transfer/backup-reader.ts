/** Reading a backup: line by line, so that it may be of any size, and nothing of it is believed unseen. */
import { createReadStream } from 'node:fs'
import { runningDigest } from '../../crypto/running-digest.ts'
import { StoreRefusal } from '../fault.ts'
import {
  type BackupHeader,
  backupFormat,
  type Cell,
  type Counts,
  type Part,
  type SealingKeys,
} from './backup-format.ts'
import { copyLimits } from './limits.ts'

export interface OpenBackup {
  readonly header: BackupHeader
  /**
   * Reads all rows once. Trust them only after the last: a damaged or truncated backup is refused
   * at its end at the latest.
   */
  readonly parts: AsyncIterable<Part>
}

type Members = Readonly<Record<string, unknown>>
type Refuse = (why: string) => StoreRefusal

const explain = (error: unknown, refuse: Refuse): unknown => {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return refuse('is not text')
  return refuse(error.code === 'ENOENT' ? 'is not there' : 'cannot be read')
}

/** Lines without their ends. Text after the last end is no line: the file was cut short there. */
async function* linesOf(path: string, refuse: Refuse): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, {
      highWaterMark: copyLimits.chunkBytes,
    })) {
      const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = pieces.pop() ?? ''
      if (rest.length > copyLimits.lineCharacters) throw refuse('is not one')
      yield* pieces
    }
  } catch (error) {
    throw explain(error, refuse)
  }
  if (rest !== '') throw refuse('is cut short')
}

const parseLine = (text: string, refuse: Refuse): Members | readonly unknown[] => {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return line as Members | readonly unknown[]
  } catch {
    // What the parser says would quote the file.
  }
  throw refuse('is damaged: a line of it is neither a list nor an object of JSON')
}

const sealingKeys: readonly SealingKeys[] = ['wrapped', 'plain', 'none']

const parseHeader = (text: string, refuse: Refuse): BackupHeader => {
  if (!text.startsWith('{"latchkey":"backup",')) throw refuse('is not one')
  const { format, schema, takenAt, sealingKeys: kept } = parseLine(text, refuse) as Members
  if (format !== backupFormat) throw refuse(`has the format ${format}, expected ${backupFormat}`)
  const keys = sealingKeys.find((one) => one === kept)
  if (typeof schema !== 'number' || typeof takenAt !== 'number' || keys === undefined) {
    throw refuse('is damaged: its first line is not a header')
  }
  return { schema, takenAt, sealingKeys: keys }
}

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || Number.isSafeInteger(value)

const isList = <Member>(
  value: unknown,
  isMember: (member: unknown) => member is Member,
): value is readonly Member[] => Array.isArray(value) && value.every(isMember)

const isText = (value: unknown): value is string => typeof value === 'string'

/** Collects lines to parts, and counts the rows. */
class Collector {
  readonly counts: Record<string, number> = {}
  readonly #refuse: Refuse
  #table: Omit<Part, 'rows'> | null = null
  #rows: (readonly Cell[])[] = []

  constructor(refuse: Refuse) {
    this.#refuse = refuse
  }

  /** @returns the part that is complete now, if one is */
  take(line: Members | readonly unknown[]): Part | null {
    if (!Array.isArray(line)) return this.#begin(line as Members)
    if (this.#table === null) throw this.#refuse('is damaged: a row of it belongs to no table')
    const { table, columns } = this.#table
    if (line.length !== columns.length || !isList(line, isCell)) {
      throw this.#refuse(`is damaged: a row of it does not fit the table ${table}`)
    }
    this.#rows.push(line)
    this.counts[table] = (this.counts[table] ?? 0) + 1
    return this.#rows.length < copyLimits.rows ? null : this.rest()
  }

  rest(): Part | null {
    if (this.#table === null || this.#rows.length === 0) return null
    const rows = this.#rows
    this.#rows = []
    return { ...this.#table, rows }
  }

  #begin({ table, columns }: Members): Part | null {
    if (!isText(table) || table in this.counts || !isList(columns, isText)) {
      throw this.#refuse('is damaged: a line of it is neither a table nor a row')
    }
    const complete = this.rest()
    this.#table = { table, columns }
    this.counts[table] = 0
    return complete
  }
}

const checkEnd = (end: Members, counts: Counts, sha256: string, refuse: Refuse): void => {
  if (end.sha256 !== sha256) throw refuse('is damaged: its SHA-256 is not the one that it states')
  if (JSON.stringify(end.rows) !== JSON.stringify(counts)) {
    throw refuse('is damaged: it has other rows than it states')
  }
}

async function* partsOf(
  header: string,
  lines: AsyncGenerator<string>,
  refuse: Refuse,
): AsyncGenerator<Part> {
  const collector = new Collector(refuse)
  const digest = runningDigest()
  digest.add(`${header}\n`)
  for await (const text of lines) {
    const line = parseLine(text, refuse)
    if ('sha256' in line) {
      checkEnd(line, collector.counts, digest.end(), refuse)
      if (!(await lines.next()).done) throw refuse('is damaged: it goes on after its end')
      const last = collector.rest()
      if (last !== null) yield last
      return
    }
    digest.add(`${text}\n`)
    const part = collector.take(line)
    if (part !== null) yield part
  }
  throw refuse('is cut short')
}

/** @throws StoreRefusal where there is no backup */
export const openBackup = async (path: string): Promise<OpenBackup> => {
  const refuse: Refuse = (why) => new StoreRefusal(`the backup ${path} ${why}`)
  const lines = linesOf(path, refuse)
  const { value: first } = await lines.next()
  if (first === undefined) throw refuse('is not one')
  return { header: parseHeader(first, refuse), parts: partsOf(first, lines, refuse) }
}
