/**
 * One Chromium for all files of tests of a process, and pages that walks take one after another. To
 * start the one takes most of a second of a processor, and so does the first page of a context.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launch, mostMilliseconds, resize, sessionOf, walkUnblocked } from './chromium.ts'

let started: Promise<Browser> | null = null
let users = 0

/** Pages that nobody walks on, by the options of their contexts. */
const free = new Map<string, Page[]>()

/** An empty page of the same site as each service. A page of another site would mean another process. */
const nowhere = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Nowhere</title>')
})

// The main file of a process imports this module before any suite begins: then no suite ends the browser.
after(async () => {
  await (await started)?.close()
  nowhere.close()
})

/** @param executablePath of Chromium */
export const takeBrowser = (executablePath: string): Promise<Browser> => {
  users++
  started ??= once(nowhere.listen(0, '127.0.0.1'), 'listening').then(() => launch(executablePath))
  return started
}

/** The pages go with their last user, but for those that stand nowhere. Otherwise they could ask a service after its end. */
export const leaveBrowser = async (): Promise<void> => {
  users--
  const browser = await started
  if (users > 0 || browser === null) return
  const kept = [...free.values()].flat().map((page) => page.context())
  const gone = browser.contexts().filter((context) => !kept.includes(context))
  await Promise.all(gone.map((context) => context.close()))
}

/** Like a new page: no script runs, and nothing is stored or cached, not even a cookie. */
const leavePage = async (page: Page, { viewport }: BrowserContextOptions): Promise<void> => {
  await page.goto(`http://127.0.0.1:${(nowhere.address() as AddressInfo).port}/`)
  const session = await sessionOf(page)
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
  await session.send('Network.clearBrowserCache')
  await resize(page, viewport?.width ?? 1280, viewport?.height ?? 720)
}

/**
 * Walks through pages in a context that nobody uses meanwhile, and that holds nothing of earlier
 * walks. A clock, a device or a script would stay there, so walks with one need `withPage`.
 */
export const withFreePage = async (
  browser: Browser,
  options: BrowserContextOptions,
  walk: (page: Page) => Promise<void>,
): Promise<void> => {
  const key = JSON.stringify(options)
  const page = free.get(key)?.pop() ?? (await (await browser.newContext(options)).newPage())
  page.setDefaultTimeout(mostMilliseconds)
  try {
    await walkUnblocked(page, walk)
    await leavePage(page, options)
    assert.equal(page.context().pages().length, 1)
    free.set(key, [...(free.get(key) ?? []), page])
  } catch (fault) {
    await page.context().close()
    throw fault
  }
}
