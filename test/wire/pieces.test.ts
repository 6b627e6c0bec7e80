/** Answers in pieces on a real connection: at the pace of the reader, and cut where one side fails. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Listener, listen } from '../../src/http/listen.ts'
import { bodyOf, hear, open } from './wire.ts'

const megabyte = 'x'.repeat(2 ** 20)
const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

/** Until then Node joins what was written. */
const nextTurn = () => new Promise(setImmediate)

let listener: Listener
let pieces: AsyncIterable<string>
let onFault: (fault: unknown) => void = () => {}

before(async () => {
  listener = await listen({ port: 0, host: '127.0.0.1' })
  const respond = async () => ({ status: 200, headers: {}, body: pieces })
  listener.serve(respond, (fault) => onFault(fault))
})
after(() => listener.close())

const begin = async (): Promise<Socket> => {
  const socket = await open(listener.port)
  socket.write(ask('/'))
  return socket
}

describe('an answer in pieces', () => {
  test('comes whole, and the connection serves the next request', async () => {
    pieces = (async function* () {
      yield 'one, '
      yield ''
      await nextTurn()
      yield 'two'
    })()
    const socket = await open(listener.port)
    const first = hear(socket, /\r\n0\r\n\r\n/)
    socket.write(ask('/'))
    const heard = await first
    assert.match(heard, /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(heard, /Transfer-Encoding: chunked/)
    assert.equal(bodyOf(heard), '5\r\none, \r\n3\r\ntwo\r\n0\r\n\r\n')
  })

  test('is made at the pace of its reader', async () => {
    const count = 64
    let received = 0
    let furthest = 0
    pieces = (async function* () {
      for (let made = 1; made <= count; made++) {
        yield megabyte
        furthest = Math.max(furthest, made - received / megabyte.length)
      }
    })()
    const socket = await begin()
    for await (const bytes of socket) {
      received += bytes.length
      if (bytes.subarray(-5).toString() === '0\r\n\r\n') break
    }
    assert.ok(received > count * megabyte.length)
    // The buffers of the connection hold a few.
    assert.ok(furthest < 24, `${furthest} pieces ahead`)
  })

  test('ends with its reader', async () => {
    let faults = 0
    onFault = () => faults++
    const ended = new Promise<void>((resolve) => {
      pieces = (async function* () {
        try {
          for (;;) yield megabyte
        } finally {
          resolve()
        }
      })()
    })
    const socket = await begin()
    await once(socket, 'data')
    socket.destroy()
    await ended
    assert.equal(faults, 0)
  })

  test('is cut where a piece fails, and the fault is told', async () => {
    const told = new Promise((resolve) => {
      onFault = resolve
    })
    pieces = (async function* () {
      yield 'the first half'
      await nextTurn()
      throw new Error('the store failed')
    })()
    const heard = await hear(await begin())
    assert.equal(bodyOf(heard), 'e\r\nthe first half\r\n')
    assert.equal(((await told) as Error).message, 'the store failed')
  })
})
