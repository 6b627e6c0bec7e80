/** Bounds on the questions to a directory: bytes of an answer, questions at once, and long passwords. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import { createSockets } from '../../src/upstreams/directory-sockets.ts'
import { openLdap } from '../../src/upstreams/ldap.ts'
import { upstreamLimits } from '../../src/upstreams/limits.ts'
import { upstreamsOf } from '../support/upstream.ts'

let fake: Server
let port = 0
let connections = 0
let answer: (socket: Socket) => void = () => {}
before(async () => {
  fake = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    answer(socket)
  })
  fake.listen(0, '127.0.0.1')
  await once(fake, 'listening')
  port = Number(Object(fake.address()).port)
})
after(() => fake.close())

const open = () => {
  const settings = { id: 'fake', title: 'Fake', type: 'ldap', base_dn: 'dc=example' }
  const [upstream] = upstreamsOf([{ ...settings, url: `ldap://127.0.0.1:${port}` }])
  if (upstream?.type !== 'ldap') return assert.fail()
  return openLdap(upstream, () => () => {})
}

describe('a directory', () => {
  test('that sends too much is heard to its bound, and no further', async () => {
    answer = (socket) => socket.write(Buffer.alloc(20 * upstreamLimits.directoryBytes))
    const sockets = createSockets()
    const socket = sockets.connect(port, '127.0.0.1')
    let bytes = 0
    socket.on('data', (data: Buffer) => {
      bytes += data.length
    })
    const [fault] = await once(socket, 'error')
    assert.equal(fault.message, 'too_large')
    assert.ok(bytes <= upstreamLimits.directoryBytes, `${bytes}`)
    sockets.destroy()
  })

  test('is asked by so many at once, and no more', async () => {
    answer = () => {}
    const directory = open()
    const most = upstreamLimits.atOncePerHost
    const earlier = connections
    const asked = Array.from({ length: most }, (_, i) => directory.check(`name-${i}`, 'password'))
    const fault = { kind: 'unreachable', detail: 'directory: too_busy' }
    assert.deepEqual({ ...(await directory.check('one', 'password')) }, fault)
    while (connections < earlier + most) await new Promise((resume) => setImmediate(resume))
    directory.close()
    for (const answered of await Promise.all(asked)) {
      assert.equal(Object(answered).kind, 'unreachable')
      assert.notEqual(Object(answered).detail, fault.detail)
    }
    const before = connections
    const again = directory.check('one', 'password')
    while (connections === before) await new Promise((resume) => setImmediate(resume))
    directory.close()
    assert.notDeepEqual({ ...(await again) }, fault)
  })

  test('is not asked about a password or name that nobody has', async () => {
    const directory = open()
    const before = connections
    const { passwordBytes, usernameCharacters } = ownerLimits
    assert.equal(await directory.check('eve', 'ä'.repeat(passwordBytes / 2 + 1)), null)
    assert.equal(await directory.check('eve', ''), null)
    for (const name of ['', ' ', 'e\u200bve', 'e\u0000', 'x'.repeat(usernameCharacters + 1)]) {
      assert.equal(await directory.check(name, 'password'), null)
      assert.equal(await directory.find(name), null)
    }
    assert.equal(connections, before)
  })

  test('is asked to bind for a name of nobody as well, so that both cost the same', async () => {
    const heard: string[] = []
    // The end of the first search, without an entry (RFC 4511 section 4.5.2).
    const done = Buffer.from('300c02010165070a010004000400', 'hex')
    answer = (socket) =>
      socket.on('data', (data: Buffer) => {
        heard.push(data.toString('latin1'))
        const [, length = 0] = data
        const id = data[(length > 0x80 ? 2 + (length & 15) : 2) + 2] ?? 0
        if (heard.length === 1) socket.write(done.fill(id, 4, 5))
        else socket.end()
      })
    const directory = open()
    await directory.check('nobody', 'a password')
    assert.match(heard[1] ?? '', /cn=latchkey-no-such-entry,dc=example[\s\S]*a password/)
    directory.close()
  })
})
