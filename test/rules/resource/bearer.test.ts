import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { httpLimits } from '../../../src/http/limits.ts'
import { parameterLimits } from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { readBearer } from '../../../src/resource/bearer.ts'

const url = 'http://127.0.0.1/api/photos'
const form = 'application/x-www-form-urlencoded'

const get = (headers: Record<string, string> = {}, query = ''): Request =>
  new Request(url + query, { headers })

const send = (method: string, type: string, body: string, headers = {}): Request =>
  new Request(url, { method, headers: { 'content-type': type, ...headers }, body })

/** What a request presents, or how it is refused, in one comparable value. */
const outcome = async (request: Request): Promise<unknown> => {
  try {
    const presented = await readBearer(request)
    return presented && [presented.way, presented.token]
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return [fault.status, fault.code, fault.reason]
  }
}

const malformedHeader = [400, 'invalid_request', 'malformed_authorization']
const several = [400, 'invalid_request', 'several_tokens']
const repeated = [400, 'invalid_request', 'repeated_token']

describe('the Authorization header (RS-05)', () => {
  const rows: [string, unknown][] = [
    ['Bearer abc', ['header', 'abc']],
    ['bearer abc', ['header', 'abc']],
    ['BEARER abc', ['header', 'abc']],
    ['Bearer   abc', ['header', 'abc']],
    ['Bearer a.b_c~d+e/f-0==', ['header', 'a.b_c~d+e/f-0==']],
    ['Bearer', malformedHeader],
    ['Bearer a b', malformedHeader],
    ['Bearer a, b', malformedHeader],
    ['Bearer\tabc', malformedHeader],
    ['Bearer a=b', malformedHeader],
    ['Bearer "abc"', malformedHeader],
    ['Bearer abc\u00e9', malformedHeader],
    ['Bearer, abc', malformedHeader],
    ['Bearer abc, Bearer abc', malformedHeader],
    ['Basic YTpi, Bearer abc', malformedHeader],
    ['Basic YTpi', null],
    ['Token abc', null],
    ['Bearerabc', null],
    ['DPoP abc', ['header', 'abc']],
    ['DPoP abc, Bearer abc', malformedHeader],
    ['Bearer abc, DPoP abc', malformedHeader],
    ['', null],
  ]
  for (const [header, expected] of rows) {
    test(`${JSON.stringify(header)}`, async () => {
      assert.deepEqual(await outcome(get({ authorization: header })), expected)
    })
  }

  test('two headers are refused even where they are equal (RS-04)', async () => {
    const headers = new Headers()
    headers.append('authorization', 'Bearer abc')
    headers.append('authorization', 'Bearer abc')
    assert.deepEqual(await outcome(new Request(url, { headers })), malformedHeader)
  })

  test('a token longer than any is refused without being looked at', async () => {
    const longest = 'a'.repeat(parameterLimits.tokenCharacters)
    assert.deepEqual(await outcome(get({ authorization: `Bearer ${longest}` })), [
      'header',
      longest,
    ])
    assert.deepEqual(await outcome(get({ authorization: `Bearer ${longest}a` })), [
      401,
      'invalid_token',
      'token_too_long',
    ])
  })
})

describe('the query', () => {
  const kept = [400, 'invalid_request', 'query_token_may_be_kept']
  const rows: [string, string | null, unknown][] = [
    ['?access_token=abc', 'no-store', ['query', 'abc']],
    ['?access_token=abc', 'No-Store', ['query', 'abc']],
    ['?access_token=abc', 'max-age=0, no-store ,no-cache', ['query', 'abc']],
    ['?limit=2&access_token=abc', 'no-store', ['query', 'abc']],
    ['?access_token=a%2Bb', 'no-store', ['query', 'a+b']],
    ['?access_token=abc', null, kept],
    ['?access_token=abc', 'no-cache', kept],
    ['?access_token=abc', 'no-store-please', kept],
    ['?access_token=abc&access_token=abc', 'no-store', repeated],
    ['?access_token=a%20b', 'no-store', [400, 'invalid_request', 'malformed_token']],
    ['?access_token=%ff', 'no-store', [400, 'invalid_request', 'bad_percent_encoding']],
    ['?access_token=', null, null],
    ['?ACCESS_TOKEN=abc', null, null],
    ['', null, null],
  ]
  for (const [query, cacheControl, expected] of rows) {
    test(`${query || 'empty'} with Cache-Control ${cacheControl} (RS-06)`, async () => {
      const headers: Record<string, string> =
        cacheControl === null ? {} : { 'cache-control': cacheControl }
      assert.deepEqual(await outcome(get(headers, query)), expected)
    })
  }
})

describe('the form body (RS-10)', () => {
  const notPosted = [400, 'invalid_request', 'form_token_not_posted']
  const rows: [string, string, string, unknown][] = [
    ['POST', form, 'access_token=abc', ['body', 'abc']],
    ['PUT', form, 'access_token=abc', notPosted],
    ['PATCH', form, 'title=x&access_token=abc', notPosted],
    ['PUT', form, 'title=x', null],
    ['POST', `${form}; charset=UTF-8`, 'access_token=abc', ['body', 'abc']],
    ['POST', 'Application/X-WWW-Form-URLEncoded', 'access_token=abc', ['body', 'abc']],
    ['POST', form, 'access_token=abc&title=Fj%C3%A4ll', ['body', 'abc']],
    ['POST', form, 'access_token=abc&title=Fjäll', [400, 'invalid_request', 'form_not_ascii']],
    ['POST', form, 'access_token=abc&access_token=abc', repeated],
    ['POST', form, 'access_token=a+b', [400, 'invalid_request', 'malformed_token']],
    ['POST', `${form}; charset=latin1`, 'access_token=abc', null],
    ['POST', 'application/json', '{"access_token":"abc"}', null],
    ['POST', 'text/plain', 'access_token=abc', null],
    ['POST', 'multipart/form-data; boundary=x', 'access_token=abc', null],
    ['DELETE', form, 'access_token=abc', null],
  ]
  for (const [method, type, body, expected] of rows) {
    test(`${method} ${type} ${body}`, async () => {
      assert.deepEqual(await outcome(send(method, type, body)), expected)
    })
  }

  test('the form is handed on, since nobody can read it again', async () => {
    const presented = await readBearer(send('POST', form, 'access_token=abc&title=Gate'))
    assert.equal(presented?.form?.find('title'), 'Gate')
    const beside = await readBearer(
      send('POST', form, 'title=Gate', { authorization: 'Bearer abc' }),
    )
    assert.deepEqual([beside?.way, beside?.form?.find('title')], ['header', 'Gate'])
  })

  test('any other body is left unread', async () => {
    const request = send('POST', 'application/json', '{"a":1}', { authorization: 'Bearer abc' })
    const presented = await readBearer(request)
    assert.equal(presented?.form, null)
    assert.equal(await request.text(), '{"a":1}')
  })

  test('a form beyond the limit is refused', async () => {
    const body = `access_token=abc&title=${'a'.repeat(httpLimits.formBytes)}`
    assert.deepEqual(await outcome(send('POST', form, body)), [413, 'too_large', 'body_too_large'])
  })
})

describe('more than one way (RS-04)', () => {
  const both = { 'cache-control': 'no-store', authorization: 'Bearer abc' }
  test('header and query', async () => {
    assert.deepEqual(await outcome(get(both, '?access_token=abc')), several)
  })
  test('header and body', async () => {
    assert.deepEqual(await outcome(send('POST', form, 'access_token=abc', both)), several)
  })
  test('query and body', async () => {
    const request = new Request(`${url}?access_token=abc`, {
      method: 'POST',
      headers: { 'content-type': form, 'cache-control': 'no-store' },
      body: 'access_token=abc',
    })
    assert.deepEqual(await outcome(request), several)
  })
})

test('a cookie is no way to send a token (RS-12)', async () => {
  assert.equal(await outcome(get({ cookie: 'access_token=abc; token=abc' })), null)
})

describe('whatever comes', () => {
  /** Possible header values, many of them almost right. */
  const header = fc.oneof(
    fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[^\t -~]/g, '')),
    fc
      .array(fc.constantFrom('Bearer', 'bearer', ' ', ',', '\t', 'abc', '=', 'Basic', 'é', '"'))
      .map((pieces) => pieces.join('')),
  )
  const parameter = fc
    .array(fc.constantFrom('access_token', '=', '&', 'abc', '%', '%20', '+', '%00', 'é', ';'))
    .map((pieces) => pieces.join(''))

  test('is read or refused, and never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(header, parameter, parameter, async (authorization, query, body) => {
        const result = await outcome(
          new Request(`${url}?${query}`, {
            method: 'POST',
            headers: { authorization, 'content-type': form, 'cache-control': 'no-store' },
            body,
          }),
        )
        assert.ok(result === null || Array.isArray(result))
      }),
      { numRuns: 1000 },
    )
  })

  test('two tokens are never accepted, however the second is written', async () => {
    const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,20}={0,2}$/)
    const way = fc.subarray(['header', 'again', 'query', 'body'], { minLength: 2 })
    await fc.assert(
      fc.asyncProperty(token, token, way, async (one, other, ways) => {
        const headers = new Headers({ 'content-type': form, 'cache-control': 'no-store' })
        if (ways.includes('header')) headers.append('authorization', `Bearer ${one}`)
        if (ways.includes('again')) headers.append('authorization', `bearer ${other}`)
        const written = `access_token=${encodeURIComponent(other)}`
        const result = await outcome(
          new Request(ways.includes('query') ? `${url}?${written}` : url, {
            method: 'POST',
            headers,
            body: ways.includes('body') ? written : 'title=Gate',
          }),
        )
        assert.deepEqual([result].flat().slice(0, 2), [400, 'invalid_request'])
      }),
      { numRuns: 500 },
    )
  })
})
