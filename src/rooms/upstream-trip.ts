/**
 * The way to an upstream and back. The state is a sealed ceremony, bound to the browser, so nothing is
 * stored. Nonce and PKCE verifier follow from the cookie of the browser, which no URL holds.
 */

import { hashText } from '../crypto/digest.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { NewUpstreamLink, UpstreamAccount } from '../model/factor.ts'
import type { OwnerId } from '../model/ids.ts'
import { type Language, pickText } from '../model/language.ts'
import {
  beginCeremony,
  type CeremonyKind,
  type NewUpstreamOwner,
  type Statements,
} from '../owners/ceremony.ts'
import { ownerLimits } from '../owners/limits.ts'
import type { Visitor } from '../owners/session.ts'
import { findMark, type UpstreamButton } from '../paper/upstreams.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ServiceParts } from '../registries.ts'
import type { Ceremony } from '../store/contract/factor.ts'
import { traceOf } from '../store/trace.ts'
import { isLeading, type LeadingUpstream, type Upstream } from '../upstreams/index.ts'
import { UpstreamFault, type UpstreamPerson, type UpstreamTrip } from '../upstreams/upstream.ts'
import { findAccountPage } from './account-pages.ts'
import { answerDone, identify, type OwnerVisit } from './owner-visit.ts'
import { answerSeeOther, type BrowserVisit } from './visit.ts'

/** What somebody else calls an account. */
export const labelCharacters = 200
/** `state` is part of a URL at the upstream: some take no more than 8 KB. */
const stateCharacters = 6000

/** @throws Refusal `not_found` */
export const requireUpstream = (
  { params }: Pick<Exchange, 'params'>,
  { upstreams }: Pick<ServiceParts, 'upstreams'>,
): Upstream => {
  const found = upstreams.find(params.id ?? '')
  if (found !== null) return found
  throw new Refusal('not_found', 'unknown_upstream', 'there is no login of this name')
}

/**
 * One with a login page of its own.
 *
 * @throws Refusal `not_found`
 */
export const requireLeading = (...given: Parameters<typeof requireUpstream>): LeadingUpstream => {
  const upstream = requireUpstream(...given)
  if (isLeading(upstream)) return upstream
  throw new Refusal('not_found', 'no_trip', 'this login has no way back: begin it anew')
}

export const describeUpstream = ({ settings }: Upstream, language: Language): UpstreamButton => ({
  id: settings.id,
  title: pickText(settings.title, language),
  mark: findMark(settings),
  byOperator: settings.link === 'operator',
})

/** The title of an upstream; its id where the settings have it no more. */
export const sayUpstream = (
  id: string,
  { upstreams }: Pick<ServiceParts, 'upstreams'>,
  language: Language,
): string => {
  const found = upstreams.find(id)
  return found === null ? id : pickText(found.settings.title, language)
}

/** The ways in that the settings offer, for the store. */
export const listWays = ({ upstreams }: Pick<ServiceParts, 'upstreams'>): readonly string[] =>
  upstreams.list().map(({ settings }) => settings.id)

export const describeUpstreams = (
  language: Language,
  { upstreams }: Pick<ServiceParts, 'upstreams'>,
): readonly UpstreamButton[] => upstreams.list().map((one) => describeUpstream(one, language))

/** A secret of one trip: whoever knows the state does not know the cookie. */
const deriveSecret = (use: 'nonce' | 'verifier', id: string, browser: string): string =>
  hashText(`upstream ${use}\n${browser}\n${id}`)

export const makeTrip = (
  { id, expiresAt }: Ceremony,
  state: string,
  isFresh: boolean,
  upstream: Upstream,
  { browser, at }: Pick<BrowserVisit, 'browser' | 'at'>,
  { settings }: Pick<ServiceParts, 'settings'>,
): UpstreamTrip => ({
  redirectUri: `${settings.issuer}/login/with/${upstream.settings.id}/callback`,
  state,
  nonce: deriveSecret('nonce', id, browser),
  verifier: deriveSecret('verifier', id, browser),
  isFresh,
  begunAt: expiresAt - ownerLimits.ceremonySeconds,
  at,
})

export interface TripGiven<Kind extends CeremonyKind> {
  readonly kind: Kind
  readonly states: Statements[Kind]
  /** Whom the ceremony is bound to. */
  readonly visitor: Visitor
  readonly upstream: LeadingUpstream
  readonly isFresh: boolean
  /** The name that the person is likely to have there; '' for none. */
  readonly loginHint: string
}

export const leadToUpstream = async <Kind extends CeremonyKind>(
  { kind, states, visitor, upstream, isFresh, loginHint }: TripGiven<Kind>,
  visit: BrowserVisit,
  needs: Pick<ServiceParts, 'settings' | 'keyring' | 'random'>,
): Promise<Answer | UpstreamFault> => {
  const { at, view } = visit
  const { id, text } = beginCeremony(kind, states, visitor, at, needs)
  if (text.length > stateCharacters) return new UpstreamFault('wrong', 'state')
  const ceremony = { id, expiresAt: at + ownerLimits.ceremonySeconds }
  const trip = makeTrip(ceremony, text, isFresh, upstream, visit, needs)
  const locales = view.language.lang
  const begun = await upstream.open.begin(trip, { loginHint, locales })
  return typeof begun === 'string' ? answerRedirect(begun, 303, visit.cookies) : begun
}

/** What a page tells of a fault. */
export const upstreamProblems = {
  unreachable: 'upstreamDown',
  wrong: 'upstreamWrong',
  refused: 'upstreamRefused',
  stale: 'upstreamStale',
} as const

/** For the operator: people are told only that it did not work. */
export const tellUpstreamFault = (
  { kind, detail }: UpstreamFault,
  { settings }: Upstream,
  { requestId }: Pick<Exchange, 'requestId'>,
  { tell }: Pick<ServiceParts, 'tell'>,
): void =>
  tell({
    level: kind === 'refused' ? 'info' : 'warn',
    message: 'a login by an upstream failed',
    upstream: settings.id,
    requestId,
    fault: kind,
    detail,
  })

export const linkFor = (
  ownerId: OwnerId,
  account: UpstreamAccount,
  { email, username }: Pick<NewUpstreamOwner, 'email' | 'username'>,
  at: number,
): NewUpstreamLink => ({
  ...account,
  ownerId,
  label: (email || username).slice(0, labelCharacters),
  createdAt: at,
  lastUsedAt: null,
})

type ConfirmNeeds = Pick<ServiceParts, 'store' | 'clock' | 'random'>

type LinkNeeds = ConfirmNeeds & Pick<ServiceParts, 'faces'>

/** @param ceremony of this link: a repeated request finds it finished */
export const linkPerson = async (
  { account, findClaims }: UpstreamPerson,
  ceremony: Ceremony,
  { settings }: Upstream,
  visit: OwnerVisit,
  needs: LinkNeeds,
): Promise<Answer> => {
  const { at } = visit
  const by = identify(visit)
  const done = (what: string): Answer => answerDone(visit, '/account/security', what)
  // The operator alone links accounts of this upstream.
  if (settings.link === 'operator') return done('upstreamByOperator')
  const claims = await findClaims()
  const link = linkFor(by.ownerId, account, claims, at)
  const outcome = await needs.store.linkUpstream(link, ceremony, by, traceOf(visit, needs))
  if (outcome === 'linked') {
    needs.faces.want(visit.login.owner, account, claims.picture)
    return done('upstreamLinked')
  }
  const own = await needs.store.findUpstreamOwner(account)
  return done(own?.id === by.ownerId ? 'upstreamLinked' : 'upstreamTaken')
}

/** @param ceremony of this confirmation: a repeated request finds it finished, and leads on */
export const confirmPerson = async (
  { account }: UpstreamPerson,
  ceremony: Ceremony,
  next: string,
  visit: OwnerVisit,
  needs: ConfirmNeeds,
): Promise<Answer> => {
  const shown = { upstream: account, ceremony }
  const trace = traceOf(visit, needs)
  const outcome = await needs.store.confirmSession(identify(visit), shown, trace)
  return outcome === 'accepted' || outcome === 'finished'
    ? answerSeeOther(visit, findAccountPage(next).path)
    : answerDone(visit, '/account/security', 'confirmFailed')
}
