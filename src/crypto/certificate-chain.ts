/**
 * Whether an authority stands behind a certificate (RFC 5280 section 6.1). Refused are critical extensions that
 * nothing here reads, constraints on names, and weak signatures.
 */
import type { KeyObject } from 'node:crypto'
import { SettingsFault } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { type Certificate, extensionIds, parseCertificate } from './certificate.ts'
import { type DerElement, derTags, readInside, readOid, readOnly } from './der.ts'

/** Sizes of RSA keys in bits. Checking a longer one takes long. Whoever sends a certificate chooses its key. */
const rsaBits = { least: 2048, mostSent: 4096, most: 8192 } as const

/** Usually 65,537. A long exponent makes each check slow. */
const mostExponent = 0xffff_ffffn

const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const edwards = ['ed25519', 'ed448']

const sha2 = ['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3']

/** Signatures over SHA-256 or longer: RSA, ECDSA, EdDSA (RFC 5758, RFC 8017, RFC 8410). */
const safeSignatures = [
  ...['11', '12', '13'].map((last) => `1.2.840.113549.1.1.${last}`),
  ...['2', '3', '4'].map((last) => `1.2.840.10045.4.3.${last}`),
  '1.3.101.112',
  '1.3.101.113',
]
const pss = '1.2.840.113549.1.1.10'

const anyUse = '2.5.29.37.0'
const clientUse = '1.3.6.1.5.5.7.3.2'

/** Bits of the key usage (RFC 5280 section 4.2.1.3), counted from the left. */
const usageBits = { digitalSignature: 0, certificateSigning: 5 } as const

/** `pathLenConstraint` is absent where there is no limit. */
interface Constraints {
  readonly isAuthority: boolean
  readonly mostBelow: number
}

const noAuthority: Constraints = { isAuthority: false, mostBelow: 0 }

const hashOfPss = (parameters: DerElement | undefined): string | null => {
  const first = readInside(parameters, derTags.sequence)?.find(({ tag }) => tag === 0xa0)
  const algorithm = first && readOnly(first.content)
  return readOid(readInside(algorithm ?? undefined, derTags.sequence)?.[0])
}

const hasSafeSignature = ({ signatureAlgorithm }: Certificate): boolean => {
  const [id, parameters] = readInside(signatureAlgorithm, derTags.sequence) ?? []
  const oid = readOid(id)
  if (oid === null) return false
  // Without a name of its own the hash is SHA-1 (RFC 8017 appendix A.2.3).
  return oid === pss ? sha2.includes(hashOfPss(parameters) ?? '') : safeSignatures.includes(oid)
}

const isSafeKey = (key: KeyObject): boolean => {
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details = {} } = key
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details
  if (type === 'rsa' || type === 'rsa-pss') {
    const isSized = modulusLength >= rsaBits.least && modulusLength <= rsaBits.most
    return isSized && publicExponent <= mostExponent
  }
  return type === 'ec' ? curves.includes(namedCurve) : edwards.includes(type)
}

const isShort = ({ publicKey }: Certificate): boolean =>
  (publicKey?.asymmetricKeyDetails?.modulusLength ?? 0) <= rsaBits.mostSent

const readConstraints = ({ extensions }: Certificate): Constraints => {
  const extension = extensions.get(extensionIds.basicConstraints)
  const inside = extension && readInside(readOnly(extension.value) ?? undefined, derTags.sequence)
  const [flag, limit] = inside ?? []
  if (flag?.tag !== derTags.boolean || flag.content[0] !== 0xff) return noAuthority
  if (limit === undefined) return { isAuthority: true, mostBelow: Number.POSITIVE_INFINITY }
  const [length] = limit.content
  const isSmall = limit.tag === derTags.integer && limit.content.length === 1
  return isSmall && length !== undefined && length < 0x80
    ? { isAuthority: true, mostBelow: length }
    : noAuthority
}

/** Whether the key may be used so; a certificate that names no usage allows all. */
const canUse = ({ extensions }: Certificate, bit: number): boolean => {
  const extension = extensions.get(extensionIds.keyUsage)
  if (extension === undefined) return true
  const bits = readOnly(extension.value)
  if (bits?.tag !== derTags.bitString) return false
  const byte = bits.content[1 + (bit >> 3)] ?? 0
  return (byte & (0x80 >> (bit & 7))) !== 0
}

/** The same for the purpose (RFC 5280 section 4.2.1.12). */
const isForClients = ({ extensions }: Certificate): boolean => {
  const extension = extensions.get(extensionIds.extendedKeyUsage)
  if (extension === undefined) return true
  const uses = readInside(readOnly(extension.value) ?? undefined, derTags.sequence) ?? []
  return uses.map(readOid).some((use) => use === clientUse || use === anyUse)
}

const known: readonly string[] = [...Object.values(extensionIds), '2.5.29.32']
const nameConstraints = '2.5.29.30'

const hasUnknown = ({ extensions }: Certificate): boolean =>
  [...extensions].some(
    ([id, { isCritical }]) => id === nameConstraints || (isCritical && !known.includes(id)),
  )

export const isValidAt = ({ validity }: Certificate, at: number): boolean =>
  validity.from <= at && at <= validity.to

/** What any certificate of a chain has to be. */
const isSound = (certificate: Certificate, at: number): boolean =>
  isValidAt(certificate, at) &&
  isForClients(certificate) &&
  !hasUnknown(certificate) &&
  certificate.publicKey !== null &&
  isSafeKey(certificate.publicKey)

const isAuthority = (certificate: Certificate): boolean =>
  readConstraints(certificate).isAuthority && canUse(certificate, usageBits.certificateSigning)

/** @param below how many authorities stand between it and the certificate of the client */
const hasIssued = (issuer: Certificate, child: Certificate, below: number, at: number): boolean =>
  Buffer.compare(issuer.encoded.subject, child.encoded.issuer) === 0 &&
  isAuthority(issuer) &&
  readConstraints(issuer).mostBelow >= below &&
  isSound(issuer, at) &&
  hasSafeSignature(child) &&
  issuer.publicKey !== null &&
  child.isSignedBy(issuer.publicKey)

/** Why a certificate proves no client. */
export type ChainFault = 'certificate_date' | 'certificate_use' | 'certificate_authority'

/**
 * Null where an authority stands behind the certificate of a client.
 *
 * @param between the certificates that came with it, in any order
 * @param authorities those of the operator, from `readAuthorities`
 * @param at unix seconds
 */
export const findChainFault = (
  leaf: Certificate,
  between: readonly Certificate[],
  authorities: readonly Certificate[],
  at: number,
): ChainFault | null => {
  if (!isValidAt(leaf, at)) return 'certificate_date'
  const isForClient = isSound(leaf, at) && isShort(leaf)
  if (!isForClient || !canUse(leaf, usageBits.digitalSignature)) return 'certificate_use'
  let current = leaf
  let left = between.filter(isShort)
  for (let below = 0; below <= between.length; below++) {
    const child = current
    if (authorities.some((one) => hasIssued(one, child, below, at))) return null
    const next = left.find((one) => hasIssued(one, child, below, at))
    if (next === undefined) break
    left = left.filter((one) => one !== next)
    current = next
  }
  return 'certificate_authority'
}

/** What `readAuthorities` read of a list, since the setting stays the same. */
const read = new WeakMap<readonly string[], readonly Certificate[]>()

/** The authorities of the setting; null where one of its certificates is of no authority. @param list DER in base64 */
export const readAuthorities = (list: readonly string[]): readonly Certificate[] | null => {
  const before = read.get(list)
  if (before !== undefined) return before
  const certificates = list.map((one) => parseCertificate(Buffer.from(one, 'base64')))
  const authorities = certificates.filter((one) => one !== null).filter(isAuthority)
  if (authorities.length < list.length) return null
  read.set(list, authorities)
  return authorities
}

/** @throws SettingsFault for an authority that is none */
export const checkAuthorities = ({ clientCa }: Pick<Settings, 'clientCa'>): void => {
  if (readAuthorities(clientCa) !== null) return
  throw new SettingsFault([
    'LATCHKEY_CLIENT_CA must hold certificates of authorities alone (basicConstraints CA:TRUE)',
  ])
}
