/** The package as others get it: packed, installed elsewhere, imported and started. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { groupOf, nodeFolder, shellEnvironment, startProgram } from './process.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-package-'))
after(() => rmSync(place, { recursive: true }))
const consumer = join(place, 'consumer')
const env = shellEnvironment(nodeFolder(join(place, 'node'), 'new'), {
  PORT: '0',
  LATCHKEY_STORE: `sqlite:${join(place, 'store.db')}`,
})

/** Runs a command in the folder of a project that has the package installed. */
const inConsumer = async (command: string, ...args: readonly string[]): Promise<string> => {
  const { code, output } = await run(command, args, { cwd: consumer, env })
  assert.equal(code, 0, output)
  return output
}

describe('the package', () => {
  before(async () => {
    mkdirSync(consumer)
    writeFileSync(join(consumer, 'package.json'), '{"name":"consumer","private":true}')
    const packing = ['pack', '--silent', '--pack-destination', place]
    const packed = await run('npm', packing, { cwd: root, env })
    assert.equal(packed.code, 0, packed.output)
    const tarball = join(place, packed.output.trim().split('\n').at(-1) ?? '')
    await inConsumer('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
  })

  it('holds what is built and nothing else', async () => {
    const listing = JSON.parse(
      await inConsumer(
        'npm',
        'pack',
        '--silent',
        '--dry-run',
        '--ignore-scripts',
        '--json',
        './node_modules/latchkey',
      ),
    ) as { files: { path: string }[] }[]
    const paths = listing[0]?.files.map(({ path }) => path) ?? []
    assert.ok(paths.includes('dist/cli.js'))
    assert.deepEqual(paths.filter((path) => !/^dist\/.+\.(js|d\.ts)$/.test(path)).sort(), [
      'LICENSE',
      'README.md',
      'bin/latchkey.js',
      'bin/runtime.js',
      'dist/owners/common-passwords.json',
      'package.json',
    ])
  })

  it('exports what it promises', async () => {
    const script = `
      const { createServer } = await import('latchkey')
      const resource = await import('latchkey/resource')
      const store = await import('latchkey/store')
      console.log(typeof createServer, typeof resource, typeof store)`
    const output = await inConsumer('node', '--input-type=module', '--eval', script)
    assert.equal(output, 'function object object\n')
  })

  it('has types that others can compile against', async () => {
    writeFileSync(
      join(consumer, 'use.mts'),
      "import { createServer } from 'latchkey'\nimport type { Store } from 'latchkey/store'\n" +
        'export const open = (store: Store, settings: Parameters<typeof createServer>[0]) => createServer({ ...settings, store })\n',
    )
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    await inConsumer('node', tsc, ...options, ...types, 'use.mts')
  })

  it('answers npx latchkey --help', async () => {
    assert.match(await inConsumer('npx', 'latchkey', '--help'), /^Usage: latchkey /m)
  })

  it('starts and ends', async () => {
    const service = startProgram('npx', ['latchkey'], { cwd: consumer, env })
    const issuer = await service.ready
    const { status } = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    process.kill(-service.pid, 'SIGTERM')
    await service.ended
    assert.equal(status, 200)
    while (groupOf(service.pid).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  })
})
