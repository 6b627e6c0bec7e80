/** Requests of one turn of the event loop. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { gatherTurn } from '../../../src/http/connections.ts'

test('what comes in one turn is answered in order, and step by step', async () => {
  const steps: string[] = []
  const take = gatherTurn(async (name: string) => {
    steps.push(`${name} begins`)
    await null
    steps.push(`${name} goes on`)
  })
  take('first')
  take('second')
  assert.deepEqual(steps, [])
  await turn()
  assert.deepEqual(steps, ['first begins', 'second begins', 'first goes on', 'second goes on'])
})

test('what comes meanwhile is answered in the next turn, and nobody waits for another', async () => {
  const steps: string[] = []
  const take = gatherTurn(async (name: string) => {
    steps.push(name)
    if (name === 'first') {
      take('third')
      await new Promise(() => {})
    }
  })
  take('first')
  take('second')
  await turn()
  assert.deepEqual(steps, ['first', 'second'])
  await turn()
  assert.deepEqual(steps, ['first', 'second', 'third'])
})
