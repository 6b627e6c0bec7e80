/** A request waits for the store so long in all; what it does meanwhile does not count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Every,
  Patience,
  patienceLimits,
  patientStore,
  Waiters,
} from '../../../src/store/patience.ts'
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

test('the waits of all calls of a request are added up', async () => {
  const { waiting, tick } = handTicks()
  const patience = new Patience(waiting)
  const calls = [most - 1, 1]
  const outcomes = []
  for (const ticks of calls) {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answer = patience.wait(() => promise)
    tick(ticks)
    resolve('answered')
    outcomes.push(await answer.catch((fault: unknown) => fault))
  }
  assert.deepEqual(
    outcomes.map((one) => (one instanceof Error ? one.message : one)),
    ['answered', late.message],
  )
})

test('no call begins once it is over, and all that are under way are answered', async () => {
  const { waiting, tick } = handTicks()
  const patience = new Patience(waiting)
  const under = [0, 1, 2].map(() => patience.wait(() => new Promise<never>(() => {})))
  tick(most)
  for (const one of under) await assert.rejects(one, late)
  let begun = false
  const further = patience.wait(async () => {
    begun = true
  })
  await assert.rejects(further, late)
  assert.equal(begun, false)
})

test('time between its calls does not count, nor that of other requests', async () => {
  const { waiting, tick } = handTicks()
  const other = new Patience(waiting).wait(() => new Promise<never>(() => {}))
  const patience = new Patience(waiting)
  await patience.wait(async () => {})
  tick(most)
  await assert.rejects(other, late)
  assert.equal(await patience.wait(async () => 'answered'), 'answered')
})

test('own work in the middle of a wait does not count, but its calls do', async () => {
  const { waiting, tick } = handTicks()
  const patience = new Patience(waiting)
  const worked = patience.wait(() =>
    patience.pause(async () => {
      tick(most)
      const { promise, resolve } = Promise.withResolvers<string>()
      const answer = patience.wait(() => promise)
      tick(most - 1)
      resolve('answered')
      return answer
    }),
  )
  assert.equal(await worked, 'answered')
  const last = patience.wait(() => new Promise<never>(() => {}))
  tick(1)
  await assert.rejects(last, late)
})

test('a fault of the store stays what it is, also where the call throws at once', async () => {
  const { waiting, tick, isRunning } = handTicks()
  const patience = new Patience(waiting)
  const fault = new Error('of the store')
  await assert.rejects(
    patience.wait(() => Promise.reject(fault)),
    fault,
  )
  await assert.rejects(
    patience.wait(() => {
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
  const answer = new Patience(waiting).wait(() => promise)
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
    patientStore({ readsWait, findClient: () => never, ping: () => never } as unknown as Store)(
      new Patience(waiting),
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
