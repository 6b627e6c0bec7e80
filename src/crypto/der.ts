/** Reads DER (X.690): elements of a tag, a length and a content, each in the one form that the standard allows. */

export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  /** With tag and length. */
  readonly whole: Uint8Array
}

/** The tags that certificates need. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const

/** Tags of a higher number take more bytes. No certificate has one. */
const longTag = 0x1f

/** How many bytes tag and length take, and the length; null where they are cut off or not in their shortest form. */
const readHead = (bytes: Uint8Array): { readonly size: number; readonly length: number } | null => {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined || (tag & longTag) === longTag) return null
  if (first < 0x80) return { size: 2, length: first }
  const count = first & 0x7f
  const digits = bytes.subarray(2, 2 + count)
  if (count === 0 || count > 3 || digits.length < count || digits[0] === 0) return null
  const length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  return length < 0x80 ? null : { size: 2 + count, length }
}

/** All elements of a row; null for other bytes. */
const readElements = (bytes: Uint8Array): readonly DerElement[] | null => {
  const elements: DerElement[] = []
  let rest = bytes
  while (rest.length > 0) {
    const head = readHead(rest)
    if (head === null) return null
    const end = head.size + head.length
    if (end > rest.length) return null
    const [tag = 0] = rest
    elements.push({
      tag,
      content: rest.subarray(head.size, end),
      whole: rest.subarray(0, end),
    })
    rest = rest.subarray(end)
  }
  return elements
}

/** The elements inside one; none where it is missing, of another tag, or malformed. */
export const readInside = (
  element: DerElement | undefined,
  tag: number,
): readonly DerElement[] | null => (element?.tag === tag ? readElements(element.content) : null)

/** The only element of the bytes; null where there are more, or none. */
export const readOnly = (bytes: Uint8Array): DerElement | null => {
  const [only, second] = readElements(bytes) ?? []
  return only === undefined || second !== undefined ? null : only
}

/** An object identifier, such as `2.5.4.3`; null where it is none. */
export const readOid = (element: DerElement | undefined): string | null => {
  if (element?.tag !== derTags.oid) return null
  const arcs: number[] = []
  let arc = 0
  let isWithin = false
  for (const byte of element.content) {
    // A leading zero digit would be a second spelling of the same number.
    if (!isWithin && byte === 0x80) return null
    arc = arc * 128 + (byte & 0x7f)
    if (!Number.isSafeInteger(arc)) return null
    isWithin = byte >= 0x80
    if (isWithin) continue
    arcs.push(arc)
    arc = 0
  }
  const [first, ...others] = arcs
  if (first === undefined || isWithin) return null
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...others].join('.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const utf16 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true })

const decode = (decoder: TextDecoder, bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

const decodeAscii = (bytes: Uint8Array): string | null =>
  bytes.every((byte) => byte < 0x80) ? Buffer.from(bytes).toString('latin1') : null

/**
 * The text of a string; null for other elements. T61String is one of them: nobody agrees about its characters.
 */
export const readText = ({ tag, content }: DerElement): string | null => {
  switch (tag) {
    case 0x0c: // UTF8String
      return decode(utf8, content)
    case 0x12: // NumericString
    case 0x13: // PrintableString
    case 0x16: // IA5String
      return decodeAscii(content)
    case 0x1e: // BMPString
      return decode(utf16, content)
    default:
      return null
  }
}
