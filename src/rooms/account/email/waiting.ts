/** The address that waits for its link, as this browser knows it for some minutes. */
import { type AskedMail, openSentMails } from '../../../owners/sent-mails.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { openWaiting } from '../../waiting.ts'
import type { AccountNeeds } from '../needs.ts'

export interface WaitingAddress {
  /** As typed. */
  readonly address: string
  /** The mails to it that this browser can cancel, sealed. */
  readonly sent: string
}

export const makeAsked = ({ browser, login, at }: OwnerVisit): AskedMail => ({
  purpose: 'verify',
  browser,
  ownerId: login.owner.id,
  at,
})

/** Opens a finder: null stands for no address. */
export const openWaitingAddress = (needs: AccountNeeds) => {
  const { findTypedName, findSent } = openWaiting(needs)
  const { list } = openSentMails(needs)
  return async (visit: OwnerVisit): Promise<WaitingAddress | null> => {
    const sent = findSent(visit)
    // Other pages keep typed names as well, perhaps of another person. The seal names the owner.
    if ((await list(sent, makeAsked(visit))).length === 0) return null
    const address = findTypedName(visit)
    const { email, emailVerified } = visit.login.owner
    return address === '' || (emailVerified && address === email) ? null : { address, sent }
  }
}
