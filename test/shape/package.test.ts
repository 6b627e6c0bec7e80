/** The packages as others get them: packed, installed elsewhere, imported and started. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { memoryOr } from '../support/memory.ts'
import { checkDoors } from './doors.ts'
import { findNode20, type InProject, openProject, packBoth, type Tarballs } from './packed.ts'
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
/** The environment without the newer Node, so with the one of this system. */
const systemEnv = { ...env, PATH: process.env.PATH }

let tarballs: Tarballs
before(async () => {
  tarballs = await packBoth(place, env)
})

/** The files of a package. Its tarball has each below `package/`. */
const listed = async (tarball: string): Promise<readonly string[]> => {
  const { code, output } = await run('tar', ['-tzf', tarball])
  assert.equal(code, 0, output)
  return output
    .trimEnd()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
    .sort()
}

const isBuilt = (path: string): boolean => /^dist\/.+\.(js|d\.ts)$/.test(path)

/** Compiles a file of a project as strictly as its author may. */
const compile = (inProject: InProject, file: string): Promise<string> => {
  const options = ['--singleThreaded', '--noEmit', '--strict']
  const format = ['--module', 'nodenext', '--target', 'es2024']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  return inProject(
    process.execPath,
    join(root, 'node_modules/typescript/bin/tsc'),
    ...[...options, ...format, ...types, file],
  )
}

describe('the package latchkey', () => {
  let inConsumer: InProject
  before(async () => {
    inConsumer = await openProject(consumer, { latchkey: tarballs.latchkey }, env)
  })

  it('holds what is built and nothing else', async () => {
    const paths = await listed(tarballs.latchkey)
    const sheets = readdirSync(join(root, 'src/paper/styles')).filter((name) =>
      name.endsWith('.css'),
    )
    assert.ok(paths.includes('dist/cli.js'))
    assert.ok(paths.includes('dist/program/scripts/passkeys.js'))
    assert.deepEqual(paths.filter((path) => !isBuilt(path)).sort(), [
      'LICENSE',
      'README.md',
      'bin/latchkey.js',
      'bin/program.js',
      'bin/runtime.js',
      'dist/clients/confusables.json',
      'dist/latchkey.cdx.json',
      'dist/owners/common-passwords.json',
      'dist/paper/languages/de.json',
      'dist/paper/languages/zh.json',
      ...sheets.map((sheet) => `dist/paper/styles/${sheet}`),
      'dist/program/LICENSES.txt',
      ...sheets.map((sheet) => `dist/program/styles/${sheet}`),
      // The first page of the demo links these.
      'docs/README.md',
      'docs/architecture.md',
      'docs/guard.md',
      'docs/registration.md',
      'docs/settings.md',
      'package.json',
    ])
  })

  checkDoors(join(consumer, 'node_modules/latchkey/dist'), join(place, 'doors'))

  it('has a bill of materials with each package that it may load', () => {
    const parse = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
    const { packages } = parse(join(root, 'package-lock.json')) as {
      packages: Record<string, Record<string, unknown>>
    }
    const needed = Object.entries(packages)
      .filter(([path, { dev, devOptional, link }]) => path !== '' && !dev && !devOptional && !link)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    const { components, metadata } = parse(
      join(consumer, 'node_modules/latchkey/dist/latchkey.cdx.json'),
    ) as {
      components: readonly { name: string; version: string }[]
      metadata: { component: { name: string } }
    }
    assert.equal(metadata.component.name, 'latchkey')
    assert.deepEqual(
      components.map(({ name, version }) => `${name}@${version}`).sort(),
      [...new Set(needed)].sort(),
    )
  })

  it('exports what it promises', async () => {
    const script = `
      for (const door of ['latchkey', 'latchkey/resource', 'latchkey/store']) {
        console.log(Object.keys(await import(door)).join(' '))
      }`
    const output = await inConsumer('node', '--input-type=module', '--eval', script)
    assert.deepEqual(output.trimEnd().split('\n'), [
      'Parameters Refusal RegistryFault SettingsFault StoreFault StoreRefusal createServer loadSettings startService',
      'protect',
      'StoreFault StoreRefusal approvedAfter contextOf dayOf describeRequester firstIdAt getBringer getClientKind holderOfOwner holdsFor idBefore isOnItsOwn listWords requesterChange storeLimits usernameKey',
    ])
  })

  it('has types that others can compile against', async () => {
    const lines = [
      "import { createServer, loadSettings } from 'latchkey'",
      "import { protect } from 'latchkey/resource'",
      "import type { Store } from 'latchkey/store'",
      "import { type Opened, storeContract } from 'latchkey/store/contract'",
      'export const open = (store: Store) => createServer({ settings: loadSettings(), store })',
      'export const prove = (opened: Opened) => storeContract("mine", async () => opened)',
      "const client = { clientId: 'api', clientSecret: 'secret' }",
      "const place = { issuer: 'https://auth.example.com', resource: 'https://api.example.com' }",
      'export const guard = protect({ ...place, ...client })',
    ]
    writeFileSync(join(consumer, 'use.mts'), lines.join('\n'))
    await compile(inConsumer, 'use.mts')
  })

  describe('lets the author of a store run the contract', () => {
    /** Runs the suite on a store of another program; `change` is code that breaks it. */
    const runContract = (name: string, change: string, ...options: readonly string[]) => {
      const lines = [
        "import { mkdtempSync, rmSync } from 'node:fs'",
        "import { storeContract } from 'latchkey/store/contract'",
        "import { openSqliteStore } from './node_modules/latchkey/dist/store/sql/open.js'",
        'const open = async () => {',
        `  const folder = mkdtempSync('${memoryOr()}/latchkey-store-')`,
        "  const openOne = async () => openSqliteStore({ path: folder + '/latchkey.db' })",
        '  let store = await openOne()',
        `  ${change}`,
        '  return {',
        '    store,',
        '    async reopen() { await store.close(); store = await openOne(); return store },',
        '    async dispose() { await store.close(); rmSync(folder, { recursive: true }) },',
        '  }',
        '}',
        "storeContract('a store of my own', open)",
      ]
      writeFileSync(join(consumer, name), lines.join('\n'))
      // The tests run in this process, and nobody follows all promises: that would cost as much again.
      const quick = `--import=${join(root, 'test/support/tracking.ts')}`
      return run('node', [quick, '--test-reporter=tap', ...options, name], { cwd: consumer, env })
    }
    before(() => {
      const peer = join(consumer, 'node_modules/fast-check')
      symlinkSync(join(root, 'node_modules/fast-check'), peer)
    })

    it('which a right store passes', async () => {
      const { code, output } = await runContract('right.test.js', '')
      assert.equal(code, 0, output)
      assert.ok(Number(/^# pass (\d+)$/m.exec(output)?.[1]) > 100, output)
    })

    it('which a wrong one does not', async () => {
      const wrong = 'store = { ...store, isRedeemed: async () => false }'
      const { code, output } = await runContract(
        'wrong.test.js',
        wrong,
        '--test-name-pattern=every history',
      )
      assert.equal(code, 1)
      assert.match(output, /^ *not ok .* every history of a code/m)
    })
  })

  it('says which Node it needs where an older one imports it', async () => {
    const script = "import('latchkey').catch((fault) => console.log(fault.message))"
    const said = await inConsumer(await findNode20(systemEnv), '--eval', script)
    assert.match(said, /^latchkey needs Node 24 or later, and this is Node 20\.\d+\.\d+\n$/)
  })

  it('answers npx --no-install latchkey --help', async () => {
    const help = await inConsumer('npx', '--no-install', 'latchkey', '--help')
    assert.match(help, /^Usage: latchkey /m)
  })

  it('starts and ends', async () => {
    const service = startProgram('npx', ['--no-install', 'latchkey'], { cwd: consumer, env })
    const issuer = await service.ready
    const { status } = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    process.kill(-service.pid, 'SIGTERM')
    await service.ended
    assert.equal(status, 200)
    while (groupOf(service.pid).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  })
})

/**
 * Asks a guard three times: with a token, with a wrong one, and without; prints what it answers. Then
 * it loads the adapters, since none of them needs its framework to be there.
 */
const guarded = `
  import { createServer } from 'node:http'
  const name = process.argv[2]
  const { protect } = await import(name)
  const resource = 'https://api.example.com'
  const active = { active: true, token_type: 'Bearer', client_id: 'app', sub: 'a1', username: 'alice', scope: 'photos:read', aud: resource }
  const issuing = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const token = new URLSearchParams(body).get('token')
    const iss = 'http://127.0.0.1:' + issuing.address().port
    const metadata = { issuer: iss, introspection_endpoint: iss + '/introspect' }
    const said = token === 'right' ? { ...active, iss } : { active: false }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(request.method === 'GET' ? metadata : said))
  })
  issuing.listen(0, '127.0.0.1', async () => {
    const issuer = 'http://127.0.0.1:' + issuing.address().port
    const options = { issuer, resource, clientId: 'api', clientSecret: 's' }
    const guard = protect(options)
    for (const headers of [{ authorization: 'Bearer right' }, { authorization: 'Bearer wrong' }, {}]) {
      const request = new Request('https://api.example.com/photos', { headers })
      const answer = await guard(request, 'photos:read', ({ username }) => new Response('hello ' + username))
      console.log(answer.status, answer.ok ? await answer.text() : answer.headers.get('www-authenticate'))
    }
    for (const adapter of ['express', 'fastify', 'hono', 'koa', 'node']) {
      const { protect } = await import(name + '/' + adapter)
      console.log(adapter, typeof protect(options)('photos:read'))
    }
    console.log(process.version.split('.')[0])
    issuing.close()
  })`

describe('the package latchkey-resource', () => {
  const folder = join(place, 'api')
  let inApi: InProject
  before(async () => {
    const { resource } = tarballs
    // The second name is what `npm install latchkey@npm:latchkey-resource` gives.
    const dependencies = { 'latchkey-resource': resource, latchkey: resource }
    inApi = await openProject(folder, dependencies, systemEnv)
  })

  it('brings jose along, and nothing else', () => {
    const installed = readdirSync(join(folder, 'node_modules'))
    const packages = installed.filter((name) => !name.startsWith('.'))
    assert.deepEqual(packages.sort(), ['jose', 'latchkey', 'latchkey-resource'])
  })

  it('holds the guard and what it stands on, and no other part of the service', async () => {
    const paths = await listed(tarballs.resource)
    assert.deepEqual(
      paths.filter((path) => !isBuilt(path)),
      ['LICENSE', 'README.md', 'package.json'],
    )
    const parts = paths.filter(isBuilt).map((path) => path.split('/')[1] ?? '')
    assert.deepEqual([...new Set(parts)].sort(), [
      'config',
      'crypto',
      'features',
      'http',
      'model',
      'protocol',
      'resource',
    ])
    // Settings of features, prefixes of their credentials, and types of what clients register.
    const files = paths.filter((path) => path.split('/')[1] === 'features' && path.endsWith('.js'))
    const names = files.map((path) => path.split('/').slice(2).join('/'))
    const isData = (name: string) =>
      /^(apis|kinds|limits|client|[\w-]+\/(api|settings|client))\.js$/.test(name)
    assert.deepEqual(
      names.filter((name) => !isData(name)),
      [],
    )
  })

  it('has the version of latchkey, and the same doors under both names', () => {
    const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
    const [whole, part] = [read('package.json'), read('packages/resource/package.json')]
    const doors = Object.entries(whole.exports).filter(([door]) => door.startsWith('./resource'))
    const short = doors.map(([door, files]) => [door.replace('./resource', '.'), files])
    assert.deepEqual(part.exports, Object.fromEntries([...short, ...doors]))
    assert.deepEqual([part.version, part.license], [whole.version, whole.license])
    assert.deepEqual(part.dependencies, { jose: whole.dependencies.jose })
  })

  for (const name of ['latchkey/resource', 'latchkey-resource', 'latchkey-resource/resource']) {
    it(`guards an API on Node 20 as ${name}`, async () => {
      writeFileSync(join(folder, 'api.js'), guarded)
      const node = await findNode20(systemEnv)
      const output = await inApi(node, 'api.js', name)
      const unknown = 'the access token is unknown, expired, revoked or for another resource'
      const metadata = `resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"`
      const rest = `scope="photos:read", ${metadata}`
      assert.deepEqual(output.trimEnd().split('\n'), [
        '200 hello alice',
        `401 Bearer realm="latchkey", error="invalid_token", error_description="${unknown}", ${rest}`,
        `401 Bearer realm="latchkey", ${rest}`,
        ...['express', 'fastify', 'hono', 'koa', 'node'].map((adapter) => `${adapter} function`),
        'v20',
      ])
    })
  }

  it('has types that others can compile against', async () => {
    const text = ['resource', 'resource/express', 'resource/koa', 'resource/node']
      .map((door, i) => `export { protect as p${i}, type Needs as N${i} } from 'latchkey/${door}'`)
      .join('\n')
    writeFileSync(join(folder, 'use.mts'), text)
    await compile(inApi, 'use.mts')
  })
})
