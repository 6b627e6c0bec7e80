/** Finds the system's Chromium for the browser tests; on Debian, as root, installs it where it is absent. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { install } from '../support/debian.ts'

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** One that is being installed is there before it runs. */
const runs = (place: string): boolean =>
  spawnSync(place, ['--version'], { stdio: 'ignore' }).status === 0

const find = (): string | null => places.find((place) => place && runs(place)) ?? null

/** Where Chromium is, or null; each file of tests looks once. */
export const findChromium = (): string | null => {
  const found = find()
  if (found !== null) return found
  install('chromium')
  return find()
}

/** So long is only waited for what never comes, however busy the machine is. */
const mostMilliseconds = 60_000

/** Why the browser tests cannot run: one line for the test report; false where they can. */
export const noChromium = (path: string | null): string | false =>
  path === null ? 'no Chromium here: set CHROMIUM_PATH or install it' : false

/** Keeps a picture of a page in `test-results/pages`, for people to look at after the run. */
export const shoot = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({
    path: join(import.meta.dirname, '../../test-results/pages', `${name}.png`),
    fullPage: true,
  })

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: mostMilliseconds,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/**
 * Walks through pages in a context of its own. The content security policy may block nothing there.
 */
export const withPage = async (
  browser: Browser,
  options: BrowserContextOptions,
  walk: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(mostMilliseconds)
  const blocked: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) blocked.push(message.text())
  })
  try {
    await walk(page)
    assert.deepEqual(blocked, [])
  } finally {
    await context.close()
  }
}
