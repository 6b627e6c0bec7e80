/** Who may change how an account is logged in to: its owner, having proven to be there not long ago. */
import { limits } from '../config/limits.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Owner } from '../model/owner.ts'
import type { Session } from '../model/session.ts'
import { findVisitor, type Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import { basePath } from './paths.ts'

/** The pages that one comes back to, by the name that `/account/confirm` takes. */
const pages = {
  security: '/account/security',
  codes: '/account/security/codes',
  recovery: '/account/security/recovery',
} as const

export type SecurityPage = keyof typeof pages

export const isSecurityPage = (name: string): name is SecurityPage => Object.hasOwn(pages, name)

export const securityPath = (page: SecurityPage, parts: Pick<Parts, 'settings'>): string =>
  basePath(parts) + pages[page]

export interface Present {
  readonly visitor: Visitor
  readonly session: Session
  readonly owner: Owner
  /** Whether the proof is recent enough to change anything. */
  readonly isConfirmed: boolean
}

/** Whoever is logged in, or the way to the login. */
export const findPresent = async (
  { request, at }: Exchange,
  parts: Parts,
): Promise<Present | { readonly instead: Answer }> => {
  const visitor = await findVisitor(request, at, parts)
  if (visitor.login === null) return { instead: answerRedirect(`${basePath(parts)}/login`, 303) }
  const { session, owner } = visitor.login
  const isConfirmed = at - session.confirmedAt < limits.confirmationSeconds
  return { visitor, session, owner, isConfirmed }
}

/** The way to the page that asks for the proof, and back to this one. */
export const answerUnconfirmed = (page: SecurityPage, parts: Pick<Parts, 'settings'>): Answer =>
  answerRedirect(`${basePath(parts)}/account/confirm?next=${page}`, 303)
