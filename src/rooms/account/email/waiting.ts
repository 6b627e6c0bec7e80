/** The address that waits for its link, as this browser knows it for some minutes. */
import type { OwnerVisit } from '../../owner-visit.ts'
import { openWaiting } from '../../waiting.ts'

/** Other pages keep typed names as well, perhaps of another person. Only an owner's own one begins so. */
const markOf = ({ login }: OwnerVisit): string => `${login.owner.id.slice(-8)} `

export const openWaitingAddress = (needs: Parameters<typeof openWaiting>[0]) => {
  const { keepTypedName, findTypedName } = openWaiting(needs)
  return {
    /** The header of the cookie. */
    keep: (visit: OwnerVisit, email: string): string => keepTypedName(markOf(visit) + email),
    /** '' where none waits. */
    find(visit: OwnerVisit): string {
      const mark = markOf(visit)
      const typed = findTypedName(visit)
      const { email, emailVerified } = visit.login.owner
      const address = typed.startsWith(mark) ? typed.slice(mark.length) : ''
      return emailVerified && address === email ? '' : address
    },
  }
}
