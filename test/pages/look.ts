/** Checks of every page in a browser: no barriers, and it fits. */
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { shoot } from './chromium.ts'

/**
 * Violations of WCAG that axe finds, each with its element.
 *
 * @param rules `colours`: only the rules about them, for a layout that was seen in other colours
 */
export const barriersOn = async (
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  const options = rules === 'all' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] }
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(options)})`,
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Cells of tables whose text reaches into the next column. */
export const spillsOf = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('td, tbody th')]
      .filter((of) => of.checkVisibility() && of.scrollWidth > of.clientWidth)
      .map((of) => of.innerText)`,
  )

/** Of the whole page, not of what came of it so far. */
export const assertFits = async (page: Page): Promise<void> => {
  await page.waitForLoadState()
  assert.deepEqual([page.url(), await overflowOf(page)], [page.url(), 0])
}

/** The same, and no barrier. */
export const assertClear = async (page: Page): Promise<void> => {
  await page.waitForLoadState()
  const seen = {
    url: page.url(),
    barriers: await barriersOn(page),
    overflow: await overflowOf(page),
  }
  assert.deepEqual(seen, { url: page.url(), barriers: [], overflow: 0 })
}

/** Stands still on a page: it fits, and its picture is kept. */
export type Look = (page: Page, name: string) => Promise<void>

/** @param walk names the pictures, which are numbered in the order of the walk */
export const lookerOf = (walk: string): Look => {
  let pictures = 0
  return async (page, name) => {
    await assertFits(page)
    await shoot(page, `walk-${walk}-${String(++pictures).padStart(2, '0')}-${name}`)
  }
}
