/** Double clickjacking: the second click of a double click must not fall on "Allow". */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openApplicationBefore } from './application.ts'
import { findChromium, noChromium } from './chromium.ts'
import { logIn, openDemoBefore } from './demo.ts'

const chromium = findChromium()
const desk = { width: 1280, javaScriptEnabled: true, isApart: true } as const

describe('the button that allows', { skip: noChromium(chromium) }, () => {
  const demo = openDemoBefore(chromium ?? '')
  const application = openApplicationBefore(demo)

  const allowOn = (page: Page) => page.locator('button[value=allow]')
  const isActive = async (page: Page): Promise<boolean> =>
    (await allowOn(page).getAttribute('aria-disabled')) === 'false'
  /** A click wherever the button is, whether it is active or not. */
  const click = async (page: Page): Promise<string> => {
    await allowOn(page).dispatchEvent('click')
    return new URL(page.url()).pathname
  }

  /** The consent page, whose time stands still. */
  const openConsent = async (page: Page): Promise<void> => {
    await page.clock.install()
    await application.ask(page, 'photos:read')
    await logIn(page, await demo.newPerson())
    await page.waitForURL('**/consent?*')
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
  }

  test('does nothing for half a second after the page appears', () =>
    demo.walk('appears', desk, async (page) => {
      await openConsent(page)
      assert.deepEqual([await isActive(page), await click(page)], [false, '/consent'])
      await page.getByRole('status').getByText('Nothing has happened yet').waitFor()
      assert.equal(
        await page.evaluate(
          "getComputedStyle(document.querySelector('button[value=allow]')).opacity",
        ),
        '1',
      )
      await page.clock.runFor(499)
      assert.deepEqual([await isActive(page), await click(page)], [false, '/consent'])
      await page.clock.runFor(1)
      assert.equal(await isActive(page), true)
      await allowOn(page).click()
      assert.notEqual((await application.back(page)).get('code'), null)
    }))

  test('does nothing while the page is covered, and for half a second after it', () =>
    demo.walk('covered', desk, async (page) => {
      await openConsent(page)
      await page.clock.runFor(500)
      await page.evaluate("window.dispatchEvent(new Event('blur'))")
      await page.clock.runFor(5000)
      assert.deepEqual([await isActive(page), await click(page)], [false, '/consent'])
      await page.evaluate("window.dispatchEvent(new Event('focus'))")
      assert.deepEqual([await isActive(page), await click(page)], [false, '/consent'])
      await page.clock.runFor(500)
      assert.equal(await isActive(page), true)
    }))

  test('leaves the button that denies as it is', () =>
    demo.walk('denied', desk, async (page) => {
      await openConsent(page)
      await page.locator('button[value=deny]').click()
      assert.equal((await application.back(page)).get('error'), 'access_denied')
    }))
})
