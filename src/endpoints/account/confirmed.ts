/** What changes how an account is logged in to: only for whoever proved to be its owner not long ago. */
import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parts } from '../../parts.ts'
import { type ConfirmedPage, findAccountPage } from '../door/account-pages.ts'
import { answerDone, type SignedIn } from '../door/signed-in.ts'
import { answerSeeOther } from '../door/view.ts'

export const answerConfirmedPage = (
  page: ConfirmedPage,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
  cookies: readonly string[] = [],
): Answer => answerSeeOther(findAccountPage(page).path, {}, exchange, parts, cookies)

/** Whether the proof is recent enough, be it the login itself. */
export const isConfirmed = ({ login }: SignedIn, { at }: Exchange): boolean =>
  at - login.session.confirmedAt < limits.confirmationSeconds

/** The way to the page that asks for the proof, and back to this one. */
export const answerUnconfirmed = (
  next: ConfirmedPage,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
): Answer => answerSeeOther('/account/confirm', { next }, exchange, parts)

/** The owner as the store knows whoever changes factors. */
export const byOwner = ({ login }: SignedIn) => ({
  ownerId: login.owner.id,
  session: login.session.id,
})

/** Whoever has the first factor is shown the codes for the day on which it is lost. */
export const answerAdded = async (
  added: 'passkey' | 'codes',
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  cookies: readonly string[] = [],
): Promise<Answer> => {
  const { recoveryCodes } = await parts.store.findFactors(visitor.login.owner.id)
  return recoveryCodes === 0
    ? answerConfirmedPage('recovery', exchange, parts, cookies)
    : answerDone('/account/security', added, visitor, exchange, parts, null, cookies)
}
