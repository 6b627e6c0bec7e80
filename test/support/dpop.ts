/** DPoP proofs in tests, as a client signs them (RFC 9449 section 4.2). */
import { createHash } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { type KeyPair, newKeys, sign } from './client-keys.ts'
import { type Answer, basic, type Form, type Init, type Started } from './start.ts'

type Claims = Readonly<Record<string, unknown>>

export interface Prover {
  readonly pair: KeyPair
  readonly jkt: string
  /** A proof for a request; claims that are undefined are left out. */
  prove(method: string, url: string, claims?: Claims, header?: Claims): Promise<string>
}

export const digestToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')

/** @param now unix seconds, by the clock of the service */
export const makeProver = async (now: () => number, algorithm = 'ES256'): Promise<Prover> => {
  const pair = await newKeys(algorithm)
  let count = 0
  return {
    pair,
    jkt: await calculateJwkThumbprint(pair.publicKey),
    prove(htm, htu, claims = {}, header = {}) {
      count += 1
      const all = { jti: `proof-${count}-of-${algorithm}`, htm, htu, iat: now(), ...claims }
      const given = Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined))
      return sign(given, pair, { typ: 'dpop+jwt', jwk: pair.publicKey, ...header })
    },
  }
}

/** A token request with a proof. */
export const postProven = (
  service: Started,
  form: Form,
  client: readonly [string, string] | null,
  proof: string,
): Promise<Answer> => {
  const credentials = client === null ? {} : { authorization: basic(client) }
  return service.ask('/token', { form, headers: { dpop: proof, ...credentials } })
}

/** A request to an API with a bound token and its proof. */
export const askProven = async (
  service: Started,
  path: string,
  token: string,
  prover: Prover,
  { method = 'GET', claims = {}, ...init }: Init & { readonly claims?: Claims } = {},
): Promise<Answer> => {
  const url = path.startsWith('http') ? path : service.issuer + path
  const proof = await prover.prove(method, url, { ath: digestToken(token), ...claims })
  const headers = { ...init.headers, authorization: `DPoP ${token}`, dpop: proof }
  return service.ask(path, { ...init, method, headers })
}
