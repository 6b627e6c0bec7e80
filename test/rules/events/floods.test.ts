/** Floods have one reference each, and a bounded number of them is counted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusalLimits } from '../../../src/events/limits.ts'
import { createFloods } from '../../../src/events/refusal-counter.ts'
import { keepRefusals } from '../../../src/events/refusal-keeper.ts'
import type { Store } from '../../../src/store/store.ts'
import { sampleRefusal } from '../../store/contract/refusals.ts'
import { openGuided } from '../../store/guided.ts'

const minute = 1_795_262_400

test('without room a request has its own reference, and no flood loses its one', () => {
  const floods = createFloods()
  const of = (i: number, id: string, at = minute) =>
    floods.referenceOf(`10.0.${i >> 8}.${i & 255}`, null, id, at)
  for (let i = 0; i < refusalLimits.floods; i++) assert.equal(of(i, `flood-${i}`), `flood-${i}`)
  assert.equal(of(refusalLimits.floods, 'further'), null)
  assert.equal(of(0, 'again'), 'flood-0')
  // Begun in the minute before.
  assert.equal(of(0, 'later', minute + 60), 'later')
  assert.equal(of(0, 'late', minute + 59), 'later')
})

test('clients of one address take room as well', () => {
  const floods = createFloods()
  const of = (i: number, client: string) => floods.referenceOf(`10.0.0.${i}`, client, 'new', minute)
  let held = 0
  const hasRoom = () => of(Math.floor(held / 5), `client-${held % 5}`) !== null
  while (held < 2 * refusalLimits.floods && hasRoom()) held++
  assert.equal(held, refusalLimits.floods)
})

const differenceOf = async (store: Store, reference: string) =>
  (await store.findRefusal(reference, 0))?.difference

test('two first requests of a flood at once are both counted', async () => {
  const { remembering: store } = openGuided()
  const keeper = keepRefusals(store)
  const flood = sampleRefusal()
  keeper.noteFlood(flood)
  keeper.noteFlood(flood)
  await keeper.flush()
  assert.match((await differenceOf(store, flood.reference)) ?? '', /^2 requests /)
})

test('as many floods as have references are counted, also after a minute with as many', async () => {
  const { remembering: store } = openGuided()
  const keeper = keepRefusals(store)
  const floods = Array.from({ length: 3 * refusalLimits.floods }, () => sampleRefusal())
  for (const flood of floods) keeper.noteFlood(flood)
  const counted = floods.map(({ reference }) => keeper.countFlood(reference))
  assert.deepEqual(counted, [
    ...Array(refusalLimits.floods).fill(false),
    ...Array(2 * refusalLimits.floods).fill(true),
  ])
})
