/** Confirmation: only an owner with a recent proof changes the factors of an account. */

import type { Answer } from '../../http/answer.ts'
import { findAccountPage, findAccountPlace } from '../account-pages.ts'
import { answerDone, answerDoneAt, type OwnerVisit } from '../owner-visit.ts'
import { answerSeeOther } from '../visit.ts'
import { accountLimits } from './limits.ts'
import type { AccountNeeds } from './needs.ts'

export const answerConfirmedPage = (
  visit: OwnerVisit,
  page: string,
  cookies: readonly string[] = [],
): Answer => {
  const { path, query } = findAccountPage(page)
  // The console was asked to do something, and did not.
  return page.startsWith('admin')
    ? answerDoneAt(visit, path, { what: 'confirmed', clientId: null })
    : answerSeeOther(visit, path, query, cookies)
}

/** Whether the proof is recent enough. The login itself is one. */
export const isConfirmed = ({ login, at }: OwnerVisit): boolean =>
  at - login.session.confirmedAt < accountLimits.confirmationSeconds

/** The way to the page that asks for the proof, and back to this one. */
export const answerUnconfirmed = (
  visit: OwnerVisit,
  needs: Pick<AccountNeeds, 'settings'>,
  next = findAccountPlace(visit, needs).name,
): Answer => answerSeeOther(visit, '/account/confirm', { next })

/** With the first factor, an owner is shown recovery codes, in case it gets lost. */
export const answerAdded = async (
  visit: OwnerVisit,
  added: 'passkey' | 'codes',
  { store }: Pick<AccountNeeds, 'store'>,
  cookies: readonly string[] = [],
): Promise<Answer> => {
  const { recoveryCodes } = await store.findFactors(visit.login.owner.id)
  return recoveryCodes === 0
    ? answerConfirmedPage(visit, 'security/recovery', cookies)
    : answerDone(visit, '/account/security', added, cookies)
}
