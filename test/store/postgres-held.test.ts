/** The purge of an idle client beside an approval that another connection has not committed yet. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { storeLimits } from '../../src/store/limits.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { start, trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import { sampleApproval, sampleClient, sampleOwner } from './sample.ts'

const insertApproval = `insert into authorizations (id, client_id, owner_id, permissions, duration,
  session_id, created_at, salt, revision) values ($1, $2, $3, 'photos:read', 'forever', '', $4, 's', 0)`

const isBlocked = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('an approval under way when the purge begins is seen by it', async (t) => {
  const postgres = await takePostgres()
  if (postgres === null) return t.skip('no PostgreSQL here')
  t.after(() => postgres.stop())
  const url = await postgres.newDatabase()
  const store = await openPostgresStore({ url, random })
  const other = new Client({ connectionString: url })
  await other.connect()
  const client = sampleClient({ registeredBy: 'itself' })
  const owner = sampleOwner()
  const quota = { perWindow: [], share: null, mostInTotal: 9 }
  await store.registerClient(client, quota, trace())
  await store.createOwner(owner, trace())
  const approval = sampleApproval({ client, owner })

  await other.query('begin')
  await other.query(insertApproval, [approval.id, client.id, owner.id, start])
  const removing = store.removeIdleClient(client.id, trace(start + storeLimits.neverUsedSeconds))
  while ((await postgres.askIn(url, isBlocked)).length === 0);
  await other.query('commit')
  const removed = await removing
  const found = await store.findAuthorization(approval.id, start)

  await other.end()
  await store.close()
  assert.equal(removed, 'kept')
  assert.equal(found?.id, approval.id)
})
