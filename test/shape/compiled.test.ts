/** A start keeps its compiled code beside the program for the next one, and works without it. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nodeFolder, type Running, shellEnvironment, startProgram } from './process.ts'
import { root } from './source.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-compiled-'))
const programs = nodeFolder(join(place, 'programs'), 'new')
const started: Running[] = []
after(() => {
  for (const { child } of started) child.kill('SIGKILL')
  rmSync(place, { recursive: true })
})

interface Checkout {
  readonly folder: string
  start(): Running
  /** Every file that is kept, and when it was written. */
  kept(): Readonly<Record<string, number>>
}

const checkoutOf = (name: string): Checkout => {
  const folder = join(place, name)
  mkdirSync(folder)
  for (const part of ['bin', 'packages/bundle.js', 'package.json', 'package-lock.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  for (const part of ['src', 'node_modules']) symlinkSync(join(root, part), join(folder, part))
  const compiled = join(folder, '.cache/compiled')
  const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}` }
  return {
    folder,
    start() {
      const options = { cwd: folder, env: shellEnvironment(programs, env) }
      const running = startProgram('node', ['bin/latchkey.js', 'start'], options)
      started.push(running)
      return running
    },
    kept() {
      if (!existsSync(compiled)) return {}
      const files = readdirSync(compiled, { recursive: true, withFileTypes: true })
      // One that is being written has another name yet.
      const whole = files.filter((file) => file.isFile() && !file.name.includes('.'))
      const paths = whole.map(({ parentPath, name: file }) => join(parentPath, file))
      return Object.fromEntries(paths.map((path) => [path, statSync(path).mtimeMs]))
    },
  }
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

const end = async ({ child, ended }: Running, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal)
  return await ended
}

describe('what was compiled', () => {
  it('is kept beside the program, and serves the next start as it is', async () => {
    const checkout = checkoutOf('twice')
    const first = checkout.start()
    await first.ready
    assert.equal(await end(first), 0)
    const kept = checkout.kept()
    const second = checkout.start()
    await second.ready
    assert.equal(await end(second), 0)
    assert.ok(Object.keys(kept).length > 10)
    assert.deepEqual(checkout.kept(), kept)
  })

  it('is kept also where the first start is killed', async () => {
    const checkout = checkoutOf('killed')
    const first = checkout.start()
    await first.ready
    while (Object.keys(checkout.kept()).length === 0) await soon()
    assert.equal(await end(first, 'SIGKILL'), 'SIGKILL')
  })

  it('is not kept where nothing can be written, and the service starts all the same', async () => {
    const checkout = checkoutOf('closed')
    writeFileSync(join(checkout.folder, '.cache'), 'a file where a folder should be')
    const running = checkout.start()
    await running.ready
    assert.equal(await end(running), 0)
    assert.equal(running.complained(), '')
  })
})
