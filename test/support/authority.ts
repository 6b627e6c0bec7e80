/** Authorities and the certificates that they issue, written byte by byte (RFC 5280 section 4.1). */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { certificateTime, der, sequence } from './certificate.ts'

/** An object identifier as DER, by its numbers. */
const oid = (text: string): Buffer => {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((arc) => {
    const digits = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.from(bytes))
}

export const tags = { utf8: 0x0c, printable: 0x13, ia5: 0x16, bmp: 0x1e } as const

/** An attribute of a name: its type, its value, and the kind of string. */
export type Attribute = readonly [type: string, value: string, kind?: keyof typeof tags]

const types: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  DC: '0.9.2342.19200300.100.1.25',
}

const encodeText = (value: string, kind: keyof typeof tags): Buffer =>
  kind === 'bmp' ? Buffer.from(value, 'utf16le').swap16() : Buffer.from(value)

const writeAttribute = ([type, value, kind = 'utf8']: Attribute): Buffer =>
  sequence(oid(types[type] ?? type), der(tags[kind], encodeText(value, kind)))

/** A name from the root on: each part is one attribute, or several of one rank. */
export type NameParts = readonly (Attribute | readonly Attribute[])[]

const isOne = (part: Attribute | readonly Attribute[]): part is Attribute =>
  typeof part[0] === 'string'

const writeName = (parts: NameParts): Buffer =>
  sequence(...parts.map((part) => der(0x31, ...(isOne(part) ? [part] : part).map(writeAttribute))))

/** A name in the subject alternative name, by the tag of its kind. */
export const alternative = {
  email: (text: string): Buffer => der(0x81, Buffer.from(text)),
  dns: (text: string): Buffer => der(0x82, Buffer.from(text)),
  uri: (text: string): Buffer => der(0x86, Buffer.from(text)),
  ip: (...bytes: readonly number[]): Buffer => der(0x87, Buffer.from(bytes)),
} as const

export const extension = (id: string, value: Uint8Array, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [der(0x01, 0xff)] : []), der(0x04, value))

export const authorityOnly = (below?: number): Buffer =>
  extension(
    '2.5.29.19',
    sequence(der(0x01, 0xff), ...(below === undefined ? [] : [der(0x02, below)])),
    true,
  )

/** @param byte the first bits: 0x80 signs messages, 0x04 certificates */
export const keyUsage = (byte: number): Buffer => extension('2.5.29.15', der(0x03, 0, byte), true)

export const extendedKeyUsage = (...uses: readonly string[]): Buffer =>
  extension('2.5.29.37', sequence(...uses.map(oid)))

export const clientUse = '1.3.6.1.5.5.7.3.2'
export const serverUse = '1.3.6.1.5.5.7.3.1'

export interface Issued {
  readonly der: Buffer
  /** As `Client-Cert` carries it (RFC 9440). */
  readonly header: string
  readonly base64: string
  readonly pem: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly name: Buffer
}

interface Wanted {
  readonly subject: NameParts
  /** Absent for one that signs itself. */
  readonly by?: Issued
  readonly names?: readonly Buffer[]
  readonly extensions?: readonly Buffer[]
  readonly from?: Date
  readonly until?: Date
  readonly keys?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
  readonly digest?: 'sha256' | 'sha1'
}

const signatures = {
  ec: { sha256: sequence(oid('1.2.840.10045.4.3.2')), sha1: sequence(oid('1.2.840.10045.4.1')) },
  rsa: {
    sha256: sequence(oid('1.2.840.113549.1.1.11'), der(0x05)),
    sha1: sequence(oid('1.2.840.113549.1.1.5'), der(0x05)),
  },
} as const

let serial = 0

export const newEcKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const issueCertificate = ({
  subject,
  by,
  names = [],
  extensions = [],
  from = new Date('2026-01-01T00:00:00Z'),
  until = new Date('2049-12-31T23:59:59Z'),
  keys = newEcKeys(),
  digest = 'sha256',
}: Wanted): Issued => {
  const { privateKey, publicKey } = keys
  const name = writeName(subject)
  const signer = by?.privateKey ?? privateKey
  const algorithm = signatures[signer.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec'][digest]
  const all = [
    ...(names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names))]),
    ...extensions,
  ]
  serial += 1
  const statement = sequence(
    der(0xa0, der(0x02, 2)),
    der(0x02, 0x40, serial >> 8, serial & 255),
    algorithm,
    by?.name ?? name,
    sequence(
      der(0x17, Buffer.from(certificateTime(from))),
      der(0x17, Buffer.from(certificateTime(until))),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(all.length === 0 ? [] : [der(0xa3, sequence(...all))]),
  )
  const whole = sequence(statement, algorithm, der(0x03, 0, sign(digest, statement, signer)))
  const base64 = whole.toString('base64')
  const lines = base64.replaceAll(/.{64}(?=.)/g, '$&\n')
  return {
    der: whole,
    header: `:${base64}:`,
    base64,
    pem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    privateKey,
    publicKey,
    name,
  }
}

export const makeAuthority = (name: string, by?: Issued, below?: number): Issued =>
  issueCertificate({
    subject: [['CN', name]],
    ...(by === undefined ? {} : { by }),
    extensions: [authorityOnly(below), keyUsage(0x04)],
  })
