/** Redeeming an assertion: the issuer opens an authorization, or widens it, and a family begins under it. */
import type { AllowedBy, Authorization } from '../../model/authorization.ts'
import type { Permissions } from '../../model/resource.ts'
import type { Trace } from '../../store/contract/trace.ts'
import {
  approved,
  authorizationColumns,
  authorizationTable,
  decodeAuthorization,
  encodeChosen,
  matchUnexpired,
  running,
} from '../../store/records/authorization/authorization-row.ts'
import { getAbout } from '../../store/records/authorization/authorizations.ts'
import { tell } from '../../store/records/event/events.ts'
import { finishCeremony, holdOwner } from '../../store/records/factor/proof.ts'
import { insertFamily } from '../../store/records/family/record.ts'
import { matchClientFor } from '../../store/records/group/client-for.ts'
import { defineTable } from '../../store/sql/columns.ts'
import type { Steps } from '../../store/sql/record.ts'
import { flag, integer, permissions, permissionsText, text } from '../../store/sql/row.ts'
import {
  findOne,
  type Piece,
  type Row,
  raw,
  type Step,
  sql,
  touches,
} from '../../store/sql/statement.ts'
import type { AssertionRedeemed, AssertionRedemption, IssuerAccess } from './contract.ts'

/**
 * The row outlives its authorization: without it, the next assertion would open again what was ended. An authorization
 * is not referred to, since its row goes some time after its end.
 */
export const accesses = defineTable<IssuerAccess>(
  'issuer_accesses',
  {
    ownerId: 'text references owners (id) on delete cascade',
    clientId: 'text references clients (id) on delete cascade',
    issuerId: 'text',
    authorizationId: 'text',
    offered: 'words',
  },
  {
    key: 'owner_id client_id issuer_id',
    restored: 'all',
    indexes: [
      'issuer_accesses_by_client (client_id)',
      'issuer_accesses_by_issuer (issuer_id, authorization_id)',
    ],
  },
)

type RefusedAssertion = Exclude<AssertionRedeemed, { outcome: 'redeemed' }>

/** An issuer `t` as it was read, which still counts. */
const matchTrusted = ({ issuer: { id, revision } }: AssertionRedemption): Piece =>
  sql`t.id = ${id} and t.revision = ${revision} and t.ended_at is null`

/** An owner `o` and a client `c` who can act. */
const matchActors = ({ ownerId, clientId }: AssertionRedemption): Piece =>
  sql`o.id = ${ownerId} and o.disabled = 0 and o.deleted_at is null and o.deletion_at is null
    and c.id = ${clientId} and c.disabled = 0 and ${matchClientFor}`

const matchPaused = ({ ownerId, clientId }: AssertionRedemption, { at }: Trace): Piece =>
  sql`exists (select 1 from authorizations a where a.owner_id = ${ownerId}
    and a.client_id = ${clientId} and ${raw(approved)} and not ${running} and ${matchUnexpired(at)})`

/** What the issuer opened before, or why it opens nothing. A null row: nothing so far. */
function* findOpened(
  redemption: AssertionRedemption,
  trace: Trace,
): Step<RefusedAssertion | { readonly row: Row | null }> {
  const { ownerId, clientId, issuer } = redemption
  const possible = sql`select case when ${matchPaused(redemption, trace)} then 1 else 0 end as paused
    from trusted_issuers t, owners o, clients c
    where ${matchTrusted(redemption)} and ${matchActors(redemption)}`
  const found = yield* findOne(possible)
  if (found === null) return { outcome: 'impossible' }
  if (flag(found.paused)) return { outcome: 'paused' }
  const row = yield* findOne(sql`select ${authorizationColumns}, x.offered,
      case when a.id is not null and ${matchUnexpired(trace.at)} then 1 else 0 end as lives
    from issuer_accesses x left join authorizations a on a.id = x.authorization_id
    where x.owner_id = ${ownerId} and x.client_id = ${clientId} and x.issuer_id = ${issuer.id}`)
  if (row !== null && !flag(row.lives)) return { outcome: 'ended' }
  return { row }
}

const getAllowedBy = ({ issuer: { id, issuer, title } }: AssertionRedemption): AllowedBy => ({
  id,
  issuer,
  title,
})

const join = (one: Permissions, other: Permissions): Permissions =>
  [...new Set([...one, ...other])].sort()

const tellOpened = (
  redemption: AssertionRedemption,
  authorization: Authorization,
  trace: Trace,
): Step<void> => {
  const { id: issuerId, issuer, title } = redemption.issuer
  const { duration } = authorization
  const told = { permissions: permissionsText(authorization.permissions), duration }
  const details = { ...told, issuerId, issuer, title }
  return tell('authorization.approved', getAbout(authorization), details, trace)
}

/** @returns null where something changed meanwhile */
function* begin(redemption: AssertionRedemption, trace: Trace): Step<Authorization | null> {
  const { ownerId, clientId, authorizationId: id, permissions: offered, salt, issuer } = redemption
  // A pause of the same moment comes before this step or after it.
  yield* holdOwner(ownerId, null, trace)
  // The same for a change of the issuer, or its end.
  const held = sql`select t.id from trusted_issuers t where ${matchTrusted(redemption)} for update`
  if (!(yield* touches(held))) return null
  const access = { ownerId, clientId, issuerId: issuer.id, authorizationId: id, offered }
  const opened = sql`${accesses.insertIf(access)} from trusted_issuers t, owners o, clients c
    where ${matchTrusted(redemption)} and ${matchActors(redemption)}
      and not ${matchPaused(redemption, trace)}
    on conflict (owner_id, client_id, issuer_id) do nothing returning owner_id`
  if (!(yield* touches(opened))) return null
  const begun: Authorization = {
    ...{ id, clientId, ownerId, permissions: join(offered, []), details: [], salt },
    ...{ duration: 'chosen', sessionId: null, expiresAt: null, createdAt: trace.at },
    ...{ parentId: null, approvedFor: null, allowedBy: getAllowedBy(redemption), paused: null },
  }
  const inserted = yield* findOne(sql`${authorizationTable.insertIf({
    ...begun,
    duration: encodeChosen(id),
    sessionId: '',
  })} from owners o where o.id = ${ownerId}
    returning (select c.family_salt from clients c where c.id = client_id) as family_salt`)
  if (inserted === null) return null
  yield* tellOpened(redemption, begun, trace)
  return { ...begun, salt: salt + text(inserted.family_salt) }
}

/** @returns null after another change meanwhile, `taken` if the owner has left nothing of it */
function* changeOpened(
  row: Row,
  redemption: AssertionRedemption,
  trace: Trace,
): Step<Authorization | 'taken' | null> {
  const { ownerId, clientId, issuer, permissions: asked } = redemption
  const before = decodeAuthorization(row)
  const offered = permissions(row.offered)
  const fresh = asked.filter((one) => !offered.includes(one))
  const after = join(before.permissions, fresh)
  if (!asked.some((one) => after.includes(one))) return 'taken'
  const allowedBy = getAllowedBy(redemption)
  const isSame = JSON.stringify(before.allowedBy) === JSON.stringify(allowedBy)
  if (fresh.length === 0 && isSame) return before
  const held = sql`select t.id from trusted_issuers t where ${matchTrusted(redemption)} for update`
  if (!(yield* touches(held))) return null
  const changed = sql`update authorizations as a
    set ${authorizationTable.set({ permissions: after, allowedBy })}, revision = revision + 1
    where a.id = ${before.id} and a.revision = ${integer(row.revision)}
      and ${matchUnexpired(trace.at)}
      and exists (select 1 from trusted_issuers t where ${matchTrusted(redemption)}) returning id`
  if (!(yield* touches(changed))) return null
  yield sql`update issuer_accesses set ${accesses.set({ offered: join(offered, fresh) })}
    where owner_id = ${ownerId} and client_id = ${clientId} and issuer_id = ${issuer.id}`
  const opened = { ...before, permissions: after, allowedBy }
  if (fresh.length > 0) yield* tellOpened(redemption, opened, trace)
  return opened
}

/**
 * A step that lost against another one looks again. The assertion is used up before anything is opened, so it opens
 * once, whatever becomes of the rest. Where nothing can be opened any more, it may come again.
 */
export const redeemAssertion: Steps['redeemAssertion'] = function* (redemption, trace) {
  const { used, familyId, expiresAt } = redemption
  for (let isClaimed = used === null; ; ) {
    const found = yield* findOpened(redemption, trace)
    if ('outcome' in found) {
      if (used !== null && isClaimed) {
        yield sql`delete from finished_ceremonies where id = ${used.id}`
      }
      return found
    }
    if (!isClaimed && used !== null) {
      if (!(yield* finishCeremony(used))) return { outcome: 'replayed' }
      isClaimed = true
    }
    const { row } = found
    const opened = yield* row === null
      ? begin(redemption, trace)
      : changeOpened(row, redemption, trace)
    if (opened === null) continue
    if (opened === 'taken') return { outcome: 'taken' }
    const { id: authorizationId, salt } = opened
    const start = { familyId, authorizationId, salt, codeIssuedAt: trace.at, expiresAt }
    const family = yield* insertFamily(start, trace)
    if (family !== null) return { outcome: 'redeemed', authorization: opened, family }
  }
}
