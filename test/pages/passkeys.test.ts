/** A person with a browser and a device: makes a passkey, logs in with it alone, and after the password. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeAt } from '../support/factors.ts'
import { findChromium, noChromium } from './chromium.ts'
import { type Demo, goToPart, logIn, logOut, openDemo, setUpCodes, type Way } from './demo.ts'
import { addAxe, assertClear } from './look.ts'

const chromium = findChromium()

/** A device in software: whether it verifies its owner, as telephones do. */
const addAuthenticator = async (page: Page, isUserVerified: boolean) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, authenticatorId }
}

/**
 * A device that verifies its owner.
 *
 * @returns lets it answer or not: on a login page it would answer before anybody types
 */
const addDevice = async (page: Page): Promise<(answers: boolean) => Promise<unknown>> => {
  const { devtools, authenticatorId } = await addAuthenticator(page, true)
  return (enabled) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

describe('passkeys in a browser', { skip: noChromium(chromium) }, () => {
  let demo: Demo

  before(async () => {
    // A passkey belongs to a name.
    demo = await openDemo(chromium ?? '', { HOST: 'localhost' })
  })
  after(() => demo.close())

  const enter = async (page: Page, username: string) => {
    await page.goto(`${demo.issuer}/login?switch=1`)
    await logIn(page, username)
  }

  const desk: Way = { width: 1280, javaScriptEnabled: true, isApart: true }

  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    test(`${width} px: made once, it logs in alone and after the password`, () =>
      demo.walk(
        'passkey',
        { ...desk, width },
        async (page, look) => {
          const username = await demo.newPerson()
          const answer = await addDevice(page)
          await addAxe(page)
          await enter(page, username)
          await page.getByRole('heading', { name: 'Skip the password next time' }).waitFor()
          await assertClear(page)
          await page.getByRole('link', { name: 'Not now' }).click()
          await goToPart(page, 'Security')
          await assertClear(page)
          await look(page, 'nothing-set-up')
          await page.getByRole('link', { name: 'Add a passkey' }).click()
          await page.getByLabel('Name of the passkey').fill('My telephone')
          await page.getByRole('button', { name: 'Add a passkey' }).click()
          await page.getByRole('heading', { name: 'Your new recovery codes' }).waitFor()
          await page.waitForLoadState()
          const codes = await page.locator('ol code').allTextContents()
          assert.equal(codes.length, 10)
          const saved = page.waitForEvent('download')
          await page.getByRole('button', { name: 'Download' }).click()
          const file = await saved
          assert.deepEqual(
            [file.suggestedFilename(), await readFile(await file.path(), 'utf8')],
            ['recovery-codes.txt', codes.map((code) => `${code}\n`).join('')],
          )
          await assertClear(page)
          await page.getByRole('button', { name: 'Use these codes' }).click()
          await page.getByRole('link', { name: 'Manage 1 passkey' }).click()
          await page.locator('b', { hasText: 'My telephone' }).waitFor()
          await assertClear(page)
          await look(page, 'added')
          await page.getByRole('button', { name: 'Require a passkey' }).click()
          await page.getByText('Your password now needs a passkey beside it.').waitFor()
          await assertClear(page)
          await logOut(page, demo.issuer)

          await page.goto(`${demo.issuer}/login`)
          // This device answers the offer in the field for the username at once.
          await page.waitForURL('**/account')
          await logOut(page, demo.issuer)

          await answer(false)
          await enter(page, username)
          await answer(true)
          await page.getByRole('heading', { name: 'Now use your passkey' }).waitFor()
          await assertClear(page)
          await look(page, 'one-more-step')
          await page.getByRole('button', { name: 'Use a passkey' }).click()
          await page.waitForURL('**/account')
          await page.goto(`${demo.issuer}/account/confirm?next=security%2Fpasskeys`)
          await assertClear(page)
          await page.getByRole('button', { name: 'Use a passkey' }).click()
          await page.waitForURL('**/account/security/passkeys')
          await page.locator('summary', { hasText: 'Remove My telephone' }).click()
          await page.getByRole('button', { name: 'Remove passkey' }).click()
          await page.getByText('Log in without a password').waitFor()
          await look(page, 'removed')
        },
        { colorScheme },
      ))
  }

  test('a device that refuses is told of, and the password is still there', () =>
    demo.walk('refused-passkey', desk, async (page) => {
      const { devtools, authenticatorId } = await addAuthenticator(page, false)
      await page.goto(`${demo.issuer}/login`)
      const button = page.getByRole('button', { name: 'Use a passkey' })
      await button.click()
      await page.getByText('That did not work, or it was cancelled.').waitFor()
      assert.equal(await button.isEnabled(), true)
      await assertClear(page)
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await page.goto(`${demo.issuer}/login`)
      const typed = page.locator('input[name=password]')
      await page.getByRole('button', { name: 'Show password' }).click()
      assert.equal(await typed.getAttribute('type'), 'text')
      await assertClear(page)
      await page.getByRole('button', { name: 'Hide password' }).click()
      assert.equal(await typed.getAttribute('type'), 'password')
      await enter(page, await demo.newPerson())
      await page.waitForURL('**/account/passkey')
    }))

  test('without JavaScript passkeys say that they need it, and everything else works', () =>
    demo.walk('no-script', { width: 320, javaScriptEnabled: false }, async (page, look) => {
      const username = await demo.newPerson()
      await page.goto(`${demo.issuer}/login`)
      const needs = page.getByText('A passkey can be used where JavaScript is on')
      await needs.waitFor()
      assert.equal(await page.getByRole('button', { name: 'passkey' }).count(), 0)
      await enter(page, username)
      await page.waitForURL('**/account/passkey')
      await needs.waitFor()
      await look(page, 'offer')
      await page.goto(`${demo.issuer}/account/security/passkeys`)
      await needs.waitFor()
      const [recovery = ''] = await setUpCodes(page, demo.issuer, (secret) =>
        codeAt(secret, Math.floor(Date.now() / 1000)),
      )
      await look(page, 'codes-on')
      await logOut(page, demo.issuer)
      await enter(page, username)
      await page.getByLabel('One-time code').fill('000000')
      await page.getByRole('button', { name: /^Log in( last used)?$/ }).click()
      await page.getByText('That was not accepted.').waitFor()
      await page.getByText('Use a recovery code instead').click()
      await page.getByLabel('Recovery code').fill(recovery)
      await page.getByRole('button', { name: 'Log in with this code' }).click()
      await page.waitForURL('**/account')
    }))
})
