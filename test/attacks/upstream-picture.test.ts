/** Pictures that upstreams tell of people: fetched after the login, by the rules for strangers. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { Browser } from '../support/browser.ts'
import { type CodeProvider, openCodeProvider } from '../support/code-provider.ts'
import { newVisitor } from '../support/people.ts'
import { makeJpeg, makePng, makeWebp } from '../support/pictures.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'
import { findUploadCsrf, makeUpload, sendUpload } from '../support/upload.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

let provider: CodeProvider
let site: Site
let service: Started
/** What the site of the pictures answers. */
let answer: RequestListener
const png = makePng()

before(async () => {
  provider = await openCodeProvider()
  site = await openSite((incoming, outgoing) => answer(incoming, outgoing))
  const open = { title: 'The other one', sign_up: true }
  service = await start({
    upstreams: upstreamsOf([{ ...provider.upstream, ...open }]),
    // The operator lets its own URLs reach this network. No upstream tells URLs of the operator.
    fetchAllow: ['10.0.0.0/8'],
    resolve: async (host) => (host === 'inside.example' ? ['10.0.0.5'] : []),
  })
})
after(async () => {
  await service.close()
  await site.close()
  await provider.close()
})
beforeEach(() => {
  answer = (_request, outgoing) => outgoing.end(png)
})

const url = (path = '/me.png'): string => `http://127.0.0.1:${site.port}${path}`

let people = 0
const newSubject = (): string => `somebody-${++people}`

/** Somebody logs in by the upstream, for the first time too. */
const enter = async (subject: string, picture: unknown): Promise<Browser> => {
  const browser = new Browser(service)
  const there = await leave(browser, await browser.go('/login'))
  const page = await browser.go(provider.logIn(there, subject, { picture }))
  if (page.text.includes('You are new here')) {
    const { action, fields } = formTo(page, '/login/with/other/new')
    await browser.go(action, fields)
  }
  assert.ok(browser.cookies.has('latchkey_session'), page.text)
  return browser
}

const shownTo = async (browser: Browser, path = '/account/profile'): Promise<string | null> =>
  /<img src="(\/pictures\/[\w-]{22})"/.exec((await browser.go(path)).text)?.[1] ?? null

const bytesAt = async (path: string): Promise<Buffer> => {
  const asked = new Request(`${service.issuer}${path}`)
  return Buffer.from(await (await service.server().fetch(asked, '127.0.0.1')).arrayBuffer())
}

const turn = (): Promise<void> => service.advance(1)

/** Why the latest picture is missing, as the log says it. */
const lastFault = (): unknown => {
  const told = service.notices.filter(({ message }) => message.startsWith('the picture of'))
  return told.at(-1)?.fault
}

test('a newcomer gets the picture after the login, from this service, and sees where it came from', async () => {
  const browser = await enter(newSubject(), url())
  assert.equal(await shownTo(browser), null)
  await turn()
  const path = (await shownTo(browser)) ?? assert.fail('no picture')
  assert.deepEqual(await bytesAt(path), png)
  assert.match(
    (await browser.go('/account/events')).text,
    /Your picture came from The other one, where you log in\./,
  )
  const consent = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  assert.match(
    consent.text,
    /class="tile [a-z]+ person" aria-hidden="true">S<img src="\/pictures\//,
  )
  assert.ok(consent.text.includes(`<img src="${path}" alt="">`))
})

test('a known owner gets it at a later login, another one in its place, and the same no second time', async () => {
  const subject = newSubject()
  const browser = await enter(subject, undefined)
  await turn()
  assert.equal(await shownTo(browser), null)
  await enter(subject, url())
  await turn()
  const first = await shownTo(browser)
  assert.ok(first)
  const asked = site.requests.length
  await enter(subject, url())
  await turn()
  assert.equal(site.requests.length, asked)
  // Signed anew, with the same picture behind it.
  await enter(subject, url('/me.png?signed=2'))
  await turn()
  assert.equal(site.requests.length, asked + 1)
  assert.equal(await shownTo(browser), first)
  const jpeg = makeJpeg()
  answer = (_request, outgoing) => outgoing.end(jpeg)
  await enter(subject, url('/other.jpg'))
  await turn()
  const second = await shownTo(browser)
  assert.deepEqual(await bytesAt(second ?? ''), jpeg)
  assert.equal((await service.ask(first)).status, 404)
})

test('what the owner chose stays: an upload, and none', async () => {
  const subject = newSubject()
  const browser = await enter(subject, url())
  await turn()
  const webp = makeWebp()
  const send = async (action: string, file: Buffer | null) =>
    sendUpload(service, browser, makeUpload({ csrf: await findUploadCsrf(browser), action }, file))
  await send('set', webp)
  const asked = site.requests.length
  await enter(subject, url('/new.png'))
  await turn()
  assert.deepEqual(await bytesAt((await shownTo(browser)) ?? ''), webp)
  await send('remove', null)
  await enter(subject, url('/newer.png'))
  await turn()
  assert.equal(await shownTo(browser), null)
  assert.equal(site.requests.length, asked)
  // Chosen while a fetch is under way.
  const other = newSubject()
  const quick = await enter(other, undefined)
  await enter(other, url())
  answer = (_request, outgoing) => {
    void findUploadCsrf(quick)
      .then((csrf) => sendUpload(service, quick, makeUpload({ csrf, action: 'set' }, webp)))
      .then(() => outgoing.end(png))
  }
  await turn()
  assert.deepEqual(await bytesAt((await shownTo(quick)) ?? ''), webp)
})

test('a linked account tells its picture, and none once it is unlinked', async () => {
  for (const isUnlinked of [false, true]) {
    const { browser } = await newVisitor(service)
    const { action, fields } = formTo(await browser.go('/account/security'), '/account/upstreams')
    const led = await browser.ask(action, { ...fields, action: 'link', upstream: 'other' })
    const there = led.headers.get('location') ?? ''
    await browser.go(provider.logIn(there, newSubject(), { picture: url() }))
    if (isUnlinked) {
      const form = formTo(await browser.go('/account/security'), '/account/upstreams')
      await browser.ask(form.action, { ...form.fields, action: 'unlink', upstream: 'other' })
    }
    await turn()
    assert.equal((await shownTo(browser)) === null, isUnlinked)
  }
})

const html = Buffer.from('<!doctype html><script>alert(1)</script>')

const hostile: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
  'a page': [(_request, outgoing) => outgoing.end(html), /^no plain picture$/],
  'a drawing with a script': [
    (_request, outgoing) =>
      outgoing
        .setHeader('Content-Type', 'image/png')
        .end('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    /^no plain picture$/,
  ],
  'a page that begins as a picture': [
    (_request, outgoing) => outgoing.end(Buffer.concat([png.subarray(0, 8), html])),
    /^no plain picture$/,
  ],
  'a picture that is too wide': [
    (_request, outgoing) => outgoing.end(makePng({ width: 4097 })),
    /^no plain picture$/,
  ],
  'two gigabytes, as it says': [
    (_request, outgoing) => outgoing.writeHead(200, { 'Content-Length': 2 ** 31 }).end(png),
    /^too_large/,
  ],
  'a body without an end': [
    (_request, outgoing) => {
      const more = (): unknown =>
        outgoing.destroyed || outgoing.write(Buffer.alloc(65_536), (fault) => fault || more())
      more()
    },
    /^too_large/,
  ],
  'a redirect into a private network': [
    (_request, outgoing) => outgoing.writeHead(302, { Location: 'https://10.0.0.5/' }).end(),
    /^redirected$/,
  ],
  'an error': [(_request, outgoing) => outgoing.writeHead(500).end(png), /^status 500$/],
}

for (const [name, [given, fault]] of Object.entries(hostile)) {
  test(`${name} is no picture, and the login stands`, async () => {
    answer = given
    const browser = await enter(newSubject(), url())
    await turn()
    assert.match(String(lastFault()), fault)
    assert.equal(await shownTo(browser), null)
    assert.equal((await browser.go('/account')).status, 200)
  })
}

test('no URL of an upstream reaches a private network, whatever the operator may reach', async () => {
  const wrong = [
    ['https://inside.example/me.png', /^forbidden_address$/],
    ['https://10.0.0.5/me.png', /^forbidden_address$/],
    ['http://pictures.example/me.png', /^unknown_host$/],
    ['https://user:secret@inside.example/me.png', /^bad_url$/],
  ] as const
  for (const [told, fault] of wrong) {
    const browser = await enter(newSubject(), told)
    await turn()
    assert.match(String(lastFault()), fault, told)
    assert.equal(await shownTo(browser), null)
  }
  const before = service.notices.length
  for (const told of [
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    7,
    ['https://a.example'],
  ]) {
    await enter(newSubject(), told)
    await turn()
  }
  const told = service.notices.slice(before).map(({ message }) => message)
  assert.equal(told.filter((message) => message.startsWith('the picture of')).length, 0)
  assert.doesNotMatch(JSON.stringify(service.notices), /me\.png|secret@/)
})
