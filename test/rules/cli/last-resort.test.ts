/** Faults that nobody caught: some end the process, and all are told. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const source = join(import.meta.dirname, '../../../src')

/** Runs a program in which a fault is caught by nobody. It tells of it, and says whether it lives on. */
const run = (fault: string) => {
  const program = `
    import { connect, createServer } from 'node:net'
    import { watchUncaught } from '${source}/cli/process.ts'
    import { runForHost } from '${source}/http/outbound-exchange.ts'
    const tell = ({ host, message, fault }) => console.log(host ?? 'nobody', message, fault.split('\\n')[0])
    watchUncaught(tell, () => process.exit(1))
    process.on('exit', () => console.log('ended'))
    ${fault}`
  const args = ['--input-type=module', '--eval', program]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, said: stdout.trim().split('\n') }
}

test('a connection that nobody listens to is told with its host, and the process lives on', () => {
  const { status, said } = run(`runForHost('six.example', () => connect(1, '127.0.0.1'))`)
  assert.equal(status, 0)
  assert.deepEqual(said, [
    'six.example unexpected fault of a connection Error: connect ECONNREFUSED 127.0.0.1:1',
    'ended',
  ])
})

test('so is a fault in what reads from the connection', () => {
  const { status, said } = run(`
    const server = createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      runForHost('mail.example:25', () =>
        connect(port, '127.0.0.1').on('data', () => {
          server.close()
          throw new RangeError('too short')
        }),
      )
    })`)
  assert.equal(status, 0)
  assert.deepEqual(said, [
    'mail.example:25 unexpected fault of a connection RangeError: too short',
    'ended',
  ])
})

test('any other one ends the process, and is told first', () => {
  for (const fault of [
    `setTimeout(() => { throw new Error('ours') })`,
    `await runForHost('six.example', async () => {}); throw new Error('ours')`,
  ]) {
    const { status, said } = run(fault)
    assert.equal(status, 1)
    assert.deepEqual(said, ['nobody unexpected fault: the service ends Error: ours', 'ended'])
  }
})
