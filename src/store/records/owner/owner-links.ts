/** What the links of an owner prove to the store. */

import { type EventId, idBefore, type OwnerId } from '../../../model/ids.ts'
import { usernameKey } from '../../../model/owner.ts'
import type { UsedLink } from '../../contract/owner.ts'
import type { Steps } from '../../sql/record.ts'
import { findOne, type Piece, type Step, sql, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { finishCeremony } from '../factor/use-factor.ts'
import { decodeOwner, isConfirmedByOther } from './owners.ts'

/** An enabled owner in the state that a link was made for. */
export const linked = (id: OwnerId, { email, passwordHash, roles }: UsedLink): Piece =>
  sql`id = ${id} and disabled = 0 and email = ${email} and password_hash = ${passwordHash}
    and roles = ${roles.join(' ')}`

/** The holder of a link reads the mails to the address it was sent to. Comes before the new password. */
export function* confirmBy(id: OwnerId, by: UsedLink, trace: Trace): Step<void> {
  const confirmed = sql`update owners set email_verified = 1, updated_at = ${trace.at}
    where ${linked(id, by)} and email = ${by.proves} and email <> '' and email_verified = 0
      and not exists (select 1 from owners x where lower(x.email) = lower(owners.email)
        and x.email_verified = 1 and x.id <> owners.id) returning id`
  if (!(yield* touches(confirmed))) return
  const eventId = idBefore<EventId>(trace.eventId, 1)
  yield* tell('owner.email_verified', { ownerId: id }, { changed: false }, { ...trace, eventId })
}

export const confirmEmail: Steps['confirmEmail'] = function* (id, email, by, trace) {
  const key = usernameKey(email)
  if (yield* isConfirmedByOther(email, id)) return 'address_taken'
  // A username that is the former address has to follow: the address may be somebody else's by now.
  const former = usernameKey(by.email)
  const held = sql`select 1 as found from owners o, owners x where o.id = ${id}
    and o.username_key = ${former} and x.username_key = ${key} and x.id <> o.id`
  if (yield* touches(held)) return 'address_taken'
  if (!(yield* finishCeremony(by.link))) return null
  const row =
    yield* findOne(sql`update owners set email = ${email}, email_verified = 1, updated_at = ${trace.at},
        username = case when username_key = ${former} then ${email} else username end,
        username_key = case when username_key = ${former} then ${key} else username_key end
      where ${linked(id, by)} returning *`)
  if (row === null) return null
  yield* tell('owner.email_verified', { ownerId: id }, { changed: email !== by.email }, trace)
  return decodeOwner(row)
}
