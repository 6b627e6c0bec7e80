/** Last uses are collected and written in batches, and a fault of the store loses none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/config/limits.ts'
import { collectUses } from '../../../src/events/uses.ts'
import type { AuthorizationId } from '../../../src/model/ids.ts'

const id = (text: string): AuthorizationId => text as AuthorizationId

interface Use {
  readonly id: AuthorizationId
  readonly at: number
}

/** A store that keeps what it is given, and fails where it is told to. */
const storing = () => {
  const batches: (readonly Use[])[] = []
  const faults: Error[] = []
  const recordUses = async (uses: readonly Use[]): Promise<void> => {
    const fault = faults.pop()
    if (fault !== undefined) throw fault
    batches.push(uses)
  }
  return { batches, faults, uses: collectUses({ recordUses }) }
}

test('many uses of one authorization are one row, the latest', async () => {
  const { uses, batches } = storing()
  for (const at of [5, 9, 7]) uses.note(id('a'), at)
  uses.note(id('b'), 3)
  await uses.flush()
  assert.deepEqual(batches, [
    [
      { id: 'a', at: 9 },
      { id: 'b', at: 3 },
    ],
  ])
})

test('nothing noted writes nothing', async () => {
  const { uses, batches } = storing()
  await uses.flush()
  uses.note(id('a'), 1)
  await uses.flush()
  await uses.flush()
  assert.deepEqual(batches, [[{ id: 'a', at: 1 }]])
})

test('what could not be written is written the next time, with what came since', async () => {
  const { uses, batches, faults } = storing()
  uses.note(id('a'), 1)
  uses.note(id('b'), 1)
  faults.push(new Error('the disk is full'))
  const failing = uses.flush()
  uses.note(id('a'), 2)
  await assert.rejects(failing, /the disk is full/)
  await uses.flush()
  assert.deepEqual(batches, [
    [
      { id: 'a', at: 2 },
      { id: 'b', at: 1 },
    ],
  ])
})

test('a bound keeps memory small; known ones are still noted', async () => {
  const { uses, batches } = storing()
  for (let i = 0; i < limits.usesCollected; i++) uses.note(id(String(i)), 1)
  uses.note(id('one too many'), 1)
  uses.note(id('0'), 2)
  await uses.flush()
  assert.equal(batches[0]?.length, limits.usesCollected)
  assert.deepEqual(batches[0]?.[0], { id: '0', at: 2 })
  assert.equal(
    batches[0]?.some((use) => use.id === 'one too many'),
    false,
  )
})
