/** Starting and ending the service for real: whoever is told to end, everything ends, and cleanly. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import {
  chainOf,
  groupOf,
  keepNode,
  nodeFolder,
  type Running,
  shellEnvironment,
  startProgram,
} from './process.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-launch-'))
const started: Running[] = []
after(() => {
  for (const { pid } of started) for (const left of groupOf(pid)) process.kill(left, 'SIGKILL')
  rmSync(place, { recursive: true })
})

/** A copy of this checkout, with its own note of the found Node. */
const checkout = join(place, 'checkout')
mkdirSync(checkout)
for (const name of ['bin', 'packages/bundle.js', 'package.json', 'package-lock.json']) {
  cpSync(join(root, name), join(checkout, name), { recursive: true })
}
for (const name of ['src', 'node_modules']) symlinkSync(join(root, name), join(checkout, name))
const folders = {
  new: nodeFolder(join(place, 'new'), 'new'),
  old: nodeFolder(join(place, 'old'), 'old'),
}
// As if it had been fetched: another path than the one of the running Node.
keepNode(checkout, join(folders.new, 'node'))

let stores = 0
const start = (age: 'new' | 'old', command: 'npm' | 'node'): Running => {
  const args = command === 'npm' ? ['start'] : ['bin/latchkey.js', 'start']
  const env = shellEnvironment(folders[age], {
    PORT: '0',
    LATCHKEY_STORE: `sqlite:${join(place, `${stores++}.db`)}`,
  })
  const running = startProgram(command, args, { cwd: checkout, env })
  started.push(running)
  return running
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

/** Waits until nothing of a group runs. */
const emptied = async (group: number): Promise<void> => {
  while (groupOf(group).length > 0) await soon()
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Begins a token request: the service has read its headers and asked for its body. */
const beginRequest = async (port: number) => {
  const body = 'grant_type=client_credentials'
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const closed = new Promise<string>((resolve) => {
    socket.once('error', () => {}).once('close', () => resolve(answer))
  })
  const continued = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text
      if (answer.startsWith('HTTP/1.1 100 Continue\r\n\r\n')) {
        answer = answer.slice(25)
        resolve()
      }
    })
  })
  const headers = [
    'POST /token HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Basic ${btoa('nightly-report:nightly-report-secret')}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'Connection: close',
    'Expect: 100-continue',
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  await continued
  return {
    /** All of the answer, once the connection is closed. */
    closed,
    finish: (): Promise<string> => {
      socket.write(body)
      return closed
    },
  }
}

/** Runs a curl command of the banner; without curl, sends the same request. */
const paste = async (command: string): Promise<string> => {
  const env = shellEnvironment(place)
  const curl = await run('sh', ['-c', `command -v curl >/dev/null && ${command}`], { env })
  if (curl.code === 0) return curl.output
  const [, user = '', body = '', url = ''] = /^curl -s -u (\S+) -d (\S+) (\S+)$/.exec(command) ?? []
  const headers = { authorization: `Basic ${btoa(user)}` }
  return (await fetch(url, { method: 'POST', headers, body: new URLSearchParams(body) })).text()
}

/** One way to end: how it was started, and whom the signal goes to. */
interface End {
  readonly name: string
  readonly age: 'new' | 'old'
  readonly command: 'npm' | 'node'
  readonly signal: NodeJS.Signals
  /** Of the chain npm -> launcher -> service; `group` is all of them at once. */
  readonly to: 'first' | 'second' | 'last' | 'group'
}

const target = ({ to, age, command }: End, pid: number): number => {
  const chain = chainOf(pid)
  assert.equal(chain.length, (command === 'npm' ? 1 : 0) + (age === 'old' ? 2 : 1))
  if (to === 'group') return -pid
  return (to === 'last' ? chain.at(-1) : chain[to === 'second' ? 1 : 0]) ?? 0
}

const ends: readonly End[] = (['new', 'old'] as const).flatMap((age): readonly End[] => [
  { name: 'the service', age, command: 'npm', signal: 'SIGTERM', to: 'last' },
  { name: 'the launcher', age, command: 'node', signal: 'SIGTERM', to: 'first' },
  { name: 'the launcher under npm', age, command: 'npm', signal: 'SIGTERM', to: 'second' },
  { name: 'npm start', age, command: 'npm', signal: 'SIGTERM', to: 'first' },
  { name: 'the whole group', age, command: 'npm', signal: 'SIGTERM', to: 'group' },
  { name: 'the whole group, as Ctrl-C does', age, command: 'npm', signal: 'SIGINT', to: 'group' },
])

describe('npm start', () => {
  for (const end of ends) {
    const how = `${end.signal} to ${end.name} drains and exits 0 (${end.age} Node)`
    it(how, async () => {
      const running = start(end.age, end.command)
      const issuer = await running.ready
      // The connection stays open, as those of browsers do: that must not hold up the end.
      const alive = await fetch(`${issuer}/health/live`)
      assert.equal(alive.status, 200)

      process.kill(target(end, running.pid), end.signal)
      const code = await running.ended
      await emptied(running.pid)
      assert.equal(code, 0)
    })
  }

  it('lets a request under way end, and takes no new one', async () => {
    const running = start('new', 'node')
    const { port } = new URL(await running.ready)
    const request = await beginRequest(Number(port))
    process.kill(running.pid, 'SIGTERM')
    while (await isListening(Number(port))) await soon()
    const answer = await request.finish()
    assert.equal(await running.ended, 0)
    assert.match(answer, /^HTTP\/1.1 200 OK\r\n.*"access_token":"lk_at_/s)
  })

  it('does not wait for the time of a request that does not end', async () => {
    const running = start('old', 'npm')
    const { port } = new URL(await running.ready)
    const request = await beginRequest(Number(port))
    process.kill(-running.pid, 'SIGTERM')
    const code = await running.ended
    await emptied(running.pid)
    // A service that had waited for its time would have answered 408.
    assert.deepEqual([code, await request.closed], [0, ''])
  })

  it('leaves no service behind where the launcher is killed', async () => {
    const running = start('old', 'node')
    await running.ready
    assert.equal(groupOf(running.pid).length, 2)
    process.kill(running.pid, 'SIGKILL')
    await emptied(running.pid)
  })

  it('runs in the process of the launcher where Node is new enough', async () => {
    const running = start('new', 'node')
    await running.ready
    assert.deepEqual(groupOf(running.pid), [running.pid])
    process.kill(running.pid, 'SIGTERM')
    assert.equal(await running.ended, 0)
  })

  it('says where to look, and a first command that works as pasted', async () => {
    const running = start('new', 'node')
    const issuer = await running.ready
    const command = /^ *(curl .*)$/m.exec(running.said())?.[1] ?? ''
    const answer = await paste(command)
    process.kill(running.pid, 'SIGTERM')
    await running.ended
    assert.match(answer, /^{"access_token":"lk_at_/)
    assert.equal(running.said().split('listening on').length, 2)
    assert.match(running.said(), new RegExp(`${issuer}/account`))
  })

  it('says in one message what is wrong with the settings', async () => {
    const env = shellEnvironment(folders.new, { PORT: 'high', LATCHKEY_DEMOS: '1' })
    const running = startProgram('node', ['bin/latchkey.js', 'start'], { cwd: checkout, env })
    assert.equal(await running.ended, 2)
    assert.equal(
      running.complained(),
      [
        'latchkey: the settings are wrong',
        '  - LATCHKEY_DEMOS is not a setting; did you mean LATCHKEY_DEMO?',
        '  - PORT must be a whole number from 0 to 65535, not "high"',
        '',
      ].join('\n'),
    )
  })

  it('says in one message that the port or the database is in use', async () => {
    const first = start('new', 'node')
    const port = new URL(await first.ready).port
    const store = `sqlite:${join(place, `${stores - 1}.db`)}`
    const attempt = (more: Readonly<Record<string, string>>): Running =>
      startProgram('node', ['bin/latchkey.js', 'start'], {
        cwd: checkout,
        env: shellEnvironment(folders.new, more),
      })
    const onPort = attempt({ PORT: port, LATCHKEY_STORE: `sqlite:${join(place, 'other.db')}` })
    const onStore = attempt({ PORT: '0', LATCHKEY_STORE: store })
    const codes = [await onPort.ended, await onStore.ended]
    process.kill(first.pid, 'SIGTERM')
    await first.ended

    assert.deepEqual(codes, [1, 1])
    assert.equal(
      onPort.complained(),
      `latchkey: another program listens on 127.0.0.1:${port}; end it, or choose another port with PORT\n`,
    )
    assert.equal(
      onStore.complained(),
      `latchkey: the database ${store.slice('sqlite:'.length)} is in use by another process\n`,
    )
  })
})
