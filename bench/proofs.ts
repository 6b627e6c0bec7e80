/**
 * What clients with keys send: assertions and DPoP proofs, signed before a slice. The price of a signature
 * check by itself is measured here, too.
 */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { isSignedByKey } from '../src/crypto/client-jws.ts'
import { hashText } from '../src/crypto/digest.ts'
import { readClaimed } from '../src/crypto/jose.ts'

/** So many checks are one sample. */
const checksTogether = 100
const assertionSeconds = 60

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
const jwk = { crv, kty, x, y }

/** What a client registers. */
export const keySet = { keys: [{ ...jwk, kid: 'k-1', use: 'sig', alg: 'ES256' }] }

/** The key that tokens are bound to (RFC 7638). */
export const confirmation = { method: 'jkt', value: hashText(JSON.stringify(jwk)) }

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const makeSigner = (header: object) => {
  const first = encode({ alg: 'ES256', ...header })
  return (claims: object): string => {
    const text = `${first}.${encode({ jti: randomUUID(), ...claims })}`
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }
}

const signAssertion = makeSigner({ kid: 'k-1' })
const signProof = makeSigner({ typ: 'dpop+jwt', jwk })

const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const originOf = (port: number): string => `http://127.0.0.1:${port}`

/** So many assertions of a client. */
export const makeAssertions = (id: string, port: number, count: number): readonly string[] => {
  const iat = nowSeconds()
  const claims = { iss: id, sub: id, aud: originOf(port), iat, exp: iat + assertionSeconds }
  return Array.from({ length: count }, () => signAssertion(claims))
}

/** So many proofs for requests of the token endpoint. */
export const makeTokenProofs = (port: number, count: number): readonly string[] => {
  const claims = { htm: 'POST', htu: `${originOf(port)}/token`, iat: nowSeconds() }
  return Array.from({ length: count }, () => signProof(claims))
}

interface ReadPlace {
  readonly port: number
  readonly readPath: string
}

/** The nonce that a server offers, as the libraries of clients keep it; null for none. */
export const askNonce = async ({ port, readPath }: ReadPlace): Promise<string | null> => {
  const headers = { authorization: 'DPoP x', dpop: 'x' }
  return (await fetch(originOf(port) + readPath, { headers })).headers.get('dpop-nonce')
}

/**
 * Material for reads: each of the tokens in turn with a proof of its own.
 *
 * @param tokens behind each may stand what it has to show
 */
export const makeReads = (
  tokens: readonly string[],
  { port, readPath, nonce }: ReadPlace & { readonly nonce: string | null },
  count: number,
): readonly string[] => {
  const about = { htm: 'GET', htu: originOf(port) + readPath, iat: nowSeconds() }
  const claims = nonce === null ? about : { ...about, nonce }
  const pieces = tokens.map((piece) => piece.split(' '))
  return Array.from({ length: count }, (_, i) => {
    const [token = '', ...shows] = pieces[i % pieces.length] ?? []
    return [token, signProof({ ...claims, ath: hashText(token) }), ...shows].join(' ')
  })
}

/** Microseconds of processor time that one check of a signature takes, as the service checks it. */
export const measureCheck = async (): Promise<number> => {
  const text = signProof({ htm: 'GET', htu: originOf(0), iat: nowSeconds() })
  const { header } = readClaimed(text) ?? { header: {} }
  const before = process.cpuUsage()
  for (let time = 0; time < checksTogether; time++) {
    if (!(await isSignedByKey({ text, header }, jwk, 'ES256'))) throw new Error('no signature')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / checksTogether
}
