/**
 * `client_secret_basic` sends the client secret in HTTP Basic, id and secret each form-encoded first, and
 * `client_secret_post` in the body (RFC 6749 section 2.3.1). With `none` a public client names itself (section 2.1).
 */
import { equalDigests, hashText, noDigest, Verified } from '../../crypto/digest.ts'
import { applyOldSecret, publicMethod } from '../../model/client.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import { decodeForm, parameterLimits } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import {
  type ClientMethod,
  invalidClient,
  missingClientId,
  type PresentedCredentials,
} from './method.ts'

/** The digest is made here, so an unknown client id costs as much time as a known one. */
const presentSecret = (id: string, secret: string): PresentedCredentials | Refusal => {
  if (secret.length > parameterLimits.tokenCharacters) return invalidClient('oversized_credentials')
  const mixed = findMixUp(secret, 'lk_cs_')
  if (mixed !== null) return invalidClient('other_kind_of_secret', mixed)
  const given = hashText(secret)
  return {
    id,
    verify(client, { at }) {
      const { secretDigest, oldSecret } = client
      const isRight = equalDigests(given, secretDigest ?? noDigest)
      if (secretDigest === null) return invalidClient('missing_secret')
      if (isRight) return client
      if (oldSecret === null || !equalDigests(given, oldSecret.digest)) {
        return invalidClient('wrong_secret')
      }
      if (oldSecret.expiresAt <= at) return invalidClient('old_secret')
      return applyOldSecret(client, oldSecret)
    },
  }
}

/** `Basic` and the base64 of id and secret (RFC 7617 section 2). */
const readHeader = (header: string): PresentedCredentials | Refusal => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1 || text.includes('\0') || text.includes('\ufffd')) {
    return invalidClient('bad_basic')
  }
  const id = decodeForm(text.slice(0, colon))
  const secret = decodeForm(text.slice(colon + 1))
  return id === null || secret === null ? invalidClient('bad_basic') : presentSecret(id, secret)
}

/** What right headers say: an id, and the digest of a secret. The credentials are checked against the client each time. */
const verified = new Verified<PresentedCredentials>()

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
    const key = hashText(header)
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
  },
}

export const clientSecretPost: ClientMethod = {
  name: 'client_secret_post',
  place: 'client_secret',
  alsoFor: ['client_secret_basic'],
  issues: 'secret',
  lacks: () => null,
  read(_request, parameters) {
    const secret = parameters.find('client_secret')
    if (secret === null) return null
    const id = parameters.find('client_id')
    return id === null ? missingClientId() : presentSecret(id, secret)
  },
}

export const none: ClientMethod = {
  name: publicMethod,
  place: 'client_id alone',
  alsoFor: [],
  issues: 'nothing',
  lacks: () => null,
  read(_request, parameters) {
    const id = parameters.find('client_id')
    return id === null ? null : { id, verify: (client) => client }
  },
}
