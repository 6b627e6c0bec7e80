/** The form for the name and the password of a directory, on the login pages. */
import type { Answer } from '../../http/answer.ts'
import { renderDirectoryForm } from '../../paper/directory.ts'
import { hidden, waitingFields } from '../../paper/fields.ts'
import { html } from '../../paper/markup.ts'
import { pageUrl } from '../../paper/view.ts'
import type { AskedUpstream } from '../../upstreams/index.ts'
import { UpstreamFault } from '../../upstreams/upstream.ts'
import {
  ceremonyOfTry,
  type DirectoryProblem,
  directoryRefused,
  tryDirectory,
  typedIn,
} from '../directory-try.ts'
import { orWait } from '../throttled.ts'
import { tellUpstreamFault, upstreamProblems, upstreamShown } from '../upstream-trip.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import type { AdmitPerson } from './by-upstream.ts'
import { hintedName, type LoginNeeds, type LoginVisit } from './entrance.ts'

interface DirectoryShown {
  readonly username?: string
  readonly problem?: DirectoryProblem
  readonly waitSeconds?: number
}

export const showDirectoryForm = (
  upstream: AskedUpstream,
  visit: LoginVisit,
  { username = hintedName(visit.resumed), problem, waitSeconds }: DirectoryShown = {},
): Answer => {
  const { view, csrf, journey, next } = visit
  const page = renderDirectoryForm({
    view,
    purpose: 'logIn',
    upstream: upstreamShown(upstream, view.language),
    action: `/login/with/${upstream.settings.id}`,
    fields: html`${hidden('csrf', csrf)}${waitingFields(journey, next)}`,
    username,
    problem: problem ?? null,
    waitSeconds: waitSeconds ?? null,
    back: pageUrl(view, '/login', { journey, next, switch: '1' }),
  })
  const refused = problem === undefined ? {} : directoryRefused[problem]
  return showPage(visit, page, { ...refused, hasScript: true, waitSeconds: waitSeconds ?? null })
}

/** The button of the login page leads to the form, and the form to a login. */
export const openDirectoryLogin =
  (needs: LoginNeeds, admitPerson: AdmitPerson) =>
  (upstream: AskedUpstream, visit: LoginVisit): Promise<Answer> | Answer => {
    const { given, journey, next, at } = visit
    const typed = typedIn(given)
    if (typed === null) {
      return answerSeeOther(visit, `/login/with/${upstream.settings.id}`, { journey, next })
    }
    const again = (said: DirectoryShown): Answer =>
      showDirectoryForm(upstream, visit, { username: typed.username, ...said })
    const attempt = async (): Promise<Answer> => {
      const person = await tryDirectory(typed, upstream, visit, needs)
      if (person === null) return again({ problem: 'wrong' })
      if (person instanceof UpstreamFault) {
        tellUpstreamFault(person, upstream, visit, needs)
        return again({ problem: upstreamProblems[person.kind] })
      }
      return admitPerson(person, ceremonyOfTry(at, needs), upstream, visit)
    }
    return orWait(attempt, (waitSeconds) => again({ problem: 'throttled', waitSeconds }))
  }
