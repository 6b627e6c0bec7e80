/** Refused requests are counted by address and minute. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultLimits } from '../../../src/config/settable-limits.ts'
import { refusalLimits } from '../../../src/events/limits.ts'
import { createRefusalCounter } from '../../../src/events/refusal-counter.ts'
import type { RefusalCounter } from '../../../src/model/kept-refusal.ts'

const most = defaultLimits.refusalsPerMinute
const minute = 1_795_262_400

const counted = (times: number, address = 'a', at = minute) => {
  const counter = createRefusalCounter()
  for (let i = 0; i < times; i++) counter.count(address, at)
  return counter
}

const over = (counter: RefusalCounter) =>
  ['a', 'b'].map((address) => counter.secondsOver(address, minute))

test('the limit is over at the thousandth, for that address alone', () => {
  assert.equal(counted(most - 1).secondsOver('a', minute), 0)
  const counter = counted(most)
  assert.equal(counter.secondsOver('a', minute), 60)
  assert.equal(counter.secondsOver('b', minute), 0)
})

test('a new minute begins at nothing', () => {
  const counter = counted(most, 'a', minute)
  assert.equal(counter.secondsOver('a', minute + 59), 1)
  assert.equal(counter.secondsOver('a', minute + 60), 0)
  assert.equal(counter.secondsOver('a', minute), 0)
})

test('many addresses take no more memory than is allowed; the oldest is forgotten first', () => {
  const counter = counted(most, 'a')
  for (let i = 0; i < most; i++) counter.count('b', minute)
  for (let i = 0; i < refusalLimits.addressesCounted - 2; i++) counter.count(`other ${i}`, minute)
  assert.deepEqual(over(counter), [60, 60])
  counter.count('one more', minute)
  assert.deepEqual(over(counter), [0, 60])
})
