/** Bodies from a socket: none, an empty one, and one that is read as it comes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readOptionalJson, readText } from '../../src/http/body.ts'
import { httpLimits } from '../../src/http/limits.ts'
import { type Listener, listen } from '../../src/http/listen.ts'
import { Refusal } from '../../src/protocol/refusal.ts'
import { hear, open } from './wire.ts'

let listener: Listener
before(async () => {
  listener = await listen({ port: 0, host: '127.0.0.1' })
  listener.serve(
    async (request) => {
      const read = request.url.endsWith('/text')
        ? readText(request, httpLimits.formBytes).then(({ length }) => length)
        : readOptionalJson(request)
      const said = await read.catch((fault: unknown) => {
        assert.ok(fault instanceof Refusal)
        return fault.reason
      })
      return { status: 200, headers: {}, body: `<${JSON.stringify(said)}>` }
    },
    () => {},
  )
})
after(() => listener.close())

const answerTo = async (path: string, headers: string, body = ''): Promise<string | undefined> => {
  const socket = await open(listener.port)
  const heard = hear(socket, /<.*>/)
  socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n${body}`)
  return /<(.*)>/.exec(await heard)?.[1]
}

const json = 'Content-Type: application/json\r\n'

describe('a body that may be left out', () => {
  for (const [name, headers] of [
    ['no header', ''],
    ['a length of zero', 'Content-Length: 0\r\n'],
    ['a length of zero and a type', `Content-Length: 0\r\n${json}`],
  ] as const) {
    test(`is left out by ${name}`, async () => {
      assert.equal(await answerTo('/', headers), '{}')
    })
  }

  test('is read where it is there', async () => {
    assert.equal(await answerTo('/', `${json}Content-Length: 7\r\n`, '{"a":1}'), '{"a":1}')
    assert.equal(await answerTo('/', 'Content-Length: 7\r\n', '{"a":1}'), '"not_json"')
  })
})

test('a body of a declared length is read whole, small or large', async () => {
  const { smallBodyBytes: small } = httpLimits
  for (const length of [1, small, small + 1, httpLimits.formBytes]) {
    const headers = `Content-Length: ${length}\r\n`
    assert.equal(await answerTo('/text', headers, 'x'.repeat(length)), String(length))
  }
})
