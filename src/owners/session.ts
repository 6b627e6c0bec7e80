/** Login sessions: a random cookie of which the store knows the digest. */

import type { Settings } from '../config/settings.ts'
import { hashText, makeSecret } from '../crypto/digest.ts'
import type { Keyring } from '../crypto/seal.ts'
import { deriveShardKey } from '../crypto/shard-keys.ts'
import { awaitBody } from '../http/body.ts'
import { findCookie, isSecure, setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import { httpLimits } from '../http/limits.ts'
import type { HttpRequest } from '../http/request.ts'
import { parseFamiliarAgent } from '../http/user-agent.ts'
import type { Client } from '../model/client.ts'
import {
  type ClientSession,
  type Given,
  makeId,
  type OwnerId,
  type Random,
  type SessionHandle,
  type SessionId,
} from '../model/ids.ts'
import { findLanguage, type Language, preferLanguage } from '../model/language.ts'
import type { NewBrowser } from '../model/mail.ts'
import type { CountedWay, Meter } from '../model/metric.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'
import { makeUpstreamWay, type Session } from '../model/session.ts'
import type { Login, LoginOutcome } from '../store/contract/factor.ts'
import type { Trace } from '../store/contract/trace.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import { traceOf } from '../store/trace.ts'
import { queueMail } from './ask-mail.ts'
import { makeNewBrowserCounter } from './counters.ts'
import { openKnownBrowsers, rememberBrowser } from './known-browser.ts'
import { ownerLimits } from './limits.ts'
import { canMail } from './ways-in.ts'

/** The cookies that identify a browser. */
export interface Visitor {
  /** The cookie that names the browser; null on its first visit. */
  readonly browser: string | null
  readonly login: { readonly session: Session; readonly owner: Owner } | null
  /** The login of an owner who deleted the account. The login counts for the undoing of that, and as none elsewhere. */
  readonly leaving?: Visitor['login']
}

/** 256 bits of base64url. */
const secretCharacters = 43

/**
 * The id of a session begins as its cookie does, so that a store finds the machine by the id. Cookies of earlier
 * versions are a secret alone.
 */
const hashCookie = (cookie: string): SessionId =>
  `${cookie.slice(0, -secretCharacters)}${hashText(cookie)}` as SessionId

/** The shard key in three hexadecimal digits, a dot, and the secret. */
const makeCookie = (ownerId: OwnerId, random: Random): string => {
  const digits = deriveShardKey(ownerId).toString(16).padStart(3, '0')
  return `${digits}.${makeSecret('', random)}`
}

/**
 * Finds who a browser belongs to, after the last byte of the body. An owner who is logged in acts in
 * the rest of the request.
 */
export const findVisitor = async (
  { request, at, caller }: Exchange,
  parts: { readonly settings: Settings; readonly store: Store },
): Promise<Visitor> => {
  const secure = isSecure(parts)
  const cookie = findCookie(request, 'session', secure)
  // Nobody reads the body of a GET.
  if (cookie !== null && request.method !== 'GET') await awaitBody(request, httpLimits.formBytes)
  const login = cookie === null ? null : await parts.store.findSession(hashCookie(cookie), at)
  if (login !== null) {
    caller.proven = { type: 'owner', ownerId: login.owner.id }
    const { id, seenAt } = login.session
    // Nobody waits for it. After a failure the next request tries again.
    if (at - seenAt >= recordLimits.seenSeconds) parts.store.noteSession(id, at).catch(() => {})
  }
  const isLeaving = login !== null && login.owner.deletionAt !== null
  const browser = findCookie(request, 'browser', secure)
  return isLeaving ? { browser, login: null, leaving: login } : { browser, login }
}

/** The browser's `User-Agent`, cut short, without invisible characters. */
const readUserAgent = ({ headers }: HttpRequest): string =>
  (headers.get('user-agent') ?? '')
    .slice(0, httpLimits.userAgentCharacters)
    .replace(/[^\x20-\x7e]/g, '')

/** The same browser before anybody logged in, whom login forms and ceremonies are bound to. */
export const stripLogin = ({ browser }: Visitor): Visitor => ({ browser, login: null })

/** The proof of a login, and its entry in the session. */
export interface LoginEntry {
  readonly login: Login
  readonly methods: Session['methods']
  /** Unix seconds; absent where the login is made here and now. */
  readonly authTime?: number | null
  /** False where an upstream may have asked nobody: then another proof confirms it. */
  readonly isConfirmed?: boolean
  /** Whether the account was made in this very browser: no mail says that it is a new one. */
  readonly isNewAccount?: boolean
}

export type Started =
  /** `cookies`: the headers that set them. */
  | {
      readonly outcome: 'accepted'
      readonly cookies: readonly string[]
      readonly session: SessionId
    }
  | { readonly outcome: Exclude<LoginOutcome, 'accepted'> }

const getWay = (login: Login): CountedWay => {
  if ('passkey' in login) return 'passkey'
  if (login.factor !== undefined) return 'second_factor'
  return 'upstream' in login ? 'upstream' : 'password'
}

/** What the login page of this browser marks as last used: the way alone, and nobody's name. */
const formatWay = (login: Login): string => {
  if ('upstream' in login) return makeUpstreamWay(login.upstream.upstream)
  return 'passkey' in login ? 'passkey' : 'password'
}

export interface SessionNeeds extends Given {
  readonly settings: Settings
  /** English is the first. */
  readonly languages: readonly Language[]
  readonly store: Store
  readonly keyring: Keyring
  readonly meter: Meter
  readonly tell: Tell
}

/** The owner's language. The browser may be a stranger's, so it is asked last. */
const pickLanguage = (
  { pages, claims }: Owner,
  { headers }: HttpRequest,
  languages: readonly Language[],
): Language =>
  findLanguage(pages.language, languages) ??
  findLanguage(claims.locale ?? null, languages) ??
  preferLanguage(headers.get('accept-language'), languages)

/**
 * Queues the mail about a login with a browser that the owner has not used before. So a thief with the
 * password does not stay unseen. A fault is told, and the login stands.
 */
const queueBrowserMail = async (
  owner: Owner,
  { network, userAgent, handle: session }: Session,
  request: HttpRequest,
  trace: Trace,
  needs: SessionNeeds,
): Promise<void> => {
  const { id: ownerId, email: to } = owner
  if (!canMail(needs) || to === '') return
  try {
    const admitted = await needs.store.admitAttempt([makeNewBrowserCounter(ownerId)], trace)
    if (admitted.outcome === 'wait') return
    const { at } = trace
    const login: NewBrowser = { to, at, network, ...parseFamiliarAgent(userAgent), session }
    const language = pickLanguage(owner, request, needs.languages).tag
    const about = JSON.stringify(login)
    await queueMail({ kind: 'browser', ownerId, about, language, waits: false }, at, needs)
  } catch (fault) {
    const told = { message: 'the mail about a login was not queued', fault: String(fault) }
    needs.tell({ level: 'warn', ...told })
  }
}

/**
 * Begins a session under a new cookie, and makes the browser known to the owner. Whatever session
 * the browser had ends with the same step.
 */
export type StartSession = (
  owner: Owner,
  entry: LoginEntry,
  visit: Exchange & Visitor,
) => Promise<Started>

export const openSessionStart = (needs: SessionNeeds): StartSession => {
  const { settings, store, random, meter } = needs
  const { isKnown } = openKnownBrowsers(needs)
  const secure = isSecure(needs)

  /** The browser then shows its next login page in the language of the owner. */
  const chosenLanguage = ({ pages }: Owner): readonly string[] =>
    pages.language === null
      ? []
      : [setCookie('language', pages.language, secure, ownerLimits.languageSeconds)]

  return async (owner, entry, visit) => {
    const { login, methods, authTime, isConfirmed = true, isNewAccount = false } = entry
    const trace = traceOf(visit, needs)
    const cookie = makeCookie(owner.id, random)
    const session: Session = {
      id: hashCookie(cookie),
      ownerId: owner.id,
      startedAt: authTime ?? trace.at,
      expiresAt: trace.at + settings.sessionSeconds,
      handle: makeId<SessionHandle>(needs),
      userAgent: readUserAgent(visit.request),
      network: visit.caller.network,
      methods,
      confirmedAt: isConfirmed ? (authTime ?? trace.at) : 0,
      seenAt: trace.at,
    }
    const before = (visit.login ?? visit.leaving)?.session.id ?? null
    const browser = isNewAccount || (await isKnown(owner, visit)) ? 'known' : 'new'
    const outcome = await store.startSession(session, login, before, trace, browser)
    if (outcome !== 'accepted') return { outcome }
    meter.countLogin(getWay(login), 'succeeded')
    if (browser === 'new') await queueBrowserMail(owner, session, visit.request, trace, needs)
    const known = rememberBrowser(owner, methods, visit.request, trace.at, needs)
    const way = setCookie('way', formatWay(login), secure, ownerLimits.knownBrowserSeconds)
    const cookies = [setCookie('session', cookie, secure), known, way, ...chosenLanguage(owner)]
    return { outcome, cookies, session: session.id }
  }
}

/** Ends the session of a login; answers the header that removes its cookie. */
export const endSession = async (
  { session }: NonNullable<Visitor['login']>,
  trace: Trace,
  parts: { readonly settings: Settings; readonly store: Store },
): Promise<string> => {
  await parts.store.endSession(session.id, trace)
  return setCookie('session', '', isSecure(parts))
}

/** The token in forms: bound to this browser and this login, and to no secret of the service. */
export const deriveCsrfToken = (visitor: Visitor): string =>
  hashText(`csrf\n${visitor.browser ?? ''}\n${visitor.login?.session.id ?? ''}`)

/** So much of a digest that nobody finds another session with the same. */
const enough = 22

/** Each client gets another name of a session: two clients cannot tell that they have the same owner. */
export const deriveClientSession = (
  { handle }: Pick<Session, 'handle'>,
  { id }: Pick<Client, 'id'>,
): ClientSession => hashText(`client session\n${handle}\n${id}`).slice(0, enough) as ClientSession
