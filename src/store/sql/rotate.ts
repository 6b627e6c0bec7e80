/** Refresh token rotation and the detection of reuse (RFC 9700 section 4.14.2). */
import { limits } from '../../config/limits.ts'
import type { AuthorizationId } from '../../model/ids.ts'
import type { Rotated, Rotation, Trace } from '../store.ts'
import { actors, unexpired } from './authorization-row.ts'
import { tellOfAuthorization } from './events.ts'
import { decodeFamily, familyColumns } from './family-row.ts'
import { first, flag, integer, integerOrNull, text } from './row.ts'
import { type Row, type Step, statement, wholeStatement } from './statement.ts'

/** Whether a family can still be refreshed; asks for "now", the salt, and "now" twice. */
const refreshable = `ended = 0 and (families.expires_at is null or families.expires_at > ?)
  and exists (select 1 from ${actors} where a.id = families.authorization_id
    and a.salt = ? and ${unexpired})`

/** Compare and set: of all who present the current generation, one moves it on. */
const advance = `update families set generation = generation + 1, rotated_at = ?, expires_at = ?
  where id = ? and generation = ? and ${refreshable} returning ${familyColumns}`

function* moveOn(rotation: Rotation, { at }: Trace): Step<Row | null> {
  const { familyId, salt, generation, expiresAt } = rotation
  const moved = wholeStatement(advance, at, expiresAt, familyId, generation, at, salt, at, at)
  return first(yield moved)
}

/** The family as it stands, with `refreshable` as 0 or 1. */
const look = `select ${familyColumns}, ended,
    case when ${refreshable} then 1 else 0 end as refreshable
  from families where id = ?`

function* findFamily({ familyId, salt }: Rotation, { at }: Trace): Step<Row | null> {
  return first(yield statement(look, at, salt, at, at, familyId))
}

/** A token of an earlier generation is in two hands: neither keeps the family. */
function* endReused(rotation: Rotation, trace: Trace): Step<Rotated> {
  const { familyId, generation } = rotation
  const row = first(
    yield statement(
      `update families set ended = 1 where id = ? and ended = 0 and generation > ?
       returning authorization_id`,
      familyId,
      generation,
    ),
  )
  if (row === null) return { outcome: 'ended' }
  const id = text(row.authorization_id) as AuthorizationId
  yield* tellOfAuthorization('refresh_token.reused', id, { familyId, generation }, trace)
  return { outcome: 'reused' }
}

export function* rotateRefreshToken(rotation: Rotation, trace: Trace): Step<Rotated> {
  const moved = yield* moveOn(rotation, trace)
  if (moved !== null) return { outcome: 'rotated', family: decodeFamily(moved) }
  const row = yield* findFamily(rotation, trace)
  if (row === null || flag(row.ended)) return { outcome: 'ended' }
  const expiresAt = integerOrNull(row.expires_at)
  if (expiresAt !== null && expiresAt <= trace.at) return { outcome: 'ended' }
  const behind = integer(row.generation) - rotation.generation
  if (behind <= 0) return { outcome: 'ended' }
  const since = trace.at - integer(row.rotated_at)
  // A clock that was set back further than clocks may differ must not make it honest again.
  const inTime = since >= -limits.clockSkewSeconds && since <= rotation.retrySeconds
  if (behind > 1 || !inTime) return yield* endReused(rotation, trace)
  return flag(row.refreshable)
    ? { outcome: 'repeated', family: decodeFamily(row) }
    : { outcome: 'ended' }
}
