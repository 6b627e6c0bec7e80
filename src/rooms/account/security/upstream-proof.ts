/** An owner shows an account at an upstream: to link it, or to confirm the login. */
import type { Answer } from '../../../http/answer.ts'
import { renderDirectoryForm } from '../../../paper/directory.ts'
import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { Ceremony } from '../../../store/contract/factor.ts'
import { leads, type Upstream } from '../../../upstreams/index.ts'
import { UpstreamFault, type UpstreamPerson } from '../../../upstreams/upstream.ts'
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
  leadToUpstream,
  type TripGiven,
  tellUpstreamFault,
  upstreamProblems,
  upstreamShown,
} from '../../upstream-trip.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import type { AccountNeeds } from '../needs.ts'

/** What the account is shown for. */
export interface ProofUse {
  readonly purpose: 'link' | 'confirm'
  /** The action and the hidden fields of the form for a directory. */
  readonly action: '/account/upstreams' | '/account/confirm'
  readonly fields: Markup
  /** The page of that form, if it is not the answer to the button itself. */
  readonly formPath?: `/account/upstreams/${string}`
  readonly trip: Pick<
    TripGiven<'link upstream' | 'confirm upstream'>,
    'kind' | 'states' | 'isFresh'
  >
  /** The notice on the page of security after a failed trip. */
  readonly failed: 'upstreamFailed' | 'confirmFailed'
  readonly accept: (person: UpstreamPerson, ceremony: Ceremony) => Promise<Answer>
}

export const showProofForm = (
  { purpose, action, fields }: ProofUse,
  upstream: Upstream,
  visit: OwnerVisit,
  username = '',
  problem: DirectoryProblem | null = null,
  waitSeconds: number | null = null,
): Answer => {
  const { view, csrf } = visit
  const page = renderDirectoryForm({
    view,
    purpose,
    upstream: upstreamShown(upstream, view.language),
    action,
    fields: html`${hidden('csrf', csrf)}${fields}${hidden('upstream', upstream.settings.id)}`,
    username,
    problem,
    waitSeconds,
    back: pageUrl(view, '/account/security'),
  })
  const refused = problem && directoryRefused[problem]
  return showPage(visit, page, { ...refused, hasScript: true, waitSeconds })
}

/** Leads to the login page of the upstream. A directory has none, and is asked with a typed password. */
export const proveUpstream = async (
  use: ProofUse,
  upstream: Upstream,
  form: Parameters,
  visit: OwnerVisit & { readonly browser: string },
  needs: AccountNeeds,
): Promise<Answer> => {
  if (leads(upstream)) {
    const trip = { ...use.trip, visitor: visit, upstream, loginHint: visit.login.owner.email }
    const answer = await leadToUpstream(trip, visit, needs)
    if (!(answer instanceof UpstreamFault)) return answer
    tellUpstreamFault(answer, upstream, visit, needs)
    return answerDone(visit, '/account/security', use.failed)
  }
  const typed = typedIn(form)
  if (typed === null) {
    const { formPath } = use
    return formPath ? answerSeeOther(visit, formPath) : showProofForm(use, upstream, visit)
  }
  const again = (problem: DirectoryProblem, waitSeconds: number | null = null): Answer =>
    showProofForm(use, upstream, visit, typed.username, problem, waitSeconds)
  const attempt = async (): Promise<Answer> => {
    const person = await tryDirectory(typed, upstream, visit, needs)
    if (person === null) return again('wrong')
    if (person instanceof UpstreamFault) {
      tellUpstreamFault(person, upstream, visit, needs)
      return again(upstreamProblems[person.kind])
    }
    return use.accept(person, ceremonyOfTry(visit.at, needs))
  }
  return orWait(attempt, (seconds) => again('throttled', seconds))
}
