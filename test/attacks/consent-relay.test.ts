/** A request that somebody else began: its pages are of no use in the victim's browser (RFC 9700 section 4.7). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journeySeconds } from '../../src/store/limits.ts'
import { startWithOperator } from '../flows/operator.ts'
import { assertOnPage, enter } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { galleryRequest } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'

const { service, operator } = startWithOperator()

const foreign = 'it belongs to another browser, was changed, or cookies are off'

/** What bob, or nobody yet, is asked for in the attacker's own browser. */
const begin = async (changes: Readonly<Record<string, string>> = {}) => {
  const { body } = await operator('POST', 'clients', { redirect_uris: [callback] })
  const asked = { ...codeRequest, client_id: body.client_id as string, ...changes }
  return { clientId: asked.client_id, path: authorizePath(asked) }
}

const assertNothingApproved = async (clientId: string): Promise<void> => {
  const { body } = await operator('GET', `authorizations?client=${clientId}`)
  assert.deepEqual(body.items, [])
}

const journeyOf = (url: string): string => new URL(url).searchParams.get('journey') ?? ''

describe('A-21: a page that the attacker began', () => {
  test('the login page, in a browser that was never here', async () => {
    const { path, clientId } = await begin()
    const { url } = await new Browser(service).go(path)
    assert.match(url, /\/login\?/)
    assertOnPage(await new Browser(service).ask(url), foreign)
    await assertNothingApproved(clientId)
  })

  test('the login page, in a browser that was here', async () => {
    const { path, clientId } = await begin()
    const { url } = await new Browser(service).go(path)
    const victim = new Browser(service)
    const own = await victim.go('/login')
    assertOnPage(await victim.ask(url), foreign)
    const page = await victim.submit(own, {
      username: 'alice',
      password: 'wonderland',
      journey: journeyOf(url),
    })
    assertOnPage(page, foreign)
    assert.equal(victim.cookies.has('latchkey_session'), false)
    await assertNothingApproved(clientId)
  })

  test('the consent page, for somebody else or for the same person', async () => {
    const { path, clientId } = await begin()
    const attacker = await enter(service, 'bob', 'builder')
    const { url } = await attacker.go(path)
    assert.match(url, /\/consent\?/)
    const victims = [
      await enter(service, 'alice', 'wonderland'),
      await enter(service, 'bob', 'builder'),
      new Browser(service),
    ]
    for (const victim of victims) {
      assertOnPage(await victim.go(url), foreign)
      assertOnPage(await victim.go(`/authorize?journey=${journeyOf(url)}`), foreign)
      assertOnPage(await victim.go(`/login?journey=${journeyOf(url)}&switch=1`), foreign)
    }
    await assertNothingApproved(clientId)
  })

  test("the consent form, sent from the victim's browser with a token of the victim's own", async () => {
    const { path, clientId } = await begin()
    const attacker = await enter(service, 'bob', 'builder')
    const [stranger] = formsOf((await attacker.go(path)).text)
    const victim = await enter(service)
    const own = await victim.go((await begin()).path)
    const page = await victim.submit(own, {
      journey: stranger?.fields.journey ?? '',
      decision: 'allow',
    })
    assertOnPage(page, foreign)
    await assertNothingApproved(clientId)
  })

  test('a decision that the attacker took is not the decision of the victim', async () => {
    const { path } = await begin()
    const attacker = await enter(service, 'bob', 'builder')
    const [form] = formsOf((await attacker.go(path)).text)
    const decided = await attacker.ask('/consent', { ...form?.fields, decision: 'allow' })
    const onward = decided.headers.get('location') ?? ''
    assert.match(onward, /^\/authorize\?journey=/)
    const victim = await enter(service)
    const page = await victim.ask(onward)
    assertOnPage(page, foreign)
    assert.match(answerOf(await attacker.ask(onward)).code ?? '', /^lk_ac_/)
  })

  test('where cookies are off, nothing goes on', async () => {
    const { path } = await begin()
    const { url } = await new Browser(service).go(path)
    const answer = await service.ask(url)
    assertOnPage({ ...answer }, foreign)
  })
})

describe("A-21: a request that the attacker made for the victim's browser", () => {
  test('is shown to the victim, with the client and the place that it goes to', async () => {
    const victim = await enter(service)
    const page = await victim.go(authorizePath(galleryRequest))
    assert.match(page.text, /Gallery/)
    assert.match(page.text, /<code>127\.0\.0\.1:6750<\/code>/)
    assert.match(page.text, /Alice Liddell/)
  })

  test('ends with the time that anyone may take', async () => {
    const { path, clientId } = await begin()
    const victim = await enter(service)
    const consent = await victim.go(path)
    await service.advance(journeySeconds)
    const page = await victim.submit(consent, { decision: 'allow' })
    const tooLong = 'this page was open for too long. what you typed was not used'
    assertOnPage(page, tooLong)
    assertOnPage(await victim.ask(consent.url), tooLong)
    await assertNothingApproved(clientId)
  })

  test('and not a second earlier', async () => {
    const { path } = await begin()
    const victim = await enter(service)
    const consent = await victim.go(path)
    await service.advance(journeySeconds - 1)
    const page = await victim.submit(consent, { decision: 'allow' })
    assert.match(answerOf(page).code ?? '', /^lk_ac_/)
  })
})
