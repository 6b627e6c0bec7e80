/** The log of a real process: complete with a reader, and no hindrance without one. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { program } from '../shape/made-program.ts'
import { memoryOr } from '../support/memory.ts'
import { reach } from '../support/reach.ts'

interface Running {
  readonly child: ChildProcess
  /** Makes so many requests, some at once. */
  askOften(times: number): Promise<void>
  /** Asks it to end; resolves with the exit code, or the name of the signal that ended it. */
  end(): Promise<number | string>
}

const launch = async (t: TestContext): Promise<Running> => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
  const store = `sqlite:${join(folder, 'latchkey.db')}`
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', LATCHKEY_STORE: store },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const [line] = await once(child.stdout ?? assert.fail(), 'data')
  const [, issuer] = /listening on (\S+)/.exec(String(line)) ?? []
  const service = reach(issuer ?? assert.fail(String(line)))
  return {
    child,
    async askOften(times) {
      for (let left = times; left > 0; left -= 20) {
        await Promise.all(
          Array.from({ length: Math.min(left, 20) }, async () => {
            assert.equal((await service.ask('/health/live')).status, 200)
          }),
        )
      }
    },
    async end() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const [code, signal] = await exit
      return code ?? signal
    },
  }
}

test('a service that ends has told of every request', async (t) => {
  const { child, askOften, end } = await launch(t)
  let log = ''
  child.stderr?.on('data', (piece) => {
    log += String(piece)
  })
  const closed = once(child, 'close')
  await askOften(50)
  assert.equal(await end(), 0)
  await closed
  const told = log.trimEnd().split('\n')
  const requests = told.filter((line) => JSON.parse(line).route === '/health/live')
  assert.equal(requests.length, 50)
})

test('a log that nobody reads holds up neither a request nor the end', async (t) => {
  // More than fits into the pipe.
  const { askOften, end } = await launch(t)
  await askOften(3000)
  assert.equal(await end(), 0)
})
