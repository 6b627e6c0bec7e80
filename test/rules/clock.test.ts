/** A clock that never goes back, above a clock of the test (F-14). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { clockSkewSeconds, forwardClock, startClock } from '../../src/clock.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const minute = 60_000
const day = 24 * 60 * minute

/** A machine whose clock can be set while time goes on. */
const machine = () => {
  let wall = noon
  let ran = 0
  return {
    wall: () => wall,
    elapsed: () => ran,
    pass: (milliseconds: number) => {
      wall += milliseconds
      ran += milliseconds
    },
    set: (milliseconds: number) => {
      wall += milliseconds
    },
  }
}

describe('a clock that never goes back', () => {
  it('is the clock of the machine while that goes on', () => {
    const { wall, elapsed, pass } = machine()
    const clock = forwardClock(wall, elapsed, noon)
    assert.equal(clock(), noon)
    pass(minute)
    assert.equal(clock(), noon + minute)
  })

  it('goes on by itself where the machine is set back by a day, and follows it again in the end', () => {
    const { wall, elapsed, pass, set } = machine()
    const clock = forwardClock(wall, elapsed, noon)
    clock()
    set(-day)
    assert.equal(clock(), noon)
    pass(minute)
    assert.equal(clock(), noon + minute)
    set(day)
    pass(minute)
    assert.equal(clock(), noon + 2 * minute)
  })

  it('waits for a machine that is put right by a second', () => {
    const { wall, elapsed, pass, set } = machine()
    const clock = forwardClock(wall, elapsed, noon)
    clock()
    set(-1000)
    pass(400)
    assert.equal(clock(), noon)
    pass(700)
    assert.equal(clock(), noon + 100)
  })

  it('follows a machine that is set forward', () => {
    const { wall, elapsed, set } = machine()
    const clock = forwardClock(wall, elapsed, noon)
    set(day)
    assert.equal(clock(), noon + day)
  })

  it('begins where a node was before, though the machine has forgotten', () => {
    const { wall, elapsed, pass } = machine()
    const clock = forwardClock(wall, elapsed, noon + day)
    pass(minute)
    assert.equal(clock(), noon + day + minute)
  })

  it('begins after a watermark that is near, and after no other one', async () => {
    const { wall, elapsed, set } = machine()
    const begin = async (until: number) => {
      const store = { noteTime: async () => noon / 1000, findUnsureUntil: async () => until }
      return (await startClock(wall, elapsed, store))()
    }
    const times = []
    set(-5000)
    for (const ahead of [-minute, 0, 9000, minute]) {
      times.push((await begin((noon + ahead) / 1000)) - noon)
    }
    assert.deepEqual(times, [0, 1000, 10_000, 0])
  })

  it('never goes back, and never stands still for longer than the tolerated skew', () => {
    const moves = fc.array(
      fc.record({ pass: fc.nat(5 * minute), set: fc.integer({ min: -2 * day, max: 2 * day }) }),
    )
    const property = fc.property(moves, (all) => {
      const { wall, elapsed, pass, set } = machine()
      const clock = forwardClock(wall, elapsed, noon)
      let told = clock()
      for (const move of all) {
        pass(move.pass)
        set(move.set)
        const next = clock()
        assert.ok(next >= told)
        assert.ok(next >= told + move.pass - clockSkewSeconds * 1000)
        assert.ok(next >= wall())
        told = next
      }
    })
    fc.assert(property)
  })
})
