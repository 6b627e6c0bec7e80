/** Keys of clients in tests, and the request objects that they sign. */
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Registered } from './registered.ts'
import type { Started } from './start.ts'

export interface KeyPair {
  readonly algorithm: string
  readonly privateKey: CryptoKey
  /** With its `kid`. */
  readonly publicKey: JWK
}

export const newKeys = async (algorithm: string, kid?: string): Promise<KeyPair> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { algorithm, privateKey, publicKey: { ...jwk, ...(kid === undefined ? {} : { kid }) } }
}

export const keySetOf = (...pairs: readonly KeyPair[]) => ({
  keys: pairs.map(({ publicKey }) => publicKey),
})

export const sign = (
  claims: Readonly<Record<string, unknown>>,
  { privateKey, algorithm, publicKey }: KeyPair,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { kid } = publicKey
  const protectedHeader = { alg: algorithm, ...(kid === undefined ? {} : { kid }), ...header }
  return new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(privateKey)
}

/** The claims of a good request object. */
export const objectClaims = (
  started: Started,
  { id, redirectUri }: Pick<Registered, 'id' | 'redirectUri'>,
) => ({
  iss: id,
  aud: started.issuer,
  exp: started.now() + 300,
  client_id: id,
  response_type: 'code',
  redirect_uri: redirectUri,
  scope: 'openid photos:read',
  state: 'inside',
  nonce: 'n-1',
})
