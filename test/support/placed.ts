/** Ids of what belongs to an owner name the shard key of that owner (decision 113). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deriveShardKey, openShardKeys } from '../../src/crypto/shard-keys.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { readAccessToken } from '../../src/tokens/formats/opaque.ts'
import type { Started } from './start.ts'

/** The family in an opaque access token of an owner. */
export const familyIn = (accessToken: string): string => {
  const of = readAccessToken(accessToken)?.says.of
  assert.ok(of !== undefined && 'familyId' in of)
  return of.familyId
}

const asked = `select 'placed' as form, id, owner_id from authorizations
  union all select 'placed', f.id, a.owner_id from families f
    join authorizations a on a.id = f.authorization_id
  union all select 'session', id, owner_id from sessions`

/** Compares all authorizations, families and sessions of a service, and the families in some tokens. */
export const assertPlaced = async (
  { folder, server }: Started,
  ...tokens: readonly string[]
): Promise<void> => {
  const keys = openShardKeys((await server().store.findFact('shard secret')) ?? '')
  const database = new DatabaseSync(join(folder, 'latchkey.db'), { readOnly: true })
  const rows = database.prepare(asked).all()
  database.close()
  for (const { form, id, owner_id } of rows) {
    const told = form === 'session' ? Number.parseInt(String(id), 16) : keys.read(String(id))
    assert.equal(told, deriveShardKey(String(owner_id) as OwnerId), `${form} ${id} of ${owner_id}`)
  }
  const known = rows.map(({ id }) => id)
  assert.ok(known.length > 0)
  for (const token of tokens) assert.ok(known.includes(familyIn(token)))
}
