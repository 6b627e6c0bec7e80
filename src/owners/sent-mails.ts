/**
 * Mails that a browser asked for. The page after the request carries their ids, sealed for this browser
 * alone, so it can cancel them. The same is done and written whether or not anybody got one.
 */
import type { Settings } from '../config/settings.ts'
import { hashText } from '../crypto/digest.ts'
import { type Keyring, openInTime, type SealedStatement, seal } from '../crypto/seal.ts'
import { mailKeepSeconds } from '../events/limits.ts'
import { field, id, list, number, record, type ValueOf } from '../model/codec/types.ts'
import type { MailId, OwnerId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'
import { ownerLimits } from './limits.ts'
import { deriveLinkId, linkSeconds } from './links.ts'

const sentType = record({
  mails: field(1, list(id<MailId>())),
  /** Unix seconds. */
  expiresAt: field(2, number),
})

const statement: SealedStatement<ValueOf<typeof sentType>> = { kind: 'sent mails', says: sentType }

/** A browser that asked for a mail. */
export interface AskedMail {
  readonly purpose: 'reset' | 'signup' | 'verify'
  readonly browser: string | null
  /** Of a mail that an owner asked for; null for a stranger's. */
  readonly ownerId: OwnerId | null
  /** Unix seconds. */
  readonly at: number
}

const deriveSalt = ({ purpose, browser, ownerId }: AskedMail): string =>
  hashText(`sent mails\n${purpose}\n${ownerId ?? ''}\n${browser ?? ''}`)

export const openSentMails = (needs: {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
}) => {
  const { settings, store, keyring } = needs

  /** No link of a mail asked for by now works longer: a mail may be sent for a day. */
  const getEnd = ({ purpose, at }: AskedMail): number =>
    at + mailKeepSeconds + linkSeconds(purpose, settings)

  /** None where the text is of another browser or purpose, or too old. */
  const list = async (text: string, asked: AskedMail): Promise<readonly MailId[]> =>
    (await openInTime(statement, text, deriveSalt(asked), asked.at, keyring))?.mails ?? []

  const cancel = (mails: readonly MailId[], asked: AskedMail): Promise<void> => {
    const expiresAt = getEnd(asked)
    const indexes = Array.from({ length: ownerLimits.linksOfMail }, (_, index) => index)
    const links = mails.flatMap((mail) =>
      indexes.map((index) => ({ id: deriveLinkId(mail, index), expiresAt })),
    )
    return store.cancelMails(mails, links)
  }

  return {
    list,
    cancel,
    /**
     * Adds a mail to those of the page before.
     *
     * @param before the sealed mails of that page; '' for none
     * @returns those of the next page, sealed
     */
    async add(mail: MailId, before: string, asked: AskedMail): Promise<string> {
      const mails = [...(await list(before, asked)), mail]
      const tooMany = mails.slice(0, -ownerLimits.mailsOfPage)
      if (tooMany.length > 0) await cancel(tooMany, asked)
      const said = { mails: mails.slice(-ownerLimits.mailsOfPage), expiresAt: getEnd(asked) }
      return seal(statement, keyring.current(), deriveSalt(asked), said)
    },
  }
}
