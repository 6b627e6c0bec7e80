/** Logos of clients: fetched and kept by the service, so that no owner's browser asks a client's site. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { clientLimits } from '../../src/clients/limits.ts'
import { Browser, type Page } from '../support/browser.ts'
import { memoryOr } from '../support/memory.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const picture = (start: string): Buffer => Buffer.from(`${start}${'x'.repeat(100)}`, 'latin1')
const pictures = {
  'image/png': picture('\x89PNG\r\n\x1a\n'),
  'image/jpeg': picture('\xff\xd8\xff\xe0'),
  'image/gif': picture('GIF89a'),
  'image/webp': picture('RIFF\x01\x02\x03\x04WEBP'),
}
const png = pictures['image/png']

let started: Started
let operator: Operator
let site: Site
let alice: Browser
/** What the client's site answers. */
let answer: RequestListener
before(async () => {
  started = await start()
  site = await openSite((incoming, outgoing) => answer(incoming, outgoing))
})
after(async () => {
  await started.close()
  await site.close()
})
beforeEach(async () => {
  operator = await operatorOf(started)
  alice = await newAlice()
  answer = (_request, outgoing) => outgoing.end(png)
})

const newAlice = async (): Promise<Browser> => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  return browser
}

const uri = (path = '/logo.png'): string => `http://127.0.0.1:${site.port}${path}`

const registered = async (logo_uri: string | undefined = uri()): Promise<string> => {
  const { status, body, text } = await operator('POST', 'clients', {
    client_name: 'Shop',
    redirect_uris: [callback],
    ...(logo_uri === undefined ? {} : { logo_uri }),
  })
  assert.equal(status, 201, text)
  return body.client_id
}

const consent = (client_id: string): Promise<Page> =>
  alice.go(authorizePath({ ...codeRequest, client_id, prompt: 'consent' }))

/** The source of a page's picture; null for a page with a letter. */
const portraitOn = ({ text }: Page): string | null => {
  const [, src] =
    /class="tile [a-z]+(?: big)?" aria-hidden="true">S<img src="([^"]*)" alt=""/.exec(text) ?? []
  if (src !== undefined) return src.replaceAll('&amp;', '&')
  assert.match(text, /<span class="tile [a-z]+(?: big)?" aria-hidden="true">[S?]<\/span>/)
  return null
}

const portraitOf = async (client_id: string): Promise<string | null> =>
  portraitOn(await consent(client_id))

/** The housekeeping of every second: there it is fetched. */
const turn = (): Promise<void> => started.advance(1)

/** How often the client's site was asked for its picture while something was done. */
const asked = async (during: () => Promise<unknown>): Promise<number> => {
  const before = site.requests.length
  await during()
  return site.requests.length - before
}

describe('a logo', () => {
  test('is fetched after the client was registered, and served by the service', async () => {
    const id = await registered()
    assert.equal(await asked(turn), 1)
    const page = await consent(id)
    const src = portraitOn(page) ?? ''
    assert.match(src, new RegExp(`^/assets/client-logo\\?client_id=${id}&version=[\\w-]{22}$`))
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self';/)
    assert.equal(page.text.includes(uri()), false)
    const response = await fetchBytes(src)
    assert.deepEqual(response.bytes, png)
    assert.deepEqual(response.headers, {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('of each type is told by its bytes, whatever the site says', async () => {
    for (const [type, bytes] of Object.entries(pictures)) {
      answer = (_request, outgoing) =>
        outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end(bytes)
      const id = await registered()
      await turn()
      const { headers, bytes: served } = await fetchBytes((await portraitOf(id)) ?? '')
      assert.deepEqual([headers['content-type'], served], [type, bytes])
    }
  })

  test('is fetched with no word about who looks', async () => {
    await registered()
    await turn()
    const { method, headers } = site.requests.at(-1) ?? assert.fail()
    assert.equal(method, 'GET')
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  test('of another address is another one, and none where the operator takes it back', async () => {
    const id = await registered()
    await turn()
    const first = await portraitOf(id)
    answer = (_request, outgoing) => outgoing.end(pictures['image/gif'])
    await operator('PATCH', `clients/${id}`, { logo_uri: uri('/other') })
    assert.equal(await portraitOf(id), null)
    await turn()
    const second = await portraitOf(id)
    assert.notEqual(second, null)
    assert.notEqual(second, first)
    assert.equal((await started.ask(first ?? '')).status, 404)
    await operator('PATCH', `clients/${id}`, { logo_uri: null })
    assert.equal(await portraitOf(id), null)
    assert.equal(await asked(turn), 0)
  })

  test('is kept over a restart, and gone with its client', async () => {
    const id = await registered()
    await turn()
    const src = (await portraitOf(id)) ?? ''
    await started.restart()
    assert.equal(await portraitOf(id), src)
    assert.equal(await asked(turn), 0)
    await operator('DELETE', `clients/${id}`)
    assert.equal((await started.ask(src)).status, 404)
  })

  test('is renewed after a week, and stays where that fails', async () => {
    const id = await registered()
    await turn()
    const src = await portraitOf(id)
    await started.advance(clientLimits.logo.days * 24 * 3600 - 2)
    alice = await newAlice()
    assert.equal(await asked(turn), 0)
    await portraitOf(id)
    assert.equal(await asked(turn), 0)
    await turn()
    answer = (_request, outgoing) => outgoing.writeHead(500).end()
    await portraitOf(id)
    assert.equal(await asked(turn), 1)
    assert.equal(await portraitOf(id), src)
    answer = (_request, outgoing) => outgoing.end(pictures['image/gif'])
    await started.advance(clientLimits.logo.retrySeconds)
    await portraitOf(id)
    await turn()
    const renewed = await portraitOf(id)
    assert.notEqual(renewed, src)
    assert.notEqual(renewed, null)
  })
})

describe('the letter stays', () => {
  const failures: Readonly<Record<string, RequestListener>> = {
    'where there is none': (_request, outgoing) => outgoing.writeHead(404).end(png),
    'for a page': (_request, outgoing) => outgoing.end('<!doctype html><script>alert(1)</script>'),
    'for an SVG, which can hold scripts': (_request, outgoing) =>
      outgoing
        .writeHead(200, { 'Content-Type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'for a picture that is too large': (_request, outgoing) =>
      outgoing.end(Buffer.concat([png, Buffer.alloc(clientLimits.logo.bytes)])),
    'for an empty one': (_request, outgoing) => outgoing.end(),
    'where the connection ends': ({ socket }) => socket.destroy(),
    'for a redirect to another site': (_request, outgoing) =>
      outgoing.writeHead(302, { Location: 'https://evil.example/logo.png' }).end(),
  }
  for (const [what, listener] of Object.entries(failures)) {
    test(what, async () => {
      answer = listener
      const id = await registered()
      assert.equal(await asked(turn), 1)
      assert.equal(await portraitOf(id), null)
      const told = started.notices.filter(({ clientId }) => clientId === id)
      assert.equal(told.length, 1)
      assert.equal(told[0]?.message, 'the logo of a client is missing')
    })
  }

  test('and the site is asked again after a while, not with each page', async () => {
    answer = (_request, outgoing) => outgoing.writeHead(503).end()
    const id = await registered()
    await turn()
    answer = (_request, outgoing) => outgoing.end(png)
    const soon = async () => {
      for (let pages = 0; pages < 5; pages++) {
        await portraitOf(id)
        await turn()
      }
    }
    assert.equal(await asked(soon), 0)
    await started.advance(clientLimits.logo.retrySeconds)
    assert.equal(await portraitOf(id), null)
    assert.equal(await asked(turn), 1)
    assert.notEqual(await portraitOf(id), null)
  })

  test('while the site takes its time, and no page waits for it', async () => {
    const reached = Promise.withResolvers<void>()
    let end = (): void => {}
    answer = (_request, outgoing) => {
      end = () => outgoing.end(png)
      reached.resolve()
    }
    const id = await registered()
    const fetching = turn()
    await reached.promise
    assert.equal(await portraitOf(id), null)
    end()
    await fetching
    assert.notEqual(await portraitOf(id), null)
  })
})

describe('a stranger', () => {
  test('makes the service fetch nothing: a client that registered itself has a tile of nobody', async () => {
    const { body } = await started.ask('/register', {
      json: { client_name: 'Shop', redirect_uris: [callback], logo_uri: uri(), scope: 'photos' },
    })
    const through = async () => {
      await turn()
      assert.equal(await portraitOf(body.client_id), null)
      await turn()
    }
    assert.equal(await asked(through), 0)
  })

  test('makes it fetch nothing by asking for logos', async () => {
    const id = await registered('https://shop.example/logo.png')
    for (const query of [
      '',
      `?client_id=${id}`,
      `?client_id=${id}&version=x`,
      '?client_id=nobody&version=x',
      `?client_id=${encodeURIComponent(uri())}&version=x`,
    ]) {
      const { status } = await started.ask(`/assets/client-logo${query}`)
      assert.ok(status === 400 || status === 404, query)
    }
    assert.equal(await asked(turn), 0)
  })
})

test('outside the demo no logo is fetched from this machine, unless the operator opens it', async () => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-logos-'))
  const store = `sqlite:${join(folder, 'test.db')}`
  const demo = await start({ store })
  const metadata = { client_name: 'Shop', redirect_uris: [callback], logo_uri: uri() }
  const { body } = await (await operatorOf(demo))('POST', 'clients', metadata)
  await demo.close()
  for (const fetchAllow of [[], ['127.0.0.1']]) {
    const service = await start({ store, demo: false, fetchAllow })
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    await browser.go(authorizePath({ ...codeRequest, client_id: body.client_id }))
    const connections = site.connections()
    await service.advance(1)
    assert.equal(site.connections(), connections)
    const [told] = service.notices.filter(({ clientId }) => clientId === body.client_id)
    assert.equal(told?.reason, fetchAllow.length === 0 ? 'forbidden_address' : 'not_https')
    await service.close()
  }
  await rm(folder, { recursive: true })
})

/** An answer as bytes, which a page of the test browser is not. */
const fetchBytes = async (path: string) => {
  const request = new Request(started.issuer + path)
  const response = await started.server().fetch(request, '127.0.0.1')
  assert.equal(response.status, 200)
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    headers: Object.fromEntries(response.headers),
  }
}
