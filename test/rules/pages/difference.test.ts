import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareRuns, pickNearest, renderMarked } from '../../../src/paper/difference.ts'

const both = (one: string, other: string): readonly string[] =>
  compareRuns(one, other).map((runs) => renderMarked(runs).toString())

test('marks the characters that differ and no others', () => {
  assert.deepEqual(both('https://a.example/Call/', 'https://a.example/call'), [
    '<code>https://a.example/<mark>C</mark>all<mark>/</mark></code>',
    '<code>https://a.example/<mark>c</mark>all</code>',
  ])
  assert.deepEqual(both('same', 'same'), ['<code>same</code>', '<code>same</code>'])
  assert.deepEqual(both('', 'x'), ['<code></code>', '<code><mark>x</mark></code>'])
})

test('shows a difference that cannot be seen', () => {
  assert.deepEqual(both('http://a\u200b/', 'http://a/'), [
    '<code>http://a<mark>‹U+200B›</mark>/</code>',
    '<code>http://a/</code>',
  ])
})

test('takes a large middle as different in one piece', () => {
  const [runs] = compareRuns(`a${'xy'.repeat(1000)}z`, `a${'yx'.repeat(1000)}!z`)
  assert.deepEqual(
    runs.map(({ shared }) => shared),
    [true, false, true],
  )
})

test('keeps both texts whole, and what is shared is the same in both', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '😀', '\u200b'), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const runs = compareRuns(one, other)
      const whole = runs.map((of) => of.map((run) => run.text).join(''))
      const [ours, theirs] = runs.map((of) =>
        of
          .filter(({ shared }) => shared)
          .map((run) => run.text)
          .join(''),
      )
      assert.deepEqual(whole, [one, other])
      assert.equal(ours, theirs)
    }),
  )
})

test('the nearest of several is the one that begins and ends alike', () => {
  const candidates = ['https://b.example/', 'https://a.example/back', 'https://a.example/other']
  assert.equal(pickNearest('https://a.example/bac', candidates), 'https://a.example/back')
  assert.equal(pickNearest('anything', []), '')
})
