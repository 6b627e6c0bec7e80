/** Finds the system's Chromium for the browser tests. On Debian, as root, it installs one if there is none. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core'
import { install } from '../support/debian.ts'

/** The shell shows pages like the whole program, at half the cost: it draws no window around them. */
const places = [
  process.env.CHROMIUM_PATH,
  '/usr/lib/chromium/chromium-headless-shell',
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

const search = (): string | null => {
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const found = find()
    if (found !== null) return found
    install(name)
  }
  return find()
}

let place: string | null = null

/** Where Chromium is, or null; each process looks once. */
export const findChromium = (): string | null => {
  place ??= search()
  return place
}

/** So long is only waited for what never comes, however busy the machine is. */
export const mostMilliseconds = 60_000

/** Why the browser tests cannot run: one line for the test report; false where they can. */
export const noChromium = (path: string | null): string | false =>
  path === null ? 'no Chromium here: set CHROMIUM_PATH or install it' : false

/** `TEST_PICTURES=1 npm test` takes pictures: a quarter of the time that tests in a browser take. */
export const takesPictures = process.env.TEST_PICTURES !== undefined

/** Pictures of a run, for people to look at afterwards: `pages` of each sample, `walks` of each way. */
export const picturesOf = (kind: 'pages' | 'walks'): string =>
  join(import.meta.dirname, '../../test-results', kind)

const sessions = new WeakMap<Page, Promise<CDPSession>>()

export const sessionOf = (page: Page): Promise<CDPSession> => {
  const found = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, found)
  return found
}

const sizes = new WeakMap<Page, { readonly width: number; readonly height: number }>()

/** Another size for a page. Playwright's own `setViewportSize` takes a third more. */
export const resize = async (page: Page, width: number, height = 800): Promise<void> => {
  const { width: before, height: heightBefore } = sizes.get(page) ?? {}
  if (before === width && heightBefore === height) return
  const session = await sessionOf(page)
  const size = { width, height, deviceScaleFactor: 1, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', size)
  sizes.set(page, { width, height })
}

/** The width that a page has comes first: a page is laid out in it as it loads. */
export const widthsFrom = (page: Page, widths: readonly number[]): readonly number[] =>
  sizes.get(page)?.width === widths.at(-1) ? widths.toReversed() : widths

/** The whole page, if this run takes pictures. Playwright's own `screenshot` takes twice the time for the same picture. */
export const shoot = async (page: Page, kind: 'pages' | 'walks', name: string): Promise<void> => {
  if (!takesPictures) return
  const session = await sessionOf(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality: 60,
    captureBeyondViewport: true,
    optimizeForSpeed: true,
  })
  mkdirSync(picturesOf(kind), { recursive: true })
  writeFileSync(join(picturesOf(kind), `${name}.jpg`), data, 'base64')
}

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: mostMilliseconds,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page lives for a moment: what an optimizing compiler saves there, it does not earn back.
      '--js-flags=--no-maglev --no-turbofan',
      // A page of the same origin takes the frame of the one before it: a new frame cost a fifth more
      // for each page. The switch replaces Playwright's own, so it repeats what Playwright asks for.
      `--enable-features=${[
        'RenderDocument:level/crashed-frame',
        'CDPScreenshotNewSurface',
        'SkipListAccountsWithoutGaiaCookies',
      ].join()}`,
    ],
  })

/**
 * A page that is laid out and never drawn, for checks that only ask it. Drawing took a quarter of
 * their time. Nothing may be pressed there: the browser waits for a drawing first.
 */
export const newUndrawnPage = async (
  browser: Browser,
  options: BrowserContextOptions,
): Promise<Page> => {
  const context = await browser.newContext(options)
  const drawn = await context.newPage()
  if (takesPictures) return drawn
  const session = await browser.newBrowserCDPSession()
  const asked = await (await context.newCDPSession(drawn)).send('Target.getTargetInfo')
  const { browserContextId } = asked.targetInfo
  if (browserContextId === undefined) throw new Error('a page without a context')
  const coming = context.waitForEvent('page')
  const blank = { url: 'about:blank', enableBeginFrameControl: true }
  await session.send('Target.createTarget', { ...blank, browserContextId })
  const page = await coming
  await Promise.all([session.detach(), drawn.close()])
  return page
}

/** Walks through pages. Their content security policy may block nothing there. */
export const walkUnblocked = async (
  page: Page,
  walk: (page: Page) => Promise<void>,
): Promise<void> => {
  const blocked: string[] = []
  const listen = (message: ConsoleMessage): void => {
    if (/Content Security Policy|Refused to/.test(message.text())) blocked.push(message.text())
  }
  page.on('console', listen)
  await walk(page)
  page.off('console', listen)
  assert.deepEqual(blocked, [])
}

/** Walks through pages in a context of its own. */
export const withPage = async (
  browser: Browser,
  options: BrowserContextOptions,
  walk: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(mostMilliseconds)
    await walkUnblocked(page, walk)
  } finally {
    await context.close()
  }
}
