/** Pictures that owners upload: hostile files, foreign forms, and names of others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, formsOf } from '../support/browser.ts'
import { newVisitor, password } from '../support/people.ts'
import { makeJpeg, makePng, makeWebp } from '../support/pictures.ts'
import { startBefore } from '../support/start.ts'
import { findUploadCsrf, makeUpload, sendUpload } from '../support/upload.ts'

const service = startBefore()

const send = (browser: Browser, body: Buffer, contentType?: string) =>
  sendUpload(service, browser, body, contentType)

const upload = async (browser: Browser, file: Buffer) =>
  send(browser, makeUpload({ csrf: await findUploadCsrf(browser), action: 'set' }, file))

const shownTo = async (browser: Browser): Promise<string | null> =>
  /<img src="(\/pictures\/[\w-]{22})"/.exec((await browser.go('/account/profile')).text)?.[1] ??
  null

test('a picture is kept without what it hides, and replaced and removed with its URL', async () => {
  const { browser } = await newVisitor(service)
  assert.equal(await shownTo(browser), null)
  const urls: string[] = []
  const files = [
    [makePng(), makePng({}, [['eXIf', Buffer.from('51.5N')]])],
    [makeJpeg(), makeJpeg({}, [[0xfe, Buffer.from('<script>')]])],
    [makeWebp(), Buffer.concat([makeWebp(), Buffer.from('PK\x03\x04')])],
  ] as const
  for (const [plain, file] of files) {
    const answer = await upload(browser, file)
    assert.equal(answer.status, 303)
    const url = (await shownTo(browser)) ?? assert.fail('no picture')
    urls.push(url)
    const response = await fetchBytes(url)
    assert.deepEqual(response.bytes, plain)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.equal(response.headers.get('set-cookie'), null)
  }
  assert.equal(new Set(urls).size, 3)
  const [first = '', , last = ''] = urls
  assert.equal((await service.ask(first)).status, 404)
  assert.match(await (await browser.go('/account')).text, new RegExp(`<img src="${last}"`))
  await send(browser, makeUpload({ csrf: await findUploadCsrf(browser), action: 'remove' }, null))
  assert.equal(await shownTo(browser), null)
  assert.equal((await service.ask(last)).status, 404)
})

const fetchBytes = async (url: string) => {
  const response = await service.server().fetch(new Request(`${service.issuer}${url}`), '127.0.0.1')
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
}

test('a file that is no plain picture, too large, or cut off changes nothing', async () => {
  const { browser } = await newVisitor(service)
  assert.equal((await upload(browser, makePng())).status, 303)
  const kept = await shownTo(browser)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  for (const file of [
    svg,
    Buffer.of(),
    makePng({ width: 4097 }),
    makePng().subarray(0, 50),
    Buffer.concat([makePng(), Buffer.alloc(200 * 1024)]),
  ]) {
    const answer = await upload(browser, file)
    assert.deepEqual([answer.status, answer.text.includes('This file cannot be used')], [400, true])
  }
  const huge = makeUpload({ csrf: await findUploadCsrf(browser) }, Buffer.alloc(300 * 1024))
  assert.equal((await send(browser, huge)).status, 413)
  assert.equal(await shownTo(browser), kept)
})

test('a form of a stranger, of another login, or of another type is refused', async () => {
  const [mine, other] = [await newVisitor(service), await newVisitor(service)]
  const foreign = await findUploadCsrf(other.browser)
  for (const csrf of ['', 'wrong', foreign]) {
    const answer = await send(mine.browser, makeUpload({ csrf, action: 'set' }, makePng()))
    assert.equal(answer.status, 403)
  }
  const nobody = await send(new Browser(service), makeUpload({ csrf: '' }, makePng()))
  assert.match(nobody.headers.get('location') ?? '', /^\/login/)
  const csrf = await findUploadCsrf(mine.browser)
  const body = makeUpload({ csrf }, makePng())
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'image/png']) {
    assert.equal((await send(mine.browser, body, type)).status, 400)
  }
  const twice = Buffer.concat([
    makeUpload({ csrf }, null).subarray(0, -16),
    makeUpload({ csrf }, makePng()),
  ])
  assert.equal((await send(mine.browser, twice)).status, 400)
  assert.equal(await shownTo(mine.browser), null)
})

test('a deleted account takes its picture along, and the download of the owner has it', async () => {
  const { browser, id, operator, username } = await newVisitor(service)
  await upload(browser, makePng())
  const url = (await shownTo(browser)) ?? ''
  const asked = await browser.go('/account/download')
  const form = formsOf(asked.text).find(({ action }) => action === '/account/download')
  const file = await browser.ask('/account/download', { ...form?.fields, username, password })
  assert.ok(file.text.includes(makePng().toString('base64')))
  assert.equal((await service.ask(url)).status, 200)
  await operator('DELETE', `owners/${id}`)
  assert.equal((await service.ask(url)).status, 404)
})
