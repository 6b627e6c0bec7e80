/** The needs of the ways into an account, and the answers that their pages share. */

import type { Answer } from '../../http/answer.ts'
import type { SituationParts } from '../../journey/situation.ts'
import type { Owner } from '../../model/owner.ts'
import type { PasswordFault } from '../../owners/password-rule.ts'
import { openSessionStart, type SessionNeeds } from '../../owners/session.ts'
import { canMail } from '../../owners/ways-in.ts'
import type { ServiceParts } from '../../registries.ts'
import { answerLogInNow } from '../owner-visit.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import { renderDeadLink, renderTaken } from './link.ts'

export type WaysNeeds = SessionNeeds & SituationParts & Pick<ServiceParts, 'passwords'>

const passwordReasons: Readonly<Record<PasswordFault, string>> = {
  length: 'bad_new_password',
  common: 'common_new_password',
  names: 'new_password_of_names',
}

export const getPageOptions = (problem: PasswordFault | null) =>
  problem === null ? {} : { status: 400, reason: passwordReasons[problem] }

/**
 * The same for every dead link of a page: nobody learns why it is dead.
 *
 * @param next the page that makes another link; null for one behind a login
 */
export const showDeadLink = (
  visit: BrowserVisit,
  next: 'forgot' | 'signup' | null,
  needs: Pick<WaysNeeds, 'settings'>,
): Answer =>
  showPage(visit, renderDeadLink(visit.view, canMail(needs) ? next : null), {
    status: 410,
    reason: 'dead_link',
  })

/** Another owner has confirmed the address of the link. */
export const showTaken = (visit: BrowserVisit, email: string): Answer =>
  showPage(visit, renderTaken(visit.view, email), { status: 409, reason: 'address_taken' })

/** The first login of an owner, by a link. */
export const openArrival = (needs: WaysNeeds) => {
  const startSession = openSessionStart(needs)
  const { findParked } = openWaiting(needs)
  /** @param waits whether an application waits in the browser that asked for the link */
  return async (visit: BrowserVisit, owner: Owner, waits = false): Promise<Answer> => {
    const login = { passwordHash: owner.passwordHash }
    const entry = { login, methods: ['pwd'], isNewAccount: true } as const
    const started = await startSession(owner, entry, visit)
    if (started.outcome !== 'accepted') return answerLogInNow(visit, 'passwordChosen')
    const { cookies } = started
    const parked = await findParked(visit, owner.id)
    if (parked !== null) {
      const { journey } = parked
      return answerSeeOther(visit, '/authorize', { journey }, [...cookies, ...parked.cookies])
    }
    return waits
      ? answerSeeOther(visit, '/signup', { made: '1' }, cookies)
      : answerSeeOther(visit, '/account', {}, cookies)
  }
}
