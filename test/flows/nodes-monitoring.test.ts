/** Two nodes on one PostgreSQL, monitored: references and counters of one are known to the other. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readOverview } from '../../src/events/series.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { named } from '../support/factors.ts'
import { type Started, start } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const testMonitoring = (postgres: Postgres): void => {
  let nodes: readonly [Started, Started]
  before(async () => {
    const store = await postgres.newDatabase()
    const node = () => start({ ...named, store, secret: 'a-root-secret-that-both-nodes-share' })
    const one = await node()
    nodes = [one, await node()]
  })
  after(() => Promise.all(nodes.map((node) => node.close())))

  const advance = async (seconds: number): Promise<void> => {
    for (const node of nodes) await node.advance(seconds)
  }
  const ask = (node: Started, secret: string) =>
    node.post('/token', { grant_type: 'client_credentials' }, [nightlyReport[0], secret])

  test('a refusal at one node is explained at the other', async () => {
    const [one, other] = nodes
    const refused = await ask(one, 'wrong')
    assert.equal(refused.status, 401)
    await advance(housekeepingLimits.refusalsFlushSeconds)
    const operator = await operatorOf(other)
    const { status, body } = await operator('GET', `refusals/${refused.reference}`)
    assert.deepEqual(
      [status, body.reason, body.client_id, body.route],
      [200, 'wrong_secret', nightlyReport[0], '/token'],
    )
    const { rows } = await other.server().store.listRefusals({}, null, 10, 0)
    assert.deepEqual(
      rows.map(({ reference }) => reference),
      [refused.reference],
    )
  })

  test('the charts of each node add up the requests of both', async () => {
    const [one, other] = nodes
    await advance(60)
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
    const totalsAt = async (node: Started) => {
      const { grants } = await readOverview('hour', node.now(), node.server().store)
      return { issued: sum(grants.issued), refused: sum(grants.refused) }
    }
    const before = await totalsAt(one)
    for (let i = 0; i < 3; i++) await ask(one, nightlyReport[1])
    for (let i = 0; i < 4; i++) await ask(other, nightlyReport[1])
    await ask(one, 'wrong')
    await ask(other, 'wrong')
    await advance(60)
    const after = { issued: before.issued + 7, refused: before.refused + 2 }
    assert.deepEqual([await totalsAt(one), await totalsAt(other)], [after, after])
  })

  test('the page of the console at one node shows both', async () => {
    const olga = await newConsoleVisitor(nodes[1])
    await advance(60)
    const { text } = await olga.browser.ask('/admin?range=hour')
    assert.match(text, /<code>wrong_secret<\/code>.*?<b>3<\/b>/)
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): nodes are left out')
} else {
  after(() => postgres.stop())
  describe('two nodes that are monitored', () => testMonitoring(postgres))
}
