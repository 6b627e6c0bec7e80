import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseCondition } from '../../../src/http/conditions.ts'
import { httpLimits } from '../../../src/http/limits.ts'
import { makeOwnRequest } from '../../../src/http/request.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const read = (headers: Record<string, string>): unknown => {
  try {
    return parseCondition(new Request('http://127.0.0.1/', { headers }))
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return fault.reason
  }
}

describe('If-Match compares strongly, If-None-Match weakly (RFC 9110 sections 13.1.1, 13.1.2)', () => {
  const rows: [string, unknown, unknown][] = [
    ['"a"', ['a'], ['a']],
    ['"a", "b"', ['a', 'b'], ['a', 'b']],
    ['"a","b"', ['a', 'b'], ['a', 'b']],
    [', "a" ,, "b",', ['a', 'b'], ['a', 'b']],
    ['W/"a", "b"', ['b'], ['a', 'b']],
    ['W/"a"', [], ['a']],
    ['"a,b"', ['a,b'], ['a,b']],
    ['""', [''], ['']],
    ['*', '*', '*'],
  ]
  for (const [header, ifMatch, ifNoneMatch] of rows) {
    test(header, () => {
      assert.deepEqual(read({ 'if-match': header }), { ifMatch })
      assert.deepEqual(read({ 'if-none-match': header }), { ifNoneMatch })
    })
  }
})

describe('anything else is refused', () => {
  const bad = ['a', '"a', 'a"', '"a" "b"', '*, "a"', 'w/"a"', 'W/ "a"', '"a b"', '', ',']
  for (const header of [...bad, `"${'a'.repeat(httpLimits.conditionCharacters)}"`]) {
    test(JSON.stringify(header.slice(0, 20)), () => {
      assert.equal(read({ 'if-match': header }), 'malformed_condition')
    })
  }
})

test('no condition is none', () => assert.deepEqual(read({}), {}))

test('a list of any tags reads as those tags', () => {
  const tag = fc.stringMatching(/^[!#-~]{0,10}$/)
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1, maxLength: 20 }), (tags) => {
      const header = tags.map((text) => `"${text}"`).join(', ')
      assert.deepEqual(read({ 'if-match': header }), { ifMatch: tags })
    }),
  )
})

test('a request to ourselves finds headers in any case, and loads no HTTP client', () => {
  const { headers } = makeOwnRequest('POST', 'https://a.example/', {}, { 'if-match': '*' })
  const found = ['If-Match', 'CONTENT-TYPE', 'cookie'].map((name) => headers.get(name))
  assert.deepEqual(found, ['*', 'application/json', null])
  assert.ok(!(headers instanceof Headers))
})
