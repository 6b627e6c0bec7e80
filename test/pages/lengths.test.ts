/**
 * Long words: every page in German, and in a language that is 40 % longer than English and goes from
 * right to left. Nothing is cut off, and nothing leaves its box.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { pseudoTag, withPseudo } from '../support/pseudo.ts'
import { english } from '../support/view.ts'
import { findChromium, newUndrawnPage, noChromium, resize, widthsFrom } from './chromium.ts'
import { misfits } from './look.ts'
import { leaveBrowser, takeBrowser } from './one-browser.ts'
import { samplesIn } from './samples.ts'
import { openSeen, type Seen } from './seen.ts'
import { type Served, serveSamples } from './served.ts'

const chromium = findChromium()

const widths = [1280, 320]

const languages = await withPseudo()

/** Every page in the language of a tag. */
const pagesIn = (tag: string): Readonly<Record<string, string>> => {
  const language = languages.find((one) => one.tag === tag)
  assert.ok(language)
  return samplesIn({ ...english, language })
}

/** Words that reach out of their box, or are cut off there. A name that somebody else chose may be. */
const clipped = `(() => {
  const isForeign = (of) => of.closest('bdi, code, pre, .unseen, svg, textarea') !== null
  const boxOf = (of) => (getComputedStyle(of).display === 'inline' ? boxOf(of.parentElement) : of)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faults = []
  while (walker.nextNode()) {
    const { currentNode: text } = walker
    const { parentElement: parent } = text
    if (text.data.trim() === '' || !parent.checkVisibility() || isForeign(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const words = range.getBoundingClientRect()
    const box = boxOf(parent)
    const { left, right, bottom, width } = box.getBoundingClientRect()
    // One pixel wide: for screen readers only. A summary may end with an ellipsis.
    if (width <= 1 || getComputedStyle(box).textOverflow === 'ellipsis') continue
    const isLow = getComputedStyle(box).overflowY !== 'visible' && words.bottom > bottom + 1
    if (isLow || words.left < left - 1 || words.right > right + 1) faults.push('cut off: ' + text.data)
  }
  return faults
})()`

describe('long words in a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let page: Page

  before(async () => {
    browser = await takeBrowser(chromium ?? '')
    page = await newUndrawnPage(browser, { reducedMotion: 'reduce' })
  })
  after(() => leaveBrowser())

  test('words that do not fit are found', async () => {
    const narrow = '<p style="inline-size: 3ch; white-space: nowrap">'
    await page.setContent(`${narrow}reaches out</p>${narrow}<b>it</b></p>
      <p style="block-size: 1em; inline-size: 6ch; overflow: hidden">cut off below</p>
      <p>fits <bdi>in</bdi></p>`)
    assert.deepEqual(await page.evaluate(clipped), [
      'cut off: reaches out',
      'cut off: cut off below',
    ])
  })

  for (const tag of ['de', pseudoTag]) {
    const pages = pagesIn(tag)

    describe(tag, () => {
      let served: Served
      let seen: Seen

      before(async () => {
        served = await serveSamples(pages)
        seen = openSeen(`long-${tag}`, chromium ?? '')
      })
      after(() => served.close())

      for (const [name, html] of Object.entries(pages)) {
        test(name, async () => {
          if (seen.has(name, html)) return
          await page.goto(`${served.origin}/${name}`)
          const faults: string[] = []
          for (const width of widthsFrom(page, widths)) {
            await resize(page, width)
            const found = await page.evaluate<readonly string[]>(`[...${misfits}, ...${clipped}]`)
            faults.push(...found.map((fault) => `${width}: ${fault}`))
          }
          assert.deepEqual(faults, [])
          seen.add(name, html)
        })
      }
    })
  }
})
