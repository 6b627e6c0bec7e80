/** `POST /account/upstreams`: an owner links an account at an upstream, or unlinks it. */
import { traceOf } from '../../parts.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { UpstreamFault } from '../../upstreams/upstream.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerDone, answerLoginFirst, forOwner } from '../door/signed-in.ts'
import { leadToUpstream, requireUpstream, tellUpstreamFault } from '../door/upstream-trip.ts'
import { answerUnconfirmed, byOwner, isConfirmed } from './confirmed.ts'

/** Whoever finds a browser logged in could otherwise open the account from elsewhere. */
export const changeUpstreams = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { browser } = visit
  if (!isConfirmed(visit) || browser === null) return answerUnconfirmed(visit, 'security')
  const [action, id] = [form.require('action'), form.require('upstream')]
  if (action === 'link') {
    const upstream = requireUpstream({ params: { id } }, parts)
    const { owner } = visit.login
    const answer = await leadToUpstream(
      {
        kind: 'link upstream',
        states: id,
        visitor: visit,
        upstream,
        isFresh: false,
        loginHint: owner.email,
      },
      { ...visit, browser },
      parts,
    )
    if (!(answer instanceof UpstreamFault)) return answer
    tellUpstreamFault(answer, upstream, visit, parts)
    return answerDone(visit, '/account/security', 'upstreamFailed')
  }
  if (action !== 'unlink') {
    throw new Refusal('invalid_request', 'bad_action', 'action has to be link or unlink')
  }
  const ways = parts.upstreams.list().map(({ settings }) => settings.id)
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.unlinkUpstream(id, ways, byOwner(visit), trace)
  if (outcome === 'refused') return answerLoginFirst(visit, parts)
  const done = outcome === 'last' ? 'upstreamLast' : 'upstreamUnlinked'
  return answerDone(visit, '/account/security', done)
})
