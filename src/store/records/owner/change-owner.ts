/** Steps on owners. */

import { kindOfHash } from '../../../crypto/hashes/kind.ts'
import type { Event } from '../../../model/event.ts'
import type { OwnerId } from '../../../model/ids.ts'
import type { Owner, OwnerChange } from '../../../model/owner.ts'
import type { Steps } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import { findOne, type Piece, sql } from '../../sql/statement.ts'
import { toldChange } from '../../sql/told-change.ts'
import type { Store, Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { holdRoles, proven } from '../factor/proof.ts'
import { finishCeremony } from '../factor/use-factor.ts'
import { endClientLoginsOf } from '../logout/record.ts'
import { removeOwner } from '../removal/record.ts'
import { endSessionsOf } from '../session/record.ts'
import { stripEventsOf } from './forgetting.ts'
import { confirmBy, linked } from './owner-links.ts'
import { decodeOwner, isConfirmedByOther, ownerTable, takesAddress } from './owners.ts'

export const createOwner: Steps['createOwner'] = function* (owner, trace) {
  const created = yield sql`${ownerTable.insertIf(owner)}
    where not exists (select 1 from clients where id = ${owner.id})
    on conflict do nothing returning id`
  if (created.length === 0) return 'taken'
  const { username, roles } = owner
  const told = { username, ...(roles.length === 0 ? {} : { roles: roles.join(' ') }) }
  yield* tell('owner.created', { ownerId: owner.id }, told, trace)
  return 'created'
}

const numberOrNull = (value: boolean | undefined): number | null =>
  value === undefined ? null : Number(value)

const jsonOrNull = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

/** Whether a change is about facts that clients are told. */
const tellsAnew = ({ disabled: _, roles: __, ...told }: OwnerChange): boolean =>
  Object.keys(told).length > 0

/** The members that events tell with values. Events outlive the owner, so personal data has none. */
const toldOf = ({ roles, disabled, emailVerified }: Owner) => ({
  roles: roles.join(' '),
  disabled,
  emailVerified,
})

/** The members of a change have a new value even without a difference. */
const detailsOf = (before: Owner, after: Owner, change: OwnerChange): Event['details'] => {
  const told = toldOf(after)
  const named = Object.entries(told).filter(([name]) => name in change)
  return {
    changed: Object.keys(change).sort().join(' '),
    ...toldChange(toldOf(before), told),
    ...Object.fromEntries(named),
  }
}

export const changeOwner: Steps['changeOwner'] = function* (id, change, trace, checked) {
  for (;;) {
    const found = yield* findOne(sql`select * from owners where id = ${id} and deleted_at is null`)
    if (found === null || (checked?.join(' ') ?? found.roles) !== found.roles) return null
    if (yield* takesAddress(decodeOwner(found), change)) return 'address_taken'
    const row = yield* findOne(sql`update owners set name = coalesce(${change.name ?? null}, name),
          email = coalesce(${change.email ?? null}, email),
          email_verified = coalesce(cast(${numberOrNull(change.emailVerified)} as integer), case
          when email = coalesce(${change.email ?? null}, email) then email_verified else 0 end),
          claims = coalesce(${jsonOrNull(change.claims)}, claims),
          attributes = coalesce(${jsonOrNull(change.attributes)}, attributes),
          roles = coalesce(${change.roles?.join(' ') ?? null}, roles),
          disabled = coalesce(cast(${numberOrNull(change.disabled)} as integer), disabled),
          updated_at = coalesce(cast(${tellsAnew(change) ? trace.at : null} as bigint), updated_at)
        where id = ${id} and roles = ${text(found.roles)} and disabled = ${integer(found.disabled)}
          and email_verified = ${integer(found.email_verified)} and deleted_at is null returning *`)
    // Somebody else changed it meanwhile, so the event would tell wrong values of before.
    if (row === null) continue
    if (change.disabled) yield* endSessionsOf(id, null, trace)
    const owner = decodeOwner(row)
    const details = detailsOf(decodeOwner(found), owner, change)
    yield* tell('owner.changed', { ownerId: id }, details, trace)
    return owner
  }
}

type ChangedBy = Parameters<Store['changePassword']>[2]

const changer = (id: OwnerId, by: ChangedBy, trace: Trace): Piece => {
  if (by === null) return sql`id = ${id} and deleted_at is null`
  return 'link' in by ? linked(id, by) : proven(id, by, trace)
}

/** With a new salt no seal made before fits any more, so the families need not be looked for. */
export const changePassword: Steps['changePassword'] = function* (
  id,
  password,
  by,
  trace,
  checked,
) {
  const isByLink = by !== null && 'link' in by
  if (isByLink) {
    if (!(yield* finishCeremony(by.link))) return null
    yield* confirmBy(id, by, trace)
  }
  const row = yield* findOne(sql`update owners as o set password_hash = ${password.hash},
        password_kind = ${kindOfHash(password.hash)}, former_password_at = password_changed_at,
        password_changed_at = ${trace.at}
      where ${changer(id, by, trace)} and roles = coalesce(${checked?.join(' ') ?? null}, roles)
      returning *`)
  if (row === null) return null
  yield sql`update authorizations set salt = ${password.salt} where owner_id = ${id}`
  yield* endSessionsOf(id, by !== null && 'session' in by ? by.session : null, trace)
  yield* tell('owner.password_changed', { ownerId: id }, isByLink ? { by: 'link' } : {}, trace)
  return decodeOwner(row)
}

export const rehashPassword: Steps['rehashPassword'] = function* (id, hash) {
  const row = yield* findOne(sql`update owners set password_hash = ${hash.next},
        password_kind = ${kindOfHash(hash.next)}
      where id = ${id} and password_hash = ${hash.former} and disabled = 0 returning *`)
  return row && decodeOwner(row)
}

export const signUp: Steps['signUp'] = function* (owner, link, trace) {
  // A link that stayed good for a taken address would let its holder hash passwords without end.
  if (!(yield* finishCeremony(link))) return 'used'
  if (owner.emailVerified && (yield* isConfirmedByOther(owner.email, owner.id))) {
    return 'address_taken'
  }
  return yield* createOwner(owner, trace)
}

export const deleteOwner: Steps['deleteOwner'] = function* (id, trace, checked) {
  if (!(yield* holdRoles(id, checked))) return false
  if (!(yield* removeOwner(id, trace))) return false
  yield* endClientLoginsOf(id, null, trace)
  yield* stripEventsOf(id)
  yield* tell('owner.deleted', { ownerId: id }, {}, trace)
  return true
}
