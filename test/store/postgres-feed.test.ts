/** The feed of revocations on several nodes: a transaction that ends late is missed by nobody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { placeAll } from './contract/revocations.ts'
import { start, together, trace } from './moments.ts'
import { takePostgres } from './one-postgres.ts'
import { settle } from './settle.ts'

const insert = `insert into revocations (id, at, subject, subject_id, final)
  values ('00000000-first', $1, 'client', 'late', 0)`

const isBlocked = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('the feed on two nodes', async (t) => {
  const postgres = await takePostgres()
  if (postgres === null) return t.skip('no PostgreSQL here')
  const url = await postgres.newDatabase()
  const nodes = await together(2, () => openPostgresStore({ url, random }))
  const [one, two] = nodes
  assert.ok(one !== undefined && two !== undefined)
  // From then on somebody follows, and revocations are noted.
  await placeAll(one)
  const other = new Client({ connectionString: url })
  await other.connect()
  t.after(async () => {
    await other.end()
    await Promise.all(nodes.map((node) => node.close()))
    await postgres.stop()
  })

  await t.test('a revocation that began first and ended last comes last', async () => {
    await other.query('begin')
    await other.query(insert, [start])
    const { authorization } = await settle(one)
    await one.endAuthorization(authorization.id, null, trace())
    const position = await placeAll(two)
    assert.deepEqual(
      (await two.listRevocations(0, 10)).map(({ subjectId }) => subjectId),
      [authorization.id],
    )
    await other.query('commit')
    await placeAll(one)
    const later = await two.listRevocations(position, 10)
    assert.deepEqual(
      later.map((found) => [found.subjectId, found.position]),
      [['late', position + 1]],
    )
  })

  await t.test('while one node gives positions, the other waits and then goes on', async () => {
    const position = await placeAll(one)
    const { authorization } = await settle(one)
    await one.endAuthorization(authorization.id, null, trace())
    await other.query('begin')
    await other.query('update revocation_feed set position = position')
    const placing = two.placeRevocations('epoch', 10)
    while ((await postgres.askIn(url, isBlocked)).length === 0);
    assert.deepEqual(await one.listRevocations(position, 10), [])
    await other.query('commit')
    assert.equal(await placing, 1)
    assert.equal((await one.listRevocations(position, 10))[0]?.position, position + 1)
  })

  await t.test(
    'revocations of both nodes, placed by both at once, are all there once',
    async () => {
      const position = await placeAll(one)
      const settled = await together(40, () => settle(one))
      await Promise.all(
        settled.map(async ({ authorization }, i) => {
          const node = i % 2 === 0 ? one : two
          await node.endAuthorization(authorization.id, null, trace())
          await node.placeRevocations('epoch', 5)
        }),
      )
      await placeAll(two)
      const found = await one.listRevocations(position, 100)
      assert.deepEqual(
        found.map((each) => each.position - position),
        Array.from({ length: 40 }, (_, i) => i + 1),
      )
      assert.deepEqual(
        found.map(({ subjectId }) => subjectId).toSorted(),
        settled.map(({ authorization }) => String(authorization.id)).toSorted(),
      )
    },
  )
})
