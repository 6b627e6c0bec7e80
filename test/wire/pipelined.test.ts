/** Pipelined requests: each is begun only once the answers before it were taken. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { httpLimits } from '../../src/http/limits.ts'
import { type Listener, listen } from '../../src/http/listen.ts'
import { hear, open } from './wire.ts'

const megabyte = 'x'.repeat(2 ** 20)
const ask = 'GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

let listener: Listener
let begun = 0

before(async () => {
  listener = await listen({ port: 0, host: '127.0.0.1' })
  listener.serve(
    async (request) => {
      if (new URL(request.url).pathname !== '/large') {
        return { status: 200, headers: {}, body: `<${await request.text()}>` }
      }
      begun++
      return { status: 200, headers: {}, body: megabyte }
    },
    () => {},
  )
})
after(() => listener.close())

const tell = (text: string): string =>
  `POST /told HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${text.length}\r\n\r\n${text}`

/** All of these are answered, in their order. */
const converse = async (count: number): Promise<void> => {
  const said = Array.from({ length: count }, (_, index) => `${index}`)
  const socket = await open(listener.port)
  const heard = hear(socket, new RegExp(`<${count - 1}>`))
  socket.write(said.map(tell).join(''))
  assert.deepEqual(
    [...(await heard).matchAll(/<(\d+)>/g)].map(([, text]) => text),
    said,
  )
}

describe('pipelined requests', () => {
  test('are all answered in order, more than one read brings', () => converse(2000))

  test('whose answers nobody takes are not begun, and others are served', async () => {
    begun = 0
    const socket = await open(listener.port)
    socket.pause().write(ask.repeat(200))
    await converse(50)
    // The buffers of the connection hold a few.
    assert.ok(begun < 24, `${begun} begun`)
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
    await converse(2)
    assert.ok(begun < 24, `${begun} begun`)
  })

  test('are bounded in all: beyond, their connections are cut off and others served', async () => {
    const each = 1500
    const sockets = []
    for (let sent = 0; sent <= httpLimits.requestsWaiting; sent += each) {
      const socket = await open(listener.port)
      socket.pause().on('error', () => {})
      socket.write(ask.repeat(each))
      sockets.push(socket)
    }
    await converse(1)
    const cutOff = (socket: Socket) => socket.closed || once(socket, 'close')
    await Promise.race(sockets.map((socket) => cutOff(socket.resume())))
    for (const socket of sockets) socket.destroy()
    await converse(100)
  })
})
