/** Single pages in a real browser: on paper, by keyboard, and what must look alike. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { english } from '../support/view.ts'
import { findChromium, newUndrawnPage, noChromium, resize } from './chromium.ts'
import { leaveBrowser, takeBrowser, withFreePage } from './one-browser.ts'
import { shortDecisions } from './samples/decisions.ts'
import { type Served, serveSamples } from './served.ts'

const chromium = findChromium()

describe('single pages in a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let served: Served

  before(async () => {
    browser = await takeBrowser(chromium ?? '')
    served = await serveSamples()
  })
  after(async () => {
    await leaveBrowser()
    served.close()
  })

  /** Walks at a desk or on a telephone. The page is the same, in the size of the one or the other. */
  const onScreen = (width: number, height: number, walk: (page: Page) => Promise<void>) => () =>
    withFreePage(browser, {}, async (page) => {
      await resize(page, width, height)
      await walk(page)
    })

  test('a walk finds nothing of the one before it', async () => {
    const found: unknown[] = []
    for (let walks = 0; walks < 2; walks++) {
      await withFreePage(browser, {}, async (page) => {
        await page.goto(`${served.origin}/access`)
        found.push(
          await page.evaluate(`[localStorage.length, sessionStorage.length, document.cookie,
            innerWidth, innerHeight, performance.getEntriesByName(document.styleSheets[0].href)[0].transferSize > 0]`),
        )
        await page.goto(`${served.origin}/account`)
        await page.evaluate('localStorage.a = 1, sessionStorage.b = 2, document.cookie = "c=3"')
        await resize(page, 320)
      })
    }
    const none = [0, 0, '', 1280, 720, true]
    assert.deepEqual(found, [none, none])
  })

  test('on paper a page is a receipt: who, what, until when, of when, and nothing to press', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print' })
    for (const name of ['consent', 'access']) {
      await page.goto(`${served.origin}/${name}`)
      await page.locator('input[value="photos:write"]').first().uncheck({ force: true })
      const text = await page.evaluate('document.body.innerText')
      assert.match(String(text), /Alice Liddell/)
      assert.match(String(text), /Photo Printer/)
      assert.match(String(text), /See your photos/)
      const first = await page.evaluate('document.querySelector(".may, tbody tr").innerText')
      assert.doesNotMatch(String(first), /Add, change and delete your photos/)
      assert.match(String(text), /No end date/)
      assert.match(String(text), /Latchkey, as of 21 September 2026, 14:13/)
      assert.doesNotMatch(String(text), /1 day|Switch account|Log out$/m)
      const pressed = await page.evaluate(
        `[...document.querySelectorAll('button, nav')].filter((of) => of.checkVisibility()).length`,
      )
      assert.equal(pressed, 0)
      const colors = await page.evaluate(
        `[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('main')).backgroundColor]`,
      )
      assert.deepEqual(colors, ['rgb(22, 33, 31)', 'rgba(0, 0, 0, 0)'])
    }
    await page.close()
  })

  test(
    'thirty applications fit on three screens, in each font',
    onScreen(1280, 800, async (page) => {
      for (const name of ['account', 'zh-account']) {
        await page.goto(`${served.origin}/${name}`)
        assert.equal(await page.locator('.apps > li').count(), 30)
        const height = await page.evaluate('document.documentElement.scrollHeight')
        assert.ok(Number(height) <= 3 * 800, `${name}: ${height}`)
      }
    }),
  )

  test(
    'on a telephone they take a little more, and each line can be pressed',
    onScreen(390, 844, async (page) => {
      for (const name of ['account', 'zh-account']) {
        await page.goto(`${served.origin}/${name}`)
        const height = await page.evaluate('document.documentElement.scrollHeight')
        assert.ok(Number(height) <= 3.5 * 844, `${name}: ${height}`)
        await page.locator('.toggle').click()
        await page.locator('.sleeps > summary').click()
        const least = await page.evaluate(
          `Math.min(...[...document.querySelectorAll('.apps > li, .apps .pick')]
          .flatMap((of) => [of.clientWidth, of.clientHeight]))`,
        )
        assert.ok(Number(least) >= 44, `${name}: ${least}`)
      }
    }),
  )

  test('times are in the zone of the browser where it runs scripts, and the foot names the zone', async () => {
    const shown = async (javaScriptEnabled: boolean) => {
      const options = { javaScriptEnabled, timezoneId: 'Asia/Tokyo', locale: 'en-GB' }
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await page.goto(`${served.origin}/access`)
      const texts = [
        await page.locator('p.zone').textContent(),
        await page.locator('.log time').first().textContent(),
        await page.locator('.title time').first().textContent(),
      ]
      await context.close()
      return texts
    }
    assert.deepEqual(await shown(false), ['Times are in UTC.', '14:13', '12 Aug'])
    assert.deepEqual(await shown(true), ['Times are in Asia/Tokyo.', '23:13', '12 Aug'])
  })

  test('the menu closes by Escape and by a click beside it; without a script by its name', async () => {
    const walk = async (javaScriptEnabled: boolean) => {
      const seen: boolean[] = []
      await withFreePage(browser, javaScriptEnabled ? {} : { javaScriptEnabled }, async (page) => {
        await page.goto(`${served.origin}/account`)
        const name = page.locator('.menu > summary')
        const isOpen = async () => (await page.locator('.menu[open]').count()) === 1
        const steps = [
          () => name.click(),
          () => page.keyboard.press('Escape'),
          () => name.click(),
          () => page.locator('h1').click(),
        ]
        for (const step of steps) {
          await step()
          seen.push(await isOpen())
        }
      })
      return seen
    }
    assert.deepEqual(await walk(true), [true, false, true, false])
    assert.deepEqual(await walk(false), [true, true, false, false])
  })

  test(
    'the consent page can be worked with the keyboard alone, deny like allow',
    onScreen(1280, 720, async (page) => {
      await page.goto(`${served.origin}/consent`)
      const reached: unknown[] = []
      for (let stop = 0; stop < 10; stop++) {
        await page.keyboard.press('Tab')
        reached.push(
          await page.evaluate(
            '(({ value, href, localName, innerText }) => value || (href || localName === "summary" ? innerText : null))(document.activeElement)',
          ),
        )
      }
      assert.deepEqual(reached, [
        'Switch',
        'photos:write',
        'email',
        'phone',
        'contacts:read',
        'forever',
        'Details',
        'deny',
        'allow',
        null,
      ])
    }),
  )

  test(
    'allow and deny have equal weight: both filled, of one size and one kind of letters',
    onScreen(800, 900, async (page) => {
      await page.goto(`${served.origin}/consent-four`)
      // "Allow" is inactive at first, and again after each focus of the page. Both states are checked
      // in one moment, active and without a fading colour.
      const look = (): Promise<unknown> =>
        page.evaluate(
          `document.querySelector('button[value=allow]').getAttribute('aria-disabled') === 'false' &&
          document.getAnimations().length === 0 &&
          [...document.querySelectorAll('button[name=decision]')].map((button) => {
            const { color, backgroundColor, fontSize, fontWeight, opacity } = getComputedStyle(button)
            const { width, height, top } = button.getBoundingClientRect()
            const ground = getComputedStyle(document.querySelector('main')).backgroundColor
            return [[fontSize, fontWeight, opacity, width, height, top, color].join(), backgroundColor !== ground]
          })`,
        )
      let looks = await look()
      while (looks === false) looks = await look()
      assert.ok(Array.isArray(looks) && looks.length === 2)
      assert.deepEqual([looks[0], looks[0][1]], [looks[1], true])
    }),
  )

  test('a question of up to four permissions fits one screen, with the buttons, in each font', async () => {
    const screens = [
      { width: 1280, height: 800, lowest: 740 },
      { width: 390, height: 844, lowest: 756 },
    ]
    const page = await newUndrawnPage(browser, {})
    for (const name of Object.keys(shortDecisions(english))) {
      await page.goto(`${served.origin}/${name}`)
      for (const { lowest, width, height } of screens) {
        await resize(page, width, height)
        for (const font of ['DejaVu Sans Condensed, Arial', 'DejaVu Sans, Verdana']) {
          const lower = await page.evaluate(
            `document.body.style.fontFamily = '${font}',
              document.querySelector('.decide').style.position = 'static',
              Math.max(...[...document.querySelectorAll('button[name=decision]')]
                .map((button) => button.getBoundingClientRect().bottom))`,
          )
          const isSeen = typeof lower === 'number' && lower > 0 && lower <= lowest
          assert.ok(isSeen, `${name}, ${width} px, ${font}: ${lower} of ${lowest}`)
        }
      }
    }
    await page.context().close()
  })

  test(
    'a longer question keeps its buttons in sight on a telephone',
    onScreen(390, 844, async (page) => {
      await page.goto(`${served.origin}/consent-nine`)
      const seen = await page.evaluate(
        `[...document.querySelectorAll('button[name=decision]')]
        .map((button) => button.getBoundingClientRect().bottom <= innerHeight)`,
      )
      assert.deepEqual(seen, [true, true])
    }),
  )
})
