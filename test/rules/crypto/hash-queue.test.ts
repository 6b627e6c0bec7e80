/** The queue of password hashes: places, reserved places, and order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHashQueue, passwordLimits } from '../../../src/crypto/password.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const isFull = (fault: unknown): boolean =>
  fault instanceof Refusal && fault.status === 503 && fault.headers['Retry-After'] === '2'

test('strangers and known browsers take turns', async () => {
  const queue = createHashQueue(1, 100)
  const done: string[] = []
  const hash = (of: string | null, name: string) =>
    queue.inTurn(of, async () => {
      done.push(name)
    })
  await Promise.all([
    hash(null, 'first'),
    ...['s1', 's2', 's3', 's4'].map((name) => hash(null, name)),
    ...['k1', 'k2'].map((name) => hash('owner', name)),
  ])
  assert.deepEqual(done, ['first', 'k1', 's1', 'k2', 's2', 's3', 's4'])
})

test('reserved places are taken where no other is left, and given back', async () => {
  const queue = createHashQueue(1, 1)
  const end = Promise.withResolvers<void>()
  const hold = (of: string | null) => queue.enter(of, () => end.promise)
  const held = [hold('a'), hold(null)]
  await assert.rejects(hold(null), isFull)
  for (let i = 0; i < passwordLimits.reservedOfOne; i++) held.push(hold('a'))
  await assert.rejects(hold('a'), isFull)
  const left = passwordLimits.reserved - passwordLimits.reservedOfOne
  for (let i = 0; i < left; i++) held.push(hold(`owner ${i}`))
  await assert.rejects(hold('b'), isFull)
  end.resolve()
  await Promise.all(held)
  for (let i = 0; i < 2; i++) await queue.enter(null, async () => {})
  const again = Promise.withResolvers<void>()
  const [one, two] = [null, null].map((of) => queue.enter(of, () => again.promise))
  await assert.rejects(
    queue.enter(null, async () => {}),
    isFull,
  )
  await queue.enter('a', async () => {})
  again.resolve()
  await Promise.all([one, two])
})

test('work that fails gives its place and its turn back', async () => {
  const queue = createHashQueue(1, 0)
  const fail = () =>
    queue.enter(null, () => queue.inTurn(null, () => Promise.reject(new Error('broken'))))
  for (let i = 0; i < 3; i++) await assert.rejects(fail, /broken/)
  assert.equal(await queue.enter(null, () => queue.inTurn(null, async () => 'done')), 'done')
})
