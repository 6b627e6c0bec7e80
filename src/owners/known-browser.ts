/**
 * Known browsers: a cookie names the owners who logged in with it before. So strangers who guess
 * cannot lock them out ("device cookies", OWASP Slow Down Online Guessing Attacks).
 *
 * Each login seals a new statement for its owner. It proves a login and nothing else. It opens
 * nothing, has a counter of its own, and ends with the password of its time. It says whether the
 * login showed a second factor: without one, the browser is a stranger at the second step.
 */
import type { Settings } from '../config/settings.ts'
import { digest } from '../crypto/digest.ts'
import {
  type Keyring,
  learnKey,
  readSealed,
  type SealedStatement,
  seal,
  verifySeal,
} from '../crypto/seal.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import type { HttpRequest } from '../http/request.ts'
import { field, record } from '../model/codec/record.ts'
import { flag, id, number, text } from '../model/codec/types.ts'
import type { Factors } from '../model/factor.ts'
import type { OwnerId, Random } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import type { Guesser } from './counters.ts'
import { ownerLimits } from './limits.ts'
import { findOwnerAtLogin } from './login-name.ts'
import { isSecure } from './secure.ts'

/** What a login proved in this browser. */
interface KnownBrowser {
  readonly ownerId: OwnerId
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly hasSecondFactor: boolean
}

const statement: SealedStatement<KnownBrowser> = {
  kind: 'known browser',
  says: record({
    ownerId: field(1, id<OwnerId>()),
    id: field(2, text()),
    expiresAt: field(3, number),
    hasSecondFactor: field(4, flag),
  }),
}

/** A new password has a new hash, even where it is the same one again. */
const saltOf = ({ id, passwordHash }: Pick<Owner, 'id' | 'passwordHash'>): string =>
  digest(`known browser\n${id}\n${passwordHash}`)

/** The statements of a cookie, the latest login first. Nothing of them is verified yet. */
const statementsIn = (
  request: HttpRequest,
  parts: { readonly settings: Settings },
): readonly string[] => {
  const cookie = findCookie(request, 'known', isSecure(parts))
  const texts = cookie === null ? [] : cookie.split('.').slice(0, ownerLimits.ownersOfBrowser)
  return texts.filter((text) => text !== '' && text.length <= ownerLimits.knownBrowserCharacters)
}

const namesOwner = (text: string, { id }: Pick<Owner, 'id'>): boolean =>
  readSealed(statement, text)?.says.ownerId === id

/** @returns null where it is not this owner's, too old, or forged */
const openStatement = async (
  text: string,
  owner: Owner,
  at: number,
  parts: { readonly keyring: Keyring },
): Promise<KnownBrowser | null> => {
  const sealed = readSealed(statement, text)
  if (sealed === null || sealed.says.ownerId !== owner.id) return null
  await learnKey(sealed, parts.keyring)
  if (!verifySeal(sealed, parts.keyring, saltOf(owner))) return null
  return sealed.says.expiresAt > at ? sealed.says : null
}

type Tried = { readonly request: HttpRequest; readonly at: number; readonly address: string }
type KnownBrowserParts = {
  readonly settings: Settings
  readonly keyring: Keyring
  readonly store: Store
}

/** The browser, known by the first valid statement; otherwise a stranger. */
const guesserBy = async (
  owner: Owner,
  holds: (known: KnownBrowser) => boolean,
  { request, at, address }: Tried,
  parts: KnownBrowserParts,
): Promise<Guesser> => {
  for (const text of statementsIn(request, parts)) {
    const known = await openStatement(text, owner, at, parts)
    if (known !== null && holds(known)) {
      return { is: 'known browser', id: known.id, ownerId: owner.id }
    }
  }
  return { is: 'stranger', address }
}

/** Whether this owner has logged in with this browser before, since the password is the present one. */
export const isKnownBrowser = async (
  owner: Owner,
  tried: Tried,
  parts: KnownBrowserParts,
): Promise<boolean> => (await guesserBy(owner, () => true, tried, parts)).is === 'known browser'

/** Who tries to log in under this name: a known browser of its owner, or a stranger. */
export const guesserOf = async (
  username: string,
  tried: Tried,
  parts: KnownBrowserParts,
): Promise<Guesser> => {
  const stranger: Guesser = { is: 'stranger', address: tried.address }
  if (statementsIn(tried.request, parts).length === 0) return stranger
  if (username.length > ownerLimits.usernameCharacters) return stranger
  const owner = await findOwnerAtLogin(username, parts.store)
  return owner === null ? stranger : guesserBy(owner, () => true, tried, parts)
}

/** The owners who logged in with this browser before, the latest first. */
export const ownersOfBrowser = async (
  { request, at }: Pick<Tried, 'request' | 'at'>,
  parts: KnownBrowserParts,
): Promise<readonly Extract<Guesser, { is: 'known browser' }>[]> => {
  const found: Extract<Guesser, { is: 'known browser' }>[] = []
  for (const text of statementsIn(request, parts)) {
    const ownerId = readSealed(statement, text)?.says.ownerId
    const owner = ownerId === undefined ? null : await parts.store.findOwner(ownerId)
    const known = owner && (await openStatement(text, owner, at, parts))
    if (known !== null) found.push({ is: 'known browser', id: known.id, ownerId: known.ownerId })
  }
  return found
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
  const isOfCodes = ({ hasSecondFactor, expiresAt }: KnownBrowser): boolean =>
    hasSecondFactor &&
    oneTimeCodes !== null &&
    expiresAt - ownerLimits.knownBrowserSeconds >= oneTimeCodes.createdAt
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
  parts: { readonly settings: Settings; readonly keyring: Keyring; readonly random: Random },
): string => {
  const known = {
    ownerId: owner.id,
    id: Buffer.from(parts.random(16)).toString('base64url'),
    expiresAt: at + ownerLimits.knownBrowserSeconds,
    hasSecondFactor: methods.includes('mfa'),
  }
  const own = seal(statement, parts.keyring.current(), saltOf(owner), known)
  const others = statementsIn(request, parts).filter((text) => !namesOwner(text, owner))
  const cookie = [own, ...others].slice(0, ownerLimits.ownersOfBrowser).join('.')
  return setCookie('known', cookie, isSecure(parts), ownerLimits.knownBrowserSeconds)
}
