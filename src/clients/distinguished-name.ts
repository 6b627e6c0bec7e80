/** Distinguished names as text (RFC 4514), compared as directories compare them (RFC 4517 section 4.2.15). */
import type { DistinguishedName, NameAttribute } from '../crypto/certificate.ts'
import { readOnly, readText } from '../crypto/der.ts'

/** Short names of attribute types, in lower case; any other type is written by its number. */
const types: Readonly<Record<string, string>> = {
  cn: '2.5.4.3',
  commonname: '2.5.4.3',
  sn: '2.5.4.4',
  surname: '2.5.4.4',
  serialnumber: '2.5.4.5',
  c: '2.5.4.6',
  l: '2.5.4.7',
  st: '2.5.4.8',
  street: '2.5.4.9',
  o: '2.5.4.10',
  ou: '2.5.4.11',
  title: '2.5.4.12',
  description: '2.5.4.13',
  businesscategory: '2.5.4.15',
  postalcode: '2.5.4.17',
  givenname: '2.5.4.42',
  gn: '2.5.4.42',
  initials: '2.5.4.43',
  dnqualifier: '2.5.4.46',
  pseudonym: '2.5.4.65',
  organizationidentifier: '2.5.4.97',
  dc: '0.9.2342.19200300.100.1.25',
  uid: '0.9.2342.19200300.100.1.1',
  emailaddress: '1.2.840.113549.1.9.1',
  email: '1.2.840.113549.1.9.1',
  e: '1.2.840.113549.1.9.1',
}

const number = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))+$/

const findType = (text: string): string | null => {
  const name = text.toLowerCase()
  if (Object.hasOwn(types, name)) return types[name] ?? null
  return number.test(name) ? name : null
}

/** As RFC 4518 prepares text for comparison: neither case, nor composition, nor the number of blanks counts. */
const prepare = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/ +/g, ' ').trim()

const writeAttribute = ({ type, value }: NameAttribute): string =>
  JSON.stringify('text' in value ? [type, prepare(value.text)] : [type, null, value.der])

/** One spelling for all names that are equal. The parts are in the order of the certificate, from the root on. */
export const spellName = (name: DistinguishedName): string =>
  JSON.stringify(name.map((part) => part.map(writeAttribute).toSorted()))

/** The first short name of each type. */
const shortNames = new Map(
  Object.entries(types)
    .toReversed()
    .map(([name, type]) => [type, name.toUpperCase()]),
)

const formatAttribute = ({ type, value }: NameAttribute): string => {
  const said =
    'text' in value
      ? value.text.replaceAll(/["+,;<>\\]|^[ #]| $/g, '\\$&').replaceAll('\0', '\\00')
      : `#${value.der}`
  return `${shortNames.get(type) ?? type}=${said}`
}

/** The text of a name, as a registration writes it. */
export const formatName = (name: DistinguishedName): string =>
  name
    .map((part) => part.map(formatAttribute).join('+'))
    .toReversed()
    .join(',')

/** Splits at a separator that no backslash escapes. */
const splitAt = (text: string, separator: ',' | '+' | '='): readonly string[] => {
  const pieces = ['']
  for (const [piece] of text.matchAll(/\\.|./gs)) {
    if (piece === separator) pieces.push('')
    else pieces[pieces.length - 1] += piece
  }
  return pieces
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text behind the escapes: a special character, or bytes of UTF-8 in hexadecimal; null where it is malformed. */
const readEscaped = (text: string): string | null => {
  const bytes: Uint8Array[] = []
  const pieces = [...text.matchAll(/\\[\dA-Fa-f]{2}|\\.|./gsu)].map(([piece]) => piece)
  // A blank at an end counts only if it is escaped.
  const first = pieces.findIndex((piece) => piece !== ' ')
  const last = pieces.findLastIndex((piece) => piece !== ' ')
  for (const piece of first === -1 ? [] : pieces.slice(first, last + 1)) {
    if (/^\\[\dA-Fa-f]{2}$/.test(piece)) bytes.push(Buffer.from(piece.slice(1), 'hex'))
    else if (/^\\[ "#+,;<=>\\]$/.test(piece)) bytes.push(Buffer.from(piece.slice(1)))
    else if (/^[^\\"+,;<>\0]$/u.test(piece)) bytes.push(Buffer.from(piece))
    else return null
  }
  try {
    return utf8.decode(Buffer.concat(bytes))
  } catch {
    return null
  }
}

const parseHex = (text: string): NameAttribute['value'] | null => {
  const bytes = /^#(?:[\dA-Fa-f]{2})+$/.test(text) ? Buffer.from(text.slice(1), 'hex') : null
  const element = bytes && readOnly(bytes)
  if (element === null || bytes === null) return null
  const said = readText(element)
  return said === null ? { der: bytes.toString('hex') } : { text: said }
}

const parseAttribute = (text: string): NameAttribute | null => {
  const [name = '', ...rest] = splitAt(text, '=')
  const type = findType(name.trim())
  const written = rest.join('=')
  if (type === null || rest.length === 0) return null
  const trimmed = written.trim()
  if (trimmed.startsWith('#')) {
    const value = parseHex(trimmed)
    return value && { type, value }
  }
  const said = readEscaped(written)
  return said === null || said === '' ? null : { type, value: { text: said } }
}

/** A name out of its text, from the root on; null where it is malformed or has an unknown type. */
export const parseDistinguishedName = (text: string): DistinguishedName | null => {
  if (text.trim() === '' || !text.isWellFormed()) return null
  const parts = splitAt(text, ',').map((part) => splitAt(part, '+').map(parseAttribute))
  const whole = parts.map((part) => part.filter((attribute) => attribute !== null))
  return whole.every((part, index) => part.length === parts[index]?.length)
    ? whole.toReversed()
    : null
}
