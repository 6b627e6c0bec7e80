/** Login sessions: a random cookie of which the store knows the digest. */

import { accountLimits } from '../config/account.ts'
import { limits } from '../config/limits.ts'
import { digest, newSecret } from '../crypto/digest.ts'
import { awaitBody } from '../http/body.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import type { SessionHandle, SessionId } from '../model/ids.ts'
import type { CountedWay } from '../model/meter.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import { makeId, type Parts, traceOf } from '../parts.ts'
import type { Login, LoginOutcome, Trace } from '../store/store.ts'
import { isKnownBrowser, rememberBrowser } from './known-browser.ts'
import { mailOfNewBrowser } from './new-browser.ts'
import { isSecure } from './secure.ts'

/** The cookies that identify a browser. */
export interface Visitor {
  /** The cookie that names the browser; null on its first visit. */
  readonly browser: string | null
  readonly login: { readonly session: Session; readonly owner: Owner } | null
  /** The login of an owner who deleted the account. It counts for the undoing of that, and as none elsewhere. */
  readonly leaving?: Visitor['login']
}

const sessionId = (cookie: string): SessionId => digest(cookie) as string as SessionId

/** Nobody waits for it. After a failure the next request tries again. */
const noteSeen = ({ id, seenAt }: Session, at: number, { store }: Pick<Parts, 'store'>): void => {
  if (at - seenAt >= accountLimits.seenSeconds) store.noteSession(id, at).catch(() => {})
}

/**
 * Finds who a browser belongs to, after the last byte of the body. An owner who is logged in acts in
 * the rest of the request.
 */
export const findVisitor = async (
  { request, at, caller }: Exchange,
  parts: Pick<Parts, 'settings' | 'store'>,
): Promise<Visitor> => {
  const secure = isSecure(parts)
  const cookie = findCookie(request, 'session', secure)
  if (cookie !== null) await awaitBody(request, limits.formBytes)
  const login = cookie === null ? null : await parts.store.findSession(sessionId(cookie), at)
  if (login !== null) {
    caller.proven = { type: 'owner', ownerId: login.owner.id }
    noteSeen(login.session, at, parts)
  }
  const isLeaving = login !== null && login.owner.deletionAt !== null
  const browser = findCookie(request, 'browser', secure)
  return isLeaving ? { browser, login: null, leaving: login } : { browser, login }
}

/** The browser's `User-Agent`, cut short, without invisible characters. */
const userAgentOf = ({ headers }: HttpRequest): string =>
  (headers.get('user-agent') ?? '')
    .slice(0, limits.userAgentCharacters)
    .replace(/[^\x20-\x7e]/g, '')

/** The same browser before anybody logged in, whom login forms and ceremonies are bound to. */
export const loggedOut = ({ browser }: Visitor): Visitor => ({ browser, login: null })

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

/** The browser then shows its next login page in the language of the owner. */
const chosenLanguage = ({ pages }: Owner, parts: Pick<Parts, 'settings'>): readonly string[] =>
  pages.language === null
    ? []
    : [setCookie('language', pages.language, isSecure(parts), accountLimits.languageSeconds)]

export type Started =
  /** `cookies`: the headers that set them. */
  | { readonly outcome: 'accepted'; readonly cookies: readonly string[] }
  | { readonly outcome: Exclude<LoginOutcome, 'accepted'> }

const wayOf = (login: Login): CountedWay => {
  if ('passkey' in login) return 'passkey'
  if (login.factor !== undefined) return 'second_factor'
  return 'upstream' in login ? 'upstream' : 'password'
}

/**
 * Begins a session under a new cookie, and makes the browser known to the owner. Whatever session
 * the browser had ends with the same step.
 */
export const startSession = async (
  owner: Owner,
  { login, methods, authTime, isConfirmed = true, isNewAccount = false }: LoginEntry,
  visit: Exchange & Visitor,
  parts: Pick<
    Parts,
    'settings' | 'store' | 'keyring' | 'clock' | 'random' | 'tell' | 'languages' | 'meter'
  >,
): Promise<Started> => {
  const trace = traceOf(visit, parts)
  const cookie = newSecret('', parts.random)
  const session: Session = {
    id: sessionId(cookie),
    ownerId: owner.id,
    startedAt: authTime ?? trace.at,
    expiresAt: trace.at + parts.settings.sessionSeconds,
    handle: makeId<SessionHandle>(parts),
    userAgent: userAgentOf(visit.request),
    network: visit.caller.network,
    methods,
    confirmedAt: isConfirmed ? (authTime ?? trace.at) : 0,
    seenAt: trace.at,
  }
  const before = (visit.login ?? visit.leaving)?.session.id ?? null
  const isKnown = isNewAccount || (await isKnownBrowser(owner, visit, parts))
  const browser = isKnown ? 'known' : 'new'
  const outcome = await parts.store.startSession(session, login, before, trace, browser)
  if (outcome !== 'accepted') return { outcome }
  parts.meter.countLogin(wayOf(login), 'succeeded')
  if (!isKnown) await mailOfNewBrowser(owner, session, visit.request, trace, parts)
  const known = rememberBrowser(owner, methods, visit.request, trace.at, parts)
  return {
    outcome,
    cookies: [
      setCookie('session', cookie, isSecure(parts)),
      known,
      ...chosenLanguage(owner, parts),
    ],
  }
}

/** Ends the session of a login; answers the header that removes its cookie. */
export const endSession = async (
  { session }: NonNullable<Visitor['login']>,
  trace: Trace,
  parts: Pick<Parts, 'settings' | 'store'>,
): Promise<string> => {
  await parts.store.endSession(session.id, trace)
  return setCookie('session', '', isSecure(parts))
}

/** The token in forms: bound to this browser and this login, and to no secret of the service. */
export const csrfToken = (visitor: Visitor): string =>
  digest(`csrf\n${visitor.browser ?? ''}\n${visitor.login?.session.id ?? ''}`)
