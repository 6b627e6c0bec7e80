/**
 * The way to an upstream and back. The state is a sealed ceremony, bound to the browser, so nothing is
 * stored. Nonce and PKCE verifier follow from the cookie of the browser, which no URL holds.
 */
import { limits } from '../config/limits.ts'
import { upstreamLimits } from '../config/upstream-limits.ts'
import { digest } from '../crypto/digest.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { OwnerId } from '../model/ids.ts'
import { type Language, textIn } from '../model/language.ts'
import type { UpstreamAccount, UpstreamLink } from '../model/upstream.ts'
import {
  beginCeremony,
  type CeremonyKind,
  type NewUpstreamOwner,
  type Statements,
} from '../owners/ceremony.ts'
import type { Visitor } from '../owners/session.ts'
import type { UpstreamButton } from '../paper/upstreams.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { EndpointParts } from '../registries.ts'
import type { Ceremony } from '../store/store.ts'
import { type LeadingUpstream, leads, type Upstream } from '../upstreams/index.ts'
import { UpstreamFault, type UpstreamTrip } from '../upstreams/upstream.ts'
import type { BrowserVisit } from './visit.ts'

/** @throws Refusal `not_found` */
export const requireUpstream = (
  { params }: Pick<Exchange, 'params'>,
  { upstreams }: Pick<EndpointParts, 'upstreams'>,
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
  if (leads(upstream)) return upstream
  throw new Refusal('not_found', 'no_trip', 'this login has no way back: begin it anew')
}

/** An upstream as a button shows it. */
export const upstreamShown = ({ settings }: Upstream, language: Language): UpstreamButton => ({
  id: settings.id,
  title: textIn(settings.title, language),
})

/** The ways in that the settings offer, for the store. */
export const upstreamIds = ({ upstreams }: Pick<EndpointParts, 'upstreams'>): readonly string[] =>
  upstreams.list().map(({ settings }) => settings.id)

export const upstreamsShown = (
  language: Language,
  { upstreams }: Pick<EndpointParts, 'upstreams'>,
): readonly UpstreamButton[] => upstreams.list().map((one) => upstreamShown(one, language))

/** A secret of one trip: whoever knows the state does not know the cookie. */
const secretOf = (use: 'nonce' | 'verifier', id: string, browser: string): string =>
  digest(`upstream ${use}\n${browser}\n${id}`)

export const tripOf = (
  { id, expiresAt }: Ceremony,
  state: string,
  isFresh: boolean,
  upstream: Upstream,
  { browser, at }: Pick<BrowserVisit, 'browser' | 'at'>,
  { settings }: Pick<Parts, 'settings'>,
): UpstreamTrip => ({
  redirectUri: `${settings.issuer}/login/with/${upstream.settings.id}/callback`,
  state,
  nonce: secretOf('nonce', id, browser),
  verifier: secretOf('verifier', id, browser),
  isFresh,
  begunAt: expiresAt - limits.ceremonySeconds,
  at,
})

/** What begins a trip. */
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

/** A redirect to the login page of the upstream. */
export const leadToUpstream = async <Kind extends CeremonyKind>(
  { kind, states, visitor, upstream, isFresh, loginHint }: TripGiven<Kind>,
  visit: BrowserVisit,
  parts: EndpointParts,
): Promise<Answer | UpstreamFault> => {
  const { at, view } = visit
  const { id, text } = beginCeremony(kind, states, visitor, at, parts)
  if (text.length > upstreamLimits.stateCharacters) return new UpstreamFault('wrong', 'state')
  const ceremony = { id, expiresAt: at + limits.ceremonySeconds }
  const trip = tripOf(ceremony, text, isFresh, upstream, visit, parts)
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
  { tell }: Pick<Parts, 'tell'>,
): void =>
  tell({
    level: kind === 'refused' ? 'info' : 'warn',
    message: 'a login by an upstream failed',
    upstream: settings.id,
    requestId,
    fault: kind,
    detail,
  })

/** A link that is not stored yet. */
export const linkFor = (
  ownerId: OwnerId,
  account: UpstreamAccount,
  { email, username }: Pick<NewUpstreamOwner, 'email' | 'username'>,
  at: number,
): UpstreamLink => ({
  ...account,
  ownerId,
  label: (email || username).slice(0, upstreamLimits.labelCharacters),
  createdAt: at,
  lastUsedAt: null,
})
