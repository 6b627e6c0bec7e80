/**
 * A row of one machine, as many machines take it: with its shard key, and with ids that tell the same key. Tokens and
 * session cookies carry ids that cannot change, so those of before the ids carried keys end (decision 113).
 */
import { deriveShardKey, type ShardKeys } from '../../../crypto/shard-keys.ts'
import type { AuthorizationId, OwnerId } from '../../../model/ids.ts'
import { encodeChosen } from '../../records/authorization/authorization-row.ts'
import type { Row, Value } from '../../sql/statement.ts'
import { openReadKey, places } from './place.ts'

export interface PlacedRow {
  /** With `shard_key`, where the table has one. */
  readonly row: Row
  /** Whether tokens end by it. */
  readonly isEnded: boolean
  /** Whether its own id is another one now. */
  readonly isRenamed: boolean
}

/** Tokens carry these ids. */
const carried = new Set(['families', 'endings'])

/** The column with the owner of a row; null where an authorization alone tells the owner. */
export const findOwnerColumn = (table: string): string | null => {
  const place = places[table]
  if (place?.with !== 'owner') return null
  return Object.entries(place.by).find(([, kind]) => kind === 'owner')?.[0] ?? null
}

const listIdColumns = (table: string, row: Row): readonly string[] => {
  const place = places[table]
  if (place?.with === 'owner') {
    return Object.keys(place.by).filter((column) => place.by[column] === 'placed')
  }
  // A row that every machine has may name an authorization, too.
  return place === undefined
    ? []
    : Object.keys(row).filter((column) => column === 'authorization_id')
}

/**
 * @param ownerId the owner of the row; null where nothing tells it any more
 * @returns null for what no cookie finds any more: a session of before, and the logins by it
 */
export const placeRow = (
  table: string,
  row: Row,
  ownerId: Value,
  keys: ShardKeys,
): PlacedRow | null => {
  const place = places[table]
  const readKey = openReadKey(keys)
  const owner = typeof ownerId === 'string' && ownerId !== '' ? (ownerId as OwnerId) : null
  const placed: Record<string, Value> = { ...row }
  for (const column of listIdColumns(table, row)) {
    const id = row[column]
    if (owner === null || typeof id !== 'string' || keys.read(id) === null) continue
    if (column !== 'id' || !carried.has(table)) placed[column] = keys.place(id, owner)
  }
  const isRenamed = placed.id !== row.id
  if (table === 'authorizations' && row.duration === encodeChosen(row.id as AuthorizationId)) {
    placed.duration = encodeChosen(placed.id as AuthorizationId)
  }
  if (place?.with !== 'owner') return { row: placed, isEnded: false, isRenamed }
  const told = Object.entries(place.by).flatMap(
    ([column, kind]) => readKey(kind, placed[column]) ?? [],
  )
  const key = owner === null ? (told[0] ?? 0) : deriveShardKey(owner)
  const session = { sessions: placed.id, client_logins: placed.session_id }[table]
  if (session !== undefined && readKey('session', session) !== key) return null
  const ofToken = table === 'families' ? (readKey('placed', placed.id) ?? key) : key
  const isEnded = ofToken !== key
  // A look-up goes by the id of the family, and has to find that it is used up.
  if (isEnded) placed.ended = 1
  return { row: { ...placed, shard_key: ofToken }, isEnded, isRenamed }
}
