/** Used ids in the memory of one process: the watermark, the rows, and the next start. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRunner, runStep } from '../../src/store/engines/sqlite/compiled.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { engineLimits } from '../../src/store/limits.ts'
import { endUsedIds, usedIdLimits } from '../../src/store/records/used.ts'
import { schema } from '../../src/store/schema/migrate.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { beginStep } from '../../src/store/sql/steps.ts'
import { openUsedIds } from '../../src/store/sql/used-ids.ts'

const now = 1_800_000_000

type Held = (go: boolean) => void

/** The engine without its file and its thread. A step waits in `held`, while there is such a list. */
const openInMemory = () => {
  const database = new DatabaseSync(':memory:')
  for (const sql of schema.statements) database.exec(sql)
  const query = createRunner(database)
  const state = { isFull: false, held: null as Held[] | null, steps: 0 }
  const engine: Pick<Database, 'read' | 'run'> = {
    read: async (sql, params) => query({ sql, params }),
    run: async (name, ...args) => {
      state.steps++
      const { held } = state
      const isDone =
        held === null ? !state.isFull : await new Promise<boolean>((go) => void held.push(go))
      if (!isDone) throw new StoreFault('failed', 'the disk is full')
      return runStep(beginStep({ name, args }), query) as never
    },
  }
  const count = (): number =>
    Number(database.prepare('select count(*) as many from finished_ceremonies').get()?.many)
  const restoredAt = (at: number) => void runStep(endUsedIds(at), query)
  return {
    state,
    count,
    restoredAt,
    run: engine.run,
    open: (most = 100) => openUsedIds(engine, most),
  }
}

type Claim = ReturnType<typeof openUsedIds>['claimId']

const claimer =
  (claimId: Claim) =>
  (id: string, madeAt: number | null, at = now, expiresAt = at + 60) =>
    claimId({ id, madeAt, expiresAt }, at).catch(() => 'fault' as const)

test('one write a second moves the watermark, and what is older needs none', async () => {
  const { state, count, open } = openInMemory()
  const used = open()
  const claim = claimer(used.claimId)
  assert.deepEqual(await Promise.all([claim('a', now), claim('b', now), claim('a', now)]), [
    'first',
    'first',
    'again',
  ])
  assert.deepEqual(
    [await claim('c', now), await claim('d', now - 50), state.steps],
    ['first', 'first', 1],
  )
  assert.deepEqual([await claim('e', now + 1, now + 1), state.steps], ['first', 2])
  // So long after the watermark, what is older has to move it as well.
  assert.deepEqual([await claim('f', now, now + 602), state.steps, count()], ['first', 3, 0])
  assert.deepEqual([await claim('g', now + 603, now + 602), count()], ['first', 1])
  assert.deepEqual([await claim('h', now, now + 602, now + 9000), count()], ['first', 2])
})

test('a full disk: what the watermark covers goes on, and a refused id is free again', async () => {
  const { state, open } = openInMemory()
  const used = open()
  const claim = claimer(used.claimId)
  assert.equal(await claim('a', now), 'first')
  state.isFull = true
  const refused = await Promise.all([claim('b', now + 1, now + 1), claim('c', null)])
  assert.deepEqual([refused, await claim('d', now, now + 1)], [['fault', 'fault'], 'first'])
  // Without room for the rows, the watermark stays.
  await used.close()
  state.isFull = false
  const next = open()
  const after = claimer(next.claimId)
  assert.deepEqual(
    [await after('a', now), await after('b', now + 1, now + 1), await after('c', null)],
    ['unsure', 'first', 'first'],
  )
  assert.equal(await next.findUnsureUntil(now), now)
})

test('close waits for claims under way, and takes no more', async () => {
  const { state, count, open } = openInMemory()
  const used = open()
  const claim = claimer(used.claimId)
  await claim('a', now)
  state.held = []
  const first = claim('b', now + 1, now + 1)
  assert.equal(await claim('b', now + 1, now + 1), 'again')
  const closing = used.close()
  assert.equal(await claim('c', now), 'fault')
  const held = state.held
  state.held = null
  for (const go of held) go(true)
  assert.equal(await first, 'first')
  await closing
  assert.equal(count(), 2)
  const next = open()
  const after = claimer(next.claimId)
  assert.deepEqual(
    [await after('a', now), await after('b', now + 1, now + 1), await after('c', now)],
    ['again', 'again', 'first'],
  )
})

test('so many claims wait for the store, and so many ids are written at the end', async () => {
  const { state, count, open } = openInMemory()
  const most = usedIdLimits.writtenAtEnd
  for (const over of [0, 1]) {
    const used = open(most * 2)
    const claim = claimer(used.claimId)
    const name = over === 0 ? 'a' : 'b'
    const at = now + 70 * over
    state.held = []
    const claims = Array.from({ length: engineLimits.stepsWaiting }, (_, i) =>
      claim(`${name}${i}`, at, at),
    )
    const tooMany = claim('one more', at, at)
    const held = state.held
    state.held = null
    for (const go of held) go(true)
    assert.deepEqual(new Set(await Promise.all(claims)), new Set(['first']))
    assert.equal(await tooMany, 'fault')
    assert.ok(most >= claims.length)
    for (let i = claims.length; i < most + over; i++) {
      assert.equal(await claim(`${name}${i}`, at, at), 'first')
    }
    await used.close()
    assert.equal(count(), most)
    assert.equal(await open().findUnsureUntil(at), over === 0 ? 0 : at)
  }
})

test('without room an id is a row, and long ones leave half of the places to others', async () => {
  const { count, open } = openInMemory()
  const claim = claimer(open(4).claimId)
  for (const id of ['a', 'b', 'c']) assert.equal(await claim(id, now, now, now + 3600), 'first')
  assert.equal(count(), 1)
  for (const id of ['d', 'e', 'f']) assert.equal(await claim(id, now), 'first')
  assert.equal(count(), 2)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) assert.equal(await claim(id, now), 'again')
  // There is room again, and the rows still count.
  for (const id of ['c', 'f']) assert.equal(await claim(id, now + 70, now + 70), 'again')
  assert.equal(await claim('d', now + 70, now + 70), 'first')
  // A late request, which ended before the forgotten ones.
  assert.equal(await claim('late', now, now + 59), 'first')
  assert.equal(await claim('later', now, now, now + 60), 'again')
})

test('what a watermark of a wrong clock says ends with the life of an assertion', async () => {
  const { run, restoredAt, open } = openInMemory()
  const year = 365 * 24 * 3600
  await run('noteUsedIds', [], now + year)
  const { claimId } = open()
  const claim = claimer(claimId)
  assert.equal(await open().findUnsureUntil(now), 0)
  // Rows, since no watermark can be set: after the next end they count as well.
  assert.equal(await claim('a', now), 'first')
  assert.equal(await claimer(open().claimId)('a', now), 'again')
  assert.equal(await claim('b', now, now + year), 'unsure')
  assert.equal(await claim('b', now, now + year + 4261, now + year + 4261), 'first')
  // A restore is a way out. One under a late clock brings nothing back.
  for (const [at, until] of [
    [now, now],
    [now - 600, now],
    [now - 601, now - 601],
  ] as const) {
    restoredAt(at)
    assert.equal(await open().findUnsureUntil(now), until)
  }
})

test('no order of claims, faults, ends, restarts and purges takes a request twice, or refuses a new one', async () => {
  const step = fc.record({
    id: fc.nat(5),
    made: fc.constantFrom(0, 0, 0, -1, -4, -1000, 2, null),
    lasts: fc.constantFrom(1, 3, 9, 200, 3600),
    passes: fc.constantFrom(0, 0, 1, 2, 5, 700, 4000),
    event: fc.constantFrom('', '', '', '', 'kill', 'stop', 'purge', 'full', 'again', 'again'),
  })
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
    const { state, run, open } = openInMemory()
    let used = open(3)
    let at = now
    let killedAt = 0
    const taken = new Map<string, number>()
    const seen = new Set<string>()
    /** Since the process before was killed: by then a second assertion with the same `jti` may count. */
    let known = new Map<string, number>()
    let last: Parameters<Claim>[0] | null = null
    for (const { id, made, lasts, passes, event } of steps) {
      at += passes
      state.isFull = event === 'full'
      const madeAt = made === null ? null : at + made
      const repeated: Parameters<Claim>[0] | null =
        event === 'again' && last !== null && last.expiresAt > at ? last : null
      const one: Parameters<Claim>[0] = repeated ?? {
        id: `id-${id}`,
        madeAt,
        expiresAt: at + lasts,
      }
      const text = JSON.stringify(one)
      const outcome: string = await used.claimId(one, at).catch(() => 'fault')
      assert.ok(outcome !== 'fault' || state.isFull)
      if ((taken.get(text) ?? 0) > at || (known.get(one.id) ?? 0) > at) {
        assert.notEqual(outcome, 'first')
      }
      if (!seen.has(one.id) && !state.isFull && (one.madeAt === null || one.madeAt > killedAt)) {
        assert.equal(outcome, 'first')
      }
      seen.add(one.id)
      if (outcome === 'first') {
        taken.set(text, one.expiresAt)
        known.set(one.id, one.expiresAt)
      }
      last = one
      state.isFull = false
      if (event === 'purge') await run('purgeEnded', at, 100)
      if (event !== 'kill' && event !== 'stop') continue
      if (event === 'stop') await used.close()
      else {
        known = new Map()
        killedAt = at
      }
      used = open(3)
    }
  })
  await fc.assert(property, { numRuns: 100 })
})
