/** Mails that wait to be sent. */
import type { MailSteps } from '../../contract/mail.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as mails from './mails.ts'

export const mailRecord: StoreRecord<MailSteps> = {
  tables: [
    traceTable(
      'mails',
      ['id'],
      ['kind', 'owner_id', 'about', 'language', 'waits', 'next_at', 'tries', 'expires_at'],
      // Nobody waits for the mails of a day that is long over.
      'none',
    ),
  ],
  reads: {
    listDueMails: mails.listDueMails,
    findMailQueue: mails.findMailQueue,
    listOwnersOfEmail: mails.listOwnersOfEmail,
  },
  steps: {
    queueMail: mails.queueMail,
    claimMail: mails.claimMail,
    removeMail: mails.removeMail,
  },
  invalidates: { queueMail: 'nothing', claimMail: 'nothing', removeMail: 'nothing' },
  endPurges: [
    {
      // The sender gives up a mail that is too old. This is for those that nobody sends any more.
      sql: `delete from mails where id in
        (select id from mails where expires_at <= ? order by next_at limit ?) returning id`,
      afterSeconds: 3600,
    },
  ],
}
