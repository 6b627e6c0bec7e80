/** The launcher on a fresh clone: what it installs and fetches, and when it does neither. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { oldNode, shellEnvironment, writeScript } from './process.ts'
import { root } from './source.ts'
import { type Outcome, run } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-install-'))
after(() => rmSync(place, { recursive: true }))

const lockOf = (version: string): string =>
  JSON.stringify({
    packages: {
      '': { name: 'latchkey' },
      'node_modules/wanted': { version },
      'node_modules/elsewhere': { version, optional: true },
    },
  })

interface Clone {
  /** Runs the launcher. */
  start(nodeArguments?: readonly string[]): Promise<Outcome>
  /** How npm and npx were called so far. */
  calls(): readonly string[]
  readonly folder: string
}

/** A clone whose program says so, with an npm that installs all but optional packages. */
const cloneOf = (name: string, installs = 'exit 0'): Clone => {
  const folder = join(place, name)
  const programs = join(folder, 'programs')
  const log = join(folder, 'calls')
  mkdirSync(join(folder, 'src'), { recursive: true })
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'package-lock.json'), lockOf('1.0.0'))
  writeFileSync(join(folder, 'src/cli.ts'), "console.log('program', ...process.argv.slice(2))")
  writeScript(programs, 'npm', [
    `echo "npm $*" >> "${log}"`,
    'mkdir -p node_modules',
    `sed 's/"node_modules.elsewhere.*}$/"":{}}}/' package-lock.json > node_modules/.package-lock.json`,
    installs,
  ])
  writeScript(programs, 'npx', [`echo "npx $*" >> "${log}"`, `echo "${process.execPath}"`])
  return {
    folder,
    start: (nodeArguments = []) =>
      run(process.execPath, [...nodeArguments, 'bin/latchkey.js', 'start', '--port', '0'], {
        cwd: folder,
        env: shellEnvironment(programs),
      }),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

const npmCi = 'npm ci --include=dev --loglevel=error --no-audit --no-fund'
const npxNode = 'npx -y -p node@26 node -p process.execPath'
const installing = 'latchkey: installing what package-lock.json names (npm ci)\n'
const fetching = 'latchkey: Node 20.0.0 is too old, fetching node@26 from npm\n'
const program = 'program start --port 0\n'

describe('the launcher', () => {
  it('installs once, and says so', async () => {
    const clone = cloneOf('once')
    const first = await clone.start()
    const second = await clone.start()
    assert.deepEqual(first, { code: 0, output: installing + program })
    assert.deepEqual(second, { code: 0, output: program })
    assert.deepEqual(clone.calls(), [npmCi])
  })

  it('installs again when the lock file names another version', async () => {
    const clone = cloneOf('again')
    await clone.start()
    writeFileSync(join(clone.folder, 'package-lock.json'), lockOf('1.0.1'))
    await clone.start()
    assert.deepEqual(clone.calls(), [npmCi, npmCi])
  })

  it('starts nothing where installing failed', async () => {
    const clone = cloneOf('failed', 'exit 7')
    const failure =
      'latchkey: npm ci --include=dev --loglevel=error --no-audit --no-fund failed with exit code 7\n'
    assert.deepEqual(await clone.start(), { code: 1, output: installing + failure })
  })

  it('fetches a Node once where the running one is too old', async () => {
    const clone = cloneOf('old')
    const first = await clone.start(oldNode)
    const second = await clone.start(oldNode)
    assert.deepEqual(first, { code: 0, output: installing + fetching + program })
    assert.deepEqual(second, { code: 0, output: program })
    assert.deepEqual(clone.calls(), [npmCi, npxNode])
  })

  it('fetches it again when it is gone', async () => {
    const clone = cloneOf('gone')
    await clone.start(oldNode)
    writeFileSync(join(clone.folder, 'node_modules/.latchkey-node'), join(clone.folder, 'nowhere'))
    assert.deepEqual(await clone.start(oldNode), { code: 0, output: fetching + program })
    assert.deepEqual(clone.calls(), [npmCi, npxNode, npxNode])
  })
})
