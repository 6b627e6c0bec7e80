/** Steps on owners. The cache holds what they approved and keep, so that goes with them. */

import { getHashKind } from '../../../crypto/phc.ts'
import { featureDisabled } from '../../../features/owned.ts'
import { getOperatorKey } from '../../../model/actor.ts'
import type { Event } from '../../../model/event.ts'
import { type EventId, idBefore, type OwnerId, type SessionId } from '../../../model/ids.ts'
import {
  findConsoleRole,
  isRaised,
  type Owner,
  type OwnerChange,
  usernameKey,
} from '../../../model/owner.ts'
import { getOwnerKey, listOwnerKeys } from '../../cache/things.ts'
import type { OwnerSteps, RolesGiven } from '../../contract/owner.ts'
import type { CheckedRoles, Trace } from '../../contract/trace.ts'
import type { Steps, StoreRecord } from '../../sql/record.ts'
import { integer, text } from '../../sql/row.ts'
import { findOne, listOf, raw, type Step, sql, statement } from '../../sql/statement.ts'
import { listChange } from '../../sql/told-change.ts'
import { forgetPasswordTries } from '../attempt.ts'
import { tell } from '../event/events.ts'
import { finishCeremony, holdRoles, matchProven } from '../factor/proof.ts'
import { addImportedCodes } from '../factor/record.ts'
import { setOwnerGroups } from '../group/record.ts'
import { endClientLoginsOf } from '../logout.ts'
import { removeOwner } from '../removal.ts'
import { endCommandLine, endSessionsOf } from '../session.ts'
import { stripEventsOf } from './forgetting.ts'
import {
  confirmBy,
  confirmEmail,
  createOwner,
  decodeOwner,
  isAddressTaken,
  isConfirmedByOther,
  keepOwnerWords,
  matchLinked,
  noteOwnerWords,
  ownerReads,
  ownerTable,
  ownerWords,
} from './owners.ts'
import { findWaysOfOthers, listRolesOf, listWaysOfOthers, removeWay } from './ways.ts'

/** The members that events tell with values. Events outlive the owner, so personal data has none. */
const getTold = ({ roles, disabled, emailVerified }: Owner) => ({
  roles: roles.join(' '),
  disabled,
  emailVerified,
})

/** An operator has disabled or enabled the account, and no client or directory has. */
function* clearDisabledHere(id: OwnerId): Step<void> {
  for (const table of featureDisabled) {
    yield statement(`update ${table} set disabled_here = 0 where owner_id = ?`, id)
  }
}

/** @param change with a username that was checked to be free */
export function* changeOwnerBy(
  id: OwnerId,
  change: OwnerChange & Partial<Pick<Owner, 'username'>>,
  trace: Trace,
  checked: CheckedRoles | undefined,
  told: Event['details'],
): Step<Owner | 'address_taken' | null> {
  for (;;) {
    const found = yield* findOne(sql`select * from owners where id = ${id} and deleted_at is null`)
    if (found === null || (checked?.join(' ') ?? found.roles) !== found.roles) return null
    const before = decodeOwner(found)
    if (yield* isAddressTaken(before, change)) return 'address_taken'
    const { email = before.email } = change
    const kept = before.emailVerified && email === before.email
    // Clients are told all of an owner but these two.
    const { disabled: _, roles: __, ...shown } = change
    const updatedAt = Object.keys(shown).length > 0 ? trace.at : before.updatedAt
    const changed = { ...change, emailVerified: change.emailVerified ?? kept, updatedAt }
    const { username } = change
    const key = username === undefined ? raw('') : sql`, username_key = ${usernameKey(username)}`
    const row = yield* findOne(sql`update owners set ${ownerTable.set(changed)}${key}
        where id = ${id} and roles = ${text(found.roles)} and disabled = ${integer(found.disabled)}
          and email = ${before.email} and email_verified = ${integer(found.email_verified)}
          and updated_at = ${before.updatedAt} and name = ${before.name}
          and username = ${before.username} and deleted_at is null returning *`)
    // Somebody else changed it meanwhile, so the event would tell wrong values of before.
    if (row === null) continue
    if (change.disabled !== undefined) yield* clearDisabledHere(id)
    if (change.disabled) yield* endSessionsOf(id, null, trace)
    const owner = decodeOwner(row)
    if (findConsoleRole(owner) !== findConsoleRole(before)) yield* endCommandLine(id, trace)
    yield* keepOwnerWords(owner, before)
    const details = {
      changed: Object.keys(change).sort().join(' '),
      ...told,
      ...listChange(getTold(before), getTold(owner)),
      // The members of a change have a new value even without a difference.
      ...Object.fromEntries(Object.entries(getTold(owner)).filter(([name]) => name in change)),
    }
    yield* tell('owner.changed', { ownerId: id }, details, trace)
    return owner
  }
}

const changeOwner: Steps['changeOwner'] = (id, change, trace, checked) =>
  changeOwnerBy(id, change, trace, checked, {})

/** With a new salt no seal made before fits any more, so the families need not be looked for. */
const changePassword: Steps['changePassword'] = function* (id, password, by, trace, checked) {
  const isByLink = by !== null && 'link' in by
  let changer = sql`id = ${id} and deleted_at is null`
  if (isByLink) {
    if (!(yield* finishCeremony(by.link))) return null
    yield* confirmBy(id, by, trace)
    changer = matchLinked(id, by)
  } else if (by !== null) changer = matchProven(id, by, trace)
  const row = yield* findOne(sql`update owners as o set password_hash = ${password.hash},
        password_kind = ${getHashKind(password.hash)}, former_password_at = password_changed_at,
        password_changed_at = ${trace.at}
      where ${changer} and roles = coalesce(${checked?.join(' ') ?? null}, roles)
      returning *`)
  if (row === null) return null
  yield sql`update authorizations set salt = ${password.salt} where owner_id = ${id}`
  yield* endSessionsOf(id, by !== null && 'session' in by ? by.session : null, trace)
  yield* forgetPasswordTries(id)
  yield* tell('owner.password_changed', { ownerId: id }, isByLink ? { by: 'link' } : {}, trace)
  return decodeOwner(row)
}

const rehashPassword: Steps['rehashPassword'] = function* (id, hash) {
  const row = yield* findOne(sql`update owners set password_hash = ${hash.next},
        password_kind = ${getHashKind(hash.next)}
      where id = ${id} and password_hash = ${hash.former} and disabled = 0 returning *`)
  return row && decodeOwner(row)
}

const signUp: Steps['signUp'] = function* (owner, link, trace) {
  // A link that stayed good for a taken address would let its holder hash passwords without end.
  if (!(yield* finishCeremony(link))) return 'used'
  if (owner.emailVerified && (yield* isConfirmedByOther(owner.email, owner.id))) {
    return 'address_taken'
  }
  return yield* createOwner(owner, trace)
}

/** From another server: with the groups and the second factor. */
const importOwner: Steps['importOwner'] = function* (owner, { groups, codes }, trace) {
  const names = [...new Set(groups)]
  if (names.length > 0) {
    // Held until the step ends: no owner comes without a group.
    const held = yield sql`update groups set revision = revision
      where name in ${listOf(names)} returning name`
    if (held.length < names.length) return 'unknown_group'
  }
  const isGiven = owner.passwordHash !== '' || codes !== null
  if ((yield* createOwner(owner, trace, isGiven ? 'given' : undefined)) === 'taken') return 'taken'
  const tellAs = (i: number) => ({ ...trace, eventId: idBefore<EventId>(trace.eventId, i) })
  if (codes !== null) yield* addImportedCodes(owner.id, codes, tellAs(1))
  if (names.length > 0) {
    yield* setOwnerGroups(owner.id, { upstream: null, names, ids: null }, tellAs(2))
  }
  return 'created'
}

export const deleteOwner: Steps['deleteOwner'] = function* (id, trace, checked) {
  if (!(yield* holdRoles(id, checked))) return false
  if (!(yield* removeOwner(id, trace))) return false
  yield* endClientLoginsOf(id, null, trace)
  yield* stripEventsOf(id)
  yield* tell('owner.deleted', { ownerId: id }, {}, trace)
  return true
}

/**
 * @param told further facts of the event
 * @param session stays, of all that the owner has
 */
export function* giveRolesBy(
  id: OwnerId,
  change: OwnerChange & { readonly roles: readonly string[] },
  keep: readonly string[] | null,
  trace: Trace,
  told: Event['details'],
  session: SessionId | null,
): Step<RolesGiven> {
  const held = yield* findOne(sql`update owners set roles = roles
    where id = ${id} and deleted_at is null returning *`)
  if (held === null) return { outcome: 'gone' }
  if (yield* isAddressTaken(decodeOwner(held), change)) return { outcome: 'address_taken' }
  const lost: string[] = []
  if (isRaised(decodeOwner(held), change)) {
    const found = yield* findWaysOfOthers(id, getOperatorKey(trace.actor))
    if (found.length > 0 && keep === null) return { outcome: 'asks', ways: found }
    const unwanted = found.filter((way) => keep?.includes(way.id) !== true)
    for (const { kind, name } of unwanted) {
      if (kind === 'upstream') lost.push(...(yield* listRolesOf(id, name)))
    }
    for (const [i, way] of unwanted.entries()) {
      yield* removeWay(id, way, { ...trace, eventId: idBefore<EventId>(trace.eventId, i + 1) })
    }
    yield* endSessionsOf(id, session, trace)
    yield sql`delete from mails where owner_id = ${id}`
  }
  const roles = change.roles.filter((role) => !lost.includes(role))
  const owner = yield* changeOwnerBy(id, { ...change, roles }, trace, undefined, told)
  if (owner === 'address_taken') return { outcome: owner }
  return owner === null ? { outcome: 'gone' } : { outcome: 'given', owner }
}

const giveRoles: Steps['giveRoles'] = (id, change, keep, trace) =>
  giveRolesBy(id, change, keep, trace, {}, null)

export const ownerRecord: StoreRecord<OwnerSteps> = {
  tables: [ownerTable, ownerWords],
  reads: { ...ownerReads, listWaysOfOthers },
  steps: {
    createOwner,
    importOwner,
    changeOwner,
    giveRoles,
    changePassword,
    rehashPassword,
    confirmEmail,
    signUp,
    deleteOwner,
    noteOwnerWords,
  },
  invalidates: {
    createOwner: 'nothing',
    importOwner: 'nothing',
    changeOwner: (id) => [getOwnerKey(id)],
    giveRoles: (id) => [getOwnerKey(id)],
    changePassword: (id) => [getOwnerKey(id)],
    rehashPassword: (id) => [getOwnerKey(id)],
    confirmEmail: (id) => [getOwnerKey(id)],
    signUp: 'nothing',
    deleteOwner: listOwnerKeys,
    noteOwnerWords: 'nothing',
  },
  // Groups are held while other rows are written.
  alone: ['giveRoles', 'importOwner', 'noteOwnerWords'],
}
