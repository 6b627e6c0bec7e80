/** Mails that wait to be sent. */

import { featureKept } from '../../features/owned.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { QueuedMail } from '../../model/mail.ts'
import { usernameKey } from '../../model/owner.ts'
import type { MailSteps } from '../contract/queue.ts'
import { defineTable } from '../sql/columns.ts'
import { lowerAscii } from '../sql/page.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../sql/record.ts'
import { findFirst, integer, integerOrNull, text } from '../sql/row.ts'
import { ask, sql, statement, touches } from '../sql/statement.ts'
import { finishCeremony } from './factor/proof.ts'

/** Nobody waits for the mails of a day that is long over. */
const mails = defineTable<QueuedMail>(
  'mails',
  {
    id: 'text',
    kind: 'text',
    ownerId: 'text? references owners (id) on delete cascade',
    about: 'text',
    language: 'text',
    waits: 'wideflag default 0',
    nextAt: 'integer',
    tries: 'small',
    expiresAt: 'integer',
  },
  {
    key: 'id',
    restored: 'none',
    isTrace: true,
    indexes: ['mails_by_time (next_at)', 'mails_by_owner (owner_id)'],
  },
)

export const queueMail: Steps['queueMail'] = (mail, mostWaiting) =>
  touches(sql`${mails.insertIf(mail)}
    where (select count(*) from mails) < ${mostWaiting} returning id`)

const listDueMails: Reads['listDueMails'] = async (read, now, limit) => {
  const query = 'select * from mails where next_at <= ? order by next_at, id limit ?'
  return (await read(query, [now, limit])).map(mails.decode)
}

const findMailQueue: Reads['findMailQueue'] = async (read) => {
  const query = 'select count(*) as waiting, min(expires_at) as first_expires_at from mails'
  const row = findFirst(await read(query, []))
  return {
    waiting: integer(row?.waiting),
    firstExpiresAt: integerOrNull(row?.first_expires_at),
  }
}

const claimMail: Steps['claimMail'] = ({ id, tries }, nextAt) =>
  touches(sql`update mails set tries = tries + 1, next_at = ${nextAt}
    where id = ${id} and tries = ${tries} returning id`)

const removeMail: Steps['removeMail'] = (id) =>
  touches(sql`delete from mails where id = ${id} returning id`)

const cancelMails: Steps['cancelMails'] = function* (ids, links) {
  for (const id of ids) yield sql`delete from mails where id = ${id}`
  for (const link of links) yield* finishCeremony(link)
}

export const listOwnersOfEmail: Reads['listOwnersOfEmail'] = async (read, email, limit) => {
  // Also as the login takes it: keyboards for Chinese write a full-width @.
  const query = `select id from owners where lower(email) in (?, ?)
    order by email_verified desc, id limit ?`
  return (await read(query, [lowerAscii(email), usernameKey(email), limit])).map(
    ({ id }) => text(id) as OwnerId,
  )
}

const isKeptOwner: Reads['isKeptOwner'] = async (read, id) => {
  for (const table of featureKept) {
    const query = statement(`select 1 as found from ${table} where owner_id = ?`, id)
    if ((await ask(read, query)).length > 0) return true
  }
  return false
}

export const mailRecord: StoreRecord<MailSteps> = {
  tables: [mails],
  reads: { listDueMails, findMailQueue, listOwnersOfEmail, isKeptOwner },
  steps: { queueMail, claimMail, removeMail, cancelMails },
  invalidates: 'nothing',
  // The sender gives up a mail that is too old. This is for those that nobody sends any more.
  endPurges: [purgeAtEnd('mails', 'id', 'expires_at', 3600, 'next_at')],
}
