/** The examples of docs/clients.md, each run as a program against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { type EmbeddedService, startService } from '../../src/embed.ts'
import { formsOf } from '../support/browser.ts'
import { freePort } from '../support/port.ts'
import { type Form, formBody } from '../support/start.ts'
import { blocksOf } from './blocks.ts'
import { root } from './source.ts'

const data = mkdtempSync(join(tmpdir(), 'latchkey-clients-'))
/** In the checkout, so that the programs find the installed libraries. */
const place = join(root, '.cache', `clients-${process.pid}`)
const running: ChildProcess[] = []
let service: EmbeddedService

before(async () => {
  const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  for (const { name, text } of blocksOf('docs/clients.md', page)) {
    if (name !== null) writeFileSync(join(place, name), text)
  }
  const env = { LATCHKEY_STORE: `sqlite:${join(data, 'latchkey.db')}`, PORT: '0' }
  const settings = loadSettings({ env, flags: {}, cwd: data })
  service = await startService({ settings, tell: () => {} })
})
after(async () => {
  for (const child of running) child.kill()
  await service.close()
  rmSync(place, { recursive: true })
  rmSync(data, { recursive: true })
})

/** Why an example cannot run on this machine, or false. */
const lacks = (...programs: readonly string[]): string | false => {
  const missing = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status)
  return missing.length > 0 && `there is no ${missing.join(' and no ')} here`
}

interface Example {
  /** The next line that it writes. */
  line(): Promise<string>
  /** The URL of the next line, which is `open URL`. */
  url(): Promise<string>
  write(line: string): void
  /** The lines that are left, once it has ended well. */
  rest(): Promise<readonly string[]>
}

/** Starts an example by the name of its block. */
const startExample = async (
  name: string,
  given: Readonly<Record<string, string>> = {},
): Promise<Example> => {
  const { PATH } = process.env
  const env = { PATH, ISSUER: service.issuer, PORT: String(await freePort()), ...given }
  const program = name.endsWith('.ts') ? process.execPath : 'sh'
  const child = spawn(program, [name], { cwd: place, env, stdio: ['pipe', 'pipe', 'pipe'] })
  running.push(child)
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text
  })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const next = await lines.next()
    if (!next.done) return next.value
    throw new Error(`${name} ended: ${complaints}`)
  }
  return {
    line,
    async url() {
      const said = await line()
      assert.match(said, /^open http:/)
      return said.slice('open '.length)
    },
    write: (text) => child.stdin.write(`${text}\n`),
    async rest() {
      const left: string[] = []
      for (let next = await lines.next(); !next.done; next = await lines.next())
        left.push(next.value)
      assert.deepEqual(await ended, [0, null], complaints)
      return left
    },
  }
}

interface Page {
  readonly url: string
  readonly text: string
}

/** A browser. Its owner is alice, and allows everything. */
const openBrowser = () => {
  // As in any browser, cookies belong to a host, whatever its port.
  const cookies = new Map<string, string>()

  const ask = (url: string, form: Form | null): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: new URL(url).origin }
    if (form === null) return fetch(url, { headers, redirect: 'manual' })
    const body = new URLSearchParams(formBody(form))
    return fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
  }

  const visit = async (start: string, first: Form | null = null): Promise<Page> => {
    let url = start
    let form = first
    for (let hops = 0; hops < 20; hops++) {
      const answer = await ask(url, form)
      for (const header of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
        cookies.set(name, value)
      }
      const text = await answer.text()
      const location = answer.headers.get('location')
      if (location === null) return { url, text }
      url = new URL(location, url).href
      form = null
    }
    throw new Error(`${start} redirects without an end`)
  }

  const submit = (page: Page, changes: Form): Promise<Page> => {
    const [form] = formsOf(page.text)
    assert.ok(form, `no form on ${page.url}: ${page.text}`)
    return visit(new URL(form.action, page.url).href, { ...form.fields, ...changes })
  }

  return {
    submit,
    visit,
    /** Goes on from a page of the service until the client has its answer. */
    async approve(page: Page): Promise<Page> {
      assert.match(page.url, /\/login/)
      const next = await submit(page, { username: 'alice', password: 'wonderland' })
      // The service remembers what alice allowed a confidential client before.
      return next.url.includes('/consent') ? submit(next, { decision: 'allow' }) : next
    },
  }
}

describe('an example of docs/clients.md', () => {
  it('openid-client: code with PKCE, API, userinfo, refresh, introspection, revocation', async () => {
    const browser = openBrowser()
    const example = await startExample('openid-client.ts')
    await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual(await example.rest(), [
      'photos: 200',
      'owner: Alice Liddell',
      'active: true',
      'active: false',
    ])
  })

  it('openid-client: client credentials', async () => {
    const example = await startExample('service.ts')
    assert.deepEqual(await example.rest(), ['photos: 200'])
  })

  it('oauth4webapi: a public client', async () => {
    const browser = openBrowser()
    const example = await startExample('oauth4webapi.ts')
    await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual(await example.rest(), ['photos: 200', 'owner: Alice Liddell', 'revoked'])
  })

  it('passport: a login in Express', async () => {
    const browser = openBrowser()
    const example = await startExample('passport.ts')
    const home = await browser.approve(await browser.visit(await example.url()))
    assert.equal(new URL(home.url).pathname, '/')
    assert.equal(home.text, 'Hello Alice Liddell')
    const stranger = await openBrowser().visit(home.url)
    assert.equal(stranger.text, 'Open /login')
  })

  it('Auth.js: a login of a client that was registered for it', {
    skip: lacks('curl'),
  }, async () => {
    const registration = await startExample('register.sh')
    const client = JSON.parse((await registration.rest()).join('\n'))
    const browser = openBrowser()
    const example = await startExample('auth.ts', {
      AUTH_LATCHKEY_ID: client.client_id,
      AUTH_LATCHKEY_SECRET: client.client_secret,
    })
    const start = await browser.visit(await example.url())
    await browser.approve(await browser.submit(start, {}))
    const home = await browser.visit(new URL('/', start.url).href)
    assert.equal(home.text, 'Hello Alice Liddell')
    const stranger = await openBrowser().visit(home.url)
    assert.equal(stranger.text, 'Open /auth/signin')
  })

  it('curl: the whole flow', { skip: lacks('curl', 'openssl') }, async () => {
    const browser = openBrowser()
    const example = await startExample('curl.sh')
    assert.equal(await example.line(), `token endpoint: ${service.issuer}/token`)
    const last = await browser.approve(await browser.visit(await example.url()))
    const code = new URL(last.url).searchParams.get('code') ?? ''
    assert.ok(last.text.includes(code))
    example.write(code)
    assert.deepEqual(await example.rest(), [
      'photos: 200',
      'owner: Alice Liddell',
      'revoked: 200',
      'photos: 401',
      'nightly-report',
    ])
  })

  it('is each program that the page shows', () => {
    const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')
    const text = readFileSync(import.meta.filename, 'utf8')
    const shown = blocksOf('docs/clients.md', page).map(({ name }) => name)
    assert.deepEqual(
      shown.filter((name) => name === null || !text.includes(`startExample('${name}'`)),
      [],
    )
  })
})
