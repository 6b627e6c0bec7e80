/** Apache with mod_auth_openidc, by the configurations of docs/login.md, and of docs/groups.md before a real Git. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type BesideService, startBesideService } from '../shape/beside-service.ts'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { run } from '../shape/tool.ts'
import { install, isRoot } from '../support/debian.ts'
import { freePort } from '../support/port.ts'
import { openBrowser } from '../support/roaming.ts'

const program = '/usr/sbin/apache2'
const modules = '/usr/lib/apache2/modules'
const isThere = () => existsSync(program) && existsSync(join(modules, 'mod_auth_openidc.so'))
const name = 'libapache2-mod-auth-openidc'

if (!isThere()) install(name)
/** Others than a root of Debian install it themselves. */
const skip = !isThere() && !isRoot && `no Apache with mod_auth_openidc here: install ${name}`

const place = mkdtempSync(join(tmpdir(), 'latchkey-apache-'))
let service: BesideService
let software: Server
let apache: ChildProcess
let site: string
let gitSite: string

/** A block of a page, with the addresses of this test. */
const blockOf = (wanted: string, path = 'docs/login.md'): string => {
  const page = readFileSync(join(root, path), 'utf8')
  const shown = blocksOf(path, page).find((block) => block.name === wanted)
  assert.ok(shown)
  const { port } = software.address() as AddressInfo
  return shown.text
    .replaceAll('https://intranet.example.com', site)
    .replaceAll('https://auth.example.com', service.issuer)
    .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${port}`)
    .replaceAll('https://git.example.com', gitSite)
    .replaceAll('/srv/git', join(place, 'git'))
}

const register = async (block: string): Promise<string> => {
  const env = { ...process.env, ...service.env }
  const { output } = await run('sh', ['-c', block], { env })
  const [, secret = ''] = /^client_secret +(lk_cs_\S+)$/m.exec(output) ?? []
  assert.ok(secret, output)
  return secret
}

const loaded = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc', 'proxy']
const further = ['proxy_http', 'alias', 'cgid', 'env']

const makeHost = (url: string, block: string, secret: string): readonly string[] => {
  const { host } = new URL(url)
  const written = block.replaceAll('lk_cs_...', secret)
  return [`Listen ${host}`, `<VirtualHost ${host}>`, `ServerName ${url}`, written, '</VirtualHost>']
}

const configure = (secret: string, gitSecret: string): string => {
  const lines = [...loaded, ...further].map(
    (module) => `LoadModule ${module}_module ${join(modules, `mod_${module}.so`)}`,
  )
  // A root's Apache changes its user.
  if (isRoot) lines.push('User www-data', 'Group www-data')
  return [
    ...lines,
    `ServerRoot /usr/lib/apache2`,
    `ServerName ${new URL(site).host}`,
    `ScriptSock ${join(place, 'cgid')}`,
    `PidFile ${join(place, 'pid')}`,
    `ErrorLog ${join(place, 'error.log')}`,
    `DefaultRuntimeDir ${join(place, 'run')}`,
    ...makeHost(site, blockOf('intranet.conf'), secret),
    ...makeHost(gitSite, blockOf('git.conf', 'docs/groups.md'), gitSecret),
  ].join('\n')
}

const accepts = async (): Promise<boolean> => {
  const socket = connect(Number(new URL(site).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const logOf = (): string => {
  const path = join(place, 'error.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const startApache = async (secret: string, gitSecret: string): Promise<void> => {
  mkdirSync(join(place, 'run'))
  writeFileSync(join(place, 'apache.conf'), configure(secret, gitSecret))
  const options = ['-f', join(place, 'apache.conf'), '-D', 'FOREGROUND']
  apache = spawn(program, options, { stdio: 'inherit' })
  while (!(await accepts())) {
    assert.equal(apache.exitCode, null, `Apache did not start: ${logOf()}`)
    await setImmediate()
  }
}

/** Git without the settings of this machine. */
const git = (...args: readonly string[]) => {
  const env = { PATH: process.env.PATH, HOME: place, GIT_CONFIG_NOSYSTEM: '1' }
  return run('git', args, { cwd: place, env: { ...env, GIT_TERMINAL_PROMPT: '0' } })
}

/** Two repositories with a page each. */
const makeRepositories = async (): Promise<void> => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await git('init', '-q', 'work')
  writeFileSync(join(place, 'work/page.txt'), 'a page')
  await git('-C', 'work', 'add', '.')
  await git('-C', 'work', ...identity, 'commit', '-q', '-m', 'a page')
  for (const name of ['handbook', 'payroll']) {
    const { code, output } = await git('clone', '-q', '--bare', 'work', `git/${name}.git`)
    assert.equal(code, 0, output)
  }
  if (!isRoot) return
  chmodSync(place, 0o711)
  await run('chown', ['-R', 'www-data', join(place, 'git')])
}

describe('behind Apache', { skip }, () => {
  before(async () => {
    assert.ok(isThere(), `apt-get could not install ${name}`)
    service = await startBesideService()
    site = `http://127.0.0.1:${await freePort()}`
    gitSite = `http://127.0.0.1:${await freePort()}`
    software = createServer(({ url, headers }, response) => {
      const named = Object.entries(headers).filter(([header]) => header.startsWith('oidc_'))
      response.end(JSON.stringify({ url, ...Object.fromEntries(named) }))
    })
    software.listen(0, '127.0.0.1')
    await once(software, 'listening')
    await makeRepositories()
    const secrets = [blockOf('register-apache.sh'), blockOf('register-git.sh', 'docs/groups.md')]
    const [secret = '', gitSecret = ''] = await Promise.all(secrets.map(register))
    await startApache(secret, gitSecret)
  })
  after(async () => {
    apache.kill('SIGTERM')
    if (apache.exitCode === null) await once(apache, 'exit')
    software.closeAllConnections()
    software.close()
    await service.close()
    rmSync(place, { recursive: true })
  })

  const headersOf = (text: string): Readonly<Record<string, string>> => JSON.parse(text)

  test('a visitor logs in, and the software learns who it is', async () => {
    const browser = openBrowser()
    const page = await browser.approve(await browser.visit(`${site}/notes`))
    assert.equal(page.url, `${site}/notes`, `${page.text}${logOf()}`)
    const { oidc_access_token: token, ...said } = headersOf(page.text)
    const asked = await fetch(`${service.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { sub, name: owner, email } = (await asked.json()) as Record<string, string>
    assert.deepEqual(
      [said.url, said.oidc_claim_sub, said.oidc_claim_name, said.oidc_claim_email],
      ['/notes', sub, owner, email],
    )
    assert.equal(said.oidc_claim_iss, service.issuer)
    assert.equal(said.oidc_claim_amr, 'pwd')
  })

  test('Git clones what is for a group of its user, and nothing else', async () => {
    const browser = openBrowser()
    const page = await browser.approve(
      await browser.visit(`${gitSite}/handbook.git/info/refs?service=git-upload-pack`),
    )
    assert.match(page.text, /refs\/heads/, logOf())
    const block = blockOf('clone.sh', 'docs/groups.md')
    const session = browser.cookies.get('mod_auth_openidc_session') ?? ''
    // This site has no https.
    const script = block
      .replace('git.example.com "$SESSION"', `127.0.0.1 '${session}'`)
      .replace('\\tTRUE\\t', '\\tFALSE\\t')
    const env = { ...process.env, HOME: place, GIT_CONFIG_NOSYSTEM: '1' }
    const cloned = await run('sh', ['-c', script], { cwd: place, env })
    assert.equal(cloned.code, 0, `${cloned.output}${logOf()}`)
    assert.equal(readFileSync(join(place, 'handbook/page.txt'), 'utf8'), 'a page')
    assert.equal(statSync(join(place, '.git-cookies')).mode & 0o077, 0)
    // http-backend opens payroll.git by each of these.
    for (const path of ['payroll.git', 'payroll', '/payroll']) {
      const asked = await browser.visit(`${gitSite}/${path}/info/refs?service=git-upload-pack`)
      assert.match(`${asked.status}`, /401|403/, path)
      assert.notEqual((await git('clone', `${gitSite}/${path}`, 'payroll')).code, 0, path)
    }
    assert.equal(existsSync(join(place, 'payroll')), false)
    const askPush = async () =>
      (await browser.visit(`${gitSite}/handbook.git/info/refs?service=git-receive-pack`)).status
    assert.equal(await askPush(), 200)
    await git('config', '--file', 'git/handbook.git/config', 'http.receivepack', 'false')
    assert.equal(await askPush(), 403)
    rmSync(join(place, '.gitconfig'))
    assert.notEqual((await git('clone', `${gitSite}/handbook.git`, 'again')).code, 0)
  })

  test('a visitor chooses no identity by headers', async () => {
    const browser = openBrowser()
    const page = await browser.approve(await browser.visit(`${site}/notes`))
    const cookie = [...browser.cookies].map(([one, value]) => `${one}=${value}`).join('; ')
    const headers = { cookie, OIDC_CLAIM_sub: 'root', OIDC_CLAIM_role: 'admin' }
    const again = headersOf(await (await fetch(`${site}/notes`, { headers })).text())
    assert.equal(again.oidc_claim_sub, headersOf(page.text).oidc_claim_sub)
    assert.equal(again.oidc_claim_role, undefined)
    assert.equal(
      (await fetch(`${site}/notes`, { headers: { ...headers, cookie: '' } })).status,
      401,
    )
  })

  test('a logout ends the session of Apache and of the service', async () => {
    const browser = openBrowser()
    await browser.approve(await browser.visit(`${site}/notes`))
    const goodbye = encodeURIComponent(`${site}/goodbye`)
    const left = await browser.visit(`${site}/oidc/callback?logout=${goodbye}`)
    assert.deepEqual([left.url, JSON.parse(left.text)], [`${site}/goodbye`, { url: '/goodbye' }])
    const next = await browser.visit(`${site}/notes`)
    assert.match(next.url, new RegExp(`^${service.issuer}/login`))
  })

  test('a logout at the service reaches Apache by the back channel', async () => {
    const browser = openBrowser()
    const page = await browser.approve(await browser.visit(`${site}/notes`))
    assert.equal(page.url, `${site}/notes`)
    const question = await browser.visit(`${service.issuer}/logout`)
    await browser.submit(question, { decision: 'logout' })
    // The page does not wait for slow applications, so Apache may hear of it a little later.
    let next = await browser.visit(`${site}/notes`)
    while (next.url === page.url) next = await browser.visit(`${site}/notes`)
    assert.match(next.url, new RegExp(`^${service.issuer}/login`))
  })
})
