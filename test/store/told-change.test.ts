/** Old and new values in the events of changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventLimits, listChange } from '../../src/store/sql/told-change.ts'

test('tells old and new values of what differs, and of lists what came and went', () => {
  const before = { name: 'A', same: { x: 1 }, uris: ['a', 'b'], seconds: null, gone: 'x', none: [] }
  const after = { name: 'B', same: { x: 1 }, uris: ['b', 'c', 'd'], seconds: 60, none: undefined }
  assert.deepEqual(listChange(before, after), {
    nameBefore: 'A',
    name: 'B',
    urisRemoved: 'a',
    urisAdded: 'c d',
    secondsBefore: null,
    seconds: 60,
    goneBefore: 'x',
    gone: null,
  })
})

const long = 'x'.repeat(eventLimits.valueCharacters + 1)
const cut = `${'x'.repeat(eventLimits.valueCharacters - 1)}…`

test('cuts what is long, and names what had no room', () => {
  assert.deepEqual(listChange({ a: '' }, { a: long }), { aBefore: '', a: cut })
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`m${i}`, long]))
  const told = listChange({}, { ...many, last: true })
  const { changeCut, ...others } = told
  assert.equal(changeCut, 'm4 m5 m6 m7')
  assert.deepEqual(Object.keys(others), [
    ...['m0Before', 'm0', 'm1Before', 'm1', 'm2Before', 'm2', 'm3Before', 'm3'],
    ...['lastBefore', 'last'],
  ])
  assert.ok(JSON.stringify(told).length < 2 * eventLimits.changeCharacters)
})

test('tells first what stands first, whatever follows', () => {
  const after = { uris: ['https://evil.example/'], a: long, b: long, c: long, d: long, e: long }
  const told = listChange({ uris: [] }, after)
  assert.equal(told.urisAdded, 'https://evil.example/')
  assert.equal(told.changeCut, 'e')
})

test('a long entry of a list hides no other one', () => {
  const { urisAdded } = listChange({ uris: [] }, { uris: [long, 'https://evil.example/', long] })
  const [one = '', evil, other] = String(urisAdded).split(' ')
  assert.equal(evil, 'https://evil.example/')
  assert.match(one, /^x{400,}…$/)
  assert.equal(other, one)
  const many = Array.from({ length: 2 * eventLimits.valueCharacters }, (_, i) => `entry-${i}`)
  const all = String(listChange({ uris: [] }, { uris: many }).urisAdded)
  assert.equal(all.length, eventLimits.valueCharacters)
})
