/** The demo, or a service that is none, behind a port, its people, and a browser to walk through it with. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { issueOperatorCode } from '../../src/cli/operator.ts'
import { addTraces } from '../../src/cli/store.ts'
import { loadSettings } from '../../src/config/load.ts'
import { type ServerOptions, startService } from '../../src/server.ts'
import { openBefore } from '../support/before.ts'
import { memoryOr } from '../support/memory.ts'
import { withPage } from './chromium.ts'
import { type Look, lookerOf } from './look.ts'
import { leaveBrowser, takeBrowser, withFreePage } from './one-browser.ts'

/** How a walk is made: on a telephone or at a desk, with scripts or without. */
export interface Way {
  readonly width: 320 | 1280
  readonly javaScriptEnabled: boolean
  /** Its context is its own: it adds what stays there, such as a clock or a device. */
  readonly isApart?: true
}

/** Both widths, and both with and without scripts. On the way, a look sees a page in each width. */
export const ways: readonly Way[] = [
  { width: 320, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: false },
]

export const nameOf = ({ width, javaScriptEnabled }: Way): string =>
  `${width} px, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`

export const password = 'correct horse battery'

export interface Demo {
  readonly issuer: string
  readonly browser: Browser
  /** Another owner, who has nothing and has allowed nothing, by name; the password is `password`. */
  newPerson(): Promise<string>
  /** The output of `latchkey operator` beside the service. */
  operatorCode(): Promise<string>
  /** Walks in one of the ways; `look` keeps a picture of a page. */
  walk(
    name: string,
    way: Way,
    walk: (page: Page, look: Look) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void>
  close(): Promise<void>
}

const post = async (url: string, init: RequestInit): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, { method: 'POST', ...init })
  assert.ok(answer.ok, `${url}: ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

/** On a busy machine a minute may pass between two steps of a walk: what comes late is tested elsewhere. */
const patient = { codeSeconds: 600, refreshRetrySeconds: 300 }

/** The operator's token for the admin API. */
const operatorToken = async (issuer: string): Promise<string> => {
  const { access_token } = await post(`${issuer}/token`, {
    headers: { authorization: `Basic ${btoa('latchkey-admin:latchkey-admin-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return String(access_token)
}

/**
 * @param executablePath of Chromium
 * @param times a clock of the test's own
 */
export const openDemo = async (
  executablePath: string,
  settings: Readonly<Record<string, string>> = {},
  times: Pick<ServerOptions, 'clock'> = {},
): Promise<Demo> => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-pages-'))
  const store = `sqlite:${join(folder, 'test.db')}`
  const env = { PORT: '0', LATCHKEY_STORE: store, ...settings }
  const loaded = loadSettings({ env, cwd: folder })
  const service = await startService({
    settings: { ...loaded, limits: { ...loaded.limits, ...patient } },
    ...times,
    tell: () => {},
    // What a page shows of uses must not hang on how fast they are written.
    pause: () => new Promise(() => {}),
  })
  const { issuer } = service
  const browser = await takeBrowser(executablePath)
  let people = 0
  return {
    issuer,
    browser,
    async newPerson() {
      const username = `person-${++people}`
      await post(`${issuer}/admin/api/owners`, {
        headers: {
          authorization: `Bearer ${await operatorToken(issuer)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ username, password }),
      })
      return username
    },
    async operatorCode() {
      const [, code = ''] =
        /^code +(\S+)$/m.exec(await issueOperatorCode({}, addTraces(service.operated, 'root'))) ??
        []
      return code
    },
    walk(name, { width, javaScriptEnabled, isApart }, walk, options = {}) {
      const look = lookerOf(`${name}-${width}-${javaScriptEnabled ? 'on' : 'off'}`)
      const viewport = { width, height: 800 }
      // Halfway through its fading in, a button is too pale. Also, each frame of that is drawn.
      const still = { reducedMotion: 'reduce' } as const
      const take = isApart ? withPage : withFreePage
      return take(browser, { ...still, ...options, javaScriptEnabled, viewport }, (page) =>
        walk(page, look),
      )
    },
    async close() {
      await leaveBrowser()
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Presses what leads to another page, and waits for all of that: until then one would look at the old one. */
export const follow = async (page: Page, button: Locator): Promise<void> => {
  await page.waitForLoadState()
  await Promise.all([page.waitForEvent('load'), button.click()])
}

/** Fills in the login page that a browser stands on, and waits for the page after it. */
export const logIn = async (page: Page, username: string, secret = password): Promise<void> => {
  await page.getByLabel('Username or email address').fill(username)
  await page.getByLabel('Password').fill(secret)
  await follow(page, page.getByRole('button', { name: /^Log in( last used)?$/ }))
}

/** To another part: in the bar of the account, at the side of the console, in the menu of a narrow console. */
export const goToPart = async (page: Page, part: string): Promise<void> => {
  await page.waitForLoadState()
  const parts = page.locator('.bar > div > .parts, body > .parts')
  if (!(await parts.isVisible())) await page.locator('.menu > summary').click()
  await follow(page, page.getByRole('navigation').getByRole('link', { name: part, exact: true }))
}

export const logOut = async (page: Page, issuer: string): Promise<void> => {
  await page.goto(`${issuer}/logout`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor()
}

/** Sets up one-time codes on the account page without a script; the recovery codes. */
export const setUpCodes = async (
  page: Page,
  issuer: string,
  codeFor: (secret: string) => string,
): Promise<readonly string[]> => {
  await page.goto(`${issuer}/account/security`)
  await page.getByRole('link', { name: 'Set up Authenticator app' }).click()
  const secret = ((await page.locator('main code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Then type the code that it shows').fill(codeFor(secret))
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('heading', { name: 'Your new recovery codes' }).waitFor()
  await page.waitForLoadState()
  const recovery = await page.locator('ol code').allTextContents()
  await page.getByRole('button', { name: 'Use these codes' }).click()
  await page.getByText('10 of 10 left').waitFor()
  return recovery
}

/** One for the tests of a suite. */
export const openDemoBefore = (...given: Parameters<typeof openDemo>): Demo =>
  openBefore(
    () => openDemo(...given),
    (demo) => demo.close(),
  )
