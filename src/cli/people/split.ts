/** Splits a file into records, each a line. In CSV, a quoted field may hold further lines (RFC 4180). */

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

const withoutLineEnd = (bytes: Buffer): Buffer =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes

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
    const whole = withoutLineEnd(Buffer.concat([...held, last]))
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
