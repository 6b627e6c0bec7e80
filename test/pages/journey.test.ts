/** A person with a browser: asked, logs in, unticks one thing, comes back, and later takes it all back (UI-11). */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { loadSettings } from '../../src/config/load.ts'
import { type Service, startService } from '../../src/server.ts'
import { findChromium, launch, noChromium } from './chromium.ts'

const chromium = findChromium()

/** The application's own page: whatever comes back, it shows an empty one. */
const openApplication = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Back</title>')
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

describe('a person with a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let service: Service
  let application: Server
  let callback: string
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-pages-'))
    const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${join(folder, 'test.db')}` }
    service = await startService({ settings: loadSettings({ env, cwd: folder }), tell: () => {} })
    application = await openApplication()
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
    browser = await launch(chromium ?? '')
  })
  after(async () => {
    await browser.close()
    application.closeAllConnections()
    application.close()
    await service.close()
    await rm(folder, { recursive: true })
  })

  const ask = (page: Page, scope: string) =>
    page.goto(
      `${service.issuer}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: 'photo-printer',
        redirect_uri: callback,
        scope,
        state: 'a state & more',
      })}`,
    )

  const logIn = async (page: Page, username: string, password: string) => {
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  const redeem = async (code: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${service.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('photo-printer:photo-printer-secret')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        client_id: 'photo-printer',
      }),
    })
    return (await answer.json()) as Record<string, unknown>
  }

  /** The way back to the application: what its callback was sent. */
  const back = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(`${callback}?*`)
    return new URL(page.url()).searchParams
  }

  const reach = (token: string): Promise<number> =>
    fetch(`${service.issuer}/api/photos`, { headers: { Authorization: `Bearer ${token}` } }).then(
      ({ status }) => status,
    )

  const withPage = async (javaScriptEnabled: boolean, walk: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    try {
      await walk(page)
    } finally {
      await context.close()
    }
  }

  for (const [javaScript, username, password] of [
    [true, 'alice', 'wonderland'],
    [false, 'bob', 'builder'],
  ] as const) {
    test(`JavaScript ${javaScript ? 'on' : 'off'}: allows in part, finds it, ends it`, () =>
      withPage(javaScript, async (page) => {
        await ask(page, 'photos,contacts:read')
        await logIn(page, username, password)
        assert.match((await page.textContent('h1')) ?? '', /^Photo Printer asks for access/)
        await page.locator('input[value="photos:write"]').uncheck()
        await page.getByRole('button', { name: 'Allow' }).click()
        const sent = await back(page)
        assert.deepEqual([...sent.keys()].sort(), ['code', 'iss', 'state'])
        assert.equal(sent.get('state'), 'a state & more')

        const { access_token: token, scope } = await redeem(sent.get('code') ?? '')
        assert.equal(scope, 'contacts:read photos:read')
        assert.equal(await reach(String(token)), 200)

        await page.goto(`${service.issuer}/account`)
        const boxes = page.locator('input[name=permission]')
        const values = await Promise.all((await boxes.all()).map((box) => box.inputValue()))
        assert.deepEqual(values.sort(), ['contacts:read', 'photos:read'])
        assert.match((await page.locator('dd').first().textContent()) ?? '', /just now/)

        await page.locator('input[value="contacts:read"]').uncheck()
        await page.getByRole('button', { name: 'Keep only' }).click()
        await page.locator('input[value="contacts:read"]').waitFor({ state: 'detached' })
        assert.equal(await boxes.count(), 1)
        assert.equal(await reach(String(token)), 200)

        await page.getByRole('button', { name: 'End all access' }).click()
        await page.getByText('No application may reach your things.').waitFor()
        assert.equal(await reach(String(token)), 401)

        await page.getByRole('button', { name: 'Log out' }).click()
        await page.getByRole('heading', { name: 'You are logged out' }).waitFor()
        await page.goto(`${service.issuer}/account`)
        assert.equal(await page.textContent('h1'), 'Log in')
      }))
  }

  test('a wrong password is told and tried again; deny goes back without a code', () =>
    withPage(false, async (page) => {
      await ask(page, 'photos:read')
      await logIn(page, 'alice', 'looking-glass')
      assert.match((await page.getByRole('alert').textContent()) ?? '', /wrong/)
      assert.equal(await page.getByLabel('Username').inputValue(), 'alice')
      await logIn(page, 'alice', 'wonderland')
      await page.getByRole('button', { name: 'Deny' }).click()
      const sent = await back(page)
      assert.deepEqual(
        [sent.get('error'), sent.get('state'), sent.get('code')],
        ['access_denied', 'a state & more', null],
      )
    }))

  /** How often a form was sent to a page of ours. */
  const countSent = (page: Page, path: string): (() => number) => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === path) sent++
    })
    return () => sent
  }

  test('Enter on the consent page decides nothing', () =>
    withPage(false, async (page) => {
      await ask(page, 'calendar')
      await logIn(page, 'alice', 'wonderland')
      const sent = countSent(page, '/consent')
      for (const box of ['input[value="calendar:write"]', 'input[value="day"]']) {
        await page.locator(box).press('Enter')
      }
      await page.getByRole('button', { name: 'Deny' }).click()
      assert.equal((await back(page)).get('error'), 'access_denied')
      assert.equal(sent(), 1)
    }))

  test('Enter on the account page changes nothing, and each button does what it says', () =>
    withPage(false, async (page) => {
      await ask(page, 'calendar')
      await logIn(page, 'bob', 'builder')
      await page.getByRole('button', { name: 'Allow' }).click()
      await back(page)
      await page.goto(`${service.issuer}/account`)
      const sent = countSent(page, '/account')
      const write = page.locator('input[value="calendar:write"]')
      await write.uncheck()
      await write.press('Enter')
      await page.getByText('Change the end').click()
      const day = page.locator('input[type=date]')
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      await day.fill(tomorrow)
      await day.press('Enter')
      await page.getByRole('button', { name: 'Set the end' }).click()
      await page.getByText('The new end for Photo Printer is set.').waitFor()
      assert.deepEqual([sent(), await write.count(), await day.inputValue()], [1, 1, tomorrow])
      await page.getByRole('button', { name: 'End all access' }).click()
      await page.getByText('No application may reach your things.').waitFor()
    }))

  test('no page of the way is blocked in part by its own policy', () =>
    withPage(true, async (page) => {
      const blocked: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy|Refused to/.test(message.text())) blocked.push(message.text())
      })
      await ask(page, 'photos:read')
      const look = () => page.evaluate('getComputedStyle(document.body).maxInlineSize')
      assert.equal(await look(), '432px')
      await logIn(page, 'alice', 'wonderland')
      assert.equal(await look(), '768px')
      await page.goto(`${service.issuer}/nowhere`)
      await page.goto(`${service.issuer}/`)
      assert.equal(await page.locator('pre').count(), 1)
      assert.deepEqual(blocked, [])
    }))

  test('someone else can take over in the same browser', () =>
    withPage(false, async (page) => {
      await ask(page, 'photos:read')
      await logIn(page, 'alice', 'wonderland')
      await page.getByRole('link', { name: 'Use another account' }).click()
      await logIn(page, 'bob', 'builder')
      assert.match((await page.textContent('main')) ?? '', /logged in as Bob/)
      await page.getByRole('button', { name: 'Allow' }).click()
      assert.notEqual((await back(page)).get('code'), null)
    }))
})
