/** `/account/upstreams`: an owner links an account at an upstream, or unlinks it. */
import { hidden } from '../../../paper/fields.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { page, type RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { leads, type Upstream } from '../../../upstreams/index.ts'
import { answerDone, answerLoginFirst, type OwnerVisit } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { linkPerson } from '../../upstream-link.ts'
import { requireUpstream, upstreamIds } from '../../upstream-trip.ts'
import { answerSeeOther } from '../../visit.ts'
import { answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'
import type { AccountNeeds } from '../needs.ts'
import { type ProofUse, proveUpstream, showProofForm } from './proof.ts'

export const openUpstreams = (
  needs: AccountNeeds,
  { forOwner, readForm }: Pages,
): readonly RouteRow[] => {
  const useOf = ({ settings: { id } }: Upstream, visit: OwnerVisit): ProofUse => ({
    purpose: 'link',
    action: '/account/upstreams',
    fields: hidden('action', 'link'),
    formPath: `/account/upstreams/${id}`,
    trip: { kind: 'link upstream', states: id, isFresh: false },
    failed: 'upstreamFailed',
    accept: (person, ceremony) => linkPerson(person, ceremony, visit, needs),
  })

  /** The form of a directory. */
  const show = forOwner((visit) => {
    const upstream = requireUpstream(visit, needs)
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    return leads(upstream)
      ? answerSeeOther(visit, '/account/security')
      : showProofForm(useOf(upstream, visit), upstream, visit)
  })

  /** Whoever finds a browser logged in could otherwise open the account from elsewhere. */
  const change = forOwner(async (visit) => {
    const form = await readForm(visit)
    const { browser } = visit
    if (!isConfirmed(visit) || browser === null) return answerUnconfirmed(visit, needs, 'security')
    const [action, id] = [form.require('action'), form.require('upstream')]
    if (action === 'link') {
      const upstream = requireUpstream({ params: { id } }, needs)
      return proveUpstream(useOf(upstream, visit), upstream, form, { ...visit, browser }, needs)
    }
    if (action !== 'unlink') {
      throw new Refusal('invalid_request', 'bad_action', 'action has to be link or unlink')
    }
    const trace = traceOf(visit, needs)
    const outcome = await needs.store.unlinkUpstream(id, upstreamIds(needs), byOwner(visit), trace)
    if (outcome === 'refused') return answerLoginFirst(visit, needs)
    const done = outcome === 'last' ? 'upstreamLast' : 'upstreamUnlinked'
    return answerDone(visit, '/account/security', done)
  })

  return [
    { ...page, method: 'POST', path: '/account/upstreams', handler: change, back: 'security' },
    { ...page, method: 'GET', path: '/account/upstreams/:id', handler: show },
  ]
}
