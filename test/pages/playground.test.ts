/** The playground and the demo's first page in a real browser: every way through it, with and without scripts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findChromium, noChromium } from './chromium.ts'
import { type Demo, follow, logIn, nameOf, openDemo, ways } from './demo.ts'
import { assertFits, type Look } from './look.ts'

const chromium = findChromium()

describe('the playground in a browser', { skip: noChromium(chromium) }, () => {
  let demo: Demo

  before(async () => {
    demo = await openDemo(chromium ?? '')
  })
  after(() => demo.close())

  const walk: Demo['walk'] = (...given) => demo.walk(...given)

  const open = async (page: Page, flow: string, step?: string): Promise<void> => {
    await page.goto(`${demo.issuer}/playground/${flow}${step ? `?step=${step}` : ''}`)
  }

  /** Presses the step's own button and waits for what came of it. */
  const press = async (page: Page, flow: string, step: string, look: Look): Promise<string> => {
    await open(page, flow, step)
    await assertFits(page)
    await page.locator('.step form button').click()
    await page.locator('.message.received').first().waitFor()
    await look(page, step)
    assert.equal(await page.getByText('This is not the answer').count(), 0, page.url())
    return (await page.locator('.message.received > pre').first().textContent()) ?? ''
  }

  /** From the first step through our own pages back to the client. */
  const allow = async (page: Page, flow: string, step?: string): Promise<void> => {
    await open(page, flow, step)
    await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
    if (new URL(page.url()).pathname === '/login') {
      await logIn(page, 'alice', 'wonderland')
    }
    if (page.url().includes('/consent')) await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/playground\/[\w-]+\?step=arrive|\/(gallery|callback)#\w+=/)
  }

  for (const way of ways) {
    const { javaScriptEnabled } = way

    test(`${nameOf(way)}: a code is earned, exchanged, used and replayed`, () =>
      walk('code', way, async (page, look) => {
        await page.goto(`${demo.issuer}/`)
        await look(page, 'home')
        await page.getByRole('link', { name: 'Authorization code', exact: true }).click()
        await allow(page, 'code')
        await page.getByText('the client believes the answer').waitFor()
        await look(page, 'arrived')
        await follow(page, page.getByRole('link', { name: 'Next: Exchange the code' }))
        await assertFits(page)
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByRole('link', { name: 'Next: Read the photos' }).click()
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByText('The garden gate').first().waitFor()

        await page.getByRole('link', { name: 'Replay the code' }).click()
        const replayed = await press(page, 'code', 'replay', look)
        assert.match(replayed, /^HTTP\/1.1 400[\s\S]*invalid_grant/)
        const answers = await page.locator('.message.received > pre').allTextContents()
        assert.match(answers[1] ?? '', /{"active":false}$/)
        assert.match(answers[2] ?? '', /^HTTP\/1.1 401/)
      }))

    test(`${nameOf(way)}: a token comes in the fragment`, () =>
      walk('implicit', way, async (page, look) => {
        await allow(page, 'implicit')
        const address = page.locator('textarea')
        if (javaScriptEnabled) {
          await page.waitForURL(/\/playground\/implicit/)
          assert.match(await address.inputValue(), /#access_token=lk_at_/)
          assert.equal(new URL(page.url()).hash, '')
        } else {
          const brought = page.url()
          assert.match(brought, /\/gallery#access_token=lk_at_/)
          await look(page, 'redirect-uri')
          await follow(page, page.getByRole('link', { name: 'paste it in the playground' }))
          await address.fill(brought)
        }
        await page.getByRole('button', { name: 'Hand it to the client' }).click()
        await page.getByText('the client believes the answer').waitFor()
        assert.match(await press(page, 'implicit', 'read', look), /^HTTP\/1.1 200/)
      }))

    test(`${nameOf(way)}: a pasted request ends on a page`, () =>
      walk('pasted', way, async (page, look) => {
        const pasted = (path: string, fields: Readonly<Record<string, string>>): string =>
          `${demo.issuer}/authorize?${new URLSearchParams({
            ...fields,
            redirect_uri: demo.issuer + path,
            state: 'af0ifjsldkj',
            scope: 'photos:read',
          })}`
        const printer = { client_id: 'photo-printer' }
        await page.goto(pasted('/callback', { ...printer, response_type: 'code' }))
        await logIn(page, 'alice', 'wonderland')
        if (page.url().includes('/consent'))
          await page.getByRole('button', { name: 'Allow' }).click()
        await page.getByRole('heading', { name: 'Photo Printer has a code' }).waitFor()
        assert.match(page.url(), /\/callback\?code=lk_ac_/)
        await assertFits(page)
        await look(page, 'code')

        // What the client did not register is refused in the fragment.
        await page.goto(pasted('/callback', { ...printer, response_type: 'token' }))
        assert.match(page.url(), /#error=unauthorized_client/)
        const refused = page.getByRole('heading', { name: 'The request was refused' })
        const none = page.getByRole('heading', { name: 'The redirect URI of Photo Printer' })
        await (javaScriptEnabled ? refused : none).waitFor()
        await look(page, 'refused')
        if (!javaScriptEnabled) return

        await page.goto(pasted('/gallery', { client_id: 'gallery', response_type: 'token' }))
        if (page.url().includes('/consent'))
          await page.getByRole('button', { name: 'Allow' }).click()
        await page.getByRole('heading', { name: 'Gallery has a token' }).waitFor()
        const token = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('access_token')
        const command = await page.locator('pre.command:visible').textContent()
        assert.ok(command?.includes(`Bearer ${token}`), command ?? '')
        assert.equal(await page.locator('.fields dd code').first().textContent(), token)
        await assertFits(page)
        await look(page, 'token')
      }))

    test(`${nameOf(way)}: an application is paused, and its owner resumes it`, () =>
      walk('pause', way, async (page, look) => {
        await allow(page, 'pause')
        await press(page, 'pause', 'exchange', look)
        await press(page, 'pause', 'pause', look)
        assert.match(await press(page, 'pause', 'while-paused', look), /^HTTP\/1.1 401/)
        await open(page, 'pause', 'ask-to-resume')
        await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
        await look(page, 'resume')
        await assertFits(page)
        await page.locator('button[value=resume]').click()
        await page.waitForURL(/step=arrive-resumed/)
        await page.getByText('the client believes the answer').waitFor()
        assert.match(await press(page, 'pause', 'works-again', look), /^HTTP\/1.1 200/)
      }))

    test(`${nameOf(way)}: a login is checked, and ends by a logout`, () =>
      walk('login', way, async (page, look) => {
        await press(page, 'logout', 'register-logout', look)
        await allow(page, 'logout', 'ask-openid')
        await press(page, 'logout', 'exchange-login', look)
        await open(page, 'logout', 'logout-by-link')
        await look(page, 'logout-by-link')
        await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
        await page.locator('button[value=stay]').waitFor()
        await open(page, 'logout', 'log-out')
        await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
        await page.waitForURL(/step=arrive-logged-out/)
        await page.getByText('the logout that it asked for has ended').waitFor()
        await look(page, 'logged-out')
        await assertFits(page)
        await allow(page, 'login')
        await press(page, 'login', 'exchange-login', look)
        await press(page, 'login', 'check-id-token', look)
        assert.equal(await page.locator('.checks .holds').count(), 6)
        await press(page, 'login', 'other-nonce', look)
        assert.equal(await page.locator('.checks .fails').count(), 1)
      }))

    test(`${nameOf(way)}: an ID token comes in the fragment, and in a form`, () =>
      walk('hybrid', way, async (page, look) => {
        await press(page, 'hybrid', 'register-hybrid', look)
        await allow(page, 'hybrid', 'ask-hybrid')
        if (!javaScriptEnabled) {
          const brought = page.url()
          await look(page, 'redirect-uri')
          await follow(page, page.getByRole('link', { name: 'There, for the hybrid flow' }))
          await page.locator('textarea').fill(brought)
        }
        await page.getByRole('button', { name: 'Hand it to the client' }).click()
        await page.getByText('the client believes the answer').waitFor()
        await press(page, 'hybrid', 'check-front', look)
        await press(page, 'hybrid', 'exchange-hybrid', look)
        await open(page, 'hybrid', 'ask-form-post')
        await page.getByRole('link', { name: 'Go there with this browser' }).click()
        if (!javaScriptEnabled) await page.locator('form[action$="/callback"] button').click()
        await page.waitForURL(/step=arrive-form/)
        await page.getByText('the client believes the answer').waitFor()
        await look(page, 'posted')
        await press(page, 'hybrid', 'check-posted', look)
      }))

    test(`${nameOf(way)}: a document is shown with its host`, () =>
      walk('by-document', way, async (page, look) => {
        await open(page, 'document', 'ask-by-document')
        await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
        await logIn(page, 'alice', 'wonderland')
        await page.getByText('Nobody has checked this application.').waitFor()
        await look(page, 'consent')
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/step=arrive/)
        const tokens = await press(page, 'document', 'exchange-by-document', look)
        assert.match(tokens, /^HTTP\/1.1 200/)
        const document = await press(page, 'document', 'borrowed-document', look)
        assert.match(document, /^HTTP\/1.1 200/)
        await page.locator('.shown').getByText('The application must fix this').waitFor()
        const answers = await page.locator('.message.refused details > pre').allTextContents()
        assert.match(answers[0] ?? '', /^HTTP\/1.1 400/)
      }))

    test(`${nameOf(way)}: attacks end where they should`, () =>
      walk('attacks', way, async (page, look) => {
        await allow(page, 'pkce')
        assert.match(await press(page, 'pkce', 'wrong-verifier', look), /^HTTP\/1.1 400/)
        assert.match(await press(page, 'pkce', 'forged-state', look), /^GET \/gallery\?code=/)
        await page.getByText('throws the answer away').waitFor()
        for (const step of ['first-tokens', 'refresh', 'refresh-again', 'stolen-refresh']) {
          await press(page, 'refresh', step, look)
        }
        await page.getByRole('heading', { name: 'What it meant' }).waitFor()
        await press(page, 'api', 'api-tokens', look)
        assert.match(await press(page, 'api', 'write-with-read', look), /^HTTP\/1.1 403/)
      }))
  }
})
