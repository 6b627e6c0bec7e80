/** Finds the system's Chromium for the browser tests; on Debian, as root, installs it where it is absent. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

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

const find = (): string | null => places.find((place) => place && existsSync(place)) ?? null

const quietly = (command: string, ...given: string[]): boolean =>
  spawnSync(command, given, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: 300_000,
  }).status === 0

const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  if (!quietly('apt-get', 'update', '-qq')) return
  quietly('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium')
}

/** Where Chromium is, or null; looked for once per process. */
export const findChromium = (): string | null => {
  if (find() === null) install()
  return find()
}

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

/** Walks through pages in a context of its own, in which no policy of ours may block anything. */
export const withPage = async (
  browser: Browser,
  options: BrowserContextOptions,
  walk: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
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
