/**
 * Known browsers: a cookie names the owners who logged in with it before. So strangers who guess
 * cannot lock them out ("device cookies", OWASP Slow Down Online Guessing Attacks).
 *
 * Each login seals a new statement for its owner. It proves a login and nothing else. It opens
 * nothing, has a counter of its own, and ends with the password of its time. It says whether the
 * login showed a second factor: without one, the browser is a stranger at the second step.
 */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import { learnKey, readSealed, seal, verifySeal } from '../crypto/seal.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Factors } from '../model/factor.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import type { Parts } from '../parts.ts'
import type { Guesser } from './counters.ts'
import { isSecure } from './secure.ts'

/** The field of a statement whose login showed a second factor; '' in any other. */
const shown = 'second factor'

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

/** What a login proved in this browser. */
interface BrowserStatement {
  readonly id: string
  readonly sealedAt: number
  readonly hasSecondFactor: boolean
}

/** @returns null where it is not this owner's, too old, or forged */
const openStatement = async (
  text: string,
  owner: Owner,
  at: number,
  parts: Pick<Parts, 'keyring'>,
): Promise<BrowserStatement | null> => {
  const sealed = readSealed('known browser', text)
  const [ownerId, id = '', expiresAt, factor] = sealed?.fields ?? []
  if (sealed === null || ownerId !== owner.id) return null
  await learnKey(sealed, parts.keyring)
  if (!verifySeal(sealed, parts.keyring, saltOf(owner))) return null
  const sealedAt = Number(expiresAt) - limits.knownBrowserSeconds
  return Number(expiresAt) > at ? { id, sealedAt, hasSecondFactor: factor === shown } : null
}

type Tried = { readonly request: HttpRequest; readonly at: number; readonly address: string }
type KnownBrowserParts = Pick<Parts, 'settings' | 'keyring' | 'store'>

/** The browser, known by the first valid statement; otherwise a stranger. */
const guesserBy = async (
  owner: Owner,
  holds: (statement: BrowserStatement) => boolean,
  { request, at, address }: Tried,
  parts: KnownBrowserParts,
): Promise<Guesser> => {
  for (const text of statementsIn(request, parts)) {
    const statement = await openStatement(text, owner, at, parts)
    if (statement !== null && holds(statement)) {
      return { is: 'known browser', id: statement.id, ownerId: owner.id }
    }
  }
  return { is: 'stranger', address }
}

/** Who tries to log in under this name: a known browser of its owner, or a stranger. */
export const guesserOf = async (
  username: string,
  tried: Tried,
  parts: KnownBrowserParts,
): Promise<Guesser> => {
  const stranger: Guesser = { is: 'stranger', address: tried.address }
  if (statementsIn(tried.request, parts).length === 0) return stranger
  if (username.length > limits.usernameCharacters) return stranger
  const owner = await parts.store.findOwnerByName(username)
  return owner === null ? stranger : guesserBy(owner, () => true, tried, parts)
}

/**
 * The key of tries at one-time codes. A stranger with the password could collect known browsers
 * before the codes are set up, each with tries of its own. So here a browser is known only by a
 * login with a second factor, after these codes were set up.
 */
export const codeGuesserOf = (
  owner: Owner,
  { oneTimeCodes }: Pick<Factors, 'oneTimeCodes'>,
  tried: Tried,
  parts: KnownBrowserParts,
): Promise<Guesser> => {
  const isOfCodes = ({ hasSecondFactor, sealedAt }: BrowserStatement): boolean =>
    hasSecondFactor && oneTimeCodes !== null && sealedAt >= oneTimeCodes.createdAt
  return guesserBy(owner, isOfCodes, tried, parts)
}

/**
 * The header that makes a browser known to its logged-in owner.
 *
 * @param methods what the owner has shown there
 */
export const rememberBrowser = (
  owner: Pick<Owner, 'id' | 'passwordHash'>,
  methods: Session['methods'],
  request: HttpRequest,
  at: number,
  parts: Pick<Parts, 'settings' | 'keyring' | 'random'>,
): string => {
  const id = Buffer.from(parts.random(16)).toString('base64url')
  const factor = methods.includes('mfa') ? shown : ''
  const fields = [owner.id, id, String(at + limits.knownBrowserSeconds), factor]
  const own = seal('known browser', parts.keyring.current(), saltOf(owner), fields)
  const others = statementsIn(request, parts).filter((text) => !namesOwner(text, owner))
  const cookie = [own, ...others].slice(0, limits.ownersOfBrowser).join('.')
  return setCookie('known', cookie, isSecure(parts), limits.knownBrowserSeconds)
}
