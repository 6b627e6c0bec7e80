/** Reads a file of owners: one after the other, with the number of the line. */
import { createReadStream } from 'node:fs'
import { parseJsonObject } from '../../http/body.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { membersOf, parseCsv } from './csv.ts'
import { FileFault, type FileRecord, splitRecords } from './split.ts'

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

const textOf = (bytes: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
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
  if (fields.length === header.length) return { members: membersOf(header, fields) }
  return { problem: `it has ${fields.length} fields, and the header has ${header.length}` }
}

/** Characters such as control characters grow on the way. */
const measured = (record: FileRecord, read: ReadRecord['read']): ReadRecord => {
  const characters = 'members' in read ? JSON.stringify(read.members).length : 0
  const isTooLong = characters > batchLimits.characters
  return { ...record, characters, read: isTooLong ? { problem: 'it is too long' } : read }
}

const parseHeader = (bytes: Buffer): readonly string[] => {
  const header = parseCsv(textOf(bytes) ?? '')?.map((name) => name.trim())
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
    const text = textOf(bytes)
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
        yield measured(record, read(record))
      }
    },
  }
}
