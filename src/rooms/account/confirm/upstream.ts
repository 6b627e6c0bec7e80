/** An owner without a password confirms a login by a linked account at an upstream. */
import type { Answer } from '../../../http/answer.ts'
import { renderDirectoryForm } from '../../../paper/directory.ts'
import { hidden } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import type { UpstreamButton } from '../../../paper/upstreams.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import {
  type AskedUpstream,
  type LeadingUpstream,
  leads,
  type Upstream,
} from '../../../upstreams/index.ts'
import { UpstreamFault } from '../../../upstreams/upstream.ts'
import {
  ceremonyOfTry,
  type DirectoryProblem,
  directoryRefused,
  tryDirectory,
  typedIn,
} from '../../directory-try.ts'
import { answerDone, type OwnerVisit } from '../../owner-visit.ts'
import { orWait } from '../../throttled.ts'
import {
  confirmPerson,
  leadToUpstream,
  tellUpstreamFault,
  upstreamProblems,
  upstreamShown,
} from '../../upstream-trip.ts'
import { showPage } from '../../visit.ts'

/** Upstreams that can ask the owner anew. */
const linkedUpstreams = async (
  { login }: OwnerVisit,
  { store, upstreams }: Pick<ServiceParts, 'store' | 'upstreams'>,
): Promise<readonly Upstream[]> => {
  const links = await store.listUpstreamLinks(login.owner.id)
  return upstreams
    .list()
    .filter(({ settings }) => links.some((one) => one.upstream === settings.id))
    .filter((one) => !leads(one) || one.open.asksAgain)
}

/** The buttons of the page. */
export const confirmingUpstreams = async (
  visit: OwnerVisit,
  parts: Pick<ServiceParts, 'store' | 'upstreams'>,
): Promise<readonly UpstreamButton[]> =>
  (await linkedUpstreams(visit, parts)).map((one) => upstreamShown(one, visit.view.language))

const byTrip = async (
  upstream: LeadingUpstream,
  next: string,
  visit: OwnerVisit & { readonly browser: string },
  parts: ServiceParts,
): Promise<Answer> => {
  const states = { upstream: upstream.settings.id, next }
  const loginHint = visit.login.owner.email
  const asked = { states, visitor: visit, upstream, isFresh: true, loginHint }
  const answer = await leadToUpstream({ kind: 'confirm upstream', ...asked }, visit, parts)
  if (!(answer instanceof UpstreamFault)) return answer
  tellUpstreamFault(answer, upstream, visit, parts)
  return answerDone(visit, '/account/security', 'confirmFailed')
}

const byPassword = (
  upstream: AskedUpstream,
  form: Parameters,
  next: string,
  visit: OwnerVisit,
  parts: ServiceParts,
): Promise<Answer> | Answer => {
  const { view, csrf, at } = visit
  const { id } = upstream.settings
  const typed = typedIn(form)
  const show = (problem: DirectoryProblem | null, waitSeconds: number | null = null): Answer => {
    const page = renderDirectoryForm({
      view,
      purpose: 'confirm',
      upstream: upstreamShown(upstream, view.language),
      action: '/account/confirm',
      fields: html`${hidden('csrf', csrf)}${hidden('next', next)}${hidden('upstream', id)}`,
      username: typed?.username ?? '',
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
  if (typed === null) return show(null)
  const attempt = async (): Promise<Answer> => {
    const person = await tryDirectory(typed, upstream, visit, parts)
    if (person === null) return show('wrong')
    if (!(person instanceof UpstreamFault)) {
      return confirmPerson(person, ceremonyOfTry(at, parts), next, visit, parts)
    }
    tellUpstreamFault(person, upstream, visit, parts)
    return show(upstreamProblems[person.kind])
  }
  return orWait(attempt, (seconds) => show('throttled', seconds))
}

/** An owner with a password shows that instead: an upstream is never stronger than what it replaces. */
export const confirmByUpstream = async (
  id: string,
  form: Parameters,
  next: string,
  visit: OwnerVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const { browser, login } = visit
  const linked = await linkedUpstreams(visit, parts)
  const upstream = linked.find(({ settings }) => settings.id === id)
  if (upstream === undefined || browser === null || login.owner.passwordHash !== '') {
    throw new Refusal('invalid_request', 'bad_upstream', 'this login cannot confirm it')
  }
  return leads(upstream)
    ? byTrip(upstream, next, { ...visit, browser }, parts)
    : byPassword(upstream, form, next, visit, parts)
}
