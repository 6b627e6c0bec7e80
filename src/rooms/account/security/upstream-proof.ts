/** An owner shows an account at an upstream: to link it, or to confirm the login. */
import type { Answer } from '../../../http/answer.ts'
import { hide } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { type AskedUpstream, isLeading, type Upstream } from '../../../upstreams/index.ts'
import { UpstreamFault } from '../../../upstreams/upstream.ts'
import { answerTyped, type DirectoryUse, getTyped, showDirectoryForm } from '../../directory-try.ts'
import { answerDone, type OwnerVisit } from '../../owner-visit.ts'
import { leadToUpstream, type TripGiven, tellUpstreamFault } from '../../upstream-trip.ts'
import { answerSeeOther } from '../../visit.ts'
import type { AccountNeeds } from '../needs.ts'

/** What the account is shown for, and the hidden fields of the form for a directory. */
export interface ProofUse extends Pick<DirectoryUse, 'purpose' | 'action' | 'fields' | 'accept'> {
  /** The page of that form, if it is not the answer to the button itself. */
  readonly formPath?: `/account/upstreams/${string}`
  readonly trip: Pick<
    TripGiven<'link upstream' | 'confirm upstream'>,
    'kind' | 'states' | 'isFresh'
  >
  /** The notice on the page of security after a failed trip. */
  readonly failed: 'upstreamFailed' | 'confirmFailed'
}

const makeDirectoryUse = (
  use: ProofUse,
  upstream: AskedUpstream,
  { view }: OwnerVisit,
): DirectoryUse => ({
  ...use,
  upstream,
  fields: html`${use.fields}${hide('upstream', upstream.settings.id)}`,
  username: '',
  back: pageUrl(view, '/account/security'),
})

export const showProofForm = (use: ProofUse, upstream: AskedUpstream, visit: OwnerVisit): Answer =>
  showDirectoryForm(makeDirectoryUse(use, upstream, visit), visit)

/** Leads to the login page of the upstream. A directory has none, and is asked with a typed password. */
export const proveUpstream = async (
  use: ProofUse,
  upstream: Upstream,
  form: Parameters,
  visit: OwnerVisit & { readonly browser: string },
  needs: AccountNeeds,
): Promise<Answer> => {
  if (isLeading(upstream)) {
    const trip = { ...use.trip, visitor: visit, upstream, loginHint: visit.login.owner.email }
    const answer = await leadToUpstream(trip, visit, needs)
    if (!(answer instanceof UpstreamFault)) return answer
    tellUpstreamFault(answer, upstream, visit, needs)
    return answerDone(visit, '/account/security', use.failed)
  }
  const typed = getTyped(form)
  if (typed === null) {
    const { formPath } = use
    return formPath ? answerSeeOther(visit, formPath) : showProofForm(use, upstream, visit)
  }
  return answerTyped(typed, makeDirectoryUse(use, upstream, visit), visit, needs)
}
