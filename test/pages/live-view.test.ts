/** The live view of the events: its script takes over new rows, and asks nothing while nobody looks. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { consoleLimits } from '../../src/rooms/console/limits.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import type { Visitor } from '../support/people.ts'
import { type Started, start } from '../support/start.ts'
import { findChromium, noChromium, withPage } from './chromium.ts'
import { leaveBrowser, takeBrowser } from './one-browser.ts'

const chromium = findChromium()

describe('the live view in a browser', { skip: noChromium(chromium) }, () => {
  let service: Started
  let browser: Browser
  let operator: Visitor
  let asked = 0

  before(async () => {
    service = await start()
    operator = await newConsoleVisitor(service)
    browser = await takeBrowser(chromium ?? '')
  })
  after(async () => {
    await leaveBrowser()
    await service?.close()
  })

  /** The service of this process answers what the browser asks for. */
  const answer = async (route: Route): Promise<void> => {
    const request = route.request()
    if (request.url().includes('/admin/events')) asked++
    const init = { method: request.method(), headers: await request.allHeaders() }
    const { status, headers, text } = await service.ask(request.url(), init)
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: text })
  }

  const hide = (page: Page, isHidden: boolean): Promise<void> =>
    page.evaluate(
      `void Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })`,
    )

  const acts = (action: string) => act(operator.browser, '/admin/clients/gallery', { action })

  test('shows an event that happens meanwhile, and waits while it is hidden', () =>
    withPage(browser, {}, async (page) => {
      await page.route('**/*', answer)
      const cookies = [...operator.browser.cookies].map(([name, value]) => ({ name, value }))
      await page.context().addCookies(cookies.map((one) => ({ ...one, url: service.issuer })))
      // Its time moves only when told.
      await page.clock.install({ time: 0 })
      await page.clock.pauseAt(1000)
      await page.goto(`${service.issuer}/admin/events?type=client.changed&live=1`)
      const rows = page.locator('#events li')
      assert.deepEqual([await rows.count(), asked], [0, 1])
      await acts('disable')
      await page.clock.runFor(consoleLimits.liveSeconds * 1000)
      await page.getByText('disabled: false → true').waitFor()
      assert.deepEqual([await rows.count(), asked], [1, 2])
      await hide(page, true)
      await acts('enable')
      await page.clock.runFor(10 * consoleLimits.liveSeconds * 1000)
      assert.deepEqual([await rows.count(), asked], [1, 2])
      await hide(page, false)
      await page.clock.runFor(consoleLimits.liveSeconds * 1000)
      await page.getByText('disabled: true → false').waitFor()
      assert.equal(await rows.count(), 2)
    }))

  test('says that it stands still while the service does not answer, and goes on', () =>
    withPage(browser, {}, async (page) => {
      let isAway = false
      await page.route('**/*', (route) => (isAway ? route.abort() : answer(route)))
      const cookies = [...operator.browser.cookies].map(([name, value]) => ({ name, value }))
      await page.context().addCookies(cookies.map((one) => ({ ...one, url: service.issuer })))
      await page.clock.install({ time: 0 })
      await page.clock.pauseAt(1000)
      await page.goto(`${service.issuer}/admin/events?live=1`)
      const stale = page.getByRole('alert')
      assert.equal(await stale.count(), 0)
      isAway = true
      await page.clock.runFor(consoleLimits.liveSeconds * 1000)
      await stale.waitFor()
      isAway = false
      await page.clock.runFor(consoleLimits.liveSeconds * 1000)
      await stale.waitFor({ state: 'hidden' })
    }))
})
