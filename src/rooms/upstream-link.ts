/** An owner has shown an account at an upstream: it is linked, or confirms the login. */
import type { Answer } from '../http/answer.ts'
import { traceOf } from '../parts.ts'
import type { EndpointParts } from '../registries.ts'
import type { Ceremony } from '../store/store.ts'
import type { UpstreamPerson } from '../upstreams/upstream.ts'
import { findAccountPage } from './account-pages.ts'
import { answerDone, type OwnerVisit } from './owner-visit.ts'
import { linkFor } from './upstream-trip.ts'
import { answerSeeOther } from './visit.ts'

/** @param ceremony of this link: a repeated request finds it finished */
export const linkPerson = async (
  { account, findClaims }: UpstreamPerson,
  ceremony: Ceremony,
  visit: OwnerVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { login, at } = visit
  const ownerId = login.owner.id
  const done = (what: string): Answer => answerDone(visit, '/account/security', what)
  const link = linkFor(ownerId, account, await findClaims(), at)
  const by = { ownerId, session: login.session.id }
  const outcome = await parts.store.linkUpstream(link, ceremony, by, traceOf(visit, parts))
  if (outcome === 'linked') return done('upstreamLinked')
  const own = await parts.store.findUpstreamOwner(account)
  return done(own?.id === ownerId ? 'upstreamLinked' : 'upstreamTaken')
}

/** @param ceremony of this confirmation: a repeated request finds it finished, and leads on */
export const confirmPerson = async (
  { account }: UpstreamPerson,
  ceremony: Ceremony,
  next: string,
  visit: OwnerVisit,
  parts: EndpointParts,
): Promise<Answer> => {
  const { owner, session } = visit.login
  const by = { ownerId: owner.id, session: session.id }
  const shown = { upstream: account, ceremony }
  const outcome = await parts.store.confirmSession(by, shown, traceOf(visit, parts))
  return outcome === 'accepted' || outcome === 'finished'
    ? answerSeeOther(visit, findAccountPage(next).path)
    : answerDone(visit, '/account/security', 'confirmFailed')
}
