/** A person with a browser and a device: makes a passkey, logs in with it alone, and after the password. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { loadSettings } from '../../src/config/load.ts'
import { type Service, startService } from '../../src/server.ts'
import { codeAt } from '../support/factors.ts'
import { findChromium, launch, noChromium, withPage as walkThrough } from './chromium.ts'

const chromium = findChromium()

/** A device in software that verifies its owner, as telephones do. */
const addDevice = async (page: Page): Promise<CDPSession> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return devtools
}

describe('passkeys in a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let service: Service
  let folder: string
  let people = 0

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-passkeys-'))
    // A passkey belongs to a name.
    const env = {
      HOST: 'localhost',
      PORT: '0',
      LATCHKEY_STORE: `sqlite:${join(folder, 'test.db')}`,
    }
    service = await startService({ settings: loadSettings({ env, cwd: folder }), tell: () => {} })
    browser = await launch(chromium ?? '')
  })
  after(async () => {
    await browser.close()
    await service.close()
    await rm(folder, { recursive: true })
  })

  const password = 'correct horse battery'

  const newPerson = async (): Promise<string> => {
    const token = await fetch(`${service.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('latchkey-admin:latchkey-admin-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    const username = `person-${++people}`
    const made = await fetch(`${service.issuer}/admin/api/owners`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
    assert.equal(made.status, 201)
    return username
  }

  const logIn = async (page: Page, username: string) => {
    await page.goto(`${service.issuer}/login?switch=1`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
  }

  const logOut = async (page: Page) => {
    await page.goto(`${service.issuer}/logout`)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor()
  }

  /** Nothing in the way of anybody, nothing too wide, nothing blocked. */
  const assertFit = async (page: Page) => {
    await page.evaluate(axe.source)
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    )
    const violations = found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    )
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.deepEqual(
      { url: page.url(), violations, overflow },
      { url: page.url(), violations: [], overflow: 0 },
    )
  }

  const withPage = (
    { width, ...others }: BrowserContextOptions & { readonly width: number },
    walk: (page: Page) => Promise<void>,
  ): Promise<void> => walkThrough(browser, { ...others, viewport: { width, height: 800 } }, walk)

  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    test(`${width} px: made once, it logs in alone and after the password`, () =>
      withPage({ width, colorScheme }, async (page) => {
        const username = await newPerson()
        await addDevice(page)
        await logIn(page, username)
        await page.getByRole('link', { name: 'Logging in' }).click()
        await assertFit(page)
        await page.getByLabel('What shall it be called?').fill('My telephone')
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await page.getByRole('heading', { name: 'Your new recovery codes' }).waitFor()
        assert.equal(await page.locator('ol code').count(), 10)
        await assertFit(page)
        await page.getByRole('button', { name: 'I have kept them' }).click()
        await page.getByRole('heading', { name: 'My telephone' }).waitFor()
        await assertFit(page)
        await logOut(page)

        await page.goto(`${service.issuer}/login`)
        await assertFit(page)
        await page.getByRole('button', { name: 'Log in with a passkey' }).click()
        await page.waitForURL('**/account')
        await logOut(page)

        await logIn(page, username)
        await page.getByRole('heading', { name: 'One more step' }).waitFor()
        await assertFit(page)
        await page.getByRole('button', { name: 'Use a passkey' }).click()
        await page.waitForURL('**/account')
        await page.goto(`${service.issuer}/account/confirm?next=security`)
        await assertFit(page)
        await page.getByRole('button', { name: 'Use a passkey' }).click()
        await page.waitForURL('**/account/security')
        await page.getByRole('button', { name: 'Remove My telephone' }).click()
        await page.getByText('You have no passkey.').waitFor()
      }))
  }

  test('a device that refuses is told of, and the password is still there', () =>
    withPage({ width: 1280 }, async (page) => {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: false,
          automaticPresenceSimulation: true,
        },
      })
      await page.goto(`${service.issuer}/login`)
      const button = page.getByRole('button', { name: 'Log in with a passkey' })
      await button.click()
      await page.getByText('That did not work, or it was cancelled.').waitFor()
      assert.equal(await button.isEnabled(), true)
      await assertFit(page)
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await logIn(page, await newPerson())
      await page.waitForURL('**/account')
    }))

  test('without JavaScript passkeys say that they need it, and everything else works', () =>
    withPage({ width: 320, javaScriptEnabled: false }, async (page) => {
      const username = await newPerson()
      await page.goto(`${service.issuer}/login`)
      const needs = page.getByText('A passkey can be used where JavaScript is on')
      await needs.waitFor()
      assert.equal(await page.getByRole('button', { name: 'passkey' }).count(), 0)
      await logIn(page, username)
      await page.goto(`${service.issuer}/account/security`)
      await needs.waitFor()
      await page.getByRole('link', { name: 'Set up one-time codes' }).click()
      const secret = ((await page.locator('main code').textContent()) ?? '').replaceAll(' ', '')
      const code = () => codeAt(secret, Math.floor(Date.now() / 1000))
      await page.getByLabel('Then type the code that it shows').fill(code())
      await page.getByRole('button', { name: 'Switch on' }).click()
      const recovery = (await page.locator('ol code').first().textContent()) ?? ''
      await page.getByRole('button', { name: 'I have kept them' }).click()
      await page.getByText('10 of them are left.').waitFor()
      await logOut(page)
      await logIn(page, username)
      await page.getByLabel('One-time code').fill('000000')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.getByText('That was not accepted.').waitFor()
      await page.getByText('Use a recovery code instead').click()
      await page.getByLabel('Recovery code').fill(recovery)
      await page.getByRole('button', { name: 'Log in with it' }).click()
      await page.waitForURL('**/account')
    }))
})
