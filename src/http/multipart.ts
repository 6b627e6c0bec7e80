/** Forms with a file (`multipart/form-data`, RFC 7578), as browsers send them. */
import { Refusal } from '../protocol/refusal.ts'

const multipartLimits = { parts: 10, headBytes: 1024 } as const

const malformed = (): Refusal =>
  new Refusal('invalid_request', 'bad_multipart', 'the body has to be a form with one file')

/** @throws Refusal `invalid_request` */
const readBoundary = (contentType: string | null): string => {
  const [, quoted, plain] =
    /^multipart\/form-data; *boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./-]{1,70}))$/i.exec(
      contentType ?? '',
    ) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformed()
  return boundary
}

/**
 * The parts of a form by their names, each name once.
 *
 * @throws Refusal `invalid_request`
 */
export const parseMultipart = (
  body: Uint8Array,
  contentType: string | null,
): ReadonlyMap<string, Buffer> => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const boundary = `--${readBoundary(contentType)}`
  const parts = new Map<string, Buffer>()
  let at = boundary.length
  if (bytes.toString('latin1', 0, at) !== boundary) throw malformed()
  while (bytes.toString('latin1', at, at + 2) !== '--') {
    const head = bytes.indexOf('\r\n\r\n', at)
    const end = bytes.indexOf(`\r\n${boundary}`, head)
    const isWhole = head !== -1 && end >= head + 2 && head - at <= multipartLimits.headBytes
    if (!isWhole || parts.size >= multipartLimits.parts) throw malformed()
    const [, name] = /^content-disposition: form-data; name="([a-z_]+)"/im.exec(
      bytes.toString('latin1', at, head),
    ) ?? ['', undefined]
    if (name === undefined || parts.has(name)) throw malformed()
    parts.set(name, bytes.subarray(head + 4, Math.max(head + 4, end)))
    at = end + 2 + boundary.length
  }
  return parts
}
