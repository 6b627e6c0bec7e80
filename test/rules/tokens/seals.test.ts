/** Seals: what was sealed is read again, and nothing else is, not even one character of it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashText } from '../../../src/crypto/digest.ts'
import {
  type Keyring,
  makeSealingKey,
  readSealed,
  type SealedStatement,
  type SealingKey,
  type SealKind,
  seal,
  verifySeal,
} from '../../../src/crypto/seal.ts'
import { field, number, record, text } from '../../../src/model/codec/types.ts'
import {
  type AuthorizationId,
  type ClientId,
  type ClientSession,
  createId,
  type FamilyId,
} from '../../../src/model/ids.ts'
import type { Permission, Permissions } from '../../../src/model/resource.ts'
import { sortWords } from '../../../src/model/scope-word.ts'
import { authenticationMethods } from '../../../src/model/session.ts'
import { fillTerms, type Terms } from '../../../src/model/terms.ts'
import {
  type AccessToken,
  accessTokenType,
  type Code,
  codeType,
  getTokenId,
  type RefreshToken,
  refreshTokenType,
} from '../../../src/model/token.ts'
import { readCode, sealCode } from '../../../src/tokens/code.ts'
import { readAccessToken, sealAccessToken } from '../../../src/tokens/formats/opaque.ts'
import { openNonces } from '../../../src/tokens/proofs/nonce.ts'
import { readRefreshToken, sealRefreshToken } from '../../../src/tokens/verify.ts'

const keyringOf = (...keys: readonly SealingKey[]): Keyring => ({
  current: () => keys[0] ?? assert.fail('no key'),
  find: (id) => keys.find((key) => key.id === id) ?? null,
  learn: async () => {},
})

const issuer = 'https://auth.example'
const key = makeSealingKey('01k0000000aaaaaa', new Uint8Array(32).fill(1), issuer)
const otherKey = makeSealingKey('01k0000000bbbbbb', new Uint8Array(32).fill(2), issuer)
const impostor = makeSealingKey(key.id, new Uint8Array(32).fill(3), issuer)
const keyring = keyringOf(key)
const salt = 'S'.repeat(22)

const id = fc
  .tuple(fc.nat({ max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
  .map(([milliseconds, random]) => createId(milliseconds, random))
const clientId = fc.oneof(id, fc.stringMatching(/^[A-Za-z0-9._-]{1,200}$/))
const plain = { noNullPrototype: true } as const
const seconds = fc.nat({ max: 2 ** 40 })
const permission = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), fc.constantFrom('read', 'write'))
  .map(([name, action]) => `${name}:${action}` as Permission)
const permissions: fc.Arbitrary<Permissions> = fc
  .uniqueArray(permission, { maxLength: 20 })
  .map((names) => names.sort())
const someDigest = fc.string().map(hashText)
const anyText = fc.string({ unit: 'binary' })
const anyObject = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue(), {
  noNullPrototype: true,
  maxKeys: 3,
})

/** What every statement carries of the terms. */
const terms = (carries: Partial<Record<keyof Terms, fc.Arbitrary<unknown>>> = {}) =>
  fc
    .record(
      {
        permissions,
        audience: fc.array(anyText, { maxLength: 3 }),
        authTime: fc.option(seconds),
        methods: fc.subarray([...authenticationMethods]),
        session: fc.constant(null),
        confirmation: fc.option(fc.record({ method: anyText, value: anyText }, plain)),
        details: fc.array(anyObject, { maxLength: 2 }),
        nonce: fc.constant(null),
        exchanged: fc.constant([]),
        isGrant: fc.constant(false),
        claims: fc.option(
          fc.record(
            {
              userinfo: fc.array(anyText, { maxLength: 3 }),
              idToken: fc.array(anyText, { maxLength: 3 }),
              alone: fc.subarray([...sortWords([])]),
              context: fc.option(anyText),
            },
            plain,
          ),
        ),
        ...carries,
      },
      plain,
    )
    .map((all) => all as Terms)
const session = fc.option(anyText as fc.Arbitrary<ClientSession>)

const code: fc.Arbitrary<Code> = fc.record(
  {
    familyId: id as fc.Arbitrary<FamilyId>,
    authorizationId: id as fc.Arbitrary<AuthorizationId>,
    clientId: clientId as fc.Arbitrary<ClientId>,
    redirectUri: someDigest,
    hiddenChallenge: fc.option(someDigest),
    terms: terms({ session, nonce: fc.option(anyText), isGrant: fc.boolean() }),
    issuedAt: seconds,
  },
  plain,
)

const refreshToken: fc.Arbitrary<RefreshToken> = fc.record(
  {
    familyId: id as fc.Arbitrary<FamilyId>,
    generation: fc.nat(),
    issuedAt: seconds,
    expiresAt: seconds,
    terms: terms({ session, isGrant: fc.boolean() }),
    takenBack: permissions,
  },
  plain,
)

const exchangedToken = fc.record(
  {
    familyId: id,
    generation: fc.nat(),
    authorizationId: id,
    clientId,
    issuedAt: seconds,
    expiresAt: fc.option(seconds),
  },
  plain,
)

const accessToken: fc.Arbitrary<AccessToken> = fc.record(
  {
    of: fc.oneof<fc.Arbitrary<AccessToken['of']>[]>(
      fc.record({ familyId: id as fc.Arbitrary<FamilyId>, generation: fc.nat() }, plain),
      fc.record({ clientId: clientId as fc.Arbitrary<ClientId>, tokenId: id }, plain),
    ),
    terms: terms({ exchanged: fc.array(exchangedToken, { maxLength: 4 }) }),
    issuedAt: seconds,
    expiresAt: fc.option(seconds),
  },
  plain,
)

const journey: SealedStatement<string> = { kind: 'journey', says: text() }

/** A sealed text of any kind, its kind and the words that it was made of. */
const sealedText = fc.oneof(
  code.map((says) => ({ kind: 'lk_ac_', text: sealCode(keyring, salt, says) }) as const),
  refreshToken.map(
    (says) => ({ kind: 'lk_rt_', text: sealRefreshToken(keyring, salt, says) }) as const,
  ),
  accessToken.map(
    (says) => ({ kind: 'lk_at_', text: sealAccessToken(keyring, salt, says) }) as const,
  ),
  fc.json().map((says) => ({ kind: 'journey', text: seal(journey, key, salt, says) }) as const),
)

const types: Partial<Record<SealKind, SealedStatement<unknown>['says']>> = {
  lk_at_: accessTokenType,
  lk_rt_: refreshTokenType,
  lk_ac_: codeType,
  journey: journey.says,
}

/** Whether a text is taken for a statement of a kind. */
const isTaken = (kind: SealKind, text: string, under = keyring, salted = salt): boolean => {
  const sealed = readSealed({ kind, says: types[kind] ?? assert.fail() }, text)
  return sealed !== null && verifySeal(sealed, under, salted)
}

const prefixed = /^(lk_[a-z]+_)?(.*)$/

describe('what was sealed', () => {
  test('is read again: codes', () => {
    fc.assert(
      fc.property(code, (says) => {
        const presented = readCode(sealCode(keyring, salt, says)) ?? assert.fail()
        assert.deepEqual(presented.says, says)
        assert.equal(verifySeal(presented, keyring, salt), true)
      }),
    )
  })

  test('is read again: refresh tokens', () => {
    fc.assert(
      fc.property(refreshToken, (says) => {
        const presented = readRefreshToken(sealRefreshToken(keyring, salt, says)) ?? assert.fail()
        assert.deepEqual(presented.says, says)
        assert.equal(verifySeal(presented, keyring, salt), true)
      }),
    )
  })

  test('is read again: access tokens, of a family or of a client', () => {
    fc.assert(
      fc.property(accessToken, (says) => {
        const presented = readAccessToken(sealAccessToken(keyring, salt, says)) ?? assert.fail()
        assert.deepEqual(presented.says, says)
        assert.equal(verifySeal(presented, keyring, salt), true)
      }),
    )
  })

  test('is the same text for the same statement, and another for another', () => {
    fc.assert(
      fc.property(accessToken, accessToken, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        assert.equal(
          sealAccessToken(keyring, salt, one),
          sealAccessToken(keyring, salt, { ...one }),
        )
        assert.equal(
          sealAccessToken(keyring, salt, one) === sealAccessToken(keyring, salt, other),
          same,
        )
      }),
    )
  })

  test('holds nothing but the characters of a bearer token', () => {
    fc.assert(
      fc.property(sealedText, ({ kind, text }) => {
        assert.match(text, /^[A-Za-z0-9_-]+$/)
        assert.equal(text.startsWith(kind === 'journey' ? '' : kind), true)
      }),
    )
  })
})

describe('AC-07: what differs in one character', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  test('is refused, whichever character it is and whatever stands there instead', () => {
    fc.assert(
      fc.property(
        sealedText,
        fc.nat(),
        fc.constantFrom(...letters, '=', '.', ' ', 'ä'),
        ({ kind, text }, at, letter) => {
          const place = at % text.length
          const changed = text.slice(0, place) + letter + text.slice(place + 1)
          assert.equal(isTaken(kind, changed), changed === text)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('is refused in every place of one token, by every letter', () => {
    const text = sealAccessToken(keyring, salt, {
      of: { clientId: 'nightly-report' as ClientId, tokenId: createId(0, new Uint8Array(10)) },
      terms: fillTerms(['photos:read']),
      issuedAt: 1_795_000_000,
      expiresAt: null,
    })
    const taken: string[] = []
    for (let place = 0; place < text.length; place++) {
      for (const letter of letters) {
        const changed = text.slice(0, place) + letter + text.slice(place + 1)
        if (changed !== text && isTaken('lk_at_', changed)) taken.push(changed)
      }
    }
    assert.deepEqual(taken, [])
    assert.equal(isTaken('lk_at_', text), true)
  })

  test('is refused where it was cut, at either end', () => {
    fc.assert(
      fc.property(sealedText, ({ kind, text }) => {
        for (let length = 0; length < text.length; length++) {
          assert.equal(isTaken(kind, text.slice(0, length)), false)
          assert.equal(isTaken(kind, text.slice(text.length - length)), false)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('is refused where something was added or taken out', () => {
    fc.assert(
      fc.property(
        sealedText,
        fc.nat(),
        fc.oneof(fc.constantFrom(...letters, '=', '==', '~'), fc.string({ minLength: 1 })),
        ({ kind, text }, at, more) => {
          const place = at % (text.length + 1)
          assert.equal(isTaken(kind, text.slice(0, place) + more + text.slice(place)), false)
          assert.equal(
            isTaken(kind, text.slice(0, place) + text.slice(place + 1)),
            place === text.length,
          )
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('is refused in another case', () => {
    fc.assert(
      fc.property(sealedText, ({ kind, text }) => {
        assert.equal(isTaken(kind, text.toLowerCase()), false)
        assert.equal(isTaken(kind, text.toUpperCase()), false)
      }),
    )
  })
})

describe('AC-14: one kind', () => {
  const kinds: readonly SealKind[] = ['lk_at_', 'lk_rt_', 'lk_ac_', 'journey']

  test('is never taken for another, whatever prefix it is given', () => {
    fc.assert(
      fc.property(sealedText, ({ kind, text }) => {
        const [, , bare = ''] = prefixed.exec(text) ?? []
        for (const asked of kinds) {
          for (const prefix of ['', 'lk_at_', 'lk_rt_', 'lk_ac_']) {
            const dressed = prefix + bare
            assert.equal(isTaken(asked, dressed), asked === kind && dressed === text)
          }
        }
      }),
    )
  })
})

describe('a seal opens', () => {
  test('with the salt of its own row only', () => {
    fc.assert(
      fc.property(sealedText, fc.string(), ({ kind, text }, other) => {
        assert.equal(isTaken(kind, text, keyring, other), other === salt)
      }),
    )
  })

  test('with the key that it names only, and with that as long as it is known', () => {
    fc.assert(
      fc.property(sealedText, ({ kind, text }) => {
        assert.equal(isTaken(kind, text, keyringOf(otherKey, key)), true)
        assert.equal(isTaken(kind, text, keyringOf(otherKey)), false)
        assert.equal(isTaken(kind, text, keyringOf(impostor)), false)
        assert.equal(isTaken(kind, text, keyringOf()), false)
      }),
    )
  })

  test('for no text that anybody made up', () => {
    const made = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.base64String().map((text) => `lk_at_${text}`),
      fc
        .tuple(fc.constantFrom(...['lk_at_', 'lk_rt_', 'lk_ac_', '']), fc.array(fc.string()))
        .map(
          ([prefix, fields]) =>
            prefix +
            Buffer.from([key.id, ...fields].join('~')).toString('base64url') +
            'A'.repeat(43),
        ),
    )
    fc.assert(
      fc.property(made, (text) => {
        for (const kind of ['lk_at_', 'lk_rt_', 'lk_ac_', 'journey'] as const) {
          assert.equal(isTaken(kind, text), false)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('the name of an access token among the ended ones', () => {
  test('differs wherever family and generation, or the nonce, differ', () => {
    fc.assert(
      fc.property(accessToken, accessToken, (one, other) => {
        const whose = ({ of }: AccessToken) =>
          'familyId' in of ? [of.familyId, of.generation] : [of.tokenId]
        const same = whose(one).join() === whose(other).join()
        assert.equal(getTokenId(one) === getTokenId(other), same)
      }),
    )
  })
})

test('a seal that was right stays right for the same key and salt alone', () => {
  const statement: SealedStatement<string> = { kind: 'lk_at_', says: text() }
  const sealed = readSealed(statement, seal(statement, key, salt, 'something'))
  assert.ok(sealed)
  const check = (known: Keyring, given: string): boolean => verifySeal(sealed, known, given)
  assert.equal(check(keyring, salt), true)
  assert.equal(check(keyring, salt), true)
  assert.equal(check(keyring, 'T'.repeat(22)), false)
  assert.equal(check(keyringOf(impostor), salt), false)
  assert.equal(check(keyringOf(otherKey), salt), false)
  assert.equal(check(keyring, salt), true)
})

test('a nonce says when it was sealed, and no text is none', async () => {
  const at = 1000
  const [dated, plain] = [true, false].map((isDated) => openNonces(keyring, isDated))
  const offered = [dated, plain].map((nonces) => nonces?.current(at) ?? '')
  assert.equal(await dated?.find('', at), null)
  const others = [openNonces(keyring, true), openNonces(keyring, false)]
  for (const nonces of others) {
    const found = await Promise.all(offered.map((nonce) => nonces.find(nonce, at)))
    assert.deepEqual(
      found.map((one) => one?.sealedAt),
      [at, null],
    )
  }
  assert.equal(await others[0]?.find(offered[0] ?? '', at + 600), null)
  assert.equal(await openNonces(keyringOf(impostor), true).find(offered[0] ?? '', at), null)
  // One of an earlier version names its process, which alone knew its proofs.
  const says = record({ period: field(1, number), process: field(2, text()) })
  const earlier = seal({ kind: 'dpop nonce', says }, key, '', { period: 3, process: 'before' })
  assert.equal(await dated?.find(earlier, at), null)
})
