/** Uses are collected and written in batches, and a fault of the store loses none and counts none twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collectUses, type OneUse, usesLimits } from '../../../src/events/uses.ts'
import type { AuthorizationId } from '../../../src/model/ids.ts'
import type { NotedUse } from '../../../src/model/use.ts'
import type { UseBatch } from '../../../src/store/contract/event.ts'

const id = (text: string): AuthorizationId => text as AuthorizationId

const use = (of: string, change: Partial<OneUse> = {}): OneUse => ({
  authorizationId: id(of),
  used: 'photos:read',
  allowed: true,
  address: '192.0.2.1',
  at: 0,
  ...change,
})

/** As the store answers: it was done, or not, or done without anybody hearing of it. */
type Answer = 'done' | 'not done' | 'unheard'

/** A store that follows the contract: an old batch changes nothing. */
const storing = (answers: Answer[] = []) => {
  const batches: UseBatch[] = []
  let latest = 0
  const recordUses = async (batch: UseBatch): Promise<void> => {
    const answer = answers.shift() ?? 'done'
    if (answer === 'not done') throw new Error('the disk is full')
    if (batch.turn > latest) batches.push(batch)
    latest = Math.max(latest, batch.turn)
    if (answer === 'unheard') throw new Error('the connection is lost')
  }
  const stored = (): readonly NotedUse[] => batches.flatMap(({ uses }) => uses)
  const dropped: number[] = []
  const uses = collectUses({
    store: { recordUses },
    collector: 'me',
    clock: () => 1_000_000,
    pause: () => new Promise(() => {}),
    tellDropped: (uses) => dropped.push(uses),
  })
  return { batches, stored, uses, dropped }
}

test('uses alike within a minute are one, and the latest counts', async () => {
  const { uses, batches } = storing()
  for (const at of [5, 9, 7]) uses.note(use('a', { at }))
  uses.note(use('a', { at: 61 }))
  uses.note(use('b', { at: 3, address: '2001:db8:1:2::3' }))
  await uses.flush()
  const alike = { used: 'photos:read', allowed: true, network: '192.0.2.*' }
  const expected = [
    { ...alike, authorizationId: 'a', uses: 3, lastAt: 9 },
    { ...alike, authorizationId: 'a', uses: 1, lastAt: 61 },
    { ...alike, authorizationId: 'b', network: '2001:db8:1:*', uses: 1, lastAt: 3 },
  ]
  assert.deepEqual(batches, [{ collector: 'me', turn: 1_000_000, uses: expected }])
})

test('nothing noted writes nothing', async () => {
  const { uses, batches } = storing()
  await uses.flush()
  uses.note(use('a'))
  await uses.flush()
  await uses.flush()
  assert.equal(batches.length, 1)
})

test('whoever asks for it while it is being written waits for what was noted before', async () => {
  const { uses, stored } = storing()
  uses.note(use('a'))
  const first = uses.flush()
  uses.note(use('b'))
  await uses.flush()
  assert.deepEqual(
    stored().map(({ authorizationId }) => authorizationId),
    ['a', 'b'],
  )
  await first
})

test('what could not be written is written the next time, and so is what came since', async () => {
  const { uses, stored } = storing(['not done', 'unheard'])
  uses.note(use('a'))
  await assert.rejects(uses.flush(), /the disk is full/)
  uses.note(use('a', { at: 2 }))
  await assert.rejects(uses.flush(), /the connection is lost/)
  await uses.flush()
  assert.deepEqual(
    stored().map(({ uses, lastAt }) => [uses, lastAt]),
    [
      [1, 0],
      [1, 2],
    ],
  )
})

test('many go in pieces', async () => {
  const { uses, batches } = storing()
  const many = usesLimits.usesTogether * 3 + 1
  for (let i = 0; i < many; i++) uses.note(use(String(i)))
  await uses.flush()
  assert.deepEqual(
    batches.map(({ turn, uses }) => [turn - 1_000_000, uses.length]),
    [0, 1, 2, 3].map((i) => [i, i < 3 ? usesLimits.usesTogether : 1]),
  )
})

test('one authorization from very many networks: they are not told apart any more, and counted', async () => {
  const { uses, stored } = storing()
  const many = usesLimits.usesCollectedOfOne * 4
  for (let i = 0; i < many; i++) uses.note(use('a', { address: `10.${i >> 8}.${i & 255}.1` }))
  await uses.flush()
  const found = stored()
  assert.equal(found.length, usesLimits.usesCollectedOfOne + 1)
  assert.deepEqual([found.at(-1)?.network, found.at(-1)?.uses], ['', many * 0.75])
})

test('one authorization that asks for very many items: they are not told apart any more', async () => {
  const { uses, stored } = storing()
  const many = usesLimits.targetsCollectedOfOne * 4
  for (let i = 0; i < many; i++) uses.note(use('a', { target: `item-${i}` }))
  await uses.flush()
  const found = stored()
  assert.deepEqual([found[0]?.target, found.length], ['item-0', many / 4 + 1])
  assert.deepEqual(found.at(-1), {
    authorizationId: 'a',
    used: 'photos:read',
    allowed: true,
    network: '192.0.2.*',
    uses: many * 0.75,
    lastAt: 0,
  })
})

test('a bound keeps memory small; known ones are still counted, and the others are told of', async () => {
  const { uses, stored, dropped } = storing(['not done'])
  for (let i = 0; i < usesLimits.usesCollected; i++) uses.note(use(String(i)))
  uses.note(use('one too many'))
  uses.note(use('0'))
  uses.note(use('0', { used: 'photos:write' }))
  await assert.rejects(uses.flush())
  assert.deepEqual(dropped, [2])
  uses.note(use('one too many'))
  await uses.flush()
  assert.deepEqual(dropped, [2, 1])
  assert.equal(stored().length, usesLimits.usesCollected)
  uses.note(use('welcome again'))
  await uses.flush()
  assert.equal(stored().at(-1)?.authorizationId, 'welcome again')
})

test('whoever wants to see them waits until they are written, or for a moment, and meets no fault', async () => {
  const written = storing()
  written.uses.note(use('a'))
  await written.uses.catchUp()
  assert.equal(written.stored().length, 1)

  const failing = storing(['not done'])
  failing.uses.note(use('a'))
  await failing.uses.catchUp()
  await failing.uses.flush()
  assert.equal(failing.stored().length, 1)

  const recordUses = () => new Promise<void>(() => {})
  const waits: number[] = []
  const slow = collectUses({
    store: { recordUses },
    collector: 'me',
    clock: () => 1_000_000,
    pause: async (milliseconds) => waits.push(milliseconds),
    tellDropped: () => {},
  })
  slow.note(use('a'))
  await slow.catchUp()
  assert.deepEqual(waits, [usesLimits.usesWaitMilliseconds])
})

test('however many ask while the store does not answer, one more writing waits behind it', async () => {
  const answers: (() => void)[] = []
  const uses = collectUses({
    store: {
      recordUses: () => new Promise((_, fail) => answers.push(() => fail(new Error('no')))),
    },
    collector: 'me',
    clock: () => 1_000_000,
    pause: async () => {},
    tellDropped: () => {},
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  uses.note(use('a'))
  const first = assert.rejects(uses.flush())
  await settle()
  const views = Array.from({ length: 50 }, () => assert.rejects(uses.flush()))
  for (const expected of [1, 2]) {
    assert.equal(answers.length, expected)
    answers.at(-1)?.()
    await settle()
  }
  await Promise.all([first, ...views])
  assert.equal(answers.length, 2)
})

const anyUse = fc.record({
  authorizationId: fc.constantFrom('a', 'b', 'c').map(id),
  used: fc.constantFrom('photos:read', 'photos:write', 'api:check') as fc.Arbitrary<OneUse['used']>,
  allowed: fc.boolean(),
  address: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1', ''),
  at: fc.nat(200),
})

test('whatever is noted and however the store fails, what is stored adds up to it', async () => {
  const keyOf = ({ authorizationId, used, allowed }: OneUse | NotedUse, at: number): string =>
    [authorizationId, used, allowed, Math.floor(at / 60)].join(' ')
  const steps = fc.array(fc.oneof(anyUse, fc.constant('flush' as const)), { maxLength: 200 })
  const answers = fc.array(fc.constantFrom<Answer>('done', 'not done', 'unheard'))
  const property = fc.asyncProperty(steps, answers, async (steps, answers) => {
    const { uses, stored } = storing(answers)
    const noted = new Map<string, number>()
    const flushes: Promise<void>[] = []
    for (const step of steps) {
      if (step === 'flush') {
        const flush = uses.flush().catch(() => {})
        if (flushes.push(flush) % 2 === 0) await flush
      } else {
        uses.note(step)
        noted.set(keyOf(step, step.at), (noted.get(keyOf(step, step.at)) ?? 0) + 1)
      }
    }
    await Promise.all(flushes)
    answers.length = 0
    await uses.flush()
    const found = new Map<string, number>()
    for (const one of stored()) {
      const key = keyOf(one, one.lastAt)
      found.set(key, (found.get(key) ?? 0) + one.uses)
    }
    const inOrder = (counts: Map<string, number>) => [...counts].sort()
    assert.deepEqual(inOrder(found), inOrder(noted))
  })
  await fc.assert(property)
})
