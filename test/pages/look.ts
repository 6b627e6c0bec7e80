/** Checks of every page in a browser: no barriers, and it fits. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { resize, shoot } from './chromium.ts'

/** Half as long as the other form of it, and a browser reads it once for each page. */
export const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

type Rules = 'all' | 'colours' | 'words'

/** Puts axe into each page before it loads: sooner done than for each page by itself. */
export const addAxe = (page: Page): Promise<unknown> => page.addInitScript(axe)

/**
 * Violations that axe finds, each with its element.
 *
 * @param rules `colours`: only the rules about them, where a layout was seen in other colours.
 * `words`: all other rules, where these colours were seen with other words.
 */
export const barriersOn = async (page: Page, rules: Rules): Promise<readonly string[]> => {
  const aboutColours = ['color-contrast', 'link-in-text-block']
  const chosen = {
    all: {},
    colours: { runOnly: aboutColours },
    words: { rules: Object.fromEntries(aboutColours.map((rule) => [rule, { enabled: false }])) },
  }
  // Stylesheets would be fetched again, for rules that no page is held to.
  const preload = { assets: ['media'] }
  const options = { resultTypes: ['violations'], preload, ...chosen[rules] }
  // The rest of the report is long, so it stays there.
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`
  const ask = () => page.evaluate<readonly string[] | null>(`'axe' in window ? ${run} : null`)
  const found = await ask()
  if (found !== null) return found
  await page.evaluate(`${axe};null`)
  return (await ask()) ?? assert.fail('a page without axe')
}

/** By how many pixels a page is wider than its window. */
const overflow = 'document.documentElement.scrollWidth - innerWidth'

/**
 * Misfits: a page wider than its window, a cell wider than its column, a button that is too small. So
 * is a field with letters so small that telephones enlarge the page to fill it in.
 */
export const misfits = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((of) => of.checkVisibility())
  const over = ${overflow}
  const spills = all('td, tbody th').filter((of) => of.scrollWidth > of.clientWidth)
  const pressed = 'button, label.tick, nav a, footer a, input:not([type=hidden], .unseen)'
  // WCAG 2.5.8. A label is pressed for its field.
  const small = all(pressed).filter((of) => {
    const { width, height } = (of.closest('label') ?? of).getBoundingClientRect()
    return width < 24 || height < 24
  })
  const typed = 'input:not([type=hidden], [type=checkbox], [type=radio], .unseen), select, textarea'
  const zooming = all(typed).filter((of) => parseFloat(getComputedStyle(of).fontSize) < 16)
  const touching = all('details.confirm').flatMap((of) => {
    const wasOpen = of.open
    of.open = true
    const parts = [...of.lastElementChild.children].filter((one) => one.getClientRects().length > 0)
    const gap = (one, i) => parts[i + 1].getBoundingClientRect().top - one.getBoundingClientRect().bottom
    const near = parts.slice(0, -1).some((one, i) => one.matches('p') && gap(one, i) < 8)
    of.open = wasOpen
    return near ? ['a button touches its text: ' + of.innerText] : []
  })
  return [
    ...touching,
    ...(over === 0 ? [] : ['wider by ' + over + ' px']),
    ...zooming.map((of) => 'letters of less than 16 px: ' + of.outerHTML),
    ...spills.map((of) => 'reaches into the next column: ' + of.innerText),
    ...small.map((of) => 'less than 24 px: ' + of.outerHTML),
  ]
})()`

/** By how many pixels it is wider with letters of 32 px and nothing folded, as people who see little set them. */
export const enlarged = `(() => {
  const { documentElement: root } = document
  const folded = [...document.querySelectorAll('main details:not([open])')]
  root.style.fontSize = '32px'
  for (const of of folded) of.open = true
  const over = ${overflow}
  root.style.fontSize = ''
  for (const of of folded) of.open = false
  return over === 0 ? [] : ['wider by ' + over + ' px']
})()`

/** Of the whole page, not of what came of it so far. */
export const assertFits = async (page: Page): Promise<void> => {
  await page.waitForLoadState()
  assert.deepEqual([page.url(), await page.evaluate(overflow)], [page.url(), 0])
}

/** The same, and no barrier. */
export const assertClear = async (page: Page, rules: Rules = 'all'): Promise<void> => {
  await page.waitForLoadState()
  const seen = {
    url: page.url(),
    barriers: await barriersOn(page, rules),
    overflow: await page.evaluate(overflow),
  }
  assert.deepEqual(seen, { url: page.url(), barriers: [], overflow: 0 })
}

/** Stands still on a page: it fits, narrow and wide, and its picture is kept. */
export type Look = (page: Page, name: string) => Promise<void>

/** @param walk names the pictures, which are numbered in the order of the walk */
export const lookerOf = (walk: string): Look => {
  let pictures = 0
  return async (page, name) => {
    const { width, height } = page.viewportSize() ?? assert.fail('a page without a size')
    for (const seen of [width === 320 ? 1280 : 320, width]) {
      await resize(page, seen, height)
      await assertFits(page)
    }
    await shoot(page, 'walks', `${walk}-${String(++pictures).padStart(2, '0')}-${name}`)
  }
}
