/** `/account/upstreams`: an owner links an account at an upstream, or unlinks it. */
import type { Answer } from '../../../http/answer.ts'
import { renderDirectoryForm } from '../../../paper/directory.ts'
import { hidden } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { type AskedUpstream, type LeadingUpstream, leads } from '../../../upstreams/index.ts'
import { UpstreamFault } from '../../../upstreams/upstream.ts'
import {
  ceremonyOfTry,
  type DirectoryProblem,
  directoryRefused,
  tryDirectory,
  typedIn,
} from '../../directory-try.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, answerLoginFirst, type OwnerVisit } from '../../owner-visit.ts'
import { orWait } from '../../throttled.ts'
import { linkPerson } from '../../upstream-link.ts'
import {
  leadToUpstream,
  requireUpstream,
  tellUpstreamFault,
  upstreamIds,
  upstreamProblems,
  upstreamShown,
} from '../../upstream-trip.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'

const showForm = (
  upstream: AskedUpstream,
  visit: OwnerVisit,
  username: string,
  problem: DirectoryProblem | null,
  waitSeconds: number | null,
): Answer => {
  const { view, csrf } = visit
  const { id } = upstream.settings
  const page = renderDirectoryForm({
    view,
    purpose: 'link',
    upstream: upstreamShown(upstream, view.language),
    action: '/account/upstreams',
    fields: html`${hidden('csrf', csrf)}${hidden('action', 'link')}${hidden('upstream', id)}`,
    username,
    problem,
    waitSeconds,
    back: pageUrl(view, '/account/security'),
  })
  return showPage(visit, page, {
    ...(problem && directoryRefused[problem]),
    hasScript: true,
    waitSeconds,
  })
}

/** `GET /account/upstreams/{id}`: the form of a directory. */
export const showDirectoryLink = forOwner((visit, parts) => {
  const upstream = requireUpstream(visit, parts)
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  return leads(upstream)
    ? answerSeeOther(visit, '/account/security')
    : showForm(upstream, visit, '', null, null)
})

const linkByPassword = (
  upstream: AskedUpstream,
  form: Parameters,
  visit: OwnerVisit,
  parts: ServiceParts,
): Promise<Answer> | Answer => {
  const typed = typedIn(form)
  if (typed === null) {
    return answerSeeOther(visit, `/account/upstreams/${upstream.settings.id}`)
  }
  const { username } = typed
  const attempt = async (): Promise<Answer> => {
    const person = await tryDirectory(typed, upstream, visit, parts)
    if (person === null) return showForm(upstream, visit, username, 'wrong', null)
    if (person instanceof UpstreamFault) {
      tellUpstreamFault(person, upstream, visit, parts)
      return showForm(upstream, visit, username, upstreamProblems[person.kind], null)
    }
    return linkPerson(person, ceremonyOfTry(visit.at, parts), visit, parts)
  }
  return orWait(attempt, (seconds) => showForm(upstream, visit, username, 'throttled', seconds))
}

const linkByTrip = async (
  upstream: LeadingUpstream,
  visit: OwnerVisit & { readonly browser: string },
  parts: ServiceParts,
): Promise<Answer> => {
  const { settings } = upstream
  const loginHint = visit.login.owner.email
  const asked = { states: settings.id, visitor: visit, upstream, isFresh: false, loginHint }
  const answer = await leadToUpstream({ kind: 'link upstream', ...asked }, visit, parts)
  if (!(answer instanceof UpstreamFault)) return answer
  tellUpstreamFault(answer, upstream, visit, parts)
  return answerDone(visit, '/account/security', 'upstreamFailed')
}

/** `POST`. Whoever finds a browser logged in could otherwise open the account from elsewhere. */
export const changeUpstreams = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { browser } = visit
  if (!isConfirmed(visit) || browser === null) return answerUnconfirmed(visit, parts, 'security')
  const [action, id] = [form.require('action'), form.require('upstream')]
  if (action === 'link') {
    const upstream = requireUpstream({ params: { id } }, parts)
    return leads(upstream)
      ? linkByTrip(upstream, { ...visit, browser }, parts)
      : linkByPassword(upstream, form, visit, parts)
  }
  if (action !== 'unlink') {
    throw new Refusal('invalid_request', 'bad_action', 'action has to be link or unlink')
  }
  const ways = upstreamIds(parts)
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.unlinkUpstream(id, ways, byOwner(visit), trace)
  if (outcome === 'refused') return answerLoginFirst(visit, parts)
  const done = outcome === 'last' ? 'upstreamLast' : 'upstreamUnlinked'
  return answerDone(visit, '/account/security', done)
})
