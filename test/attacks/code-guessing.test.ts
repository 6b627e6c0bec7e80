/** Guessing codes and tokens: there is nothing to learn from one, and trying is slowed (RFC 6749 section 10.10). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { checked } from '../support/hashes.ts'
import { authorizePath, codeRequest, obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh, use } from '../support/tokens.ts'
import { deadCode } from '../support/told.ts'

const service = startBefore(() => start({ trustedProxies: ['127.0.0.1'] }))

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Variations of a known text: cut, lengthened, or one character changed. */
const changesOf = (text: string): fc.Arbitrary<string> => {
  const position = fc.nat(text.length - 1)
  const letter = fc.constantFrom(...alphabet, '=', '.', ' ', '%', '\u00e4')
  return fc
    .oneof(
      fc.nat(text.length - 1).map((length) => text.slice(0, length)),
      fc.integer({ min: 1, max: text.length - 1 }).map((from) => text.slice(from)),
      fc.string({ minLength: 1, maxLength: 5 }).map((more) => text + more),
      letter.map((more) => more + text),
      fc.tuple(position, letter).map(([at, to]) => text.slice(0, at) + to + text.slice(at + 1)),
      position.map((at) => text.slice(0, at) + text.slice(at + 1)),
      fc.constantFrom(text.toUpperCase(), text.toLowerCase(), `${text}${text}`, ` ${text}`),
    )
    .filter((changed) => changed !== text && changed !== '')
}

describe('AC-07: what differs in one character is another text', () => {
  test('a changed code is refused, ends nothing, and the code works', async () => {
    const code = await obtainCode(service)
    await fc.assert(
      fc.asyncProperty(changesOf(code), async (changed) => {
        assertRefused(await redeem(service, changed), 'invalid_grant', deadCode)
      }),
      { numRuns: 300 },
    )
    assert.equal((await redeem(service, code)).status, 200)
    assert.equal(
      service.notices.some(({ level }) => level === 'error'),
      false,
    )
  })

  test('so is a changed access token and a changed refresh token', async () => {
    const { body } = await redeem(service, await obtainCode(service))
    await service.advance(60)
    await fc.assert(
      fc.asyncProperty(changesOf(body.access_token), async (changed) => {
        const form = { access_token: changed }
        const { status } = await service.ask('/api/photos', { form })
        assert.ok(status === 401 || status === 400)
      }),
      { numRuns: 300 },
    )
    await service.advance(60)
    await fc.assert(
      fc.asyncProperty(changesOf(body.refresh_token), async (changed) => {
        const answer = await refresh(service, changed)
        assert.equal(answer.status, 400)
      }),
      { numRuns: 300 },
    )
    assert.equal(await use(service, body.access_token), 200)
    assert.equal((await introspect(service, body.refresh_token)).active, true)
    await service.advance(60)
  })

  test('a changed code does not end what the right one earned', async () => {
    const code = await obtainCode(service)
    const { body } = await redeem(service, code)
    const cut = [code.slice(0, -1), `${code}A`, `${code}=`, code.toLowerCase(), ` ${code}`]
    for (const changed of cut) {
      assertRefused(await redeem(service, changed), 'invalid_grant', deadCode)
    }
    assert.equal(await use(service, body.access_token), 200)
  })
})

/** How far counts are from even; its mean is the number of letters less one. */
const chiSquare = (letters: string): number => {
  const expected = letters.length / alphabet.length
  return [...alphabet]
    .map((letter) => (letters.split(letter).length - 1 - expected) ** 2 / expected)
    .reduce((sum, one) => sum + one, 0)
}

/**
 * The secret part of a sealed text: 43 characters of a tag of 256 bits. The part before it is
 * public, and begins with the time.
 */
const tagsOf = (texts: readonly string[]): readonly string[] => texts.map((text) => text.slice(-43))

const assertUnguessable = (texts: readonly string[]): void => {
  const tags = tagsOf(texts)
  assert.equal(new Set(tags).size, texts.length)
  for (const tag of tags) assert.match(tag, /^[A-Za-z0-9_-]{43}$/)
  // No part stays the same from one to the next: two tags hardly ever agree in a place.
  const agreeing = tags.slice(1).map((tag, i) => {
    return [...tag].filter((letter, at) => letter === tags[i]?.[at]).length
  })
  assert.ok(Math.max(...agreeing) < 10)
  // The last letter holds four bits only. 63 degrees of freedom: beyond 140 once in 10^7.
  assert.ok(chiSquare(tags.map((tag) => tag.slice(0, -1)).join('')) < 140)
}

describe('AC-10, ST-03: there is nothing to count on', () => {
  test('a thousand codes of one owner, client and second', async () => {
    const browser = new Browser(service)
    const path = authorizePath(codeRequest)
    const login = await browser.go(path)
    const page = await browser.logIn(login, 'alice', 'wonderland')
    if (page.url.includes('/consent')) await browser.submit(page, { decision: 'allow' })
    const codes: string[] = []
    for (let made = 0; made < 1000; made++) codes.push(answerOf(await browser.ask(path)).code ?? '')
    assert.equal(new Set(codes).size, 1000)
    for (const code of codes) assert.match(code, /^lk_ac_[A-Za-z0-9_-]{100,}$/)
    assertUnguessable(codes)
    assert.equal((await redeem(service, codes.at(-1) ?? '')).status, 200)
  })

  test('a thousand access tokens of one client and second', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => service.post('/token', form, nightlyReport)),
    )
    const tokens: readonly string[] = answers.map(({ body }) => body.access_token)
    assert.equal(new Set(tokens).size, 1000)
    assertUnguessable(tokens)
  })

  test('a text that is right in all but its tag is refused', async () => {
    const code = await obtainCode(service)
    const other = await obtainCode(service)
    const forged = [
      code.slice(0, -43) + other.slice(-43),
      code.slice(0, -43) + 'A'.repeat(43),
      code.slice(0, -43),
    ]
    for (const text of forged) {
      assertRefused(await redeem(service, text), 'invalid_grant', deadCode)
      assert.match(String(service.notices.at(-1)?.reason), /^(forged|malformed)_code$/)
    }
    assert.equal((await redeem(service, code)).status, 200)
  })
})

test('AC-11: guessing is throttled after a while, costs no password hash, and hinders nobody', async () => {
  const from = (address: string, code: string) =>
    service.ask('/token', {
      form: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: codeRequest.redirect_uri ?? '',
      },
      headers: {
        authorization: `Basic ${btoa(photoPrinter.join(':'))}`,
        'x-forwarded-for': address,
      },
    })
  const code = await obtainCode(service)
  await service.advance(1)
  const hashed = checked.length
  for (let tries = 0; tries < defaultLimits.refusalsPerMinute; tries++) {
    const guess = code.slice(0, -6) + String(tries).padStart(6, '0')
    const { status } = await from('192.0.2.7', guess)
    assert.equal(status, 400)
  }
  assert.equal(checked.length, hashed)
  const over = await from('192.0.2.7', `${code.slice(0, -6)}junk-0`)
  assert.deepEqual([over.status, over.headers.get('retry-after')], [429, '59'])
  assert.equal((await from('192.0.2.8', `${code.slice(0, -6)}junk-0`)).status, 400)
  assert.equal((await from('192.0.2.7', code)).status, 200)
})
