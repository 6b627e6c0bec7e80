/** What changes how an account is logged in to: only for whoever proved to be its owner not long ago. */
import { limits } from '../config/limits.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Parts } from '../parts.ts'
import { basePath } from './paths.ts'
import type { SignedIn } from './signed-in.ts'

/** The pages that one comes back to, by the name that `/account/confirm` takes. */
const pages = {
  security: '/account/security',
  codes: '/account/security/codes',
  recovery: '/account/security/recovery',
} as const

export type ConfirmedPage = keyof typeof pages

export const isConfirmedPage = (name: string): name is ConfirmedPage => Object.hasOwn(pages, name)

export const answerPath = (page: ConfirmedPage, parts: Pick<Parts, 'settings'>): Answer =>
  answerRedirect(basePath(parts) + pages[page], 303)

/** Whether the proof is recent enough, be it the login itself. */
export const isConfirmed = ({ login }: SignedIn, { at }: Exchange): boolean =>
  at - login.session.confirmedAt < limits.confirmationSeconds

/** The way to the page that asks for the proof, and back to this one. */
export const answerUnconfirmed = (page: ConfirmedPage, parts: Pick<Parts, 'settings'>): Answer =>
  answerRedirect(`${basePath(parts)}/account/confirm?next=${page}`, 303)

/** The owner as the store knows whoever changes factors. */
export const byOwner = ({ login }: SignedIn) => ({
  ownerId: login.owner.id,
  session: login.session.id,
})
