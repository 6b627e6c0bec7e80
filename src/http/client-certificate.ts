/**
 * The certificate that a client showed in TLS, as the proxy passes it on (RFC 9440). Only a trusted proxy is
 * believed: for anybody else the router removes these headers before any endpoint sees them.
 */
import { httpLimits } from './limits.ts'
import type { HttpRequest } from './request.ts'

/** By the names in lower case. */
export const certificateHeaders = { leaf: 'client-cert', chain: 'client-cert-chain' } as const

const hidden: readonly string[] = Object.values(certificateHeaders)

/** The same request without a certificate. */
export const dropCertificate = (request: HttpRequest): HttpRequest => ({
  method: request.method,
  url: request.url,
  headers: {
    get: (name) => (hidden.includes(name.toLowerCase()) ? null : request.headers.get(name)),
  },
  get body() {
    return request.body
  },
  text: () => request.text(),
})

/** A byte sequence of RFC 8941 section 3.3.5, and nothing else. */
const byteSequence = /^:([A-Za-z0-9+/]+={0,2}):$/

const decode = (item: string): Uint8Array | null => {
  const [, base64 = ''] = byteSequence.exec(item) ?? []
  const bytes = Buffer.from(base64, 'base64')
  // A second spelling of the same bytes is none.
  return base64 !== '' && bytes.toString('base64') === base64 ? bytes : null
}

/** The header of an item, or `malformed`. Two headers arrive joined by a comma, and so are malformed. */
export const readClientCertificate = ({
  headers,
}: Pick<HttpRequest, 'headers'>): Uint8Array | 'malformed' | null => {
  const header = headers.get(certificateHeaders.leaf)
  if (header === null) return null
  if (header.length > httpLimits.certificateCharacters) return 'malformed'
  return decode(header.trim()) ?? 'malformed'
}

/** What came with it, from its issuer on; none without the header. */
export const readCertificateChain = ({
  headers,
}: Pick<HttpRequest, 'headers'>): readonly Uint8Array[] | 'malformed' => {
  const header = headers.get(certificateHeaders.chain)
  if (header === null || header.trim() === '') return []
  const { certificatesInChain: most, certificateCharacters: characters } = httpLimits
  if (header.length > most * characters) return 'malformed'
  const items = header.split(',').map((item) => decode(item.trim()))
  const certificates = items.filter((item) => item !== null)
  const isWhole = certificates.length === items.length && items.length <= most
  return isWhole ? certificates : 'malformed'
}

/** What is wrong with such headers, for a refusal. */
export const malformedCertificate =
  'Client-Cert has to be one certificate, and Client-Cert-Chain a list of them: DER in base64 between colons'
