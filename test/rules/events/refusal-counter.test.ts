/** Refused requests are counted by address and minute. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/config/limits.ts'
import { createRefusalCounter } from '../../../src/events/refusal-counter.ts'

const most = limits.refusalsPerMinute
const minute = 1_795_262_400

const counted = (times: number, address = 'a', at = minute) => {
  const counter = createRefusalCounter()
  for (let i = 0; i < times; i++) counter.count(address, at)
  return counter
}

test('the limit is over at the thousandth, for that address alone', () => {
  assert.equal(counted(most - 1).isOver('a', minute), false)
  const counter = counted(most)
  assert.equal(counter.isOver('a', minute), true)
  assert.equal(counter.isOver('b', minute), false)
})

test('a new minute begins at nothing', () => {
  const counter = counted(most, 'a', minute)
  assert.equal(counter.isOver('a', minute + 59), true)
  assert.equal(counter.isOver('a', minute + 60), false)
  assert.equal(counter.isOver('a', minute), false)
})

test('many addresses take no more memory than is allowed; the oldest is forgotten first', () => {
  const counter = counted(most, 'a')
  for (let i = 0; i < most; i++) counter.count('b', minute)
  for (let i = 0; i < limits.addressesCounted - 2; i++) counter.count(`other ${i}`, minute)
  assert.deepEqual([counter.isOver('a', minute), counter.isOver('b', minute)], [true, true])
  counter.count('one more', minute)
  assert.deepEqual([counter.isOver('a', minute), counter.isOver('b', minute)], [false, true])
})
