/** A process that may open no more files: it says so, and goes on once there is room. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { program } from '../shape/made-program.ts'
import { startProgram } from '../shape/process.ts'
import { freePort } from '../support/port.ts'
import { reach } from '../support/reach.ts'
import { newFolder } from './folder.ts'

test('connections without a file descriptor are told of in the log', async (t) => {
  const { path, remove } = newFolder()
  const port = await freePort()
  const command = `ulimit -n 64; exec "${process.execPath}" "${program}" start`
  const running = startProgram('sh', ['-c', command], {
    cwd: path,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LATCHKEY_STORE: `sqlite:${path}/latchkey.db`,
      LATCHKEY_SECRET: 'a root secret for a node with few descriptors',
    },
  })
  t.after(async () => {
    running.child.kill('SIGKILL')
    await running.ended
    remove()
  })
  const issuer = await running.ready
  const isTold = (): boolean => running.complained().includes('no file descriptor is left')
  assert.equal(isTold(), false)
  const sockets: Socket[] = []
  for (let i = 0; i < 100; i++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  // Those that were ended leave their places to the next: a shortage lasts as long as they come.
  while (!isTold()) await new Promise(setImmediate)
  for (const socket of sockets) socket.destroy()
  const service = reach(issuer)
  const isLive = async () => (await service.ask('/health/live').catch(() => null))?.status === 200
  while (!(await isLive())) await new Promise(setImmediate)
})
