/**
 * Known browsers: a cookie names the owners who logged in with it before. So strangers who guess
 * cannot lock them out ("device cookies", OWASP Slow Down Online Guessing Attacks).
 *
 * Each login seals a new statement for its owner. The cookie proves a login and nothing else. The cookie opens
 * nothing, has a counter of its own, and ends with the password of its time. The cookie says whether the
 * login showed a second factor: without one, the browser is a stranger at the second step.
 */
import type { Settings } from '../config/settings.ts'
import { hashText } from '../crypto/digest.ts'
import { type Keyring, openInTime, readSealed, type SealedStatement, seal } from '../crypto/seal.ts'
import { findCookie, isSecure, setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import { field, flag, id, number, record, text, type ValueOf } from '../model/codec/types.ts'
import type { Factors } from '../model/factor.ts'
import type { OwnerId, Random } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import type { Store } from '../store/store.ts'
import type { Guesser } from './counters.ts'
import { ownerLimits } from './limits.ts'
import { findOwnerAtLogin } from './password-login.ts'

/** What a login proved in this browser. */
const knownType = record({
  ownerId: field(1, id<OwnerId>()),
  id: field(2, text()),
  /** Unix seconds. */
  expiresAt: field(3, number),
  hasSecondFactor: field(4, flag),
})

type KnownBrowser = ValueOf<typeof knownType>

const statement: SealedStatement<KnownBrowser> = { kind: 'known browser', says: knownType }

/** A new password has a new hash, even where it is the same one again. */
const deriveSalt = ({ id, passwordHash }: Pick<Owner, 'id' | 'passwordHash'>): string =>
  hashText(`known browser\n${id}\n${passwordHash}`)

/** The statements of a cookie, the latest login first. Nothing of them is verified yet. */
const readStatements = (request: HttpRequest, settings: Settings): readonly string[] => {
  const cookie = findCookie(request, 'known', isSecure({ settings }))
  const texts = cookie === null ? [] : cookie.split('.').slice(0, ownerLimits.ownersOfBrowser)
  return texts.filter((text) => text !== '' && text.length <= ownerLimits.knownBrowserCharacters)
}

const isOfOwner = (text: string, { id }: Pick<Owner, 'id'>): boolean =>
  readSealed(statement, text)?.says.ownerId === id

type Tried = Pick<Exchange, 'request' | 'at' | 'address'>

type KnownGuesser = Extract<Guesser, { is: 'known browser' }>

/** What reading the cookie of known browsers takes. */
export interface KnownBrowserNeeds {
  readonly settings: Settings
  readonly keyring: Keyring
  readonly store: Store
}

export const openKnownBrowsers = ({ settings, keyring, store }: KnownBrowserNeeds) => {
  /** @returns null where it is not this owner's, too old, or forged: the salt is the owner's */
  const open = async (text: string, owner: Owner, at: number): Promise<KnownBrowser | null> =>
    isOfOwner(text, owner) ? openInTime(statement, text, deriveSalt(owner), at, keyring) : null

  /** The browser, known by the first valid statement; otherwise a stranger. */
  const guesserBy = async (
    owner: Owner,
    { request, at, address }: Tried,
    holds: (known: KnownBrowser) => boolean = () => true,
  ): Promise<Guesser> => {
    for (const text of readStatements(request, settings)) {
      const known = await open(text, owner, at)
      if (known !== null && holds(known)) {
        return { is: 'known browser', id: known.id, ownerId: owner.id }
      }
    }
    return { is: 'stranger', address }
  }

  return {
    /** Whether this owner has logged in with this browser before, since the password is the present one. */
    isKnown: async (owner: Owner, tried: Tried): Promise<boolean> =>
      (await guesserBy(owner, tried)).is === 'known browser',
    /** Who tries to log in under this name: a known browser of its owner, or a stranger. */
    async guesserOf(username: string, tried: Tried): Promise<Guesser> {
      const stranger: Guesser = { is: 'stranger', address: tried.address }
      if (readStatements(tried.request, settings).length === 0) return stranger
      if (username.length > ownerLimits.usernameCharacters) return stranger
      const owner = await findOwnerAtLogin(username, store)
      return owner === null ? stranger : guesserBy(owner, tried)
    },
    /** The owners who logged in with this browser before, the latest first. */
    async ownersOf({
      request,
      at,
    }: Pick<Tried, 'request' | 'at'>): Promise<readonly KnownGuesser[]> {
      const found: KnownGuesser[] = []
      for (const text of readStatements(request, settings)) {
        const ownerId = readSealed(statement, text)?.says.ownerId
        const owner = ownerId === undefined ? null : await store.findOwner(ownerId)
        const known = owner && (await open(text, owner, at))
        if (known !== null)
          found.push({ is: 'known browser', id: known.id, ownerId: known.ownerId })
      }
      return found
    },
    /**
     * The key of tries at one-time codes. A stranger with the password could collect known browsers
     * before the codes are set up, each with tries of its own. So here a browser is known only by a
     * login with a second factor, after these codes were set up.
     */
    codeGuesserOf(
      owner: Owner,
      { oneTimeCodes }: Pick<Factors, 'oneTimeCodes'>,
      tried: Tried,
    ): Promise<Guesser> {
      const firstAt = (oneTimeCodes?.createdAt ?? Infinity) + ownerLimits.knownBrowserSeconds
      return guesserBy(owner, tried, (known) => known.hasSecondFactor && known.expiresAt >= firstAt)
    },
  }
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
  const own = seal(statement, parts.keyring.current(), deriveSalt(owner), known)
  const others = readStatements(request, parts.settings).filter((text) => !isOfOwner(text, owner))
  const cookie = [own, ...others].slice(0, ownerLimits.ownersOfBrowser).join('.')
  return setCookie('known', cookie, isSecure(parts), ownerLimits.knownBrowserSeconds)
}
