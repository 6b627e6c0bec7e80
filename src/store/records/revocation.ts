/** Revocations, for APIs that verify JWTs by themselves. A restored store begins another feed. */

import type { Event, EventType } from '../../model/event.ts'
import type { AuthorizationId, ClientId, OwnerId, SessionId } from '../../model/ids.ts'
import type { Revocation, RevokedSubject } from '../../model/revocation.ts'
import type { RevocationSteps } from '../contract/family.ts'
import type { Trace } from '../contract/trace.ts'
import { recordLimits } from '../limits.ts'
import { defineTable } from '../sql/columns.ts'
import type { Purged, PurgeStep, Reads, Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, integer, permissions, permissionsText, text } from '../sql/row.ts'
import { asSendOnly, type Piece, raw, type Step, sql, statement } from '../sql/statement.ts'

/** Rows stay so much longer than the longest JWT. */
const keptSeconds = 3600

const revocations = defineTable<Revocation>(
  'revocations',
  {
    id: 'text',
    at: 'integer',
    // Null until the row has its place in the feed: no list has it, and a backup does.
    position: {
      sql: 'bigint',
      decode: (value) => (value === null ? 0 : integer(value)),
      encode: Number,
    },
    subject: 'text',
    subjectId: 'text',
    isFinal: 'flag',
    permissions: {
      sql: 'text',
      decode: (value) => (value === null ? null : permissions(value)),
      encode: (member) => member && permissionsText(member),
    },
  },
  { key: 'id', restored: 'none', isTrace: true, indexes: ['revocations_by_position (position)'] },
)

const feed = defineTable(
  'revocation_feed',
  { id: 'text', epoch: 'text', position: 'integer' },
  { key: 'id', restored: 'none', isTrace: true },
)

const insert = raw(`insert into revocations (${revocations.names.join(', ')})`)

/**
 * Nobody follows the feed of a service without JWTs, so its revocations write nothing more. A resource
 * with JWTs and a stream count after a restore as well, which begins the feed anew.
 */
const isFollowed = raw(`(exists (select 1 from revocation_feed) or exists
  (select 1 from resources where details like '%"accessTokenFormat":"jwt"%') or exists
  (select 1 from signal_streams))`)

/**
 * Of the authorizations `a` that meet a condition, each with its permissions of this moment. Details name
 * resources beside those, so with details every API is told.
 */
function* noteThose(
  condition: Piece,
  isFinal: boolean,
  { eventId, at }: Trace,
  subject: RevokedSubject = 'authorization',
  id: string | null = null,
): Step<void> {
  const note = sql`${insert}
    select cast(${eventId} as text) || ':' || a.id, cast(${at} as bigint), null,
      cast(${subject} as text), coalesce(cast(${id} as text), a.id),
      cast(${Number(isFinal)} as smallint), case when a.details = '' then a.permissions end
    from authorizations a where ${condition} and ${isFollowed} on conflict (id) do nothing`
  yield asSendOnly(note)
}

/** To be noted before the step changes the permissions: only then it is known whom it concerns. */
export const noteAuthorization = (
  id: AuthorizationId,
  isFinal: boolean,
  trace: Trace,
): Step<void> => noteThose(sql`a.id = ${id}`, isFinal, trace)

const matchLiving = ({ at }: Trace): Piece => sql`(a.expires_at is null or a.expires_at > ${at})`

/** To be noted before these authorizations are deleted. */
export const noteAuthorizationsOf = (some: Piece, trace: Trace): Step<void> =>
  noteThose(sql`a.id in (${some}) and ${matchLiving(trace)}`, true, trace)

export const noteOwner = (id: OwnerId, isFinal: boolean, trace: Trace): Step<void> =>
  noteThose(sql`a.owner_id = ${id} and ${matchLiving(trace)}`, isFinal, trace)

/** @param some selects the ids of owners. To be noted before they are another selection. */
export const noteOwners = (some: Piece, trace: Trace): Step<void> =>
  noteThose(sql`a.owner_id in (${some}) and ${matchLiving(trace)}`, false, trace)

/** To be noted before the authorizations for these visits end: then they name no visit any more. */
export const noteVisits = (
  ownerId: OwnerId,
  which: { readonly only: SessionId } | { readonly allBut: SessionId | null },
  trace: Trace,
): Step<void> => {
  const those =
    'only' in which
      ? sql`a.session_id = ${which.only}`
      : sql`a.session_id <> '' and a.session_id <> ${which.allBut ?? ''} and ${matchLiving(trace)}`
  return noteThose(sql`a.owner_id = ${ownerId} and ${those}`, true, trace)
}

/** Whom an event of a step is about. */
export interface About {
  readonly clientId?: ClientId
  readonly ownerId?: OwnerId
  readonly authorizationId?: AuthorizationId
}

/** What an event says of tokens. */
interface Concerned extends About {
  readonly details: Event['details']
}

type Note = (told: Concerned, trace: Trace) => Step<void>

function* noteNothing(): Step<void> {}

function* noteGiven(
  subject: RevokedSubject,
  id: string,
  isFinal: boolean,
  { eventId, at }: Trace,
): Step<void> {
  const note = sql`${insert}
    select cast(${`${eventId}:${subject}`} as text), cast(${at} as bigint), null,
      cast(${subject} as text), cast(${id} as text), cast(${Number(isFinal)} as smallint), null
    where ${isFollowed} on conflict (id) do nothing`
  yield asSendOnly(note)
}

const noteToldAuthorization =
  (isFinal: boolean): Note =>
  ({ authorizationId }, trace) =>
    authorizationId === undefined
      ? noteNothing()
      : noteAuthorization(authorizationId, isFinal, trace)

const noteToldOwner: Note = ({ ownerId }, trace) =>
  ownerId === undefined ? noteNothing() : noteOwner(ownerId, false, trace)

export const noteClient = (id: ClientId, trace: Trace): Step<void> =>
  noteGiven('client', id, false, trace)

const noteToldClient: Note = ({ clientId }, trace) =>
  clientId === undefined ? noteNothing() : noteClient(clientId, trace)

/** A family, or a single token, that has ended. */
const noteToldPart =
  (subject: 'family' | 'token', member: 'familyId' | 'tokenId'): Note =>
  ({ authorizationId, details }, trace) => {
    const id = String(details[member])
    return authorizationId === undefined
      ? noteGiven(subject, id, true, trace)
      : noteThose(sql`a.id = ${authorizationId}`, true, trace, subject, id)
  }

const noteToldService: Note = (_, trace) => noteGiven('service', '', false, trace)

/** A retired key signed nothing alive. Its event names it; that of keys taken away early does not. */
const noteToldKeys: Note = (told, trace) =>
  'keyId' in told.details ? noteNothing() : noteToldService(told, trace)

/** Events that say nothing of earlier tokens. */
type Silent = Extract<
  EventType,
  | `${'device' | 'factor' | 'link' | 'login' | 'logout' | 'mail' | 'passkey' | 'recovery_code'}.${string}`
  | `group.${string}`
  | `${'issuer' | 'resource' | 'session' | 'stream' | 'upstream'}.${string}`
  | `owner.${'created' | 'deleted' | 'profile_changed' | 'data_downloaded' | 'access_ended'}`
  | `owner.${'deletion_requested' | 'deletion_undone' | 'unlocked'}`
  | `keys.${'rotated' | 'rewrapped'}`
  | 'seals.begun_anew'
  | 'authorization.approved'
  | 'authorization.delegated'
  | 'authorization.denied'
  | 'authorization.narrowed'
  | 'authorization.allowed_again'
  | 'client.registered'
  | 'client.forgotten'
  | 'code.burned'
  | 'refresh_token.repeated'
>

/** What each event means for tokens. What no event tells, or too late, the steps note themselves. */
const notes: Readonly<Record<Exclude<EventType, Silent>, Note>> = {
  'owner.changed': noteToldOwner,
  'owner.password_changed': noteToldOwner,
  'owner.email_verified': noteToldOwner,
  'owner.groups_changed': noteToldOwner,
  'client.changed': noteToldClient,
  'client.changed_itself': noteToldClient,
  'client.secret_rotated': noteToldClient,
  'client.tokens_ended': noteToldClient,
  'client.registration_revoked': noteToldClient,
  'client.deleted': noteToldClient,
  'authorization.end_changed': noteToldAuthorization(false),
  'authorization.ended': noteToldAuthorization(true),
  'authorization.paused': noteToldAuthorization(false),
  'authorization.resumed': noteToldAuthorization(false),
  'code.replayed': noteToldPart('family', 'familyId'),
  'refresh_token.reused': noteToldPart('family', 'familyId'),
  'token.revoked': noteToldPart('token', 'tokenId'),
  'family.revoked': noteToldPart('family', 'familyId'),
  'keys.removed': noteToldKeys,
  'keys.replaced': noteToldService,
  'store.restored': noteToldService,
}

export const noteEvent = (type: EventType, told: Concerned, trace: Trace): Step<void> =>
  type in notes ? notes[type as keyof typeof notes](told, trace) : noteNothing()

const isRevocationWaiting: Reads['isRevocationWaiting'] = async (read) =>
  (await read('select 1 as found from revocations where position is null limit 1', [])).length > 0

const findFeedHead: Reads['findFeedHead'] = async (read) => {
  const row = findFirst(await read("select * from revocation_feed where id = 'feed'", []))
  return row && { epoch: text(row.epoch), position: integer(row.position) }
}

const listRevocations: Reads['listRevocations'] = async (read, after, limit) => {
  const query = 'select * from revocations where position > ? order by position limit ?'
  return (await read(query, [after, limit])).map(revocations.decode)
}

/** Rows may have been purged, and rows of this transaction may be further: the later of both counts. */
const reached = `(select max(reached.position) from
  (select position from revocation_feed union all select max(position) from revocations) reached)`

/** The update of the one row lets only one node at a time give positions, until its commit. */
const placeRevocations: Steps['placeRevocations'] = function* (epoch, most) {
  yield sql`insert into revocation_feed (id, epoch, position)
    values ('feed', ${epoch}, 0)
    on conflict (id) do update set position = revocation_feed.position`
  const placed = yield statement(
    `update revocations set position = ${reached} + numbered.place
     from (select id as waiting, row_number() over (order by id) as place
       from revocations where position is null order by id limit ?) numbered
     where revocations.id = numbered.waiting returning revocations.id`,
    most,
  )
  if (placed.length > 0) yield statement(`update revocation_feed set position = ${reached}`)
  return placed.length
}

/** No JWT lives so long that it needs an older one. Their ids begin with the time. */
function* purgeRevocations({ now, mostRows }: PurgeStep): Step<Purged> {
  const gone = yield sql`delete from revocations
    where at < ${now - recordLimits.jwtSeconds - keptSeconds} and id in (select id
      from revocations order by id limit ${mostRows}) returning id`
  return { next: null, went: gone.length }
}

export const revocationRecord: StoreRecord<RevocationSteps> = {
  tables: [revocations, feed],
  reads: { isRevocationWaiting, findFeedHead, listRevocations },
  steps: { placeRevocations },
  invalidates: 'nothing',
  purges: { revocations: purgeRevocations },
}
