/** A person with a browser: asked, logs in, unticks one thing, comes back, and later takes it all back (UI-11). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeAt } from '../support/factors.ts'
import { openApplicationBefore } from './application.ts'
import { findChromium, noChromium } from './chromium.ts'
import {
  follow,
  logIn,
  logOut,
  nameOf,
  openDemoBefore,
  setUpCodes,
  type Way,
  ways,
} from './demo.ts'

const chromium = findChromium()

describe('a person with a browser', { skip: noChromium(chromium) }, () => {
  const demo = openDemoBefore(chromium ?? '')
  const application = openApplicationBefore(demo)

  const allow = (page: Page) => page.getByRole('button', { name: 'Allow' }).click()

  /** Allows what is ticked, and comes back with a token. */
  const getToken = async (page: Page): Promise<Record<string, unknown>> => {
    await allow(page)
    return application.redeem((await application.back(page)).get('code') ?? '')
  }

  /** Three days from now, as the field for a date takes it: in no zone the same as today. */
  const later = (): string => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

  const setEnd = async (page: Page, day: string): Promise<void> => {
    await page.getByText('Change end date').click()
    await page.getByText('Another day').click()
    await page.locator('input[type=date]').fill(day)
    await page.getByRole('button', { name: 'Set end date' }).click()
    await page.getByText(/The access of Photo Printer now ends /).waitFor()
    assert.equal(await page.locator('input[type=date]').inputValue(), day)
  }

  const endAll = async (page: Page): Promise<void> => {
    await page.locator('summary', { hasText: 'End access' }).click()
    await page.getByRole('button', { name: 'End access now' }).click()
    await page.getByText('No application has access to your account').waitFor()
  }

  for (const way of ways) {
    test(`${nameOf(way)}: allows in part, narrows it, sets an end, ends it, looks back`, () =>
      demo.walk('journey', way, async (page, look) => {
        await application.ask(page, 'photos,contacts:read')
        await look(page, 'login')
        await logIn(page, await demo.newPerson())
        assert.match(
          (await page.textContent('h1')) ?? '',
          /^Photo Printer wants to change your photos and see your contacts$/,
        )
        await page.locator('input[value="photos:write"]').uncheck()
        await look(page, 'consent')
        await allow(page)
        const sent = await application.back(page)
        assert.deepEqual([...sent.keys()].sort(), ['code', 'iss', 'state'])
        assert.equal(sent.get('state'), 'a state & more')
        const { access_token: token, scope } = await application.redeem(sent.get('code') ?? '')
        assert.equal(scope, 'contacts:read photos:read')
        assert.equal(await application.reach(token), 200)

        await page.goto(`${demo.issuer}/account`)
        await look(page, 'list')
        await follow(page, page.getByRole('link', { name: 'Photo Printer' }))
        const boxes = page.locator('input[name=permission]')
        const values = await Promise.all((await boxes.all()).map((box) => box.inputValue()))
        assert.deepEqual(values.sort(), ['contacts:read', 'photos:read'])
        assert.match((await page.locator('.title').textContent()) ?? '', /last used\s*just now/)
        await look(page, 'account')

        await page.locator('input[value="contacts:read"]').uncheck()
        await page.getByRole('button', { name: 'Save' }).click()
        await page.locator('input[value="contacts:read"]').waitFor({ state: 'detached' })
        await page.waitForLoadState()
        assert.equal(await boxes.count(), 1)
        assert.equal(await application.reach(token), 200)
        await look(page, 'narrowed')
        await setEnd(page, later())
        await look(page, 'end-set')
        await endAll(page)
        assert.equal(await application.reach(token), 401)
        await look(page, 'ended')

        await follow(page, page.getByRole('link', { name: 'Ended access' }).first())
        await look(page, 'looked-back')
        await page.getByRole('link', { name: 'Photo Printer' }).click()
        await page.getByText('This access ended:').waitFor()
        // A line for each minute, of which there may be two.
        await page.getByText('Saw photos').first().waitFor()
        await look(page, 'ledger-of-ended')

        await page.locator('.menu > summary').click()
        await look(page, 'menu')
        await page.getByRole('button', { name: 'Log out' }).click()
        await page.getByRole('heading', { name: 'You are logged out' }).waitFor()
        await look(page, 'logged-out')
        await page.goto(`${demo.issuer}/account`)
        assert.equal(await page.textContent('h1'), 'Log in')
      }))
  }

  for (const way of ways) {
    test(`${nameOf(way)}: an application that registered itself is told as such`, () =>
      demo.walk('self-registered', way, async (page, look) => {
        const stranger = await application.register('Free <b>Prints</b>')
        await application.ask(page, 'photos:read', stranger)
        await logIn(page, await demo.newPerson())
        await page.getByText('Nobody has checked this application.').waitFor()
        assert.match(
          (await page.textContent('h1')) ?? '',
          /^Somebody who says “Free <b>Prints<\/b>” wants/,
        )
        await look(page, 'consent')
        await allow(page)
        const { scope } = await application.redeem(
          (await application.back(page)).get('code') ?? '',
          stranger,
        )
        assert.equal(scope, 'photos:read')
        await page.goto(`${demo.issuer}/account`)
        await page.getByRole('link', { name: 'Free <b>Prints</b>' }).click()
        await page.getByRole('heading', { name: 'Free <b>Prints</b>' }).waitFor()
        await look(page, 'account')
      }))

    test(`${nameOf(way)}: asked again, only about what is new`, () =>
      demo.walk('asked-again', way, async (page, look) => {
        await application.ask(page, 'photos:read')
        await logIn(page, await demo.newPerson())
        assert.equal((await getToken(page)).scope, 'photos:read')
        await application.ask(page, 'photos:read,contacts:read')
        await page.getByText('Photo Printer also wants to see your contacts').waitFor()
        await page.getByText('It may already see your photos.').waitFor()
        await look(page, 'difference')
        assert.equal((await getToken(page)).scope, 'contacts:read photos:read')
        await application.ask(page, 'photos:read,contacts:read')
        assert.notEqual((await application.back(page)).get('code'), null)
      }))

    test(`${nameOf(way)}: a second factor stands in the middle of the way`, () =>
      demo.walk('second-factor', way, async (page, look) => {
        const username = await demo.newPerson()
        await page.goto(`${demo.issuer}/login`)
        await logIn(page, username)
        const [recovery = ''] = await setUpCodes(page, demo.issuer, (secret) =>
          codeAt(secret, Math.floor(Date.now() / 1000)),
        )
        await logOut(page, demo.issuer)
        await application.ask(page, 'photos:read')
        await logIn(page, username)
        await page.getByRole('heading', { name: 'Enter the code from your app' }).waitFor()
        await look(page, 'one-more-step')
        await page.getByText('Use a recovery code instead').click()
        await page.getByLabel('Recovery code').fill(recovery)
        await page.getByRole('button', { name: 'Log in with this code' }).click()
        await page.getByText('Photo Printer wants to').first().waitFor()
        await look(page, 'consent')
        const { access_token: token } = await getToken(page)
        assert.equal(await application.reach(token), 200)
      }))
  }

  const plain: Way = { width: 320, javaScriptEnabled: false }
  const desk: Way = { width: 1280, javaScriptEnabled: true }

  test('a wrong password is told and tried again; deny goes back without a code', () =>
    demo.walk('denied', plain, async (page, look) => {
      await application.ask(page, 'photos:read')
      await logIn(page, 'alice', 'looking-glass')
      assert.match((await page.getByRole('alert').textContent()) ?? '', /wrong/)
      assert.equal(await page.getByLabel('Username or email address').inputValue(), 'alice')
      await look(page, 'wrong-password')
      await logIn(page, 'alice', 'wonderland')
      await page.getByRole('button', { name: 'Deny' }).click()
      const sent = await application.back(page)
      assert.deepEqual(
        [sent.get('error'), sent.get('state'), sent.get('code')],
        ['access_denied', 'a state & more', null],
      )
    }))

  /** The number of forms sent to the service. */
  const countSent = (page: Page, path: string): (() => number) => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === path) sent++
    })
    return () => sent
  }

  test('Enter on the consent page decides nothing', () =>
    demo.walk('enter-consent', plain, async (page) => {
      await application.ask(page, 'calendar')
      await logIn(page, 'alice', 'wonderland')
      const sent = countSent(page, '/consent')
      for (const box of ['input[value="calendar:write"]', 'input[value="day"]']) {
        await page.locator(box).press('Enter')
      }
      await page.getByRole('button', { name: 'Deny' }).click()
      assert.equal((await application.back(page)).get('error'), 'access_denied')
      assert.equal(sent(), 1)
    }))

  test('Enter on the account page changes nothing, and each button does what it says', () =>
    demo.walk('enter-account', plain, async (page) => {
      await application.ask(page, 'calendar')
      await logIn(page, await demo.newPerson())
      await allow(page)
      await application.back(page)
      await page.goto(`${demo.issuer}/account`)
      await follow(page, page.getByRole('link', { name: 'Photo Printer' }))
      const sent = countSent(page, '/account')
      const write = page.locator('input[value="calendar:write"]')
      await write.uncheck()
      await write.press('Enter')
      await page.getByText('Change end date').click()
      const day = page.locator('input[type=date]')
      await page.getByText('Another day').click()
      await day.fill(later())
      await day.press('Enter')
      await page.getByText('Change end date').click()
      await setEnd(page, later())
      assert.deepEqual([sent(), await write.count()], [1, 1])
      await endAll(page)
    }))

  test('no page of the way is blocked in part by its own policy', () =>
    demo.walk('policy', desk, async (page, look) => {
      await application.ask(page, 'photos:read')
      const widest = () => page.evaluate('getComputedStyle(document.body).maxInlineSize')
      assert.equal(await widest(), '480px')
      await logIn(page, 'alice', 'wonderland')
      assert.equal(await widest(), '608px')
      await page.goto(`${demo.issuer}/nowhere`)
      await look(page, 'not-found')
      await page.goto(`${demo.issuer}/`)
      assert.equal(await page.locator('pre').count(), 1)
    }))

  test('someone else can take over in the same browser', () =>
    demo.walk('take-over', plain, async (page) => {
      await application.ask(page, 'photos:read')
      await logIn(page, 'alice', 'wonderland')
      await page.getByRole('link', { name: 'Switch account' }).click()
      await logIn(page, 'bob', 'builder')
      assert.match((await page.textContent('main')) ?? '', /Logged in as Bob/)
      await allow(page)
      assert.notEqual((await application.back(page)).get('code'), null)
    }))
})
