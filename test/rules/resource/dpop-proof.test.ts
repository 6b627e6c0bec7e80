/** DPoP proofs: their URLs in any spelling, and texts of any kind (RFC 9449 section 4.3, RFC 3986 section 6.2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../../src/protocol/refusal.ts'
import {
  createHeaders,
  dpopLimits,
  normalizePath,
  parseRequestTarget,
  parseTarget,
  verifyProof,
} from '../../../src/resource/dpop-proof.ts'
import { createProofCheck } from '../../../src/resource/proof-check.ts'
import { makeProver } from '../../support/dpop.ts'

const now = 1_800_000_000
const check = createProofCheck()
const prover = await makeProver(() => now)
const url = 'https://api.example.com/prints'
const isTarget = (htu: unknown): boolean => parseTarget(htu) !== null
const request = { method: 'GET', isTarget, tokenDigest: null, at: now }

/** Characters of a path as people write it, reserved ones and percent-encoded ones among them. */
const pathText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '/',
        '.',
        '..',
        '%2e',
        '%2E',
        '%2f',
        '%7e',
        '%25',
        '%',
        '~',
        '+',
        ';',
        ':',
        '@',
      ),
      fc.string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `/${parts.join('')}`)

describe('paths and URLs', () => {
  test('a normalised path stays as it is', () => {
    fc.assert(
      fc.property(pathText, (path) => {
        const once = normalizePath(path)
        assert.equal(normalizePath(once), once)
      }),
    )
  })

  test('a parsed URL stays as it is, without query and fragment', () => {
    fc.assert(
      fc.property(pathText, fc.string(), (path, rest) => {
        const once = parseTarget(`https://api.example.com${path}?${rest}#${rest}`)
        assert.ok(once)
        assert.equal(parseTarget(once.href)?.href, once.href)
        assert.deepEqual([once.search, once.hash], ['', ''])
      }),
    )
  })

  test('spellings of one URL are equal, as RFC 3986 section 6.2 says', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/).filter((one) => !/^\.+$/.test(one))
    const spell = (segment: string, coded: readonly boolean[]): string =>
      [...segment]
        .map((character, i) => {
          const code = `%${character.charCodeAt(0).toString(16)}`
          return coded[i % coded.length] ? (i % 2 ? code.toUpperCase() : code) : character
        })
        .join('')
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', './', 'x/../', '%2E/', 'x/%2e%2E/'),
        fc.constantFrom('https://api.example.com', 'HTTPS://API.example.COM:443'),
        (segments, coded, detour, origin) => {
          const spelled = segments.map((segment) => detour + spell(segment, coded)).join('/')
          const found = parseTarget(`${origin}/${spelled}?q#f`)
          assert.equal(found?.href, `https://api.example.com/${segments.join('/')}`)
        },
      ),
    )
  })

  test('what differs stays different: reserved characters, case, empty segments', () => {
    const paths = [
      '/a%2Fb',
      '/a/b',
      '/A/b',
      '/a//b',
      '/a/b/',
      '/a;b',
      '/a%3Bb',
      '/a%253Bb',
      '/a%20b',
    ]
    const found = new Set(paths.map((path) => parseTarget(`https://x.example${path}`)?.href))
    assert.equal(found.size, paths.length)
  })

  test('no URL of a request over HTTP: null', () => {
    for (const htu of [
      '',
      '/a',
      'ftp://x.example/',
      'https://u@x.example/',
      'https://:p@x.example/',
      7,
      null,
      {},
      'https://',
    ])
      assert.equal(parseTarget(htu), null)
  })

  test('the URL that a request asks for is its path at the origin of the API', () => {
    const origin = 'https://api.example.com'
    const rows: [string, string | null][] = [
      ['/prints', url],
      ['/prints?page=2', url],
      ['/%70rints?/../x', url],
      ['http://10.0.0.7:3000/prints?x', url],
      ['HTTPS://other.example/prints', url],
      ['//other.example/prints', `${origin}//other.example/prints`],
      ['/', `${origin}/`],
      ['/a/../prints', null],
      ['/a/%2e%2E/prints', null],
      ['/./prints', null],
      ['/prints/..', null],
      ['/a\\..\\prints', null],
      ['/prints#a', null],
      ['/prints\u0000', null],
      ['/pr\nints', null],
      ['/pr ints', null],
      ['/drück', null],
      ['*', null],
      ['', null],
      ['@other.example/prints', null],
      ['.other.example/prints', null],
      ['http://10.0.0.7:3000', null],
    ]
    for (const [target, expected] of rows) {
      assert.equal(parseRequestTarget(origin, target)?.href ?? null, expected, target)
    }
  })

  test('whatever a request asks for, it is of this origin or of none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), pathText), (target) => {
        const found = parseRequestTarget('https://api.example.com', target)
        if (found !== null) assert.equal(found.origin, 'https://api.example.com')
      }),
    )
  })
})

describe('any text', () => {
  /** Anything but a refusal fails the test. */
  const verify = async (text: string): Promise<string> => {
    try {
      await verifyProof(text, request, check)
      return 'taken'
    } catch (fault) {
      assert.ok(fault instanceof Refusal, String(fault))
      assert.equal(fault.code, 'invalid_dpop_proof')
      return fault.reason
    }
  }

  const code = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('is refused, and nothing else is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        assert.notEqual(await verify(text), 'taken')
      }),
    )
  })

  test('with any header and any claims is refused, and nothing else is thrown', async () => {
    const header = fc.record(
      {
        typ: fc.oneof(fc.constant('dpop+jwt'), fc.jsonValue()),
        alg: fc.oneof(fc.constantFrom('ES256', 'EdDSA', 'PS256', 'RS256'), fc.jsonValue()),
        jwk: fc.oneof(
          fc.constant(prover.pair.publicKey),
          fc.record(
            {
              kty: fc.constantFrom('EC', 'RSA', 'OKP', 'oct', 'AKP', '__proto__'),
              crv: fc.oneof(fc.constantFrom('P-256', 'Ed25519', 'X25519'), fc.jsonValue()),
              x: fc.oneof(fc.base64String(), fc.jsonValue()),
              y: fc.oneof(fc.base64String(), fc.jsonValue()),
              n: fc.oneof(fc.base64String(), fc.jsonValue()),
              e: fc.constantFrom('AQAB', '', 'AA', 'AQ'),
            },
            { requiredKeys: ['kty'] },
          ),
          fc.jsonValue(),
        ),
        crit: fc.jsonValue(),
        b64: fc.jsonValue(),
      },
      { requiredKeys: ['typ', 'alg', 'jwk'] },
    )
    await fc.assert(
      fc.asyncProperty(header, fc.jsonValue(), fc.base64String(), async (head, claims, signed) => {
        const text = `${code(head)}.${code(claims)}.${signed.replace(/[+/=]/g, '_')}`
        assert.notEqual(await verify(text), 'taken')
      }),
    )
  })

  test('that the key has signed: any claims beside the right ones, and any instead of one', async () => {
    const right = { jti: 'a', htm: 'GET', htu: url, iat: now }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('jti', 'htm', 'htu', 'iat', 'nonce', 'ath', 'exp', 'x'),
        fc.jsonValue(),
        async (name, value) => {
          const text = await prover.prove('GET', url, { ...right, [name]: value })
          const reason = await verify(text)
          if (['ath', 'exp', 'x'].includes(name)) assert.equal(reason, 'taken')
          if (['htm', 'iat'].includes(name)) assert.notEqual(reason, 'taken')
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of any change of one character in a right proof is refused', async () => {
    const text = await prover.prove('GET', url)
    assert.equal(await verify(text), 'taken')
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom('A', 'z', '-', '_', '.', ' ', '\u00e9', ''),
        async (at, character) => {
          const changed = text.slice(0, at) + character + text.slice(at + 1)
          // The last character has bits that mean nothing, and a decoder refuses or ignores them.
          if (changed === text || at === text.length - 1) return
          assert.notEqual(await verify(changed), 'taken')
        },
      ),
      { numRuns: 60 },
    )
  })

  test('Ed25519 is another name of EdDSA (RFC 9864 section 2.2)', async () => {
    const named = await makeProver(() => now, 'Ed25519')
    assert.equal(await verify(await named.prove('GET', url)), 'taken')
  })

  test('under the header of a right proof, each proof is checked anew', async () => {
    const other = await makeProver(() => now)
    const [right, next, foreign] = await Promise.all([
      prover.prove('GET', url),
      prover.prove('GET', url),
      other.prove('GET', url),
    ])
    assert.equal(await verify(right), 'taken')
    const [header = ''] = right.split('.')
    const [, claims = '', signature = ''] = foreign.split('.')
    assert.equal(await verify(`${header}.${claims}.${signature}`), 'dpop_signature')
    assert.equal(await verify(`${right}, ${next}`), 'dpop_form')
    assert.equal(await verify(next), 'taken')
  })

  test('so many headers are kept, short ones, and the oldest goes', () => {
    const headers = createHeaders()
    const header = { header: {}, publicKey: {}, algorithm: 'ES256' }
    for (let i = 0; i <= dpopLimits.rememberedHeaders; i++) headers.keep(`header-${i}`, header)
    assert.equal(headers.find('header-0'), undefined)
    assert.equal(headers.find('header-1'), header)
    const long = 'x'.repeat(dpopLimits.headerCharacters + 1)
    headers.keep(long, header)
    assert.equal(headers.find(long), undefined)
  })

  test('a nonce is handed on, and how long the proof is to be remembered', async () => {
    const text = await prover.prove('GET', url, { jti: 'a', nonce: 'n', iat: now - 0.5 })
    assert.deepEqual(await verifyProof(text, request, check), {
      jkt: prover.jkt,
      algorithm: 'ES256',
      jti: 'a',
      nonce: 'n',
      madeAt: now - 1,
      expiresAt: now + dpopLimits.pastSeconds + 1,
    })
  })
})
