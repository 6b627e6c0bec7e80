/** The row of a family, refresh token rotation, and the detection of reuse (RFC 9700 section 4.14.2). */

import type { Family } from '../../../model/authorization.ts'
import type { AuthorizationId, FamilyId } from '../../../model/ids.ts'
import type { Rotated, Rotation } from '../../contract/family.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import type { Steps } from '../../sql/record.ts'
import { findFirst, flag, integer, integerOrNull, text, textOrNull } from '../../sql/row.ts'
import {
  asWhole,
  countOnly,
  findOne,
  type Row,
  type Step,
  sql,
  statement,
  touches,
} from '../../sql/statement.ts'
import { actors, isSealedWith, unexpired } from '../authorization/authorization-row.ts'
import { tellOfAuthorization } from '../event/events.ts'

interface FamilyRow extends Family {
  readonly startedAt: number
  readonly ended: boolean
}

/** Nothing but the key leads to a family, and it begins with the time: new rows are appended. */
export const familyTable = defineTable<FamilyRow>(
  'families',
  {
    id: 'text',
    authorizationId: 'text',
    generation: 'small',
    startedAt: 'integer',
    rotatedAt: 'integer',
    // The network of the latest refresh, the generation of the latest repeat, and its number of repeats.
    rotatedFrom: "beside text default ''",
    repeatedGeneration: 'beside small?',
    repeats: 'beside small default 0',
    expiresAt: 'integer?',
    ended: 'flag',
    hasEndings: 'flag',
  },
  { key: 'id', restored: 'none' },
)

/** The columns that a statement writes or returns of families. */
export const familyColumns = familyTable.names.join(', ')

/** Written out: each request with a token reads a family, and this is four times as fast. */
export const decodeFamily = (row: Row): Family => ({
  id: text(row.id) as FamilyId,
  authorizationId: text(row.authorization_id) as AuthorizationId,
  generation: integer(row.generation),
  rotatedAt: integer(row.rotated_at),
  expiresAt: integerOrNull(row.expires_at),
  hasEndings: flag(row.has_endings),
})

/**
 * The `paused` of the authorization of a family; null unless that, its client and its owner live.
 * Takes the salt, and "now" twice.
 */
const pausedOf = `(select a.paused from ${actors} where a.id = families.authorization_id
  and ${isSealedWith} and ${unexpired})`

/** Whether a family can be refreshed now; takes "now", the salt, and "now" twice. */
const refreshable = `ended = 0 and (families.expires_at is null or families.expires_at > ?)
  and ${pausedOf} = ''`

/** Compare and set: of all who present the current generation, one moves it on. */
const advance = `update families
  set generation = generation + 1, rotated_at = ?, rotated_from = ?, expires_at = ?
  where id = ? and generation = ? and ${refreshable} returning ${familyColumns}`

/**
 * The same for a known family. Its row still has to be as it was. Authorization, client and owner
 * are not read, which makes it twice as fast.
 */
const advanceKnown = `update families
  set generation = generation + 1, rotated_at = ?, rotated_from = ?, expires_at = ?
  where id = ? and generation = ? and has_endings = ? and ended = 0
    and (expires_at is null or expires_at > ?) ${countOnly}`

/** The network of the request; '' if not known. */
const getNetwork = ({ actor }: Trace): string => ('network' in actor ? actor.network : '')

/** The family as it stands, with the pause of its authorization. */
const look = `select ${familyColumns}, rotated_from, repeated_generation, repeats,
    ${pausedOf} as paused
  from families where id = ?`

/** A token of an earlier generation is in two hands: neither keeps the family. */
function* endReused(rotation: Rotation, trace: Trace): Step<Rotated> {
  const { familyId, generation } = rotation
  const row = yield* findOne(sql`update families set ended = 1
      where id = ${familyId} and ended = 0 and generation > ${generation} returning authorization_id`)
  if (row === null) return { outcome: 'ended' }
  const id = text(row.authorization_id) as AuthorizationId
  const details = { familyId, generation, network: getNetwork(trace) }
  yield* tellOfAuthorization('refresh_token.reused', id, details, trace)
  return { outcome: 'reused' }
}

/**
 * Accepts a repeat and writes an event. The operator sees each, up to a bound. The owner sees
 * repeats from another network than the refresh itself.
 *
 * @returns false where the family has changed since it was looked at
 */
function* forgive(row: Row, rotation: Rotation, trace: Trace): Step<boolean> {
  const { familyId } = rotation
  const generation = integer(row.generation)
  const most = storeLimits.refreshRepeatsTold
  const isAgain = integerOrNull(row.repeated_generation) === generation
  if (isAgain && integer(row.repeats) >= most) return true
  const counted = sql`update families
    set repeats = case when repeated_generation = generation then repeats + 1 else 1 end,
      repeated_generation = generation
    where id = ${familyId} and generation = ${generation} and ended = 0 and (repeated_generation is null
      or repeated_generation <> generation or repeats < ${most})
    returning id`
  if (!(yield* touches(counted))) return false
  const [rotatedFrom, network] = [text(row.rotated_from), getNetwork(trace)]
  const isElsewhere = rotatedFrom !== '' && network !== '' && rotatedFrom !== network
  const id = text(row.authorization_id) as AuthorizationId
  const details = { familyId, generation: rotation.generation, network, rotatedFrom }
  const to = isElsewhere ? 'owner' : 'operator'
  yield* tellOfAuthorization('refresh_token.repeated', id, details, trace, to)
  return true
}

/** A lost answer is repeated now and then. Constant repeats may be a thief's. */
const isHonest = (row: Row, rotation: Rotation, { at }: Trace): boolean => {
  const generation = integer(row.generation)
  const since = at - integer(row.rotated_at)
  // A clock that was set back further than clocks may differ must not make it honest again.
  const inTime = since >= -storeLimits.clockSkewSeconds && since <= rotation.retrySeconds
  const isUnused = rotation.generation === generation - 1
  const isSecond = integerOrNull(row.repeated_generation) === generation - 1
  return inTime && isUnused && !isSecond
}

export const rotateRefreshToken: Steps['rotateRefreshToken'] = function* (rotation, trace) {
  const { familyId, salt, generation, expiresAt, known } = rotation
  const { at } = trace
  const values = [at, getNetwork(trace), expiresAt, familyId, generation] as const
  if (known) {
    const moved = yield asWhole(statement(advanceKnown, ...values, Number(known.hasEndings), at))
    const family = { ...known, generation: generation + 1, rotatedAt: at, expiresAt }
    if (moved.length > 0) return { outcome: 'rotated', family }
  }
  for (;;) {
    const moved = findFirst(yield asWhole(statement(advance, ...values, at, salt, at, at)))
    if (moved !== null) return { outcome: 'rotated', family: decodeFamily(moved) }
    const row = findFirst(yield statement(look, salt, at, at, familyId))
    if (row === null || flag(row.ended)) return { outcome: 'ended' }
    const end = integerOrNull(row.expires_at)
    if (end !== null && end <= at) return { outcome: 'ended' }
    if (integer(row.generation) < generation) return { outcome: 'ended' }
    const isCurrent = row.generation === generation
    if (!isCurrent && !isHonest(row, rotation, trace)) return yield* endReused(rotation, trace)
    const paused = textOrNull(row.paused)
    if (paused === null) return { outcome: 'ended' }
    if (paused !== '') return { outcome: 'paused' }
    // A current token was refused by something that is over now: it is tried again.
    if (!isCurrent && (yield* forgive(row, rotation, trace))) {
      return { outcome: 'repeated', family: decodeFamily(row) }
    }
  }
}
