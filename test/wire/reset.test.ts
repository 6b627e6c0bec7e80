/** Connections that their sender resets at once: each answered request has an address all the same. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { type Listener, listen } from '../../src/http/listen.ts'
import { hear, open } from './wire.ts'

const ask = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`

const peers: string[] = []
let listener: Listener

before(async () => {
  listener = await listen({ port: 0, host: '127.0.0.1' })
  listener.serve(
    async (_, peer) => {
      peers.push(peer)
      return { status: 200, headers: {}, body: null }
    },
    () => {},
  )
})
after(() => listener.close())

test('a request is never answered for an unknown address', async () => {
  for (let times = 0; times < 20; times++) {
    const socket = await open(listener.port)
    socket.write(ask('/reset'), () => socket.resetAndDestroy())
    await once(socket, 'close')
    const other = await open(listener.port)
    const heard = hear(other)
    other.write(ask('/'))
    assert.match(await heard, /^HTTP\/1\.1 200 OK/)
  }
  assert.deepEqual(new Set(peers), new Set(['127.0.0.1']))
})
