/** Scope: how it is split, what it stands for, and that it never grows on the way (RFC 6749 section 3.3). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  listAsked,
  listLeftOut,
  parseScope,
  scopeLimits,
  selectNamed,
} from '../../../src/access/scope.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { cpuMilliseconds } from '../../support/cpu.ts'

const allowed: Permissions = [
  'contacts:read',
  'contacts:write',
  'photo-albums:read',
  'photos:read',
  'photos:write',
]

const reasonOf = (act: () => unknown): string => {
  try {
    act()
  } catch (fault) {
    assert.ok(fault instanceof Refusal, String(fault))
    assert.equal(fault.code, 'invalid_scope')
    return fault.reason
  }
  throw new Error('was not refused')
}

describe('SC-01, SC-02: separators', () => {
  const same = ['a b', 'a,b', 'a, b', 'a ,b', ' a b ', ',a,,b,', 'a  b', 'a , , b']
  for (const text of same) {
    it(`${JSON.stringify(text)} is a and b`, () => assert.deepEqual(parseScope(text), ['a', 'b']))
  }

  it('any mixture of spaces and commas', () => {
    const separators = fc.string({ unit: fc.constantFrom(' ', ','), minLength: 1, maxLength: 4 })
    const names = fc.array(fc.stringMatching(/^[!#-+\--[\]-~]{1,8}$/), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(names, separators, separators, (list, between, around) => {
        assert.deepEqual(parseScope(`${around}${list.join(between)}${around}`), list)
      }),
    )
  })

  it('none but these: whatever else is between, it is one name or none', () => {
    assert.deepEqual(parseScope('a;b'), ['a;b'])
    assert.deepEqual(parseScope('a+b'), ['a+b'])
    for (const text of [
      'a\tb',
      'a\nb',
      'a\rb',
      'a\u00a0b',
      'a\u2003b',
      'a\u3000b',
      'a、b',
      'a，b',
    ]) {
      assert.equal(
        reasonOf(() => parseScope(text)),
        'bad_scope_character',
      )
    }
  })

  it('separators alone name nothing', () => {
    for (const text of ['', ' ', ',', ' , ']) {
      assert.equal(
        reasonOf(() => parseScope(text)),
        'empty_scope',
      )
    }
  })
})

describe('SC-03: characters', () => {
  it('those of RFC 6749 section 3.3, the comma apart', () => {
    for (let code = 0; code < 0x180; code++) {
      const character = String.fromCharCode(code)
      if (character === ' ' || character === ',') continue
      const right =
        code === 0x21 || (code >= 0x23 && code <= 0x5b) || (code >= 0x5d && code <= 0x7e)
      if (right) assert.deepEqual(parseScope(`x${character}y`), [`x${character}y`])
      else {
        const reason = reasonOf(() => parseScope(`photos x${character}y`))
        assert.equal(reason, 'bad_scope_character')
      }
    }
  })

  it('whatever comes: names or a Refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          for (const name of parseScope(text)) assert.match(name, /^[^\s,"\\]+$/)
        } catch (fault) {
          assert.ok(fault instanceof Refusal)
          assert.equal(fault.code, 'invalid_scope')
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('what names stand for', () => {
  const rows: readonly [readonly string[], Permissions][] = [
    [['photos:read'], ['photos:read']],
    [['photos'], ['photos:read', 'photos:write']],
    [
      ['photos', 'photos:read'],
      ['photos:read', 'photos:write'],
    ],
    [
      ['photos:write', 'contacts:read'],
      ['contacts:read', 'photos:write'],
    ],
    [['photo-albums'], ['photo-albums:read']],
    [['attic'], []],
    [[], []],
  ]
  for (const [names, expected] of rows) {
    it(names.join(' '), () => assert.deepEqual(selectNamed(names, allowed), expected))
  }

  // SC-06
  const strangers = [
    'PHOTOS',
    'Photos:read',
    'photos:READ',
    'photos:',
    'photos:*',
    'photos:read:write',
    'photos.read',
    ':read',
    'read',
    '*',
    'photo',
    'photos:rea',
    'photos:readx',
    'hotos:read',
    'photos:delete',
    '__proto__',
  ]
  for (const name of strangers) {
    it(`SC-06: ${name} stands for nothing`, () => {
      assert.deepEqual(selectNamed([name], allowed), [])
    })
  }

  it('never for what is not allowed, nor for what was not named', () => {
    const names = fc.array(
      fc.oneof(
        fc.constantFrom(...allowed, 'photos', 'contacts', 'clients:write', 'attic'),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(names, fc.subarray([...allowed]), (wanted, some) => {
        const permissions = selectNamed(wanted, some)
        assert.deepEqual(
          permissions,
          some.filter(
            (permission) =>
              wanted.includes(permission) || wanted.includes(permission.split(':')[0] ?? ''),
          ),
        )
      }),
    )
  })
})

describe('what a request asks for', () => {
  it('everything where it names no scope', () => {
    assert.deepEqual(listAsked(null, allowed), allowed)
  })

  it('SC-05: what is known beside what is not', () => {
    assert.deepEqual(listAsked('attic photos:read clients:write', allowed), ['photos:read'])
  })

  it('SC-05: is refused where nothing is left', () => {
    for (const scope of ['attic', 'clients:write', 'PHOTOS', 'attic cellar']) {
      assert.equal(
        reasonOf(() => listAsked(scope, allowed)),
        'unknown_scope',
      )
    }
    for (const nothing of [[], ['email', 'openid']] as const) {
      assert.equal(
        reasonOf(() => listAsked(null, nothing)),
        'no_scope',
      )
    }
  })

  it('words only where they are named, each for itself alone', () => {
    const withWords: Permissions = ['email', 'offline_access', 'openid', 'photos:read', 'profile']
    assert.deepEqual(listAsked(null, withWords), ['photos:read'])
    const rows: readonly (readonly [string, Permissions])[] = [
      ['openid', ['openid']],
      ['profile, email', ['email', 'profile']],
      ['profile:read email', ['email']],
      ['photos offline_access', ['offline_access', 'photos:read']],
    ]
    for (const [scope, asked] of rows) assert.deepEqual(listAsked(scope, withWords), asked)
    for (const scope of ['offline_access', 'phone', 'profile:read', 'openid:write']) {
      assert.equal(
        reasonOf(() => listAsked(scope, withWords)),
        'unknown_scope',
      )
    }
  })

  it('tells the names that ask for nothing, each once', () => {
    const asked: Permissions = ['email', 'photos:read']
    const names = 'photos attic email,phone photos:write attic'
    assert.deepEqual(listLeftOut(names, asked), ['attic', 'phone', 'photos:write'])
    assert.deepEqual(listLeftOut(null, asked), [])
  })

  it('SC-03: is refused whole where one name is malformed', () => {
    assert.equal(
      reasonOf(() => listAsked('photos:read "', allowed)),
      'bad_scope_character',
    )
  })
})

describe('SC-10: size', () => {
  it('up to 4,096 characters', () => {
    assert.equal(parseScope('a'.repeat(scopeLimits.scopeCharacters)).length, 1)
    assert.equal(
      reasonOf(() => parseScope('a'.repeat(scopeLimits.scopeCharacters + 1))),
      'scope_too_long',
    )
  })

  it('in next to no time, whatever its form', () => {
    const many = Array.from({ length: 400 }, (_, i): Permissions => [`r${i}:read`, `r${i}:write`])
    const began = cpuMilliseconds()
    for (const piece of ['a ', ',', ' ', 'a,', 'r1 ', '"', 'photos:read ']) {
      for (const size of [scopeLimits.scopeCharacters, 64 * 1024]) {
        const scope = piece.repeat(Math.floor(size / piece.length))
        try {
          listAsked(scope, many.flat())
        } catch (fault) {
          assert.ok(fault instanceof Refusal)
        }
      }
    }
    assert.ok(cpuMilliseconds() - began < 500)
  })
})
