/** Parameters: read strictly, so that two different texts never mean the same (RFC 6749 appendix B). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  mayRepeat,
  type Parameters,
  parameterLimits,
  parseParameters,
  refuseRepeated,
} from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { cpuMilliseconds } from '../../support/cpu.ts'

const refusalOf = (act: () => unknown): Refusal => {
  try {
    act()
  } catch (fault) {
    assert.ok(fault instanceof Refusal, String(fault))
    assert.equal(fault.code, 'invalid_request')
    assert.equal(fault.status, 400)
    return fault
  }
  throw new Error('was not refused')
}

const entries = (parameters: Parameters): (readonly [string, string])[] =>
  [...parameters.names()].flatMap((name) =>
    parameters.all(name).map((value): [string, string] => [name, value]),
  )

/** Text that may stand in a parameter: all that UTF-8 can write but NUL and the replacement character. */
const texts = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((text) => !/[\0\ufffd]/.test(text))
const pairs = fc.array(fc.tuple(texts, texts), { maxLength: parameterLimits.parameters })

describe('what is written is what is read', () => {
  it('as URLSearchParams writes it, + for a space', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const text = new URLSearchParams(list.map(([name, value]) => [name, value])).toString()
        const said = list.filter(([, value]) => value !== '')
        const read = entries(parseParameters(text))
        assert.deepEqual(read.toSorted(), said.toSorted())
        for (const [name] of said) {
          const values = said.flatMap(([other, value]) => (other === name ? [value] : []))
          assert.deepEqual(parseParameters(text).all(name), values)
        }
      }),
    )
  })

  it('as encodeURIComponent writes it, %20 for a space', () => {
    fc.assert(
      fc.property(texts, texts, (name, value) => {
        const text = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
        assert.equal(parseParameters(text).find(name), value === '' ? null : value)
      }),
    )
  })

  it('as URLSearchParams reads it, where it repairs nothing', () => {
    const pieces = ['a', '=', '&', '+', '%41', '%20', '%C3%A4', '%26', '%3D', '%2B', 'ä', '%']
    const raw = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))
    fc.assert(
      fc.property(raw, (text) => {
        if (/%(?![0-9A-F]{2})/.test(text)) {
          assert.equal(refusalOf(() => parseParameters(text)).reason, 'bad_percent_encoding')
          return
        }
        const theirs = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
        assert.deepEqual(entries(parseParameters(text)).toSorted(), theirs.toSorted())
      }),
      { numRuns: 1000 },
    )
  })
})

describe('what is refused', () => {
  it('whatever comes: a reading or a Refusal that repeats nothing of it', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'%&=+;[]0aFf\0\ufffd\ud800'), maxLength: 60 }),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        try {
          parseParameters(text)
        } catch (fault) {
          assert.ok(fault instanceof Refusal)
          assert.ok(
            ['bad_percent_encoding', 'bad_character', 'too_many_parameters'].includes(fault.reason),
          )
        }
      }),
      { numRuns: 3000 },
    )
  })

  const broken = ['%', '%4', '%zz', '%ff', '%c0%af', '%c3', '%ed%a0%80', '%f4%90%80%80', '%u0041']
  for (const text of broken) {
    it(`${text} is not percent-encoded UTF-8, in name or value`, () => {
      for (const whole of [`a=${text}`, `${text}=a`, text]) {
        const { reason, description } = refusalOf(() => parseParameters(whole))
        assert.equal(reason, 'bad_percent_encoding')
        assert.equal(description, 'a parameter is not percent-encoded UTF-8')
      }
    })
  }

  it('NUL and the replacement character, in name or value', () => {
    for (const text of ['a=%00', 'a=b\0', '%00=a', 'a%00=', 'a=%EF%BF%BD', 'a=\ufffd']) {
      assert.equal(refusalOf(() => parseParameters(text)).reason, 'bad_character', text)
    }
  })

  it('more than a hundred', () => {
    const text = (count: number): string => Array(count).fill('a=1').join('&')
    assert.equal(
      parseParameters(text(parameterLimits.parameters)).all('a').length,
      parameterLimits.parameters,
    )
    const { reason, description } = refusalOf(() =>
      parseParameters(text(parameterLimits.parameters + 1)),
    )
    assert.deepEqual([reason, description], ['too_many_parameters', 'more than 100 parameters'])
  })

  it('any length in next to no time', () => {
    const began = cpuMilliseconds()
    for (const piece of ['a', '&', '=', '%41', '+', '&a=', '%']) {
      const text = piece.repeat(200_000)
      try {
        parseParameters(text)
      } catch (fault) {
        assert.ok(fault instanceof Refusal)
      }
    }
    assert.ok(cpuMilliseconds() - began < 2000)
  })
})

describe('A-09: an empty value', () => {
  for (const text of ['', '&', '&&', 'a', 'a=', '=', 'a&a=', '=&a']) {
    it(`is absent in ${JSON.stringify(text)}`, () => {
      const parameters = parseParameters(text)
      assert.deepEqual(entries(parameters), [])
      assert.deepEqual([parameters.find('a'), parameters.all('a')], [null, []])
      assert.equal(parameters.repeated(), null)
    })
  }

  it('does not hide another', () => {
    assert.deepEqual(parseParameters('a=&a=1&a').all('a'), ['1'])
  })
})

describe('reading', () => {
  const parameters = parseParameters('a=1&b=2&a=3&=4&c=x=y&__proto__=5&%61%62=6')

  it('finds the first, all, and none', () => {
    assert.equal(parameters.find('a'), '1')
    assert.deepEqual(parameters.all('a'), ['1', '3'])
    assert.equal(parameters.find(''), '4')
    assert.equal(parameters.find('c'), 'x=y')
    assert.equal(parameters.find('ab'), '6')
    assert.equal(parameters.find('A'), null)
  })

  it('knows no names but those that came', () => {
    assert.equal(parameters.find('__proto__'), '5')
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(parameters.find(name), null)
    }
  })

  it('requires by name', () => {
    assert.equal(parameters.require('b'), '2')
    for (const name of ['code', 'redirect_uri']) {
      const { reason, description } = refusalOf(() => parameters.require(name))
      assert.deepEqual([reason, description], [`missing_${name}`, `parameter ${name} is missing`])
    }
  })

  it('A-06: tells what came more than once, but for what may', () => {
    assert.equal(parameters.repeated(), 'a')
    assert.equal(parameters.repeated(['a']), null)
    assert.equal(parseParameters('b=1&b=1').repeated(['a']), 'b')
    assert.deepEqual(mayRepeat, ['resource', 'audience'])
  })

  it('A-06: refuses it', () => {
    const { reason, description } = refusalOf(() => refuseRepeated(parameters))
    assert.deepEqual(
      [reason, description],
      ['repeated_parameter', 'parameter a came more than once'],
    )
    const strange = refusalOf(() => refuseRepeated(parseParameters('%22%0a=1&%22%0a=2')))
    assert.equal(strange.description, 'a parameter came more than once')
    for (const text of ['a=1&b=1', 'a=1&a=', 'resource=a&resource=b', '']) {
      const once = parseParameters(text)
      assert.equal(refuseRepeated(once), once)
    }
  })
})
