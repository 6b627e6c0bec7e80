/** The codec reads back any value, and takes no other bytes for it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashText as digestOf } from '../../../../src/crypto/digest.ts'
import { malformed, Reader, Writer } from '../../../../src/model/codec/bytes.ts'
import {
  digest,
  either,
  field,
  flag,
  id,
  json,
  list,
  number,
  optional,
  record,
  type Type,
  text,
  texts,
  word,
} from '../../../../src/model/codec/types.ts'
import { createId, type Digest } from '../../../../src/model/ids.ts'

const plain = { noNullPrototype: true } as const

const written = <Value>(type: Type<Value>, value: Value): string => {
  const to = new Writer()
  type.write(value, to)
  return to.toBase64url()
}

/** Null where the bytes are not of the type, or more than it. */
const read = <Value>(type: Type<Value>, base64url: string): { value: Value } | null => {
  try {
    const from = new Reader(base64url)
    const value = type.read(from)
    return from.isAtEnd ? { value } : null
  } catch (fault) {
    assert.equal(fault, malformed)
    return null
  }
}

/** Any code units: lone surrogates, NUL, separators, and what looks like a short form. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '',
    '~',
    '~~',
    '\0',
    '\n',
    ' ',
    ',',
    '\ud800',
    '\udfff',
    'ÿ',
    'Ā',
    'a'.repeat(5000),
  ),
  fc.string().map(digestOf),
  fc
    .tuple(fc.nat({ max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([milliseconds, random]) => createId(milliseconds, random)),
)
const anyNumber = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(0, 127, 128, 2 ** 53 - 1))

const words = ['pwd', 'otp', 'mfa'] as const
const isText = (value: string | number): value is string => typeof value === 'string'

/** Each type beside the values that it takes. */
const cases = {
  text: [text(), anyText],
  id: [id(), anyText],
  digest: [digest, anyText as fc.Arbitrary<Digest>],
  number: [number, anyNumber],
  word: [word(words), fc.constantFrom(...words)],
  texts: [texts(), fc.array(anyText)],
  list: [list(text()), fc.array(anyText)],
  json: [json<fc.JsonValue>(), fc.jsonValue()],
  either: [either(isText, text(), number), fc.oneof(anyText, anyNumber)],
} as unknown as Readonly<Record<string, readonly [Type<unknown>, fc.Arbitrary<unknown>]>>

/** Of JSON, minus zero is zero. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

describe('a value is read as it was written:', () => {
  for (const [name, [type, values]] of Object.entries(cases)) {
    test(name, () => {
      fc.assert(
        fc.property(values, (value) => {
          const found = read(type, written(type, value)) ?? assert.fail('unreadable')
          assert.ok(same(found.value, value))
          if (typeof value === 'string') assert.equal(found.value, value)
        }),
        { numRuns: 300 },
      )
    })

    test(`${name}: two values are never written alike`, () => {
      fc.assert(
        fc.property(values, values, (one, other) => {
          assert.equal(written(type, one) === written(type, other), same(one, other))
        }),
        { numRuns: 300 },
      )
    })
  }
})

describe('texts that begin alike', () => {
  const long = 'a'.repeat(300)
  const shared = (characters: number): string => {
    const to = new Writer()
    to.number(2)
    to.number(0)
    to.text(long)
    to.number(characters)
    to.text('b')
    return to.toBase64url()
  }

  test('are kept, however long their beginning is', () => {
    const all = [long, `${long}b`, `${long}bc`, long]
    assert.deepEqual(read(texts(), written(texts(), all)), { value: all })
  })

  test('share 255 characters at most: a few bytes do not become many long texts', () => {
    assert.deepEqual(read(texts(), shared(255)), { value: [long, `${'a'.repeat(255)}b`] })
    assert.equal(read(texts(), shared(256)), null)
  })
})

const inner = record({ a: field(1, text()), b: field(2, optional(text())) })
const outer = record({
  first: field(1, text()),
  second: field(2, optional(text())),
  third: field(3, optional(id())),
  names: field(4, texts()),
  lists: field(5, list(texts())),
  inner: field(6, optional(inner)),
  isSo: field(7, flag),
  last: field(127, text()),
})
const values = fc.record(
  {
    first: anyText,
    second: fc.option(anyText),
    third: fc.option(anyText),
    names: fc.array(anyText),
    lists: fc.array(fc.array(anyText)),
    inner: fc.option(fc.record({ a: anyText, b: fc.option(anyText) }, plain)),
    isSo: fc.boolean(),
    last: anyText,
  },
  plain,
)

describe('a record', () => {
  test('keeps its fields apart, whatever text they hold', () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.deepEqual(read(outer, written(outer, value)), { value })
      }),
      { numRuns: 500 },
    )
  })

  test('is written as no other record is', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        assert.equal(written(outer, one) === written(outer, other), same(one, other))
      }),
    )
  })

  test('is read out of no bytes that were cut or continued', () => {
    fc.assert(
      fc.property(values, fc.uint8Array({ minLength: 1, maxLength: 9 }), (value, more) => {
        const bytes = Buffer.from(written(outer, value), 'base64url')
        for (let length = 0; length < bytes.length; length++) {
          assert.equal(read(outer, bytes.subarray(0, length).toString('base64url')), null)
        }
        assert.equal(read(outer, Buffer.concat([bytes, more]).toString('base64url')), null)
      }),
      { numRuns: 20 },
    )
  })

  test('is refused without a throw of another kind, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const base64url = Buffer.from(bytes).toString('base64url')
        for (const type of [outer, ...Object.values(cases).map(([type]) => type)]) {
          const found = read<unknown>(type as Type<unknown>, base64url)
          assert.ok(found === null || 'value' in found)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('has only the one spelling of base64url', () => {
    const base64url = written(outer, {
      first: 'a',
      second: null,
      third: null,
      names: [],
      lists: [],
      inner: null,
      isSo: false,
      last: '',
    })
    assert.equal(base64url, 'AQJhfwAA')
    for (const other of [
      'AQJhfwAA=',
      'AQJhfwAA ',
      ' AQJhfwAA',
      'AQJhfwAĀ',
      'AQJhfwAA\n',
      '+QJhfwAA',
    ]) {
      assert.equal(read(outer, other), null)
    }
  })

  test('of a newer version is read as far as nothing is in it that is not known', () => {
    const older = record({ first: field(1, text()) })
    const newer = record({ first: field(1, text()), second: field(2, optional(text())) })
    const ours = written(older, { first: 'a' })
    assert.deepEqual(read(newer, ours), { value: { first: 'a', second: null } })
    assert.deepEqual(read(older, written(newer, { first: 'a', second: null })), {
      value: { first: 'a' },
    })
    assert.equal(read(older, written(newer, { first: 'a', second: 'b' })), null)
  })

  test('lacks no field, has none twice and none out of order', () => {
    const two = record({ a: field(1, number), b: field(2, number) })
    const bytes = (...all: readonly number[]) => read(two, Buffer.from(all).toString('base64url'))
    assert.deepEqual(bytes(1, 7, 2, 8, 0), { value: { a: 7, b: 8 } })
    assert.equal(bytes(1, 7, 0), null)
    assert.equal(bytes(1, 7, 1, 7, 2, 8, 0), null)
    assert.equal(bytes(2, 8, 1, 7, 0), null)
    assert.equal(bytes(1, 7, 2, 8), null)
  })

  test('cannot be defined with one number for two fields, or with none that fits', () => {
    assert.throws(
      () => record({ a: field(1, text()), b: field(1, text()) }),
      /two fields have the number 1/,
    )
    assert.throws(() => record({ a: field(0, text()) }), /field a/)
    assert.throws(() => record({ a: field(128, text()) }), /field a/)
  })
})

test('a number that is none is not written', () => {
  for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) {
    assert.throws(() => written(number, value), /whole number/)
  }
  assert.throws(() => written(word(words), 'sms' as 'otp'), /whole number/)
})
