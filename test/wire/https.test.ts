/** https in front of the service, by a real nginx and a real Caddy with the files of `deploy/`. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { root } from '../shape/source.ts'
import { install, isRoot } from '../support/debian.ts'
import { freePort } from '../support/port.ts'
import { type Ask, askForm, askThrough, type Behind, openBehind, tokenThrough } from './behind.ts'
import { openStandIn, type StandIn } from './nodes.ts'
import { whenAccepting } from './orders.ts'

type Nodes = readonly [StandIn, StandIn]

interface Proxy {
  readonly name: string
  readonly program: string
  /** Writes its configuration, and says how to start it. */
  readonly configure: (
    place: string,
    port: number,
    behind: Behind,
    nodes: Nodes,
  ) => Promise<{ readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv }>
}

const nginx: Proxy = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  async configure(place, port, behind, [first, second]) {
    const servers = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/etc/ssl/auth.example.com.pem', behind.certificate)
      .replaceAll('/etc/ssl/auth.example.com.key', behind.key)
      .replace('127.0.0.1:6749', `127.0.0.1:${first.port}`)
      .replace('# A second node: server 10.0.0.12:6749', `server 127.0.0.1:${second.port}`)
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(place, name)};`)
      .join('\n')
    const file = join(place, 'nginx.conf')
    // A root's nginx changes its user, who could not write here.
    writeFileSync(
      file,
      `${isRoot ? 'user root;' : ''}
       daemon off; pid ${join(place, 'pid')}; error_log ${join(place, 'error.log')};
       events {}
       http { access_log off; ${folders} ${servers} }`,
    )
    return { args: ['-p', place, '-e', join(place, 'error.log'), '-c', file], env: process.env }
  },
}

const caddy: Proxy = {
  name: 'Caddy',
  program: '/usr/bin/caddy',
  async configure(place, port, behind, [first, second]) {
    const site = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8').replace(
      /^auth\.example\.com \{$/m,
      `https://auth.example.com:${port} {
  bind 127.0.0.1
  tls ${behind.certificate} ${behind.key}`,
    )
    const file = join(place, 'Caddyfile')
    writeFileSync(file, `{\n  admin off\n  auto_https off\n}\n${site}`)
    const env = {
      PATH: process.env.PATH,
      HOME: place,
      XDG_DATA_HOME: place,
      XDG_CONFIG_HOME: place,
      LATCHKEY_NODES: `127.0.0.1:${first.port} 127.0.0.1:${second.port}`,
    }
    return { args: ['run', '--config', file, '--adapter', 'caddyfile'], env }
  },
}

/** The fields of the form that a page has for a path, and those of the visitor. */
const fieldsOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )

/** The cookies that answers set, as the next request sends them. */
const jar = () => {
  const cookies = new Map<string, string>()
  return {
    take(set: readonly string[] = []): void {
      for (const one of set) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
        cookies.set(name, value)
      }
    },
    header: () => ({ cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
  }
}

for (const { name, program, configure } of [nginx, caddy]) {
  if (!existsSync(program)) install(name.toLowerCase())
  const skip = !existsSync(program) && `no ${name} here: install it`

  describe(`https by ${name}`, { skip }, () => {
    const place = mkdtempSync(join(tmpdir(), 'latchkey-https-'))
    let behind: Behind
    let nodes: Nodes
    let proxy: ChildProcess
    let ask: Ask
    before(async () => {
      mkdirSync(join(place, 'logs'))
      behind = await openBehind(place)
      nodes = [await openStandIn(behind.port), await openStandIn(behind.port)]
      const port = await freePort()
      const { args, env } = await configure(place, port, behind, nodes)
      proxy = spawn(program, args, { env, stdio: 'ignore' })
      await whenAccepting(port, () => proxy.exitCode === null)
      ask = askThrough(port, behind.certificate)
    })
    after(async () => {
      proxy.kill('SIGTERM')
      if (proxy.exitCode === null) await once(proxy, 'exit')
      for (const node of nodes) await node.stop()
      await behind.close()
      rmSync(place, { recursive: true })
    })

    test('the service is found under its issuer, by https', async () => {
      const { status, headers, text } = await ask('/.well-known/oauth-authorization-server')
      assert.equal(status, 200)
      assert.equal(JSON.parse(text).issuer, 'https://auth.example.com')
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    })

    test('another name is not answered', async () => {
      const asked = ask('/health/live', { name: 'other.example.com' })
      // nginx answers 421 under its own certificate. Caddy ends the handshake.
      const answer = await asked.catch(({ code }: { code: string }) => code)
      if (typeof answer === 'string') assert.match(answer, /SSL|TLS|EPROTO/)
      else assert.equal(answer.status, 421)
      const forged = await ask('/login', { headers: { host: 'other.example.com' } })
      assert.ok([421, 200].includes(forged.status))
      assert.doesNotMatch(forged.text, /password/)
    })

    test('what is for machines nearby stays inside', async () => {
      for (const path of ['/metrics', '/forward-auth']) {
        assert.equal((await ask(path)).status, 404, path)
      }
    })

    test('a forged X-Forwarded-For changes nothing', async () => {
      const bearer = { authorization: `Bearer ${await tokenThrough(ask)}` }
      const made = await ask('/admin/api/owners', {
        method: 'POST',
        body: JSON.stringify({ username: `visitor-${name}`, password: null }),
        headers: {
          ...bearer,
          'content-type': 'application/json',
          'x-forwarded-for': '203.0.113.9',
        },
      })
      assert.equal(made.status, 201, made.text)
      const { text } = await ask('/admin/api/events?type=owner.created&limit=1', {
        headers: bearer,
      })
      assert.equal(JSON.parse(text).items[0].actor.network, '127.0.0.*')
    })

    test('somebody logs in, and a download arrives whole', async () => {
      const bearer = { authorization: `Bearer ${await tokenThrough(ask)}` }
      const password = 'a-long-and-rare-passphrase'
      const made = await ask('/admin/api/owners', {
        method: 'POST',
        body: JSON.stringify({ username: 'ada', password }),
        headers: { ...bearer, 'content-type': 'application/json' },
      })
      assert.equal(made.status, 201, made.text)
      const cookies = jar()
      const login = await ask('/login?return=%2Faccount')
      cookies.take(login.headers['set-cookie'])
      const form = { ...fieldsOf(login.text), username: 'ada', password }
      const loggedIn = await askForm(ask, '/login', form, cookies.header())
      assert.equal(loggedIn.status, 303, loggedIn.text)
      cookies.take(loggedIn.headers['set-cookie'])
      const page = await ask('/account/download', { headers: cookies.header() })
      const download = await askForm(
        ask,
        '/account/download',
        fieldsOf(page.text),
        cookies.header(),
      )
      assert.equal(download.status, 200, download.text)
      assert.match(JSON.stringify(JSON.parse(download.text)), /"username":"ada"/)
    })

    // A proxy may repeat a GET alone: it cannot know whether a node that went away has done a POST.
    test('the nodes restart one after the other, and every GET is answered', async () => {
      const askOften = async () => {
        for (let i = 0; i < 4; i++) assert.equal((await ask('/health/ready')).status, 200)
      }
      await askOften()
      for (const node of nodes) {
        await node.stop()
        await askOften()
        await node.start()
      }
    })
  })
}
