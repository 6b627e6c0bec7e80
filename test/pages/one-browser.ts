/** One Chromium for all files of tests of a process. To start one takes most of a second of a processor. */
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launch } from './chromium.ts'

let started: Promise<Browser> | null = null
let users = 0

// The main file of a process imports this module before any suite begins: then no suite ends the browser.
after(async () => {
  await (await started)?.close()
})

/** @param executablePath of Chromium */
export const takeBrowser = (executablePath: string): Promise<Browser> => {
  users++
  started ??= launch(executablePath)
  return started
}

/** The pages go with their last user. Otherwise they could ask a service after its end. */
export const leaveBrowser = async (): Promise<void> => {
  users--
  const browser = await started
  if (users === 0 && browser !== null) {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
}
