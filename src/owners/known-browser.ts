/**
 * Known browsers: a cookie names the owners who logged in with it before, so that strangers who guess
 * cannot lock them out ("device cookies", OWASP Slow Down Online Guessing Attacks).
 *
 * Each login seals a new statement for its owner. It proves a login and nothing else: it opens
 * nothing, has a counter of its own, and ends with the password that it was sealed under.
 */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import { learnKey, readSealed, seal, verifySeal } from '../crypto/seal.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Owner } from '../model/owner.ts'
import type { Parts } from '../parts.ts'
import type { Guesser } from './counters.ts'
import { isSecure } from './secure.ts'

/** A new password has a new hash, even where it is the same one again. */
const saltOf = ({ id, passwordHash }: Pick<Owner, 'id' | 'passwordHash'>): string =>
  digest(`known browser\n${id}\n${passwordHash}`)

/** The statements of a cookie, the latest login first. Nothing of them is verified yet. */
const statementsIn = (request: HttpRequest, parts: Pick<Parts, 'settings'>): readonly string[] => {
  const cookie = findCookie(request, 'known', isSecure(parts))
  const texts = cookie === null ? [] : cookie.split('.').slice(0, limits.ownersOfBrowser)
  return texts.filter((text) => text !== '' && text.length <= limits.knownBrowserCharacters)
}

const namesOwner = (text: string, { id }: Pick<Owner, 'id'>): boolean =>
  readSealed('known browser', text)?.fields[0] === id

/** @returns the id of the statement, or null where it is not this owner's, too old, or forged */
const openStatement = async (
  text: string,
  owner: Owner,
  at: number,
  parts: Pick<Parts, 'keyring'>,
): Promise<string | null> => {
  const sealed = readSealed('known browser', text)
  const [ownerId, id = '', expiresAt] = sealed?.fields ?? []
  if (sealed === null || ownerId !== owner.id) return null
  await learnKey(sealed, parts.keyring)
  if (!verifySeal(sealed, parts.keyring, saltOf(owner))) return null
  return Number(expiresAt) > at ? id : null
}

/** Who tries to log in under this name: a known browser of its owner, or a stranger. */
export const guesserOf = async (
  username: string,
  { request, at, address }: { request: HttpRequest; at: number; address: string },
  parts: Pick<Parts, 'settings' | 'keyring' | 'store'>,
): Promise<Guesser> => {
  const stranger: Guesser = { is: 'stranger', address }
  const statements = statementsIn(request, parts)
  if (statements.length === 0 || username.length > limits.usernameCharacters) return stranger
  const owner = await parts.store.findOwnerByName(username)
  if (owner === null) return stranger
  for (const text of statements) {
    const id = await openStatement(text, owner, at, parts)
    if (id !== null) return { is: 'known browser', id, ownerId: owner.id }
  }
  return stranger
}

/** The header that makes a browser known to an owner who has just logged in with it. */
export const rememberBrowser = (
  owner: Pick<Owner, 'id' | 'passwordHash'>,
  request: HttpRequest,
  at: number,
  parts: Pick<Parts, 'settings' | 'keyring' | 'random'>,
): string => {
  const id = Buffer.from(parts.random(16)).toString('base64url')
  const fields = [owner.id, id, String(at + limits.knownBrowserSeconds)]
  const own = seal('known browser', parts.keyring.current(), saltOf(owner), fields)
  const others = statementsIn(request, parts).filter((text) => !namesOwner(text, owner))
  const cookie = [own, ...others].slice(0, limits.ownersOfBrowser).join('.')
  return setCookie('known', cookie, isSecure(parts), limits.knownBrowserSeconds)
}
