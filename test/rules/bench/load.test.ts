/** The load of a benchmark ends, and counts as wrong, whatever becomes of the server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { application, type Job, service } from '../../../bench/load/job.ts'
import { runSlice } from '../../../bench/load/slice.ts'

const connections = 4

const listen = async (t: TestContext, server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Work without an end, unless something goes wrong. */
const jobAt = (port: number, rate: number | null = null): Job => ({
  work: 'token',
  target: {
    port,
    readPath: '/',
    shows: [],
    revoker: service,
    revoked: '',
    application,
    jwtService: null,
    idTokens: null,
    keyClient: null,
    scope: '',
    cookies: '',
    loginForm: null,
  },
  seconds: 3600,
  connections,
  most: null,
  rate,
  material: [],
  awake: false,
  keep: 0,
})

describe('a slice of load', () => {
  it('ends where nobody listens', async () => {
    // The system gives this port to nobody, unlike one that was free a moment ago.
    const { done, wrong, firstWrong } = await runSlice(jobAt(1))
    assert.deepEqual([done, wrong], [0, 1])
    assert.match(firstWrong ?? '', /ECONNREFUSED/)
  })

  for (const rate of [null, 1000]) {
    it(`ends with a server that goes away under way (rate: ${rate})`, async (t) => {
      const sockets: Socket[] = []
      const server = createServer((socket) => {
        sockets.push(socket.on('error', () => {}))
        socket.once('data', () => {
          for (const one of sockets) one.destroy()
        })
      })
      const { done, wrong } = await runSlice(jobAt(await listen(t, server), rate))
      assert.deepEqual([done, wrong], [0, 1])
    })
  }

  it('ends with a server that goes away before the first request', async (t) => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => {}))
      if (sockets.length === connections) for (const one of sockets) one.destroy()
    })
    const { done, wrong } = await runSlice(jobAt(await listen(t, server), 1))
    assert.deepEqual([done, wrong], [0, 1])
  })

  it('has nothing wrong in it where all answers are right', async (t) => {
    const body = '{"access_token":"abc"}'
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('data', () => socket.write(answer))
    })
    const job = { ...jobAt(await listen(t, server)), most: 20, keep: 20 }
    const { done, wrong, kept } = await runSlice(job)
    assert.deepEqual([done, wrong, new Set(kept)], [20, 0, new Set(['abc'])])
  })
})
