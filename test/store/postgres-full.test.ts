/** PostgreSQL whose disk is full: writes are refused, readiness says so, and room heals it (F-06). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { openNode } from '../faults/node.ts'
import { newTokens } from '../faults/operation.ts'
import { assertUnavailable } from '../faults/points.ts'
import { bearer } from '../flows/operator.ts'
import { takePostgres } from './one-postgres.ts'
import type { Postgres } from './postgres.ts'
import { openWay } from './way.ts'

const testFull = (postgres: Postgres): void => {
  test('F-06 a full disk of PostgreSQL: not ready until as large a write succeeds', async (t) => {
    const way = await openWay(t, await postgres.newDatabase())
    const store = await openPostgresStore({ url: way.url, random })
    t.after(() => store.close())
    let seconds = 0
    const node = await openNode({
      store,
      clock: () => Date.UTC(2026, 10, 21, 12) + 1000 * seconds,
    })
    const { access_token } = await newTokens(node)
    const put = (text: string) =>
      node.ask('/api/photos/1', { ...bearer(access_token), method: 'PUT', json: { text } })
    const ready = () => {
      seconds++
      return node.ask('/health/ready')
    }
    assert.equal((await ready()).status, 200)

    // A small row still fits into its page: the ping itself finds room.
    way.fill(/insert into (items|facts)/)
    assertUnavailable(await put('x'.repeat(3000)), 'put')
    for (let asked = 0; asked < 3; asked++) assertUnavailable(await ready(), 'ready')
    assert.equal((await node.ask('/api/photos', bearer(access_token))).status, 200)
    await store.noteTime(0)
    assertUnavailable(await ready(), 'ready after a smaller write')

    way.heal()
    assert.equal((await put('x'.repeat(4000))).status, 201)
    assert.equal((await ready()).status, 200)

    // Where nobody writes, readiness finds the room by itself. The first who asks is told of the want.
    way.fill(/update items/)
    assertUnavailable(await put('y'), 'put')
    assertUnavailable(await ready(), 'ready')
    assert.equal((await ready()).status, 200)
  })
}

const postgres = await takePostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its disk is left out')
} else {
  after(() => postgres.stop())
  testFull(postgres)
}
