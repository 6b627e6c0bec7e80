/** A person looks after the account: uses, logins, password, events. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openApplicationBefore } from './application.ts'
import { findChromium, noChromium } from './chromium.ts'
import { follow, goToPart, logIn, nameOf, openDemoBefore, password, ways } from './demo.ts'
import { withFreePage } from './one-browser.ts'

const chromium = findChromium()

describe('an account in a browser', { skip: noChromium(chromium) }, () => {
  const demo = openDemoBefore(chromium ?? '')
  const application = openApplicationBefore(demo)

  const enter = async (page: Page, username: string, secret = password): Promise<void> => {
    await page.goto(`${demo.issuer}/login`)
    await logIn(page, username, secret)
    await page.waitForURL('**/account')
  }

  /** Whether a browser is still logged in. */
  const isIn = async (page: Page): Promise<boolean> => {
    await page.goto(`${demo.issuer}/account`)
    return page.url().endsWith('/account')
  }

  const goToSessions = async (page: Page): Promise<void> => {
    await goToPart(page, 'Security')
    await follow(page, page.getByRole('link', { name: / logged in$/ }))
  }

  const others = (walk: (page: Page) => Promise<void>) => withFreePage(demo.browser, {}, walk)

  /** A new person allows the application to read photos, and it does; ends on the account page. */
  const allowAndUse = async (page: Page): Promise<unknown> => {
    await application.ask(page, 'photos:read')
    await logIn(page, await demo.newPerson())
    await page.getByRole('button', { name: 'Allow' }).click()
    const code = (await application.back(page)).get('code') ?? ''
    const { access_token: token } = await application.redeem(code)
    assert.equal(await application.reach(token), 200)
    await page.goto(`${demo.issuer}/account`)
    return token
  }

  for (const way of ways) {
    test(`${nameOf(way)}: the ledger tells what an application did, and is taken home`, () =>
      demo.walk('ledger', way, async (page, look) => {
        await allowAndUse(page)
        await follow(page, page.getByRole('link', { name: 'Photo Printer' }))
        await page.getByText('1 seen').waitFor()
        await page.getByText('The numbers, day by day').click()
        await look(page, 'card')
        await follow(page, page.getByRole('link', { name: 'Show all' }))
        await page.getByText('Saw photos').waitFor()
        await look(page, 'ledger')
        const coming = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Download as JSON' }).click()
        const file = await coming
        assert.equal(file.suggestedFilename(), 'ledger.json')
        const ledger = JSON.parse(await readFile(await file.path(), 'utf8'))
        assert.deepEqual(
          [ledger.client_id, ledger.entries[0].resource, ledger.entries[0].outcome, ledger.next],
          ['photo-printer', 'photos', 'allowed', null],
        )
      }))

    test(`${nameOf(way)}: an application is paused, asks again, and is resumed`, () =>
      demo.walk('pause', way, async (page, look) => {
        const token = await allowAndUse(page)
        await page.getByText('Select', { exact: true }).click()
        await page.locator('.pick').click()
        await look(page, 'selected')
        await follow(page, page.getByRole('link', { name: 'Photo Printer' }))
        await follow(page, page.getByRole('button', { name: 'Pause' }))
        await page.getByText('Photo Printer is paused.').waitFor()
        await look(page, 'paused')
        assert.equal(await application.reach(token), 401)
        await application.ask(page, 'photos:read')
        await page.getByRole('heading', { name: 'You paused Photo Printer' }).waitFor()
        await look(page, 'resume')
        await page.getByRole('button', { name: 'Resume' }).click()
        assert.ok((await application.back(page)).get('code'))
        assert.equal(await application.reach(token), 200)
      }))

    test(`${nameOf(way)}: one login is ended, then all others`, () =>
      demo.walk('sessions', way, async (page, look) => {
        const username = await demo.newPerson()
        await enter(page, username)
        await others((second) =>
          others(async (third) => {
            await enter(second, username)
            await goToSessions(page)
            assert.equal(await page.locator('.rows > li').count(), 2)
            await look(page, 'two-logins')
            await page.getByRole('button', { name: /^Log out .* on / }).click()
            await page.getByText('That browser is logged out.').waitFor()
            assert.equal(await isIn(second), false)
            await enter(second, username)
            await enter(third, username)
            await goToSessions(page)
            await look(page, 'three-logins')
            await page.locator('summary', { hasText: 'Log out the other 2' }).click()
            await page.getByRole('button', { name: 'Log out 2 browsers' }).click()
            await page.getByText('All other browsers are logged out.').waitFor()
            await look(page, 'others-ended')
            assert.deepEqual([await isIn(second), await isIn(third)], [false, false])
            assert.equal(await isIn(page), true)
          }),
        )
      }))

    test(`${nameOf(way)}: another password ends the other logins, and the events tell of it`, () =>
      demo.walk('password', way, async (page, look) => {
        const username = await demo.newPerson()
        await enter(page, username)
        await others(async (second) => {
          await enter(second, username)
          await goToPart(page, 'Security')
          await follow(page, page.getByRole('link', { name: 'Change Password' }))
          await look(page, 'form')
          const another = 'another horse battery'
          const change = async (current: string) => {
            await page.locator('input[name=password]').fill(current)
            await page.locator('input[name=new_password]').fill(another)
            await page.locator('input[name=new_password_again]').fill(another)
            await page.locator('.form .primary').click()
          }
          await change('a guess')
          await page.getByText('your current password was wrong').waitFor()
          await look(page, 'wrong')
          await change(password)
          await page.getByText('The password is new.').waitFor()
          await look(page, 'changed')
          assert.equal(await isIn(second), false)
          await logIn(second, username, another)
          await second.waitForURL('**/account')
        })
        await goToPart(page, 'Activity')
        await page.getByText('You changed your password.').waitFor()
        assert.ok((await page.getByText(/^(You|A new browser) logged in/).count()) >= 3)
        await look(page, 'events')
      }))
  }
})
