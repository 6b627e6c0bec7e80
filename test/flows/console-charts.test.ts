/** The charts of the console: what requests counted, drawn with its numbers, per hour, day and month. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawRandom } from '../../src/crypto/digest.ts'
import { formatMetrics } from '../../src/events/counter.ts'
import { metricLimits } from '../../src/events/limits.ts'
import { readFunnel } from '../../src/events/series.ts'
import type { ClientId } from '../../src/model/ids.ts'
import { makeOwnerEvent, makeServiceTrace } from '../../src/store/trace.ts'
import { answerOf } from '../support/browser.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { named } from '../support/factors.ts'
import type { Visitor } from '../support/people.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { listRows } from '../support/rows.ts'
import { start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

let olga: Visitor
const service = startBefore(
  () => start(named),
  async () => {
    olga = await newConsoleVisitor(service)
  },
)

const page = async (range: string): Promise<string> => {
  const { status, text } = await olga.browser.ask(`/admin?range=${range}`)
  assert.equal(status, 200)
  assert.ok(Buffer.byteLength(text) < 60_000)
  return text
}

/** The words of a drawing, for those who do not see it. */
const toldBy = (text: string, heading: string): string =>
  new RegExp(`aria-label="${heading}. ([^"]*)"`).exec(text)?.[1] ?? assert.fail(heading)

describe('the charts', () => {
  test('count what came since the last write, with the numbers behind', async () => {
    await service.advance(60)
    const [, before = ''] =
      /Issued: (\d+)/.exec(toldBy(await page('hour'), 'Token responses and refusals')) ?? []
    const { code = '' } = answerOf(await walk(service))
    await redeem(service, code)
    for (let i = 0; i < 3; i++) {
      await service.post('/token', { grant_type: 'client_credentials' }, ['nightly-report', 'no'])
    }
    await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
    await service.advance(60)
    for (const range of ['hour', 'day', 'month', 'nothing']) {
      const text = await page(range)
      const told = toldBy(text, 'Token responses and refusals')
      assert.equal(told, `Issued: ${Number(before) + 2}, Refused: 3`)
      assert.match(text, /<code>wrong_secret<\/code>.*?<b>3<\/b>/)
      assert.match(text, /<th scope="row">[^<]+<\/th><td>\d+<\/td>/)
      assert.match(text, /<h2>Slowest hundredth by route<\/h2>.*<code>\/token<\/code>/)
    }
  })

  test('name routes that there are', () => {
    const paths = listRows().map((row) => row.path)
    const { chartedRoutes } = metricLimits
    assert.deepEqual(
      chartedRoutes.filter((route) => paths.includes(route)),
      chartedRoutes,
    )
  })

  test('show how many users of a client got how far', async () => {
    const of = (id: string) =>
      readFunnel(id as ClientId, 'hour', service.now(), service.server().store)
    const before = (await of('photo-printer')).map(({ count }) => count)
    const { code = '' } = answerOf(await walk(service))
    await redeem(service, code)
    await service.ask(`/authorize?${new URLSearchParams(codeRequest)}`)
    await service.advance(15)
    const after = await of('photo-printer')
    assert.deepEqual(
      after.map(({ step, count }, i) => [step, count - (before[i] ?? 0)]),
      [
        ['authorize', 2],
        ['login', 1],
        ['consent', 1],
        ['code', 1],
        ['token', 1],
      ],
    )
    assert.deepEqual(new Set((await of('nobody')).map(({ count }) => count)), new Set([0]))
  })

  test('survive a restart, and a period without requests is empty', async () => {
    await service.restart()
    service.pass(3 * 3600)
    const told = toldBy(await page('hour'), 'Token responses and refusals')
    assert.equal(told, 'Issued: 0, Refused: 0')
    assert.match(toldBy(await page('day'), 'Token responses and refusals'), /Refused: 3/)
  })

  test('name what needs attention: refusals that rise, and keys that grew old', async () => {
    assert.match(await page('hour'), /<h1>All is well<\/h1>/)
    const refuseSome = async (): Promise<void> => {
      for (let i = 0; i < 25; i++) {
        await service.post('/token', { grant_type: 'client_credentials' }, ['nightly-report', 'no'])
      }
      await service.advance(60)
    }
    await refuseSome()
    // The minutes before had none, so there is nothing usual to compare with.
    assert.match(
      await page('hour'),
      /<h1>One thing needs you<\/h1>[\s\S]*<b>25 refused requests of late, and none before\.<\/b>/,
    )
    service.pass(1800)
    await refuseSome()
    assert.match(await page('hour'), /<b>25 refused requests of late: \d+ times the usual\.<\/b>/)
    service.pass(1800)
    const guess = { grant_type: 'password', password: 'wrong' }
    for (let i = 0; i < 25; i++)
      await service.post('/token', { ...guess, username: `x${i}` }, houseApp)
    const { store } = service.server()
    const trace = makeServiceTrace(service.now(), { clock: Date.now, random: drawRandom })
    await store.appendEvent(makeOwnerEvent('code.replayed', null, {}, trace))
    const tellWrongCodes = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const next = makeServiceTrace(service.now(), { clock: Date.now, random: drawRandom })
        await store.appendEvent(makeOwnerEvent('login.second_factor_failed', null, {}, next))
      }
    }
    await tellWrongCodes(10)
    await service.advance(60)
    assert.doesNotMatch(await page('hour'), /wrong codes|second_factor_failed/)
    await tellWrongCodes(95)
    const theft = /<b>1 event code\.replayed within a day[\s\S]*?href="[^"]*type=code\.replayed"/
    const text = await page('hour')
    assert.match(text, theft)
    assert.match(text, /<b>At least 100 wrong codes within an hour, after right passwords/)
    assert.match(text, /<b>25 refused logins of late, far more than were let in/)
    const metrics = formatMetrics(await service.server().askMetrics())
    assert.match(metrics, /latchkey_theft_events\{type="code\.replayed"\} 1\n/)
    assert.doesNotMatch(metrics, /second_factor_failed/)
    assert.match(metrics, /latchkey_logins_total\{way="password",outcome="refused"\} 25\n/)
    service.pass(98 * 86_400)
    olga = await newConsoleVisitor(service, ['auditor'], 'Otto Ops')
    assert.match(await page('hour'), /<b>The key sealing HS256 is 98 days old\./)
  })
})
