/** A call to the store waits until its deadline, and is refused then. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundStore, type Every, patienceLimits, Waiters } from '../../../src/store/patience.ts'
import type { Store } from '../../../src/store/store.ts'

const most = patienceLimits.storeWaitMilliseconds / patienceLimits.storeTickMilliseconds
const late = {
  name: 'StoreFault',
  reason: 'late',
  message: 'the store did not answer in time: it is unknown whether the step was done',
}

/** Time that passes when it is told to. */
const handTicks = () => {
  let running: (() => void) | null = null
  const every: Every = (call) => {
    running = call
    return () => {
      running = null
    }
  }
  return {
    waiting: new Waiters(every),
    isRunning: () => running !== null,
    tick: (times: number) => {
      for (let i = 0; i < times; i++) running?.()
    },
  }
}

test('each call has the whole time, and no time of another call counts', async () => {
  const { waiting, tick } = handTicks()
  const other = waiting.wait(() => new Promise<never>(() => {}))
  for (let call = 0; call < 2; call++) {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = waiting.wait(() => promise)
    tick(most - 1)
    resolve('answered')
    assert.equal(await answer, 'answered')
  }
  await assert.rejects(other, late)
})

test('every call under way is refused at its deadline', async () => {
  const { waiting, tick } = handTicks()
  const under = [0, 1, 2].map(() => waiting.wait(() => new Promise<never>(() => {})))
  assert.equal(waiting.size, 3)
  tick(most)
  for (const one of under) await assert.rejects(one, late)
  assert.equal(waiting.size, 0)
})

test('a fault of the store stays what it is, also where the call throws at once', async () => {
  const { waiting, tick, isRunning } = handTicks()
  const fault = new Error('of the store')
  await assert.rejects(
    waiting.wait(() => Promise.reject(fault)),
    fault,
  )
  await assert.rejects(
    waiting.wait(() => {
      throw fault
    }),
    fault,
  )
  tick(1)
  assert.equal(isRunning(), false)
})

test('the timer runs only while somebody waits', async () => {
  const { waiting, tick, isRunning } = handTicks()
  assert.equal(isRunning(), false)
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = waiting.wait(() => promise)
  tick(1)
  assert.equal(isRunning(), true)
  resolve()
  await answer
  tick(1)
  assert.equal(isRunning(), false)
})

test('a store whose reads answer at once is bounded in its steps alone', async () => {
  const { waiting, tick } = handTicks()
  const never = new Promise<never>(() => {})
  const made = (readsWait: boolean): Store =>
    boundStore(
      { readsWait, findClient: () => never, ping: () => never } as unknown as Store,
      waiting,
    )
  const outcomes: string[] = []
  const note = (name: string, call: Promise<unknown>): void => {
    call.catch(() => outcomes.push(name))
  }
  for (const readsWait of [false, true]) {
    note(`find ${readsWait}`, made(readsWait).findClient('id' as never))
    note(`ping ${readsWait}`, made(readsWait).ping())
  }
  tick(most)
  await new Promise(setImmediate)
  assert.deepEqual(outcomes, ['ping false', 'find true', 'ping true'])
})
