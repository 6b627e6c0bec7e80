/** (e): a store that cannot be read, or cannot be written: nothing is affirmed, and it heals by itself. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountOperations } from './account-operations.ts'
import { apiOperations } from './api-operations.ts'
import { type FaultyStore, faultyStore, type Method } from './faulty-store.ts'
import { type Opened, openInMemory } from './folder.ts'
import { type Node, openNode } from './node.ts'
import { pageOperations } from './page-operations.ts'
import { assertUnavailable } from './points.ts'
import { tokenOperations } from './token-operations.ts'

const operations = [...tokenOperations, ...pageOperations, ...accountOperations, ...apiOperations]

const isRead = (method: Method): boolean => /^(find|list|is[A-Z])/.test(method)

describe('a store that fails', () => {
  let opened: Opened
  let faulty: FaultyStore
  let node: Node
  let seconds = 0
  before(async () => {
    opened = await openInMemory()
    faulty = faultyStore(opened.store)
    const clock = () => Date.UTC(2026, 10, 21, 12) + 1000 * seconds
    node = await openNode(
      { store: faulty.store, clock },
      () => `10.3.${seconds >> 8}.${seconds & 255}`,
    )
  })
  after(() => opened.dispose())

  const failing = (what: string, fails: (method: Method) => boolean): void => {
    for (const operation of operations) {
      test(`${what}: ${operation.name}`, async () => {
        seconds++
        const { ask, settle } = await operation.prepare(node)
        const armed = faulty.arm({ every: fails })
        const answer = await ask()
        faulty.disarm()
        const failed = armed.called.filter((method) => fails(method))
        const isNeeded = failed.some((method) => method !== operation.doesWithout)
        if (isNeeded) assertUnavailable(answer, operation.name)
        else assert.ok(operation.isPositive(answer), `${answer.status} ${answer.text}`)
        // Only a request without any failing call may be answered as ever.
        assert.equal(armed.struck, armed.called.some(fails))
        const { effect } = operation
        await settle(effect === null ? null : armed.done.includes(effect), [answer])
      })
    }
  }

  failing('unreadable', isRead)
  failing('unwritable', (method) => !isRead(method))
  failing('gone', () => true)

  test('readiness tells the truth, and health goes on', async () => {
    seconds++
    faulty.arm({ every: (method) => !isRead(method) })
    const ready = await node.ask('/health/ready')
    assert.equal(ready.status, 503)
    assert.deepEqual(ready.body, { status: 'unavailable', checks: { store: 'unavailable' } })
    assert.equal((await node.ask('/health/live')).status, 200)
    assert.equal((await node.ask('/.well-known/oauth-authorization-server')).status, 200)
    faulty.disarm()
    assert.equal((await node.ask('/health/ready')).status, 200)
  })

  test('housekeeping that fails is told of, and done the next time', async () => {
    faulty.arm({ every: () => true })
    seconds += 3600
    await node.server.tick()
    faulty.disarm()
    const failed = node.notices.filter(({ level }) => level === 'error')
    assert.ok(failed.some(({ message }) => message.startsWith('housekeeping failed')))
    const armed = faulty.arm(null)
    seconds += 3600
    await node.server.tick()
    faulty.disarm()
    for (const method of ['noteTime', 'listKeys', 'purge'] as const) {
      assert.ok(armed.done.includes(method), method)
    }
  })
})
