/** The launcher makes a program of the sources of a checkout, and makes it anew when they change. */
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { program } from './made-program.ts'
import { nodeFolder, shellEnvironment, startProgram } from './process.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-program-'))
after(() => rmSync(place, { recursive: true }))
const env = shellEnvironment(nodeFolder(join(place, 'programs'), 'new'), {})

/** A checkout with a small program of two modules. */
const checkoutOf = (name: string) => {
  const folder = join(place, name)
  for (const part of ['store/engines/sqlite', 'paper/scripts', 'paper/styles']) {
    mkdirSync(join(folder, 'src', part), { recursive: true })
  }
  for (const part of ['bin', 'packages/bundle.js', 'package.json', 'package-lock.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const write = (file: string, text: string) => writeFileSync(join(folder, 'src', file), text)
  write('store/engines/sqlite/writer.ts', '')
  write('word.ts', "export const word: string = 'first'\n")
  write('cli.ts', "import { word } from './word.ts'\nconsole.log(word, import.meta.filename)\n")
  const start = () => run('node', ['bin/latchkey.js'], { cwd: folder, env })
  const programs = () =>
    readdirSync(join(folder, '.cache')).filter((file) => file.startsWith('program-'))
  return { folder, write, start, programs }
}

describe('the program of a checkout', () => {
  it('is made at the first start, and serves the next one', async () => {
    const { folder, start, programs } = checkoutOf('twice')
    const first = await start()
    const [program = ''] = programs()
    const said = `first ${join(folder, '.cache', program, 'cli.js')}\n`
    assert.deepEqual([first.code, first.output], [0, said])
    assert.equal((await start()).output, said)
    assert.deepEqual(programs(), [program])
  })

  it('holds the packages that each start loads, and their licenses', async () => {
    const { folder, write, start, programs } = checkoutOf('packages')
    write('cli.ts', "import { encode } from 'uqr'\nconsole.log(encode('a').size)\n")
    assert.equal((await start()).output, '23\n')
    const [program = ''] = programs()
    const read = (file: string) => readFileSync(join(folder, '.cache', program, file), 'utf8')
    assert.doesNotMatch(read('cli.js'), /from ["']uqr/)
    assert.match(read('LICENSES.txt'), /^uqr [\d.]+\n\nMIT License\n/)
  })

  it('is another one after a change', async () => {
    const { write, start, programs } = checkoutOf('changed')
    await start()
    write('word.ts', "export const word: string = 'second'\n")
    assert.match((await start()).output, /^second /)
    assert.equal(programs().length, 2)
  })

  it('is the modules themselves where none can be made, so that Node tells why', async () => {
    const { write, start } = checkoutOf('broken')
    write('word.ts', "export const wrod: string = 'first'\n")
    const { code, output } = await start()
    assert.equal(code, 1)
    assert.match(output, /src\/cli\.ts:1[\s\S]*does not provide an export named 'word'/)
  })

  it('starts from the modules, too, with its thread that writes to SQLite', async () => {
    const store = join(place, 'modules.db')
    const service = startProgram('node', [join(root, 'src/cli.ts'), 'start'], {
      cwd: place,
      env: { ...env, PORT: '0', LATCHKEY_STORE: `sqlite:${store}` },
    })
    const issuer = await service.ready
    const { status } = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('nightly-report:nightly-report-secret')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    process.kill(service.pid, 'SIGTERM')
    assert.deepEqual([status, await service.ended], [200, 0])
  })

  it('may be read by the user of the service, where root made it', async () => {
    const { folder, programs } = checkoutOf('shared')
    const script = 'umask 022 && node bin/latchkey.js'
    assert.equal((await run('sh', ['-c', script], { cwd: folder, env })).code, 0)
    const [program = ''] = programs()
    assert.equal(statSync(join(folder, '.cache', program)).mode & 0o777, 0o755)
  })

  it('is one of ten at most that are kept', async () => {
    const { folder, start, programs } = checkoutOf('many')
    for (let i = 0; i < 12; i++) mkdirSync(join(folder, `.cache/program-${i}`), { recursive: true })
    assert.match((await start()).output, /^first /)
    assert.equal(programs().length, 10)
  })
})

describe('a command', () => {
  it('works without the HTTP client and the TLS of Node, which make each start longer', async () => {
    const listLoaded =
      'data:text/javascript,process.on("exit",()=>console.log(process.moduleLoadList.join()))'
    const { code, output } = await run(
      process.execPath,
      ['--import', listLoaded, program, 'owner', 'add', 'ada'],
      { cwd: place, env: { ...env, LATCHKEY_STORE: `sqlite:${join(place, 'store.db')}` } },
    )
    assert.equal(code, 0, output)
    assert.match(output, /^username {2}ada\n[\s\S]*NativeModule sqlite\b/)
    assert.doesNotMatch(output, /NativeModule (\S*undici|tls)\b/)
  })
})
