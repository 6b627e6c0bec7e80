/** UI-12: cookies out of reach of scripts, of other hosts and of other sites (RFC 6265bis). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findCookie, setCookie } from '../../../src/http/cookies.ts'

const value = 'A'.repeat(43)

const asking = (cookie: string | null): Request =>
  new Request('http://127.0.0.1/', cookie === null ? {} : { headers: { cookie } })

describe('what is set', () => {
  test('over https: __Host-, Secure, no Domain', () => {
    assert.equal(
      setCookie('session', value, true),
      `__Host-latchkey_session=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`,
    )
  })

  test('over loopback http: the same without what needs https', () => {
    assert.equal(
      setCookie('browser', value, false),
      `latchkey_browser=${value}; Path=/; HttpOnly; SameSite=Lax`,
    )
  })

  test('and what removes it has the same name and path', () => {
    assert.equal(
      setCookie('session', '', true),
      '__Host-latchkey_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
  })
})

describe('what is read', () => {
  const rows: readonly [string, string | null, boolean, string | null][] = [
    ['none at all', null, false, null],
    ['ours', `latchkey_session=${value}`, false, value],
    ['ours, behind a shard key', `latchkey_session=0af.${value}`, false, `0af.${value}`],
    ['behind more digits', `latchkey_session=00af.${value}`, false, null],
    ['behind other digits', `latchkey_session=0AF.${value}`, false, null],
    ['nor a browser behind digits', `latchkey_browser=0af.${value}`, false, null],
    ['ours among others', `a=b; latchkey_session=${value}; c=d`, false, value],
    ['the secure one', `__Host-latchkey_session=${value}`, true, value],
    ['never the other kind: http on https', `latchkey_session=${value}`, true, null],
    ['nor https on http', `__Host-latchkey_session=${value}`, false, null],
    ['nor the browser’s for the session', `latchkey_browser=${value}`, false, null],
    ['too short', `latchkey_session=${value.slice(1)}`, false, null],
    ['too long', `latchkey_session=${value}A`, false, null],
    ['empty', 'latchkey_session=', false, null],
    ['of other characters', `latchkey_session=${'é'.repeat(43)}`, false, null],
    ['encoded', `latchkey_session=%41${value.slice(1)}`, false, value],
  ]
  for (const [what, cookie, secure, expected] of rows) {
    test(what, () => assert.equal(findCookie(asking(cookie), 'session', secure), expected))
  }

  test('whatever stands in the header, it is one of ours or nothing', () => {
    const text = fc.string({ unit: 'binary-ascii' }).map((one) => one.replace(/[\0\r\n]/g, ''))
    const bits = fc.constantFrom('latchkey_session=', '0af.', value, '; ', '=', '"', ',')
    fc.assert(
      fc.property(fc.array(fc.oneof(text, bits)), (pieces) => {
        const found = findCookie(asking(pieces.join('')), 'session', false)
        if (found !== null) assert.match(found, /^([0-9a-f]{3}\.)?[A-Za-z0-9_-]{43}$/)
      }),
    )
  })
})
