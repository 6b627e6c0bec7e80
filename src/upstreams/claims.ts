/** What an upstream says of a person, made fit for an owner. */
import type { JsonObject } from '../model/json.ts'
import { ownerLimits } from '../owners/limits.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import type { UpstreamClaims } from './upstream.ts'

/** Without characters that are not seen. */
const plain = (value: unknown, most: number): string => {
  if (typeof value !== 'string') return ''
  const text = value.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
  return [...text].slice(0, most).join('').trim()
}

/** The part of a username that can be typed everywhere. */
const usernameIn = (value: string): string =>
  value
    .replace(/@.*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, 40)

const emailForm = /^[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Over https: an application may show it to others. */
const pictureIn = (given: unknown): string => {
  const isShort = typeof given === 'string' && given.length <= parameterLimits.textCharacters
  return isShort && parseWebUri(given)?.protocol === 'https:' ? given : ''
}

/** Claims of OpenID Connect (Core section 5.1). */
export const claimsIn = (said: JsonObject): UpstreamClaims => {
  const { email: given, preferred_username: preferred, name, email_verified: verified } = said
  const picture = pictureIn(said.picture)
  const isEmail = typeof given === 'string' && given.length <= parameterLimits.emailCharacters
  const email = isEmail && emailForm.test(given) ? given : ''
  const username = usernameIn(typeof preferred === 'string' ? preferred : '') || usernameIn(email)
  return {
    username,
    name: plain(name, ownerLimits.personNameCharacters),
    email,
    emailVerified: email !== '' && verified === true,
    picture,
  }
}
