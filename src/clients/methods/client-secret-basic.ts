/** `client_secret_basic`: id and secret in HTTP Basic, each form-encoded first (RFC 6749 section 2.3.1). */
import { formDecoded } from '../../protocol/parameters.ts'
import { type ClientMethod, invalidClient } from './method.ts'
import { presentSecret } from './secret.ts'

export const clientSecretBasic: ClientMethod = {
  name: 'client_secret_basic',
  place: 'the Authorization header',
  // Libraries differ in their default, so the two ways to send a secret are one.
  alsoFor: ['client_secret_post'],
  issues: 'secret',
  lacks: () => null,
  read({ headers }) {
    const header = headers.get('authorization')
    if (header === null) return null
    const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon === -1 || text.includes('\0') || text.includes('\ufffd')) {
      return invalidClient('bad_basic')
    }
    const id = formDecoded(text.slice(0, colon))
    const secret = formDecoded(text.slice(colon + 1))
    return id === null || secret === null ? invalidClient('bad_basic') : presentSecret(id, secret)
  },
}
