/** The account page lists the applications with access. */
import { forOwner } from '../door/signed-in.ts'
import { showApplications } from './applications.ts'

/** `GET /account` */
export const showAccountPage = forOwner(async (visit, parts) => {
  await parts.uses.catchUp()
  return showApplications(visit, null, parts)
})
