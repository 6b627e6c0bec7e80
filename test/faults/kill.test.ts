/** F-01, F-09: killed under load, the service or the database behind it; what was acknowledged stays. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { askBackchannel, decideAnew, pollBackchannel } from '../support/backchannel.ts'
import { reach } from '../support/reach.ts'
import { record } from './audit.ts'
import { fullCycles, numbersFrom } from './extent.ts'
import { type Folder, newFolder } from './folder.ts'
import { openHistory } from './history.ts'
import { killServer } from './postgres-kill.ts'
import { countLive, replay } from './replay.ts'
import { type Killable, launch, untilReady } from './service.ts'

const cycles = fullCycles ?? 1
/** Back by itself, once the fault is over: so long is only waited for what never comes. */
const mostMilliseconds = 60_000

/** Found before the first test begins, since nothing else runs while it is installed. */
const postgres = await findPostgres()

const random = numbersFrom(20_261_121)
/** Anywhere between the first acknowledgements and the middle of the crowd. */
const someAcknowledgements = (): number => 10 + Math.floor(random() * 70)

let folder: Folder
before(() => {
  folder = newFolder()
})
after(() => folder.remove())

const longest = (all: readonly number[]): string => `${Math.round(Math.max(...all))} ms`

interface Tally {
  acknowledged: number
  unknown: number
  readonly back: number[]
  readonly files: string[]
}

const newTally = (): Tally => ({ acknowledged: 0, unknown: 0, back: [], files: [] })

/** Nothing of what was acknowledged is undone, now and at the end of all cycles. */
const audit = async (issuer: string, file: string, tally: Tally): Promise<void> => {
  const findings = await replay(file, reach(issuer))
  assert.deepEqual(findings.broken, [])
  assert.ok(findings.acknowledged > 0)
  tally.acknowledged += findings.acknowledged
  tally.unknown += findings.unknown
  tally.files.push(file)
}

const conclude = async (t: TestContext, issuer: string, tally: Tally): Promise<void> => {
  for (const file of tally.files) assert.equal(await countLive(file, reach(issuer)), 0)
  const { acknowledged, unknown, back } = tally
  t.diagnostic(
    `${back.length} kills, ${acknowledged} acknowledged, 0 lost, ${unknown} unknown; back after at most ${longest(back)}`,
  )
}

const killNode = async (t: TestContext, name: string, store: string): Promise<void> => {
  const tally = newTally()
  let service = await launch(store, folder.path)
  t.after(() => service.kill())
  for (let cycle = 0; cycle < cycles; cycle++) {
    const file = join(folder.path, `${name}-${cycle}`)
    const recorder = record(t, service.issuer, file)
    await recorder.until(someAcknowledgements())
    await service.kill()
    await recorder.stop()
    service = await launch(store, folder.path)
    tally.back.push(service.milliseconds)
    await audit(service.issuer, file, tally)
  }
  await conclude(t, service.issuer, tally)
}

test('F-01 kill -9 of the service on SQLite', async (t) => {
  await killNode(t, 'sqlite', `sqlite:${join(folder.path, 'latchkey.db')}`)
})

test('F-01 kill -9 between the approval of a backchannel request and the poll', async (t) => {
  const store = `sqlite:${join(folder.path, 'approved.db')}`
  const before = await launch(store, folder.path)
  t.after(() => before.kill())
  const codes = await askBackchannel(reach(before.issuer))
  await decideAnew(reach(before.issuer), codes)
  await before.kill()
  const after = await launch(store, folder.path)
  t.after(() => after.kill())
  const service = reach(after.issuer)
  const answers = await Promise.all([1, 2, 3].map(() => pollBackchannel(service, codes)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
})

test('the auditor finds what is not there', async (t) => {
  const service = await launch(`sqlite:${join(folder.path, 'empty.db')}`, folder.path)
  t.after(() => service.kill())
  const file = join(folder.path, 'untrue')
  const history = openHistory(file)
  const what = { client: 'house-app', access_token: 'lk_at_never', refresh_token: 'lk_rt_never' }
  for (const deed of ['owner', 'tokens', 'item'] as const) {
    history.write({ life: 'nobody', deed, word: 'acknowledged', what })
  }
  history.write({ life: 'nobody', deed: 'end', word: 'broken', what })
  assert.deepEqual((await replay(file, reach(service.issuer))).broken, [
    'nobody: end was acknowledged, and the token was still live afterwards',
    'nobody: the owner is gone',
    'nobody: a token that was given is gone',
    'nobody: a refresh token that was given is gone',
  ])
})

const killDatabase = async (
  t: TestContext,
  postgres: Postgres,
  crash: { readonly end: () => Promise<void>; readonly start: () => Promise<void> },
): Promise<void> => {
  const tally = newTally()
  const service: Killable = await launch(await postgres.newDatabase(), folder.path)
  t.after(() => service.kill())
  for (let cycle = 0; cycle < cycles; cycle++) {
    const file = join(folder.path, `${t.name}-${cycle}`)
    const recorder = record(t, service.issuer, file)
    await recorder.until(someAcknowledgements())
    await crash.end()
    await crash.start()
    tally.back.push(await untilReady(service.issuer, mostMilliseconds))
    // Goes on by itself, with nobody having touched the service.
    await recorder.until(recorder.acknowledged() + 20)
    await recorder.stop()
    await audit(service.issuer, file, tally)
  }
  await conclude(t, service.issuer, tally)
}

if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its faults are left out')
} else {
  after(() => postgres.stop())

  const { crash } = postgres
  describe('PostgreSQL', () => {
    test('F-01 kill -9 of the service', async (t) => {
      await killNode(t, 'node', await postgres.newDatabase())
    })
    if (crash === null) return
    test('F-09 immediate shutdown', (t) => killDatabase(t, postgres, crash))
    test('F-09 kill -9 of every process', (t) =>
      killDatabase(t, postgres, { ...crash, end: () => killServer(postgres) }))
  })
}
