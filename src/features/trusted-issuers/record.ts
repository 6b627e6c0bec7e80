/** Trusted issuers, and what each of them opened. */
import type { OwnerId } from '../../model/ids.ts'
import { usernameKey } from '../../model/owner.ts'
import { getAuthorizationKey, getFamilyKey, getOwnerKey } from '../../store/cache/things.ts'
import type { Trace } from '../../store/contract/trace.ts'
import { existing, matchUnexpired } from '../../store/records/authorization/authorization-row.ts'
import { authorizationSteps } from '../../store/records/authorization/authorizations.ts'
import { tell } from '../../store/records/event/events.ts'
import { matchProven } from '../../store/records/factor/proof.ts'
import { defineTable } from '../../store/sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { findFirst, flag, integer, text, textOrNull } from '../../store/sql/row.ts'
import {
  all,
  ask,
  findOne,
  type Row,
  raw,
  type Statement,
  type Step,
  sql,
  touches,
} from '../../store/sql/statement.ts'
import { listChange } from '../../store/sql/told-change.ts'
import type { IssuerAccessOf, IssuerSteps, StoredIssuer } from './contract.ts'
import { describeIssuer, type TrustedIssuer } from './issuer.ts'
import { accesses, redeemAssertion } from './redeem.ts'

interface IssuerRow extends Pick<TrustedIssuer, 'id' | 'issuer'> {
  readonly details: Omit<TrustedIssuer, 'id' | 'issuer'>
  readonly createdAt: number
}

const issuers = defineTable<IssuerRow>(
  'trusted_issuers',
  {
    id: 'text',
    issuer: 'text unique',
    details: 'json',
    createdAt: 'integer',
    revision: 'beside integer',
    endedAt: 'beside integer?',
  },
  { key: 'id', restored: 'all', isTrace: true },
)

const decodeIssuer = (row: Row): StoredIssuer => {
  const { id, issuer, details } = issuers.decode(row)
  return { id, issuer, ...details, revision: integer(row.revision) }
}

const listTrustedIssuers: Reads['listTrustedIssuers'] = async (read) => {
  const query = 'select * from trusted_issuers where ended_at is null order by created_at, id'
  return (await read(query, [])).map(decodeIssuer)
}

const findBy =
  (column: 'id' | 'issuer'): Reads['findTrustedIssuer'] =>
  async (read, key) => {
    const query = `select * from trusted_issuers where ${column} = ? and ended_at is null`
    const row = findFirst(await read(query, [key]))
    return row && decodeIssuer(row)
  }

/**
 * A row stays as the mark of its id when all that its issuer opened has ended. Its iss is free by then: it stands there
 * with a blank and the id behind it, and no iss has a blank.
 */
const isFreed = raw("issuer like '% %'")

/** An ended access stays so under each id of its company. If both ids have a row, the row of the new one counts. */
function* takeOver(id: string, issuer: string): Step<void> {
  const ofFormer = sql`issuer_id in (select t.id from trusted_issuers t
    where t.issuer = ${issuer} || ' ' || t.id and t.id <> ${id})`
  yield sql`update issuer_accesses set issuer_id = ${id} where ${ofFormer}
    and not exists (select 1 from issuer_accesses x where x.owner_id = issuer_accesses.owner_id
      and x.client_id = issuer_accesses.client_id and x.issuer_id = ${id})`
  yield sql`delete from issuer_accesses where ${ofFormer}`
}

function* isIssuerTaken(issuer: string, id: string): Step<boolean> {
  const query = sql`select id from trusted_issuers where issuer = ${issuer} and id <> ${id}`
  return (yield* findOne(query)) !== null
}

/** The name of an issuer in events. Keys say nothing to people. */
const tellIssuer = ({ id, issuer, title }: TrustedIssuer) => ({ issuerId: id, issuer, title })

const insertIssuer = ({ id, issuer, ...details }: TrustedIssuer, { at }: Trace): Statement =>
  sql`insert into trusted_issuers (id, issuer, details, created_at, revision)
    values (${id}, ${issuer}, ${JSON.stringify(details)}, ${at}, 0) on conflict do nothing returning id`

/** An assertion of before was read with an earlier revision. */
const restoreIssuer = ({ id, issuer, ...details }: TrustedIssuer, { at }: Trace): Statement =>
  sql`update trusted_issuers set ${issuers.set({ issuer, details, createdAt: at })},
      revision = revision + 1, ended_at = null
    where id = ${id} and ended_at is not null and ${isFreed}
      and not exists (select 1 from trusted_issuers o where o.issuer = ${issuer}) returning id`

const createTrustedIssuer: Steps['createTrustedIssuer'] = function* (given, most, trace, revives) {
  const { id, issuer } = given
  const rows = yield sql`select id, issuer, ended_at from trusted_issuers`
  const former = rows.find((row) => row.id === id)
  if (former !== undefined && (former.ended_at === null || !revives)) return 'id_taken'
  if (rows.some((row) => row.issuer === issuer && row.id !== id)) return 'issuer_taken'
  if (rows.filter((row) => row.ended_at === null).length >= most) return 'too_many'
  const written = former === undefined ? insertIssuer(given, trace) : restoreIssuer(given, trace)
  if (!(yield* touches(written))) {
    return (yield* isIssuerTaken(issuer, id)) ? 'issuer_taken' : 'id_taken'
  }
  yield* takeOver(id, issuer)
  yield* tell('issuer.created', {}, tellIssuer(given), trace)
  return 'created'
}

const changeTrustedIssuer: Steps['changeTrustedIssuer'] = function* (id, change, trace, seen) {
  for (;;) {
    const row = yield* findOne(
      sql`select * from trusted_issuers where id = ${id} and ended_at is null`,
    )
    if (row === null) return null
    const { revision, ...before } = decodeIssuer(row)
    if (seen !== undefined && seen !== revision) return 'changed_meanwhile'
    const after: TrustedIssuer = { ...before, ...change }
    const { id: _, issuer, ...details } = after
    if (yield* isIssuerTaken(issuer, id)) return 'issuer_taken'
    const changed = yield sql`update trusted_issuers set ${issuers.set({ issuer, details })},
        revision = revision + 1
      where id = ${id} and revision = ${revision} and ended_at is null
        and not exists (select 1 from trusted_issuers o where o.issuer = ${issuer} and o.id <> ${id})
      returning id`
    if (changed.length === 0) continue
    if (issuer !== before.issuer) yield* takeOver(id, issuer)
    const told = listChange(describeIssuer(before), describeIssuer(after))
    const members = Object.keys(change).toSorted().join(' ')
    yield* tell('issuer.changed', {}, { ...tellIssuer(after), changed: members, ...told }, trace)
    return { ...after, revision: revision + 1 }
  }
}

const endTrustedIssuer: Steps['endTrustedIssuer'] = function* (id, trace, seen) {
  const where = all([
    sql`id = ${id} and ended_at is null`,
    seen !== undefined && sql`revision = ${seen}`,
  ])
  const row = yield* findOne(sql`update trusted_issuers set ended_at = ${trace.at},
      revision = revision + 1 where ${where} returning *`)
  if (row !== null) {
    yield* tell('issuer.deleted', {}, tellIssuer(decodeIssuer(row)), trace)
    return true
  }
  if (seen !== undefined) return 'changed_meanwhile'
  return yield* touches(
    sql`select 1 as found from trusted_issuers where id = ${id} and not ${isFreed}`,
  )
}

const freeTrustedIssuer: Steps['freeTrustedIssuer'] = function* (id) {
  yield sql`update trusted_issuers set issuer = issuer || ' ' || id
    where id = ${id} and ended_at is not null and not ${isFreed}`
}

const findOwnerIdByConfirmedEmail: Reads['findOwnerIdByConfirmedEmail'] = async (read, email) => {
  // Letters beyond ASCII look alike too often to name a person.
  if (!/^[\x21-\x7e]+$/.test(email)) return null
  const query = `select id from owners where lower(email) = ? and email_verified = 1
    and email <> '' and disabled = 0 and deleted_at is null`
  const row = findFirst(await read(query, [usernameKey(email)]))
  return row && (text(row.id) as OwnerId)
}

const listEndedIssuers: Reads['listEndedIssuers'] = async (read) => {
  const query = sql`select id from trusted_issuers where ended_at is not null and not ${isFreed} order by id`
  return (await ask(read, query)).map(({ id }) => text(id))
}

const listIssuerAccesses: Reads['listIssuerAccesses'] = async (read, issuerId, most, now) => {
  const rows = await ask(
    read,
    sql`select x.* from issuer_accesses x join authorizations a on a.id = x.authorization_id
      where x.issuer_id = ${issuerId} and ${matchUnexpired(now)} and ${existing} limit ${most}`,
  )
  return rows.map(accesses.decode)
}

const listIssuerAccessesOf: Reads['listIssuerAccessesOf'] = async (read, ownerId, now) => {
  const rows = await ask(
    read,
    sql`select x.*, c.name as client_name, t.details as issuer_details,
        case when a.id is not null and ${matchUnexpired(now)} then 0 else 1 end as has_ended
      from issuer_accesses x join clients c on c.id = x.client_id and c.deleted_at is null
        left join trusted_issuers t on t.id = x.issuer_id and t.ended_at is null
        left join authorizations a on a.id = x.authorization_id
      where x.owner_id = ${ownerId} order by x.client_id, x.issuer_id`,
  )
  return rows.flatMap((row) => {
    const details = textOrNull(row.issuer_details ?? null)
    // An issuer that is gone opens nothing, so there is nothing to allow.
    if (details === null) return []
    const { title } = JSON.parse(details) as Pick<TrustedIssuer, 'title'>
    const clientName = text(row.client_name)
    return [{ ...accesses.decode(row), clientName, title, hasEnded: flag(row.has_ended) }]
  })
}

const matchAccess = ({ ownerId, clientId, issuerId }: IssuerAccessOf) =>
  sql`owner_id = ${ownerId} and client_id = ${clientId} and issuer_id = ${issuerId}`

const endIssuerAccess: Steps['endIssuerAccess'] = function* (access, trace) {
  const { authorizationId: id } = access
  if (!(yield* authorizationSteps.endAuthorization(id, null, trace, undefined))) return
  yield sql`delete from issuer_accesses where ${matchAccess(access)} and authorization_id = ${id}`
}

const allowIssuerAgain: Steps['allowIssuerAgain'] = function* (of, session, trace) {
  const { ownerId, clientId, issuerId } = of
  const proof = session === null ? null : { session }
  const allowed = yield sql`delete from issuer_accesses where ${matchAccess(of)}
    and not exists (select 1 from authorizations a
      where a.id = issuer_accesses.authorization_id and ${matchUnexpired(trace.at)})
    and exists (select 1 from owners o where ${matchProven(ownerId, proof, trace)}) returning owner_id`
  if (allowed.length === 0) return false
  const row = yield* findOne(sql`select * from trusted_issuers where id = ${issuerId}`)
  const told = row === null ? { issuerId } : tellIssuer(decodeIssuer(row))
  yield* tell('authorization.allowed_again', { ownerId, clientId }, told, trace)
  return true
}

export const issuerRecord: StoreRecord<IssuerSteps> = {
  tables: [issuers, accesses],
  reads: {
    listTrustedIssuers,
    findTrustedIssuer: findBy('id'),
    findTrustedIssuerBy: findBy('issuer'),
    findOwnerIdByConfirmedEmail,
    listEndedIssuers,
    listIssuerAccesses,
    listIssuerAccessesOf,
  },
  steps: {
    createTrustedIssuer,
    changeTrustedIssuer,
    endTrustedIssuer,
    freeTrustedIssuer,
    redeemAssertion,
    endIssuerAccess,
    allowIssuerAgain,
  },
  invalidates: {
    createTrustedIssuer: 'nothing',
    changeTrustedIssuer: 'nothing',
    endTrustedIssuer: 'nothing',
    freeTrustedIssuer: 'nothing',
    redeemAssertion: ({ familyId, ownerId }) => [getFamilyKey(familyId), getOwnerKey(ownerId)],
    endIssuerAccess: ({ authorizationId }) => [getAuthorizationKey(authorizationId)],
    allowIssuerAgain: 'nothing',
  },
}
