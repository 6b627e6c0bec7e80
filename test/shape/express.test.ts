/** The page docs/express.md: each of its files is run, in its order. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { type EmbeddedService, startService } from '../../src/embed.ts'
import { memoryOr } from '../support/memory.ts'
import { freePort } from '../support/port.ts'
import { blocksOf } from './blocks.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

const skip = spawnSync('sh', ['-c', 'command -v curl']).status !== 0 && 'there is no curl here'

const data = mkdtempSync(join(memoryOr(), 'latchkey-express-'))
/** In the checkout, so that the program finds Express. */
const place = join(root, '.cache', `express-${process.pid}`)

/** The guard by its name, as `npm install` would bring it. */
const installGuard = (): void => {
  const folder = join(place, 'node_modules/latchkey')
  mkdirSync(folder, { recursive: true })
  const exports = { './resource/express': './express.js' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports }))
  const source = JSON.stringify(join(root, 'src/resource/express.ts'))
  writeFileSync(join(folder, 'express.js'), `export * from ${source}`)
}

describe('the files of docs/express.md', { skip }, () => {
  let service: EmbeddedService
  let api: ChildProcess | null = null
  let env: NodeJS.ProcessEnv

  before(async () => {
    const page = readFileSync(join(root, 'docs/express.md'), 'utf8')
    installGuard()
    writeFileSync(join(place, 'package.json'), '{"type":"module"}')
    for (const { name, text } of blocksOf('docs/express.md', page)) {
      if (name !== null) writeFileSync(join(place, name), text)
    }
    const store = { LATCHKEY_STORE: `sqlite:${join(data, 'latchkey.db')}`, PORT: '0' }
    const settings = loadSettings({ env: store, flags: {}, cwd: data })
    service = await startService({ settings, tell: () => {} })
    const port = String(await freePort())
    const { PATH } = process.env
    env = { PATH, ISSUER: service.issuer, PORT: port, API: `http://127.0.0.1:${port}` }
  })
  after(async () => {
    api?.kill()
    await service.close()
    rmSync(place, { recursive: true })
    rmSync(data, { recursive: true })
  })

  const shell = async (name: string): Promise<readonly string[]> => {
    const { code, output } = await run('sh', [name], { cwd: place, env })
    assert.equal(code, 0, output)
    return output.trimEnd().split('\n')
  }

  it('declare the API, start it, and call it', async () => {
    for (const line of await shell('declare.sh')) {
      const [, name = '', value = ''] = /^export (API_CLIENT_\w+)=(\S+)$/.exec(line) ?? []
      assert.ok(name, line)
      env[name] = value
    }
    api = spawn(process.execPath, ['api.js'], {
      cwd: place,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    assert.ok(api.stdout)
    const [ready] = await once(createInterface({ input: api.stdout }), 'line')
    assert.equal(ready, 'ready')
    assert.deepEqual(await shell('call.sh'), [
      '401',
      '403',
      '201',
      '{"owner":"alice","memos":["Tea at six"]}',
    ])
    const metadata = await fetch(`${env.API}/.well-known/oauth-protected-resource`)
    assert.deepEqual(await metadata.json(), {
      resource: env.API,
      authorization_servers: [service.issuer],
      scopes_supported: ['memos:read', 'memos:write'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256', 'RS256'],
    })
  })
})
