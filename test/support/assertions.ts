/** Client assertions in tests: good ones, with changes. */
import { SignJWT } from 'jose'
import { type KeyPair, sign } from './client-keys.ts'
import type { Form, Started } from './start.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Claims = Readonly<Record<string, unknown>>

let made = 0

/** The claims of a good assertion, with a `jti` of its own. */
export const assertionClaims = (
  started: Pick<Started, 'issuer' | 'now'>,
  id: string,
  changes: Claims = {},
): Claims => {
  made++
  const claims = { iss: id, sub: id, aud: started.issuer, jti: `jti-${made}` }
  const times = { iat: started.now(), exp: started.now() + 60 }
  const all = Object.entries({ ...claims, ...times, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** An assertion under a secret, which is a key here. */
export const signBySecret = (claims: Claims, secret: string, header: object = {}) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(new TextEncoder().encode(secret))

export const assertionForm = (assertion: string): Form => ({
  client_assertion_type: assertionType,
  client_assertion: assertion,
})

/** The form of a good assertion by a key of the client, with changes. */
export const provenBy = async (
  started: Pick<Started, 'issuer' | 'now'>,
  id: string,
  keys: KeyPair,
  changes: Claims = {},
  header: Claims = {},
): Promise<Form> => assertionForm(await sign(assertionClaims(started, id, changes), keys, header))
