/** The demo's redirect URIs: every pasted flow ends on a page, and the commands there work as pasted. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Browser, type Page } from '../support/browser.ts'
import { authorizePath } from '../support/printing.ts'
import { type Answer, start } from '../support/start.ts'

const started = await start()
after(() => started.close())

const { issuer } = started
const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

const commandsOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<pre class="command"[^>]*>([\s\S]*?)<\/pre>/g)].map(([, command = '']) =>
    unescaped(command),
  )

const headingOf = ({ text }: Page): string => unescaped(/<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? '')

/** The arguments that a shell hands to `curl`. */
const argumentsOf = (command: string): readonly string[] => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** Sends what a command sends. */
const run = (command: string): Promise<Answer> => {
  const headers: Record<string, string> = {}
  const data: string[] = []
  let url = ''
  const given = [...argumentsOf(command)]
  for (let next = given.shift(); next !== undefined; next = given.shift()) {
    if (next === '-d') data.push(given.shift() ?? '')
    else if (next === '-u') headers.authorization = `Basic ${btoa(given.shift() ?? '')}`
    else if (next === '-H') {
      const [name = '', value = ''] = (given.shift() ?? '').split(': ')
      headers[name] = value
    } else if (!next.startsWith('-')) url = next
  }
  if (data.length === 0) return started.ask(url, { headers })
  headers['content-type'] = 'application/x-www-form-urlencoded'
  return started.ask(url, { headers, method: 'POST', body: data.join('&') })
}

/** As a person who pastes an address, logs in and decides. */
const paste = async (address: string, decision = 'allow'): Promise<Page> => {
  const browser = new Browser(started)
  let page = await browser.go(address)
  if (page.url.includes('/login')) page = await browser.logIn(page, 'alice', 'wonderland')
  if (page.url.includes('/consent')) page = await browser.submit(page, { decision })
  return page
}

/** From the page of a code to the photos. */
const readPhotos = async (page: Page): Promise<Answer> => {
  const [exchange = '', read = ''] = commandsOn(page)
  const tokens = await run(exchange)
  assert.equal(tokens.status, 200, tokens.text)
  return run(read.replace('ACCESS_TOKEN', tokens.body.access_token))
}

const addressOf = (fields: Readonly<Record<string, string>>): string =>
  issuer + authorizePath({ state: 'af0ifjsldkj', scope: 'photos:read', ...fields })

const printer = {
  response_type: 'code',
  client_id: 'photo-printer',
  redirect_uri: `${issuer}/callback`,
}

describe('the README', () => {
  const addresses = [...readme.matchAll(/^ *(http:\/\/127\.0\.0\.1:6749\/authorize\?\S+)$/gm)].map(
    ([, address = '']) => address,
  )

  test('has a flow for a client with a secret, and one with PKCE', () => {
    const clients = addresses.map((address) => new URL(address).searchParams.get('client_id'))
    assert.deepEqual(clients, ['photo-printer', 'gallery'])
  })

  for (const address of addresses) {
    test(`works as pasted: ${address.slice(0, 80)}`, async () => {
      const page = await paste(address)
      assert.match(headingOf(page), /has a code$/)
      const photos = await readPhotos(page)
      assert.deepEqual([photos.status, photos.body.items.length], [200, 3])
    })
  }
})

describe('a redirect URI of the demo', () => {
  test('shows a code, and what came along with it', async () => {
    const page = await paste(addressOf(printer))
    assert.deepEqual([page.status, headingOf(page)], [200, 'Photo Printer has a code'])
    assert.match(page.url, /\/callback\?code=lk_ac_/)
    const names = [...page.text.matchAll(/<dt><code>([^<]*)/g)].map(([, name]) => name)
    assert.deepEqual(names, ['code', 'state', 'iss'])
  })

  test('shows a code that a form posts', async () => {
    const posting = await paste(addressOf({ ...printer, response_mode: 'form_post' }))
    const page = await new Browser(started).submit(posting)
    assert.deepEqual([page.status, headingOf(page)], [200, 'Photo Printer has a code'])
    assert.equal(page.url, `${issuer}/callback`)
    const names = [...page.text.matchAll(/<dt><code>([^<]*)/g)].map(([, name]) => name)
    assert.deepEqual(names, ['code', 'state', 'iss'])
    const photos = await readPhotos(page)
    assert.deepEqual([photos.status, photos.body.items.length], [200, 3])
  })

  test('shows a refusal that a form posts', async () => {
    const fields = { ...printer, scope: 'nothing:read', response_mode: 'form_post' }
    const page = await new Browser(started).submit(await paste(addressOf(fields)))
    assert.equal(headingOf(page), 'The request was refused')
    assert.match(page.text, /<code>invalid_scope<\/code>/)
  })

  test('takes nothing but a form', async () => {
    const json = await started.ask('/callback', { json: { code: 'lk_ac_x' } })
    assert.equal(json.status, 200)
    assert.match(json.text, /The redirect URI of Photo Printer/)
  })

  test('is kept by nobody, and tells nobody where it was', async () => {
    const page = await paste(addressOf(printer))
    assert.deepEqual(
      [page.headers.get('cache-control'), page.headers.get('referrer-policy')],
      ['no-store', 'no-referrer'],
    )
  })

  test('shows what the owner refused', async () => {
    const page = await paste(addressOf({ ...printer, prompt: 'consent' }), 'deny')
    assert.deepEqual([page.status, headingOf(page)], [200, 'The request was refused'])
    assert.match(page.text, /<code>access_denied<\/code>/)
    assert.match(page.text, /<p data-description>[^<]*denied/)
    assert.deepEqual(commandsOn(page), [])
  })

  test('shows what the service refused', async () => {
    const page = await paste(addressOf({ ...printer, scope: 'nothing:read' }))
    assert.equal(headingOf(page), 'The request was refused')
    assert.match(page.text, /<code>invalid_scope<\/code>/)
  })

  test('says so where no answer came along', async () => {
    for (const [path, name] of [
      ['/callback', 'Photo Printer'],
      ['/gallery', 'Gallery'],
    ] as const) {
      const page = await new Browser(started).go(path)
      assert.deepEqual([page.status, headingOf(page)], [200, `The redirect URI of ${name}`])
    }
  })

  test('speaks English, whatever the browser prefers', async () => {
    const page = await started.ask('/callback?error=access_denied', {
      headers: { 'accept-language': 'zh' },
    })
    assert.match(page.text, /<html lang="en"/)
    assert.match(page.text, /<h1>The request was refused<\/h1>/)
  })

  test('is there in the demo only', async () => {
    const service = await start({ demo: false })
    for (const path of ['/callback?code=x', '/gallery']) {
      assert.equal((await service.ask(path)).status, 404)
    }
    await service.close()
  })
})

describe('a link with an answer that a stranger made up', () => {
  const hostile = [
    'lk_ac_x; touch /tmp/hostile',
    "lk_ac_x'; touch /tmp/hostile; '",
    'lk_ac_$(touch /tmp/hostile)',
    'lk_ac_x\ntouch /tmp/hostile\n',
    'lk_ac_x\u001b[201~\u0003touch /tmp/hostile\r',
    'lk_ac_x\u202ehcuot',
  ]
  for (const code of hostile) {
    test(`gets no command: ${JSON.stringify(code)}`, async () => {
      const page = await new Browser(started).go(`/callback?code=${encodeURIComponent(code)}`)
      assert.deepEqual([page.status, headingOf(page)], [200, 'This code is not from here'])
      assert.deepEqual(commandsOn(page), [])
    })
  }

  test('puts no markup into the page, and not more than so much text', async () => {
    const evil = '"><script>alert(1)</script>'
    const fields = Array.from({ length: 30 }, (_, at) => [`${evil}${at}`, evil.repeat(12)])
    const query = new URLSearchParams([
      ['error', evil],
      ['error_description', evil.repeat(12)],
      ...fields,
    ])
    const page = await new Browser(started).go(`/gallery?${query}`)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /<script>/)
    assert.ok(page.text.length < 30_000, String(page.text.length))
  })
})
