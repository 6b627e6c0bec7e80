/** The difference that `latchkey apply` shows: all of it, and nothing without one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listDifference, listItemLines, pickDiffering } from '../../../src/cli/apply/difference.ts'
import { applyKinds } from '../../../src/cli/apply/kinds.ts'

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.uniqueArray(fc.string(), { maxLength: 4 }),
  fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 3 }),
)
const item = fc.dictionary(fc.constantFrom('scope', 'title', 'uri', 'jwks', 'contacts'), value)

test('the lines of a difference make the new item of the old one', () => {
  fc.assert(
    fc.property(item, item, (before, after) => {
      const lines = listDifference(before, after)
      const marked = (mark: string) =>
        lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2))
      const [gone, come] = [marked('- '), marked('+ ')]
      const left = listItemLines(before).filter((line) => !gone.includes(line))
      assert.deepEqual(new Set([...left, ...come]), new Set(listItemLines(after)))
    }),
  )
})

test('members differ only where a run would change them: what was written differs no more', () => {
  fc.assert(
    fc.property(item, item, (before, wanted) => {
      const written = { ...before, ...pickDiffering(before, wanted) }
      assert.deepEqual(pickDiffering(written, wanted), {})
      assert.deepEqual(pickDiffering(wanted, wanted), {})
    }),
  )
})

test('lists and scopes have no order, and what is off is as good as absent', () => {
  const before = { scope: 'b a', redirect_uris: ['x', 'y'], jwks: { keys: [{ b: 1, a: 2 }] } }
  const after = { scope: 'a b', redirect_uris: ['y', 'x'], jwks: { keys: [{ a: 2, b: 1 }] } }
  assert.deepEqual(pickDiffering(before, { ...after, trusted: false, uri: null, contacts: [] }), {})
  const [former, now] = [{ default_acr_values: ['a', 'b'] }, { default_acr_values: ['b', 'a'] }]
  assert.deepEqual(pickDiffering(former, now), now)
  assert.deepEqual(listDifference(former, now), [
    '- default_acr_values: ["a","b"]',
    '+ default_acr_values: ["b","a"]',
  ])
  const differing = { scope: 'a', trusted: true }
  assert.deepEqual(pickDiffering({ ...before, trusted: false }, differing), differing)
  assert.deepEqual(pickDiffering({ contacts: ['["x"]'] }, { contacts: ['x'] }), { contacts: ['x'] })
})

test('a group that an upstream maps to stays, since the service keeps it', () => {
  const groups = applyKinds.find(({ name }) => name === 'groups')
  const of = (item: object) => groups?.findKeeper({ ...item })
  assert.equal(of({ members: 0, mapped_by: 'corp' }), 'the upstream corp maps to it')
  assert.equal(of({ members: 0, mapped_by: null }), null)
  assert.equal(of({ members: 2, mapped_by: null }), 'owners are in it: 2')
})
