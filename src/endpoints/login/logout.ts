/** The way out. */
import { endSession } from '../../owners/session.ts'
import { renderLoggedOut, renderLogout } from '../../pages/logout.ts'
import { traceOf } from '../../parts.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerSeeOther, forVisitor, showPage } from '../door/page.ts'

/** `GET /logout`: asks first, for a link alone must not log anyone out. */
export const showLogoutPage = forVisitor((visit) =>
  showPage(visit, visit.login === null ? renderLoggedOut(visit) : renderLogout(visit)),
)

/** `POST /logout` */
export const logOut = forVisitor(async (visit, parts) => {
  const { login } = visit
  // No cookie is removed then: a form of another site comes without those of whoever is logged in.
  if (login === null) return answerSeeOther(visit, '/logout')
  await readOwnForm(visit, parts)
  const cookie = await endSession(login, traceOf(visit, parts), parts)
  return answerSeeOther(visit, '/logout', {}, [cookie])
})
