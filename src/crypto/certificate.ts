/** X.509 certificates (RFC 5280 section 4): the parts that name a client, and those of a chain. */
import { hash, type KeyObject, X509Certificate } from 'node:crypto'
import type { Digest } from '../model/ids.ts'
import { type DerElement, derTags, readInside, readOid, readOnly, readText } from './der.ts'

/** An attribute of a name: its type, and its value as text, or as DER where the value is no text. */
export interface NameAttribute {
  readonly type: string
  readonly value: { readonly text: string } | { readonly der: string }
}

/** A distinguished name: the parts from the root on, and the attributes of each. */
export type DistinguishedName = readonly (readonly NameAttribute[])[]

/** An entry of the subject alternative name: its tag, and its bytes. */
export interface AlternativeName {
  readonly tag: number
  readonly bytes: Uint8Array
}

interface Extension {
  readonly isCritical: boolean
  readonly value: Uint8Array
}

export interface Certificate {
  readonly der: Uint8Array
  readonly subject: DistinguishedName
  readonly alternativeNames: readonly AlternativeName[]
  /** The names as DER: a certificate and its issuer agree byte by byte. */
  readonly encoded: { readonly subject: Uint8Array; readonly issuer: Uint8Array }
  /** Unix seconds, both included. */
  readonly validity: { readonly from: number; readonly to: number }
  readonly signatureAlgorithm: DerElement
  readonly extensions: ReadonlyMap<string, Extension>
  /** Null for a key that Node does not know. */
  readonly publicKey: KeyObject | null
  isSignedBy(key: KeyObject): boolean
}

export const extensionIds = {
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const

/** The thumbprint of RFC 8705 section 3.1, which names a certificate without reading it. */
export const hashCertificate = (der: Uint8Array): Digest =>
  hash('sha256', der, 'base64url') as Digest

const readAttribute = (element: DerElement): NameAttribute | null => {
  const [type, value, more] = readInside(element, derTags.sequence) ?? []
  const oid = readOid(type)
  if (oid === null || value === undefined || more !== undefined) return null
  const text = readText(value)
  return {
    type: oid,
    value: text === null ? { der: Buffer.from(value.whole).toString('hex') } : { text },
  }
}

/** All of a list, or null where any is missing. */
const keepAll = <Value>(values: readonly (Value | null)[] | undefined): readonly Value[] | null => {
  const there = values?.filter((value): value is Value => value !== null)
  return there === undefined || there.length !== values?.length ? null : there
}

const readName = (element: DerElement | undefined): DistinguishedName | null => {
  const parts = readInside(element, derTags.sequence)
  return keepAll(parts?.map((part) => keepAll(readInside(part, derTags.set)?.map(readAttribute))))
}

/** Each extension once (RFC 5280 section 4.2); null where they are malformed. */
const readExtensions = (element: DerElement | undefined): ReadonlyMap<string, Extension> | null => {
  if (element === undefined) return new Map()
  const list = readInside(readOnly(element.content) ?? undefined, derTags.sequence)
  const extensions = new Map<string, Extension>()
  for (const one of list ?? []) {
    const [id, ...further] = readInside(one, derTags.sequence) ?? []
    const oid = readOid(id)
    const value = further.at(-1)
    const flag = further.length === 2 ? further[0] : undefined
    const isWhole = further.length === 1 || flag?.tag === derTags.boolean
    if (oid === null || value?.tag !== derTags.octetString || !isWhole) return null
    if (extensions.has(oid)) return null
    const isCritical = flag !== undefined && flag.content[0] !== 0
    extensions.set(oid, { isCritical, value: value.content })
  }
  return list === null ? null : extensions
}

const readAlternativeNames = (
  extensions: ReadonlyMap<string, Extension>,
): readonly AlternativeName[] | null => {
  const extension = extensions.get(extensionIds.alternativeName)
  if (extension === undefined) return []
  const names = readInside(readOnly(extension.value) ?? undefined, derTags.sequence)
  return names?.map(({ tag, content }) => ({ tag, bytes: content })) ?? null
}

const findPublicKey = (x509: X509Certificate): KeyObject | null => {
  try {
    return x509.publicKey
  } catch {
    return null
  }
}

/** Node's own view of it; null where these bytes, and nothing more, are no certificate. */
const openX509 = (der: Uint8Array): X509Certificate | null => {
  try {
    const x509 = new X509Certificate(der)
    return x509.raw.equals(der) ? x509 : null
  } catch {
    return null
  }
}

/** Null where the bytes are no certificate. */
export const parseCertificate = (der: Uint8Array): Certificate | null => {
  const x509 = openX509(der)
  const [body, signatureAlgorithm] = readInside(readOnly(der) ?? undefined, derTags.sequence) ?? []
  const parts = readInside(body, derTags.sequence)
  if (x509 === null || signatureAlgorithm === undefined || parts === null) return null
  const [, , issuer, , subject, , ...further] = parts[0]?.tag === 0xa0 ? parts.slice(1) : parts
  const extensions = readExtensions(further.find(({ tag }) => tag === 0xa3))
  const name = readName(subject)
  const names = extensions && readAlternativeNames(extensions)
  if (issuer === undefined || subject === undefined || name === null) return null
  if (extensions === null || names === null) return null
  return {
    der,
    subject: name,
    alternativeNames: names,
    encoded: { subject: subject.whole, issuer: issuer.whole },
    validity: {
      from: Math.floor(x509.validFromDate.getTime() / 1000),
      to: Math.floor(x509.validToDate.getTime() / 1000),
    },
    signatureAlgorithm,
    extensions,
    publicKey: findPublicKey(x509),
    isSignedBy: (key) => {
      try {
        return x509.verify(key)
      } catch {
        return false
      }
    },
  }
}
