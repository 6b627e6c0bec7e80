/** F-14: the clock jumps by an hour and by a day, back and forth, while the service runs and between runs. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { newPerson } from '../support/people.ts'
import { newFolder } from './folder.ts'
import { type Node, openNode } from './node.ts'
import { isActive, newCode, newTokens, passwordGrant, redeemCode, refresh } from './operation.ts'

const hour = 3600
const day = 24 * hour

/** A service on a machine whose clock can be set; `pass` lets time go by, on that clock too. */
const openOn = async (t: TestContext) => {
  const folder = newFolder()
  const path = `${folder.path}/latchkey.db`
  let wall = Date.UTC(2026, 10, 21, 12)
  let ran = 0
  let store: Store
  let node: Node
  const begin = async (): Promise<void> => {
    store = await openSqliteStore({ path })
    node = await openNode({ store, clock: () => wall, elapsed: () => ran })
  }
  await begin()
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  return {
    node: () => node,
    pass: async (seconds: number) => {
      wall += 1000 * seconds
      ran += 1000 * seconds
      await node.server.tick()
    },
    set: (seconds: number) => {
      wall += 1000 * seconds
    },
    restart: async () => {
      await node.server.close()
      ran = 0
      await begin()
    },
  }
}

for (const [name, jump] of [
  ['an hour', hour],
  ['a day', day],
] as const) {
  test(`back by ${name}: what has expired stays so, and what lives goes on`, async (t) => {
    const { node, pass, set } = await openOn(t)
    const { code } = await newCode(node())
    const { access_token, refresh_token } = await newTokens(node())
    await pass(2 * hour)
    assert.equal(await isActive(node(), access_token), false)
    set(-jump - 2 * hour)
    assert.equal(await isActive(node(), access_token), false)
    assert.equal((await redeemCode(node(), code)).body.error, 'invalid_grant')
    const { body, status } = await refresh(node(), refresh_token)
    assert.equal(status, 200)
    assert.equal(await isActive(node(), body.access_token), true)
    // Time goes on: what is given now ends when it has to.
    await pass(body.expires_in + 1)
    assert.equal(await isActive(node(), body.access_token), false)
  })

  test(`back by ${name} between two runs: the store knows better`, async (t) => {
    const { node, pass, set, restart } = await openOn(t)
    const { code } = await newCode(node())
    const { access_token, refresh_token } = await newTokens(node())
    await pass(2 * hour)
    set(-jump - 2 * hour)
    await restart()
    assert.equal(await isActive(node(), access_token), false)
    assert.equal((await redeemCode(node(), code)).body.error, 'invalid_grant')
    assert.equal((await refresh(node(), refresh_token)).status, 200)
    const tokens = await newTokens(node())
    await pass(2 * hour)
    assert.equal(await isActive(node(), tokens.access_token), false)
  })

  test(`forward by ${name}, and back again`, async (t) => {
    const { node, pass, set } = await openOn(t)
    const { access_token, refresh_token } = await newTokens(node())
    set(Math.max(jump, 2 * hour))
    assert.equal(await isActive(node(), access_token), false)
    set(-Math.max(jump, 2 * hour))
    assert.equal(await isActive(node(), access_token), false)
    assert.equal((await refresh(node(), refresh_token)).status, 200)
    await pass(1)
    const { body } = await node().ask('/health/ready')
    assert.equal(body.status, 'ok')
  })
}

test('a wait for guessing does not last longer for a clock that is set back', async (t) => {
  const { node, pass, set } = await openOn(t)
  const { username } = await newPerson(node())
  const guess = () => passwordGrant(node(), username, 'a wrong one')
  while ((await guess()).status === 400);
  const waiting = await passwordGrant(node(), username)
  assert.equal(waiting.status, 429)
  set(-day)
  await pass(Number(waiting.headers.get('retry-after')))
  assert.equal((await passwordGrant(node(), username)).status, 200)
})

test('keys rotate over a jump of a month and back, and what they sealed stays good', async (t) => {
  const { node, pass, set, restart } = await openOn(t)
  const { refresh_token } = await newTokens(node())
  const { code } = await newCode(node())
  assert.equal((await redeemCode(node(), code)).status, 200)
  const keys = async () => (await node().server.store.listKeys()).length
  assert.equal(await keys(), 1)
  set(31 * day)
  await pass(1)
  assert.equal(await keys(), 2)
  set(-31 * day)
  await pass(2 * hour)
  assert.equal(await keys(), 2)
  const before = await newTokens(node())
  await restart()
  assert.equal(await isActive(node(), before.access_token), true)
  const { status } = await refresh(node(), before.refresh_token)
  assert.equal(status, 200)
  // The month has passed for the service, as its first refresh token notices.
  assert.equal((await refresh(node(), refresh_token)).status, 400)
})

test('a node that is behind another one says so', async (t) => {
  const { node, pass } = await openOn(t)
  await node().server.store.noteTime(Date.UTC(2026, 10, 21, 13) / 1000)
  await pass(20)
  const said = node().notices.filter(({ level }) => level === 'warn')
  assert.deepEqual(said, [
    {
      level: 'warn',
      message: 'the clock of this node is behind that of another one',
      seconds: hour - 20,
    },
  ])
})
