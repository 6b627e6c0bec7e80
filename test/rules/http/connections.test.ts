/** Connections of one address: bounded, counted until they close. */
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { boundConnections } from '../../../src/http/connections.ts'
import { httpLimits } from '../../../src/http/limits.ts'

/** A socket with an address, which only the system can give to a real one. */
const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })

/** Answers whether a connection was taken. Others are closed. */
const within = (trustedProxies: readonly string[]) => {
  const taken = new Set<Socket>()
  const take = boundConnections(trustedProxies, (socket) => taken.add(socket))
  return (socket: Socket): boolean => {
    take(socket)
    assert.equal(socket.destroyed, !taken.has(socket))
    return taken.has(socket)
  }
}

const most = httpLimits.connectionsOfAddress

test('an address has its bound, and a closed connection makes room', async () => {
  const isWithin = within([])
  const sockets = Array.from({ length: most }, () => from('203.0.113.9'))
  assert.ok(sockets.every(isWithin))
  assert.equal(isWithin(from('203.0.113.9')), false)
  assert.equal(isWithin(from('::ffff:203.0.113.9')), false)
  assert.equal(isWithin(from('203.0.113.10')), true)
  const [first] = sockets
  first?.emit('close')
  assert.equal(isWithin(from('203.0.113.9')), true)
  assert.equal(isWithin(from('203.0.113.9')), false)
})

test('a /64 counts as one address', () => {
  const isWithin = within([])
  const sockets = Array.from({ length: most }, (_, host) => from(`2001:db8::${host + 1}`))
  assert.ok(sockets.every(isWithin))
  assert.equal(isWithin(from('2001:db8::ffff:1')), false)
  assert.equal(isWithin(from('2001:db8:0:1::1')), true)
})

for (const peer of ['10.1.2.3', '127.0.0.1', '::1', '::ffff:10.1.2.3']) {
  test(`a trusted proxy or this machine has none: ${peer}`, () => {
    const isWithin = within(['10.0.0.0/8'])
    const sockets = Array.from({ length: most + 10 }, () => from(peer))
    assert.ok(sockets.every(isWithin))
  })
}
