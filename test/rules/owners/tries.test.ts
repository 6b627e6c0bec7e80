/**
 * Concurrent tries: a waiting one looks again after the earlier ones, since their counts may be
 * taken back.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTries, type Try } from '../../../src/owners/tries.ts'
import { callNever, Waiters } from '../../../src/store/patience.ts'

type Tried = Try<never>

const openTries = (most: number) => createTries(most, new Waiters(callNever))

const waitIn = (...keys: readonly string[]): Tried => ({ outcome: 'wait', seconds: 1, keys })
/** Whatever the counters of the try are. */
const wait = waitIn('a', 'b', 'c', 'd')
const right: Tried = { outcome: 'checked', found: null }

/** A try whose end the test decides. */
const held = () => {
  let end: (outcome: Tried) => void = () => {}
  const ended = new Promise<Tried>((resolve) => {
    end = resolve
  })
  return { attempt: () => ended, end }
}

/** A try that has each of these outcomes in turn. */
const inTurn = (...outcomes: readonly Tried[]) => {
  let tries = 0
  const attempt = async (): Promise<Tried> => outcomes[tries++] ?? right
  return { attempt, tries: () => tries }
}

test('whoever has to wait while nothing is checked waits', async () => {
  const one = inTurn(wait)
  assert.equal(await openTries(9)(['a'], one.attempt), wait)
  assert.equal(one.tries(), 1)
})

test('one looks again after a check of the same counter, and after no other', async () => {
  const make = openTries(9)
  const [first, other] = [held(), held()]
  const checks = [make(['a', 'b'], first.attempt), make(['c'], other.attempt)]
  const one = inTurn(wait, right)
  const again = make(['b', 'd'], one.attempt)
  first.end(right)
  assert.equal(await again, right)
  assert.equal(one.tries(), 2)
  other.end(right)
  await Promise.all(checks)
})

test('a check that ended while one was told to wait is not missed', async () => {
  const make = openTries(9)
  const [first, asked] = [held(), held()]
  const check = make(['a'], first.attempt)
  let tries = 0
  const again = make(['a'], () => (++tries === 1 ? asked.attempt() : Promise.resolve(right)))
  first.end(right)
  await check
  asked.end(wait)
  assert.equal(await again, right)
  assert.equal(tries, 2)
})

test('those who have to wait do not wait for one another', async () => {
  const make = openTries(9)
  const many = Array.from({ length: 5 }, () => inTurn(wait, wait, wait))
  const outcomes = await Promise.all(many.map(({ attempt }) => make(['a'], attempt)))
  assert.deepEqual(outcomes, Array(5).fill(wait))
  assert.deepEqual(
    many.map(({ tries }) => tries()),
    Array(5).fill(1),
  )
})

test('a check that fails is no reason to fail for others', async () => {
  const make = openTries(9)
  const failing = make(['a'], () => Promise.reject(new Error('broken')))
  const one = make(['a'], inTurn(wait, right).attempt)
  await assert.rejects(failing, /broken/)
  assert.equal(await one, right)
})

test('only so many wait for others; further ones are told to come again', async () => {
  const make = openTries(2)
  const first = held()
  const check = make(['a'], first.attempt)
  const many = Array.from({ length: 4 }, () => make(['a'], inTurn(wait, right).attempt))
  await new Promise(setImmediate)
  first.end(right)
  await check
  const outcomes = (await Promise.all(many)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['checked', 'checked', 'wait', 'wait'])
})

test('whoever comes later does not overtake those who wait', async () => {
  const make = openTries(9)
  const seats = 2
  let taken = 0
  const admitted: number[] = []
  const checks: (() => void)[] = []
  /** Two are checked at a time; each turns out right, so that its seat is free again. */
  const attempt = (name: number) => async (): Promise<Tried> => {
    if (taken === seats) return wait
    taken++
    admitted.push(name)
    await new Promise<void>((resolve) => checks.push(resolve))
    taken--
    return right
  }
  const first = [1, 2, 3, 4].map((name) => make(['a'], attempt(name)))
  await new Promise(setImmediate)
  const later = [5, 6].map((name) => make(['a'], attempt(name)))
  while (checks.length > 0) {
    checks.shift()?.()
    await new Promise(setImmediate)
  }
  await Promise.all([...first, ...later])
  assert.deepEqual(admitted, [1, 2, 3, 4, 5, 6])
})

test('who waits in one counter does not wait for what is checked in another', async () => {
  const make = openTries(9)
  const first = held()
  const check = make(['address'], first.attempt)
  const one = inTurn(waitIn('owner'))
  assert.deepEqual(await make(['owner', 'address'], one.attempt), waitIn('owner'))
  assert.equal(one.tries(), 1)
  first.end(right)
  await check
})

test('a full line turns away whoever would stand in it, and lets others by', async () => {
  const make = openTries(1)
  const first = held()
  const check = make(['a'], first.attempt)
  const waiting = make(['a', 'b'], inTurn(waitIn('a'), right).attempt)
  await new Promise(setImmediate)
  const away = inTurn(right)
  assert.deepEqual(await make(['b', 'a'], away.attempt), waitIn('a'))
  assert.equal(away.tries(), 0)
  assert.equal(await make(['b'], inTurn(right).attempt), right)
  first.end(right)
  assert.equal(await waiting, right)
  await check
})

test('whatever counters tries share, and however they end, nobody waits for ever', async () => {
  const step = fc.record({
    counters: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
    outcomes: fc.array(fc.constantFrom('right', 'wait', 'fails'), { maxLength: 3 }),
    turns: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, most) => {
        const make = openTries(most)
        const settled = steps.map(({ counters, outcomes, turns }) => {
          const left = [...outcomes]
          const attempt = async (): Promise<Tried> => {
            for (let turn = 0; turn < turns; turn++) await Promise.resolve()
            const outcome = left.shift() ?? 'right'
            if (outcome === 'fails') throw new Error('broken')
            return outcome === 'right' ? right : wait
          }
          return make(counters, attempt).catch(() => right)
        })
        assert.equal((await Promise.all(settled)).length, steps.length)
      },
    ),
  )
})
