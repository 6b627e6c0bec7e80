/** Reads a file of owners: one after the other, with the number of the line. */

import { createReadStream } from 'node:fs'
import { parseJsonObject } from '../../http/body.ts'
import { decodeUtf8, isObject, parseJson } from '../../model/json.ts'
import { Refusal } from '../../protocol/refusal.ts'

/** More than this without the end of a line is no such file. */
export const longestLineBytes = 1024 * 1024

export interface FileRecord {
  /** The number of its first line. */
  readonly line: number
  /** As it stands in the file, without the line end. */
  readonly bytes: Buffer
  /** How many bytes of the file come before its end. */
  readonly end: number
}

/** The file is of another kind. Nothing of it is skipped: the import stops. */
export class FileFault extends Error {}

const [lineFeed, carriageReturn, quote] = [0x0a, 0x0d, 0x22] as const

const checkFirst = (bytes: Buffer): Buffer => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new FileFault('the file is UTF-16: save it as UTF-8')
  }
  const hasMark = first === 0xef && second === 0xbb && bytes[2] === 0xbf
  return hasMark ? bytes.subarray(3) : bytes
}

/** @param isCsv whether quotes hold line ends together */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  isCsv: boolean,
): AsyncGenerator<FileRecord> {
  let held: Buffer[] = []
  let heldBytes = 0
  let [line, firstLine, end] = [1, 1, 0]
  let isQuoted = false
  const take = (last: Buffer): FileRecord => {
    const read = Buffer.concat([...held, last])
    const whole = read.at(-1) === carriageReturn ? read.subarray(0, -1) : read
    const record = { line: firstLine, bytes: firstLine === 1 ? checkFirst(whole) : whole, end }
    held = []
    heldBytes = 0
    return record
  }
  for await (const chunk of chunks) {
    let from = 0
    for (const [i, byte] of chunk.entries()) {
      if (isCsv && byte === quote) isQuoted = !isQuoted
      if (byte !== lineFeed) continue
      line++
      if (isQuoted) continue
      const next = i + 1
      end += next - from
      yield take(chunk.subarray(from, i))
      from = next
      firstLine = line
    }
    const rest = chunk.subarray(from)
    held.push(rest)
    heldBytes += rest.length
    end += rest.length
    if (heldBytes > longestLineBytes) {
      throw new FileFault(
        `line ${firstLine} does not end: the file needs one line for each owner${isCsv ? ', and each quote its end' : ''}`,
      )
    }
  }
  if (heldBytes > 0) yield take(Buffer.alloc(0))
}

/** The fields of a record of CSV (RFC 4180); null where its quotes do not fit. */
export const parseCsv = (text: string): readonly string[] | null => {
  const fields: string[] = []
  let at = 0
  while (true) {
    const found = text[at] === '"' ? /"((?:[^"]|"")*)"(?=,|$)/y : /([^,"]*)(?=,|$)/y
    found.lastIndex = at
    const match = found.exec(text)
    if (match === null) return null
    fields.push((match[1] ?? '').replaceAll('""', '"'))
    at = found.lastIndex
    if (at >= text.length) return fields
    at++
  }
}

type CsvMembers = Record<string, unknown>

const flags = ['email_verified', 'disabled', 'phone_number_verified']

const inJson = ['claims', 'attributes', 'roles', 'groups', 'claims.address']

/** What a cell says. Text stays text, whatever a spreadsheet would make of it. */
const parseCell = (column: string, cell: string): unknown => {
  const name = column.split('.').at(-1) ?? ''
  if (flags.includes(name)) {
    const said = cell.toLowerCase()
    return said === 'true' || said === 'false' ? said === 'true' : cell
  }
  if (column === 'created_at') return /^\d{1,12}$/.test(cell) ? Number(cell) : cell
  if (!inJson.includes(column)) return cell
  const value = parseJson(cell)
  return value === undefined ? cell : value
}

/** Columns with a dot lead into an object: `claims.given_name`. */
const put = (members: CsvMembers, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    members[name] = value
    return
  }
  const inner = members[name]
  const next: CsvMembers = isObject(inner) ? inner : Object.create(null)
  members[name] = next
  put(next, rest, value)
}

/** The members that a record gives. An empty cell gives none. */
const readMembers = (header: readonly string[], fields: readonly string[]): CsvMembers => {
  const members: CsvMembers = Object.create(null)
  for (const [i, column] of header.entries()) {
    const cell = fields[i] ?? ''
    if (cell !== '') put(members, column.split('.'), parseCell(column, cell))
  }
  return members
}

/** One line of a file. The file as a whole has no limit. */
export const lineBytes = 64 * 1024
/** Names in one column of CSV, such as `claims.address.country`. */
const columnDepth = 20
/** Lines that go to the store together, and their characters: half of a command (`limits`). */
export const batchLimits = { lines: 200, characters: 128 * 1024 } as const

export type Format = 'ndjson' | 'csv'

/** A record of the file: the members of an owner, or why it has none. */
export interface ReadRecord extends FileRecord {
  /** How long the members are on their way to the service. */
  readonly characters: number
  readonly read: { readonly members: object } | { readonly problem: string }
}

export interface PeopleFile {
  /** The header of CSV as it stands in the file; null before it was read, and for NDJSON. */
  header(): Buffer | null
  records(): AsyncGenerator<ReadRecord>
}

const readJson = (text: string): ReadRecord['read'] => {
  try {
    return { members: parseJsonObject(text) }
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return { problem: fault.description.replace(/the (JSON )?body/, 'the $1line') }
  }
}

const readCsv = (text: string, header: readonly string[]): ReadRecord['read'] => {
  const fields = parseCsv(text)
  if (fields === null) return { problem: 'its quotes do not fit' }
  if (fields.length === header.length) return { members: readMembers(header, fields) }
  return { problem: `it has ${fields.length} fields, and the header has ${header.length}` }
}

/** Characters such as control characters grow on the way. */
const measureRecord = (record: FileRecord, read: ReadRecord['read']): ReadRecord => {
  const characters = 'members' in read ? JSON.stringify(read.members).length : 0
  const isTooLong = characters > batchLimits.characters
  return { ...record, characters, read: isTooLong ? { problem: 'it is too long' } : read }
}

const parseHeader = (bytes: Buffer): readonly string[] => {
  const header = parseCsv(decodeUtf8(bytes) ?? '')?.map((name) => name.trim())
  if (header === undefined || !header.includes('username')) {
    throw new FileFault(
      'the first line has to name the columns, username among them, with commas between them',
    )
  }
  // A path of thousands of names would nest as deep.
  if (header.some((name) => name.split('.').length > columnDepth)) {
    throw new FileFault(`a column leads deeper than ${columnDepth} names`)
  }
  if (new Set(header).size < header.length) throw new FileFault('two columns have the same name')
  return header
}

export const openPeople = (path: string, format: Format): PeopleFile => {
  let header: { readonly bytes: Buffer; readonly names: readonly string[] } | null = null
  const read = ({ bytes }: FileRecord): ReadRecord['read'] => {
    const most = lineBytes
    if (bytes.length > most) return { problem: `it is longer than ${most} bytes` }
    const text = decodeUtf8(bytes)
    if (text === null) return { problem: 'it is not UTF-8' }
    return header === null ? readJson(text) : readCsv(text, header.names)
  }
  return {
    header: () => header?.bytes ?? null,
    async *records() {
      const chunks: AsyncIterable<Buffer> = createReadStream(path)
      for await (const record of splitRecords(chunks, format === 'csv')) {
        const { bytes, line } = record
        if (/^\s*$/.test(bytes.toString('latin1'))) continue
        if (format === 'csv' && header === null) {
          header = { bytes, names: parseHeader(bytes) }
          continue
        }
        if (line === 1 && bytes[0] === 0x5b) {
          throw new FileFault(
            "the file is a JSON array: write its members line by line, as jq -c '.[]' does",
          )
        }
        yield measureRecord(record, read(record))
      }
    },
  }
}
