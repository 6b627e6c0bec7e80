/**
 * A backup: JSON lines in one text file, the same for every engine. First a header. For each table
 * its name and columns, then one list per row in the order of the keys. At the end the numbers of
 * rows, and the SHA-256 of all lines before. A backup is read line by line, so that it may be of any
 * size, and nothing of it is believed unseen.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { syncFolder } from '../../config/sync-folder.ts'
import { startDigest } from '../../crypto/digest.ts'
import { parseJson } from '../../model/json.ts'
import { StoreRefusal } from '../fault.ts'
import type { Values } from '../schema/table.ts'
import type { Value } from '../sql/statement.ts'

/** Rows that are read or copied at once. */
export const rowsTogether = 500
const chunkBytes = 256 * 1024
const lineCharacters = 16 * 1024 * 1024

const backupFormat = 1

/** `plain`: the keys that seal tokens can be read in the file itself. */
const sealingKeys = ['wrapped', 'plain', 'none'] as const
export type SealingKeys = (typeof sealingKeys)[number]

export interface BackupHeader {
  readonly schema: number
  /** Unix seconds. */
  readonly takenAt: number
  readonly sealingKeys: SealingKeys
}

/** How many rows each table has. */
export type Counts = Readonly<Record<string, number>>

/** Some rows of one table, in the order of their keys; a table that has many comes several times. */
export interface Part {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Values[]
}

export interface WrittenBackup {
  readonly rows: Counts
  readonly bytes: number
  readonly sha256: string
}

const writeLines = async (
  file: FileHandle,
  header: BackupHeader,
  parts: AsyncIterable<Part>,
): Promise<WrittenBackup> => {
  const digest = startDigest()
  const rows: Record<string, number> = {}
  let bytes = 0
  const put = async (text: string): Promise<void> => {
    const piece = Buffer.from(text)
    bytes += piece.length
    await file.writeFile(piece)
  }
  const say = async (lines: readonly unknown[]): Promise<void> => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    digest.add(text)
    await put(text)
  }
  await say([{ latchkey: 'backup', format: backupFormat, ...header }])
  for await (const part of parts) {
    const { table, columns } = part
    await say(table in rows ? part.rows : [{ table, columns }, ...part.rows])
    rows[table] = (rows[table] ?? 0) + part.rows.length
  }
  const sha256 = digest.end()
  await put(`${JSON.stringify({ rows, sha256 })}\n`)
  return { rows, bytes, sha256 }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  EACCES: 'its folder is not writable',
  ENOSPC: 'the disk is full',
}

/**
 * Writes a backup under another name and gives it its own once it is whole and durable.
 *
 * @throws StoreRefusal where there is such a file already
 */
export const writeBackup = async (
  path: string,
  header: BackupHeader,
  parts: AsyncIterable<Part>,
): Promise<WrittenBackup> => {
  if (await stat(path).catch(() => null)) {
    throw new StoreRefusal(`there is already a file ${path}; choose another name`)
  }
  const unfinished = `${path}.part`
  let file: FileHandle | null = null
  try {
    await rm(unfinished, { force: true })
    file = await open(unfinished, 'wx', 0o600)
    const written = await writeLines(file, header, parts)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    await syncFolder(path)
    return written
  } catch (error) {
    await file?.close().catch(() => {})
    if (file !== null) await rm(unfinished, { force: true })
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error
    const code = String(error.code)
    throw new StoreRefusal(`the backup ${path} cannot be written: ${reasons[code] ?? code}`)
  }
}

type Members = Readonly<Record<string, unknown>>
type Refuse = (why: string) => StoreRefusal

/** Lines without their ends. Text after the last end is no line: the file was cut short there. */
async function* readLines(path: string, refuse: Refuse): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = pieces.pop() ?? ''
      if (rest.length > lineCharacters) throw refuse('is not one')
      yield* pieces
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw refuse('is not text')
    throw refuse(error.code === 'ENOENT' ? 'is not there' : 'cannot be read')
  }
  if (rest !== '') throw refuse('is cut short')
}

const parseLine = (text: string, refuse: Refuse): Members | readonly unknown[] => {
  const line = parseJson(text)
  if (typeof line === 'object' && line !== null) return line
  throw refuse('is damaged: a line of it is neither a list nor an object of JSON')
}

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

const isCell = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || Number.isSafeInteger(value)

const isList = (line: object): line is readonly unknown[] => Array.isArray(line)

const isText = (value: unknown): value is string => typeof value === 'string'

async function* readParts(
  header: string,
  lines: AsyncGenerator<string>,
  refuse: Refuse,
): AsyncGenerator<Part> {
  const counts: Record<string, number> = {}
  let current: Omit<Part, 'rows'> | null = null
  let rows: Values[] = []
  const takeRows = (): readonly Part[] => {
    const taken = current === null || rows.length === 0 ? [] : [{ ...current, rows }]
    rows = []
    return taken
  }
  const digest = startDigest()
  digest.add(`${header}\n`)
  for await (const text of lines) {
    const line = parseLine(text, refuse)
    if ('sha256' in line) {
      const isWhole = line.sha256 === digest.end()
      if (!isWhole) throw refuse('is damaged: its SHA-256 is not the one that it states')
      const isComplete = JSON.stringify(line.rows) === JSON.stringify(counts)
      if (!isComplete) throw refuse('is damaged: it has other rows than it states')
      if (!(await lines.next()).done) throw refuse('is damaged: it goes on after its end')
      yield* takeRows()
      return
    }
    digest.add(`${text}\n`)
    if (isList(line)) {
      if (current === null) throw refuse('is damaged: a row of it belongs to no table')
      const { table, columns } = current
      if (line.length !== columns.length || !line.every(isCell)) {
        throw refuse(`is damaged: a row of it does not fit the table ${table}`)
      }
      rows.push(line)
      counts[table] = (counts[table] ?? 0) + 1
      if (rows.length === rowsTogether) yield* takeRows()
    } else {
      const { table, columns } = line
      if (!isText(table) || table in counts || !Array.isArray(columns) || !columns.every(isText)) {
        throw refuse('is damaged: a line of it is neither a table nor a row')
      }
      yield* takeRows()
      current = { table, columns }
      counts[table] = 0
    }
  }
  throw refuse('is cut short')
}

/**
 * The header, and all rows to be read once. Trust them only after the last: a damaged or truncated
 * backup is refused at its end at the latest.
 *
 * @throws StoreRefusal where there is no backup
 */
export const openBackup = async (
  path: string,
): Promise<{ readonly header: BackupHeader; readonly parts: AsyncIterable<Part> }> => {
  const refuse: Refuse = (why) => new StoreRefusal(`the backup ${path} ${why}`)
  const lines = readLines(path, refuse)
  const { value: first } = await lines.next()
  if (first === undefined) throw refuse('is not one')
  return { header: parseHeader(first, refuse), parts: readParts(first, lines, refuse) }
}
