/** The implicit grant (RFC 6749 section 4.2): one journey is answered once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertOnPage } from '../support/authorization.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { galleryCallback } from '../support/gallery.ts'
import { assertPlaced } from '../support/placed.ts'
import { authorizePath } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()

const request = {
  response_type: 'token',
  redirect_uri: galleryCallback,
  state: 'xyz',
}

/** A browser of alice after her consent, and the next URL. */
const allow = async (client_id = 'gallery', duration = 'forever') => {
  const browser = new Browser(service)
  const login = await browser.go(authorizePath({ ...request, client_id }))
  const page = await browser.logIn(login, 'alice', 'wonderland')
  const [form] = formsOf(page.text)
  assert.ok(form)
  const allowed = await browser.ask(form.action, { ...form.fields, decision: 'allow', duration })
  return { browser, onward: allowed.headers.get('location') ?? '' }
}

const tokenOf = (page: Page): string => answerOf(page).access_token ?? ''

test('the fragment says what a token answer says, also when the access ends', async () => {
  const ends = async (duration: string) => {
    const { browser, onward } = await allow('gallery', duration)
    const { access_token, state, iss, scope, ...rest } = answerOf(await browser.ask(onward))
    assert.match(access_token ?? '', /^lk_at_/)
    return rest
  }
  const lasting = { token_type: 'Bearer', expires_in: '3600' }
  assert.deepEqual(await ends('forever'), lasting)
  assert.deepEqual(await ends('day'), { ...lasting, authorization_expires_in: '86400' })
})

describe('the URL that leads to the answer, once more', () => {
  test('brings no second token, and the first lives on', async () => {
    const { browser, onward } = await allow()
    const token = tokenOf(await browser.ask(onward))
    assertOnPage(
      await browser.ask(onward),
      'this request was answered already, or its approval has ended',
    )
    assert.equal(await use(service, token), 200)
  })

  test('at the same moment: one is answered', async () => {
    const { browser, onward } = await allow()
    const pages = await Promise.all(Array.from({ length: 5 }, () => browser.ask(onward)))
    const [won, ...others] = pages.filter(({ status }) => status === 302)
    assert.ok(won)
    assert.deepEqual(others, [])
    assert.equal(await use(service, tokenOf(won)), 200)
    for (const page of pages) {
      if (page !== won) assert.match(page.text, /This request was answered already/)
    }
  })

  test('for as long as it can be used, though the token has long ended', async () => {
    const operator = await operatorOf(service)
    const { body: client } = await operator('POST', 'clients', {
      redirect_uris: [galleryCallback],
      token_endpoint_auth_method: 'none',
      grant_types: ['implicit'],
      response_types: ['token'],
      access_token_seconds: 1,
    })
    const { browser, onward } = await allow(client.client_id)
    assert.equal(await use(service, tokenOf(await browser.ask(onward))), 200)
    for (let minute = 0; minute < 14; minute++) await service.advance(60)
    assert.equal((await browser.ask(onward)).status, 400)
    await service.advance(60)
    assertOnPage(
      await browser.ask(onward),
      'this page was open for too long. what you typed was not used',
    )
  })
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
