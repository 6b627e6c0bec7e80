/** The way out. */
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { csrfToken, endSession, findVisitor } from '../../owners/session.ts'
import { renderLoggedOut, renderLogout } from '../../pages/logout.ts'
import { type Parts, traceOf } from '../../parts.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerSeeOther, showPage, viewOf } from '../door/view.ts'

/** `GET /logout`: asks first, for a link alone must not log anyone out. */
export const showLogoutPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange, parts)
  const view = viewOf(exchange, parts)
  return showPage(
    view,
    visitor.login === null
      ? renderLoggedOut({ view })
      : renderLogout({ view, csrf: csrfToken(visitor) }),
  )
}

/** `POST /logout` */
export const logOut = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange, parts)
  // No cookie is removed then: a form of another site comes without those of whoever is logged in.
  if (visitor.login === null) return answerSeeOther('/logout', {}, exchange, parts)
  await readOwnForm(exchange.request, visitor, parts)
  const cookie = await endSession(visitor, traceOf(exchange, parts), parts)
  return answerSeeOther('/logout', {}, exchange, parts, [cookie])
}
