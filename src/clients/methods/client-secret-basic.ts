/** `client_secret_basic`: id and secret in HTTP Basic, each form-encoded first (RFC 6749 section 2.3.1). */
import { digest } from '../../crypto/digest.ts'
import { Verified } from '../../crypto/verified.ts'
import { formDecoded } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { type ClientMethod, invalidClient, type PresentedCredentials } from './method.ts'
import { presentSecret } from './secret.ts'

/** `Basic` and the base64 of id and secret (RFC 7617 section 2). */
const readHeader = (header: string): PresentedCredentials | Refusal => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1 || text.includes('\0') || text.includes('\ufffd')) {
    return invalidClient('bad_basic')
  }
  const id = formDecoded(text.slice(0, colon))
  const secret = formDecoded(text.slice(colon + 1))
  return id === null || secret === null ? invalidClient('bad_basic') : presentSecret(id, secret)
}

/** What right headers say: an id, and the digest of a secret. They are checked against the client each time. */
const verified = new Verified<PresentedCredentials>()

const readOnce = (header: string): PresentedCredentials | Refusal => {
  const key = digest(header)
  const known = verified.find(key)
  if (known !== undefined) return known
  const presented = readHeader(header)
  if (presented instanceof Refusal) return presented
  return {
    id: presented.id,
    async verify(...given) {
      const outcome = await presented.verify(...given)
      if (!(outcome instanceof Refusal)) verified.keep(key, presented)
      return outcome
    },
  }
}

export const clientSecretBasic: ClientMethod = {
  name: 'client_secret_basic',
  place: 'the Authorization header',
  // Libraries differ in their default, so the two ways to send a secret are one.
  alsoFor: ['client_secret_post'],
  issues: 'secret',
  lacks: () => null,
  read({ headers }) {
    const header = headers.get('authorization')
    return header === null ? null : readOnce(header)
  },
}
