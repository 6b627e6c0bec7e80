/** Request bodies: read once, up to a limit, as strict UTF-8 (rows H-02, H-07, H-12). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  formType,
  readForm,
  readJsonObject,
  readMediaType,
  readText,
} from '../../../src/http/body.ts'
import { httpLimits } from '../../../src/http/limits.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

/** With its length declared, as almost every client sends it. */
const whole = (body: string | Uint8Array<ArrayBuffer>, type = formType): Request => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const headers = { 'content-type': type, 'content-length': String(bytes.byteLength) }
  return new Request('http://127.0.0.1/', { method: 'POST', headers, body: bytes })
}

/** In pieces, of a length that nobody knows beforehand. */
const streamed = (pieces: Iterable<Uint8Array>, type = formType): Request =>
  new Request('http://127.0.0.1/', {
    method: 'POST',
    headers: { 'content-type': type },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  } as RequestInit)

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The reason of the refusal, or what was read. */
const outcome = async <Read>(reading: Promise<Read>): Promise<Read | string> => {
  try {
    return await reading
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return fault.reason
  }
}

describe('bodies of all connections together', () => {
  const count = httpLimits.bodyBytesHeld / httpLimits.formBytes
  const openBodies = (headers: Record<string, string>, first: Uint8Array | null) =>
    Array.from({ length: count }, () => {
      let end = (): void => {}
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          if (first !== null) controller.enqueue(first)
          end = () => controller.close()
        },
      })
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      const reading = outcome(
        readText(new Request('http://127.0.0.1/', init), httpLimits.formBytes),
      )
      return { end, reading }
    })

  const declared = { 'content-length': String(httpLimits.formBytes) }
  const all = new Uint8Array(httpLimits.formBytes).fill(0x61)
  const large = 'a'.repeat(httpLimits.smallBodyBytes + 1)

  for (const [name, headers] of [
    ['declared', declared],
    ['in pieces', {}],
  ] as const) {
    test(`${name}: beyond the bound they are refused until others have ended`, async () => {
      const opened = openBodies(headers, all)
      await new Promise(setImmediate)
      assert.equal(await outcome(readText(whole('a=1'), 100)), 'a=1', 'a small one is read')
      await assert.rejects(readText(whole(large), httpLimits.formBytes), (fault) => {
        assert.ok(fault instanceof Refusal)
        assert.deepEqual([fault.status, fault.reason], [503, 'bodies_waiting'])
        assert.equal(fault.headers.Connection, 'close')
        return true
      })
      for (const { end } of opened) end()
      await Promise.all(opened.map(({ reading }) => reading))
      assert.equal(await outcome(readText(whole(large), httpLimits.formBytes)), large)
    })
  }

  test('declared and never sent, they keep nobody out', async () => {
    const opened = openBodies(declared, null)
    await new Promise(setImmediate)
    assert.equal(await outcome(readText(whole(large), httpLimits.formBytes)), large)
    for (const { end } of opened) end()
    await Promise.all(opened.map(({ reading }) => reading))
  })
})

describe('text', () => {
  test('up to the limit and not a byte further, declared or not', async () => {
    for (const request of [whole, (text: string) => streamed([bytesOf(text)])]) {
      assert.equal(await outcome(readText(request('éé'), 4)), 'éé')
      assert.equal(await outcome(readText(request('ééx'), 4)), 'body_too_large')
    }
  })

  test('a refusal of a body that is too large closes the connection', async () => {
    await assert.rejects(readText(whole('12345'), 4), (fault) => {
      assert.ok(fault instanceof Refusal)
      assert.deepEqual([fault.status, fault.headers], [413, { Connection: 'close' }])
      assert.equal(fault.description, 'the body is larger than 4 bytes')
      return true
    })
  })

  test('a body that breaks off is no fault of ours; one that was read before is', async () => {
    const broken = function* () {
      yield bytesOf('grant_type=')
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    }
    await assert.rejects(readText(streamed(broken()), 100), (fault) => {
      assert.ok(fault instanceof Refusal)
      assert.deepEqual([fault.status, fault.reason], [408, 'client_gone'])
      return true
    })
    const request = whole('a=1')
    assert.equal(await request.text(), 'a=1')
    await assert.rejects(readText(request, 100), TypeError)
  })

  test('a stream without an end is cut at the limit', async () => {
    let sent = 0
    const endless = function* () {
      for (;;) {
        sent += 1024
        yield new Uint8Array(1024).fill(0x61)
      }
    }
    assert.equal(await outcome(readText(streamed(endless()), 16 * 1024)), 'body_too_large')
    assert.ok(sent < 64 * 1024, String(sent))
  })

  test('none is empty', async () => {
    const request = new Request('http://127.0.0.1/', { method: 'POST' })
    assert.equal(await readText(request, 10), '')
  })

  test('what is not UTF-8 is refused, never repaired', async () => {
    const bad = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x61, 0xe2, 0x82]]
    for (const bytes of bad) {
      const body = Uint8Array.from(bytes)
      assert.equal(await outcome(readText(whole(body), 10)), 'body_not_utf8', String(bytes))
      assert.equal(await outcome(readText(streamed([body]), 10)), 'body_not_utf8', String(bytes))
    }
  })

  test('a character may be cut in two on its way', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 }).filter((one) => {
      // A byte order mark is no part of the text, and U+FFFD marks what was repaired.
      return one.isWellFormed() && !/[\ufeff\ufffd]/.test(one)
    })
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (sent, size) => {
        const bytes = bytesOf(sent)
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.slice(i * size, (i + 1) * size),
        )
        assert.equal(await readText(streamed(pieces), 1000), sent)
      }),
    )
  })
})

describe('the media type', () => {
  const rows: readonly [string, string | null][] = [
    ['application/x-www-form-urlencoded', formType],
    ['Application/X-WWW-Form-Urlencoded', formType],
    ['application/x-www-form-urlencoded; charset=UTF-8', formType],
    ['application/x-www-form-urlencoded;charset="utf-8"', formType],
    [' application/x-www-form-urlencoded ; boundary=x', formType],
    ['application/x-www-form-urlencoded; charset=iso-8859-1', null],
    ['application/x-www-form-urlencoded; charset=', null],
    ['application/json', 'application/json'],
    ['', ''],
  ]
  for (const [header, expected] of rows) {
    test(JSON.stringify(header), () => {
      const request = new Request('http://127.0.0.1/', { headers: { 'content-type': header } })
      assert.equal(readMediaType(request), expected)
    })
  }
})

describe('a form', () => {
  test('is read as its pairs', async () => {
    const form = await readForm(whole('a=1&b=%C3%A9+x&c='))
    assert.deepEqual([form.find('a'), form.find('b'), form.find('c')], ['1', 'é x', null])
  })

  test('is of that type alone', async () => {
    for (const type of ['text/plain', 'multipart/form-data', 'application/json', '']) {
      assert.equal(await outcome(readForm(whole('a=1', type))), 'not_a_form')
    }
  })

  test('is no larger than the limit', async () => {
    const most = 'a='.padEnd(httpLimits.formBytes, 'x')
    assert.equal((await readForm(whole(most))).find('a')?.length, httpLimits.formBytes - 2)
    assert.equal(await outcome(readForm(whole(`${most}x`))), 'body_too_large')
  })
})

describe('a JSON object', () => {
  const json = (text: string, type = 'application/json') => readJsonObject(whole(text, type))

  test('is read', async () => {
    assert.deepEqual(await json('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] })
    assert.deepEqual(await json('{}', 'application/merge-patch+json'), {})
  })

  const rows: readonly [string, string, string][] = [
    ['a list', '[]', 'json_not_object'],
    ['null', 'null', 'json_not_object'],
    ['a text', '"a"', 'json_not_object'],
    ['nothing', '', 'bad_json'],
    ['an open end', '{"a":1', 'bad_json'],
    ['something after it', '{}{}', 'bad_json'],
    ['single quotes', "{'a':1}", 'bad_json'],
  ]
  for (const [what, text, reason] of rows) {
    test(`${what} is none`, async () => assert.equal(await outcome(json(text)), reason))
  }

  test('is of a JSON type', async () => {
    for (const type of [
      'text/plain',
      formType,
      'application/jsonp',
      'application/json; charset=latin1',
    ]) {
      assert.equal(await outcome(json('{}', type)), 'not_json')
    }
  })

  test('nests no deeper than the limit; brackets within text do not count', async () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    assert.equal(typeof (await outcome(json(deep(httpLimits.jsonDepth)))), 'object')
    assert.equal(await outcome(json(deep(httpLimits.jsonDepth + 1))), 'json_too_deep')
    assert.equal(await outcome(json(`{"a":${'['.repeat(60_000)}`)), 'json_too_deep')
    const text = JSON.stringify({ a: `"\\${'[{'.repeat(500)}` })
    assert.equal(typeof (await outcome(json(text))), 'object')
  })

  test('whatever JSON there is comes back as it is, or is refused for a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        const read = await outcome(json(text))
        if (typeof read === 'object') assert.deepEqual(read, JSON.parse(text))
        else assert.match(read, /^(json_not_object|json_too_deep|body_not_utf8|number_not_exact)$/)
      }),
    )
  })
})
