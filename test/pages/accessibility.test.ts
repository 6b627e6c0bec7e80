/** Every page in a real browser: WCAG by axe, both colour schemes, telephone and desk, strict CSP. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { findChromium, launch, noChromium, shoot } from './chromium.ts'
import { barriersOn, overflowOf, spillsOf } from './look.ts'
import { samples } from './samples.ts'
import { type Served, serveSamples } from './served.ts'

const chromium = findChromium()

describe('pages in a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let served: Served

  before(async () => {
    browser = await launch(chromium ?? '')
    served = await serveSamples()
  })
  after(async () => {
    await browser.close()
    served.close()
  })

  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      describe(`${width} px, ${colorScheme}: no barrier, no overflow, nothing blocked`, () => {
        let context: BrowserContext
        let page: Page

        before(async () => {
          context = await browser.newContext({
            viewport: { width, height: 700 },
            colorScheme,
            reducedMotion: 'reduce',
          })
          page = await context.newPage()
        })
        after(() => context.close())

        // Other words have the same colours: in Chinese once narrow and light, once wide and dark.
        const both = (width === 320) === (colorScheme === 'light')
        const names = Object.keys(samples).filter((name) => both || !name.startsWith('zh-'))
        for (const name of names) {
          test(name, async () => {
            const errors: string[] = []
            const note = (message: ConsoleMessage): void => {
              if (message.type() === 'error') errors.push(message.text())
            }
            page.on('console', note)
            await page.goto(`${served.origin}/${name}`)
            const overflow = await overflowOf(page)
            const spills = await spillsOf(page)
            // The schemes differ in colours only, and the compiler holds the catalogs complete.
            const isWhole = both && !name.startsWith('zh-')
            const barriers = await barriersOn(page, isWhole ? 'all' : 'colours')
            await shoot(page, `${name}-${width}-${colorScheme}`)
            page.off('console', note)
            const seen = { errors, overflow, spills, barriers }
            assert.deepEqual(seen, { errors: [], overflow: 0, spills: [], barriers: [] })
          })
        }
      })
    }
  }

  test('what one presses is large enough to be hit: at least 24 px each way (WCAG 2.5.8)', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    for (const name of Object.keys(samples)) {
      await page.goto(`${served.origin}/${name}`)
      const small = await page.evaluate(
        `[...document.querySelectorAll('button, label.tick, nav a, footer a, input:not([type=hidden], .unseen, .tick input)')]
          .filter((of) => of.checkVisibility())
          .map((of) => [of.outerHTML, of.getBoundingClientRect()])
          .filter(([, { width, height }]) => width < 24 || height < 24)
          .map(([html]) => html)`,
      )
      assert.deepEqual([name, small], [name, []])
    }
    await page.close()
  })

  test('on paper a page is a receipt: who, what, until when, of when, and nothing to press', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    for (const name of ['consent', 'account']) {
      await page.goto(`${served.origin}/${name}`)
      await page.locator('input[value="photos:write"]').first().uncheck({ force: true })
      const text = await page.evaluate('document.body.innerText')
      assert.match(String(text), /Alice Liddell/)
      assert.match(String(text), /Photo Printer/)
      assert.match(String(text), /See your photos/)
      const first = await page.evaluate('document.querySelector("tbody tr").innerText')
      assert.doesNotMatch(String(first), /Add, change and delete/)
      assert.match(String(text), /Until I take it back|you take it back/)
      assert.match(String(text), /Latchkey, as of 21 September 2026, 14:13 UTC/)
      assert.doesNotMatch(String(text), /For one day|Use another account|Log out$/m)
      const pressed = await page.evaluate(
        `[...document.querySelectorAll('button, nav')].filter((of) => of.checkVisibility()).length`,
      )
      assert.equal(pressed, 0)
      const colors = await page.evaluate(
        `[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('main')).backgroundColor]`,
      )
      assert.deepEqual(colors, ['rgb(26, 36, 43)', 'rgba(0, 0, 0, 0)'])
    }
    await page.close()
  })

  test('in the colours of the system everything is still there', async () => {
    const page = await browser.newPage({ forcedColors: 'active' })
    for (const name of Object.keys(samples)) {
      await page.goto(`${served.origin}/${name}`)
      const edges = await page.evaluate(
        `[...document.querySelectorAll('.notice, .tag, button')].map((of) => getComputedStyle(of).borderBlockStartStyle)`,
      )
      assert.ok(Array.isArray(edges))
      assert.deepEqual([name, edges.filter((style) => style !== 'solid')], [name, []])
    }
    await page.close()
  })

  test('the consent page can be worked with the keyboard alone, deny like allow', async () => {
    const page = await browser.newPage()
    await page.goto(`${served.origin}/consent`)
    const reached: unknown[] = []
    for (let stop = 0; stop < 11; stop++) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate(
          '(({ value, href, innerText }) => value || (href ? innerText : null))(document.activeElement)',
        ),
      )
    }
    assert.deepEqual(reached, [
      'Use another account',
      'https://printer.example/',
      'photos:write',
      'contacts:read',
      'email',
      'phone',
      'forever',
      'account page',
      'allow',
      'deny',
      null,
    ])
    await page.close()
  })

  test('allow and deny look alike', async () => {
    const page = await browser.newPage({ viewport: { width: 800, height: 900 } })
    await page.goto(`${served.origin}/consent`)
    // "Allow" is inactive at first, and again after each focus of the page. Both states are checked
    // in one moment, active and without a fading colour.
    const look = (): Promise<unknown> =>
      page.evaluate(
        `document.querySelector('button[value=allow]').getAttribute('aria-disabled') === 'false' &&
          document.getAnimations().length === 0 &&
          [...document.querySelectorAll('button[name=decision]')].map((button) => {
            const { color, backgroundColor, fontSize, fontWeight, borderColor } = getComputedStyle(button)
            const { width, height, top } = button.getBoundingClientRect()
            return [color, backgroundColor, fontSize, fontWeight, borderColor, width, height, top].join()
          })`,
      )
    let looks = await look()
    while (looks === false) looks = await look()
    assert.ok(Array.isArray(looks) && looks.length === 2)
    assert.equal(looks[0], looks[1])
    await page.close()
  })

  test('the names of resources stay on one line', async () => {
    for (const width of [320, 560, 1280]) {
      const page = await browser.newPage({ viewport: { width, height: 700 } })
      await page.goto(`${served.origin}/consent`)
      const lines = await page.evaluate(
        `[...document.querySelectorAll('tbody th')].map((th) => {
          const range = document.createRange()
          range.selectNodeContents(th)
          return range.getClientRects().length
        })`,
      )
      assert.deepEqual([width, lines], [width, [1, 1, 1]])
      await page.close()
    }
  })

  test('on a telephone too the table says what was not asked for, and in which column', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    await page.goto(`${served.origin}/consent-visit`)
    const cells = await page.evaluate(
      `[...document.querySelectorAll('td:has(> .quiet)')].map((of) =>
        [getComputedStyle(of, '::before').content, of.innerText])`,
    )
    assert.deepEqual(cells, [['"Read – "', 'Not asked for']])
    await page.close()
  })

  test('from right to left nothing overflows, and what machines read stays from left to right', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    for (const name of Object.keys(samples)) {
      await page.goto(`${served.origin}/${name}`)
      const over = await page.evaluate(
        `document.documentElement.dir = 'rtl', document.documentElement.scrollWidth - innerWidth`,
      )
      const codes = await page.evaluate(
        `[...document.querySelectorAll('code, pre')].map((of) => getComputedStyle(of))
          .filter(({ direction, unicodeBidi }) => direction !== 'ltr' || unicodeBidi !== 'isolate').length`,
      )
      assert.deepEqual([name, over, codes], [name, 0, 0])
    }
    await page.close()
  })
})
