/** The playground and the demo's first page in a real browser: every way through it, narrow and wide, with and without scripts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { findChromium, noChromium, withPage } from './chromium.ts'
import { type Demo, follow, logIn, nameOf, openDemo, type Way, ways } from './demo.ts'
import { assertClear, assertFits, type Look } from './look.ts'

const chromium = findChromium()

describe('the playground in a browser', { skip: noChromium(chromium) }, () => {
  let demo: Demo

  before(async () => {
    demo = await openDemo(chromium ?? '')
  })
  after(() => demo.close())

  const walk = (
    name: string,
    way: Way,
    through: (page: Page, look: Look) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> => demo.walk(name, way, through, { reducedMotion: 'reduce', ...options })

  const open = async (page: Page, flow: string, step?: string): Promise<void> => {
    await page.goto(`${demo.issuer}/playground/${flow}${step ? `?step=${step}` : ''}`)
  }

  /** Presses the step's own button and waits for what came of it. */
  const press = async (page: Page, flow: string, step: string, look: Look): Promise<string> => {
    await open(page, flow, step)
    await assertFits(page)
    await page.locator('.step form button').click()
    await page.locator('.message.received').first().waitFor()
    await look(page, step)
    assert.equal(await page.getByText('This is not the answer').count(), 0, page.url())
    return (await page.locator('.message.received > pre').first().textContent()) ?? ''
  }

  /** From the first step through our own pages back to the client. */
  const allow = async (page: Page, flow: string): Promise<void> => {
    await open(page, flow)
    await follow(page, page.getByRole('link', { name: 'Go there with this browser' }))
    if (page.url().includes('/login')) {
      await logIn(page, 'alice', 'wonderland')
    }
    if (page.url().includes('/consent')) await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/playground\/\w+\?step=arrive/)
  }

  for (const way of ways) {
    const { javaScriptEnabled } = way

    test(`${nameOf(way)}: a code is earned, exchanged, used and replayed`, () =>
      walk('code', way, async (page, look) => {
        await page.goto(`${demo.issuer}/`)
        await look(page, 'home')
        await page.getByRole('link', { name: 'Authorization code', exact: true }).click()
        await allow(page, 'code')
        await page.getByText('the client believes the answer').waitFor()
        await look(page, 'arrived')
        await follow(page, page.getByRole('link', { name: 'Next: Exchange the code' }))
        await assertFits(page)
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByRole('link', { name: 'Next: Read the photos' }).click()
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByText('The garden gate').first().waitFor()

        await page.getByRole('link', { name: 'Replay the code' }).click()
        const replayed = await press(page, 'code', 'replay', look)
        assert.match(replayed, /^HTTP\/1.1 400[\s\S]*invalid_grant/)
        const answers = await page.locator('.message.received > pre').allTextContents()
        assert.match(answers[1] ?? '', /{"active":false}$/)
        assert.match(answers[2] ?? '', /^HTTP\/1.1 401/)
      }))

    test(`${nameOf(way)}: a token comes in the fragment`, () =>
      walk('implicit', way, async (page, look) => {
        await allow(page, 'implicit')
        const address = page.locator('textarea')
        if (javaScriptEnabled) {
          assert.match(await address.inputValue(), /#access_token=lk_at_/)
          assert.equal(new URL(page.url()).hash, '')
        } else {
          assert.match(page.url(), /#access_token=lk_at_/)
          await address.fill(page.url())
        }
        await page.getByRole('button', { name: 'Hand it to the client' }).click()
        await page.getByText('the client believes the answer').waitFor()
        assert.match(await press(page, 'implicit', 'read', look), /^HTTP\/1.1 200/)
      }))

    test(`${nameOf(way)}: attacks end where they should`, () =>
      walk('attacks', way, async (page, look) => {
        await allow(page, 'pkce')
        assert.match(await press(page, 'pkce', 'wrong-verifier', look), /^HTTP\/1.1 400/)
        assert.match(await press(page, 'pkce', 'forged-state', look), /^GET \/gallery\?code=/)
        await page.getByText('throws the answer away').waitFor()
        for (const step of ['first-tokens', 'refresh', 'refresh-again', 'stolen-refresh']) {
          await press(page, 'refresh', step, look)
        }
        await page.getByRole('heading', { name: 'What it meant' }).waitFor()
        await press(page, 'api', 'api-tokens', look)
        assert.match(await press(page, 'api', 'write-with-read', look), /^HTTP\/1.1 403/)
      }))
  }

  test('nothing moves where people asked for that, and the arrow does elsewhere', async () => {
    for (const [reducedMotion, moves] of [
      ['reduce', false],
      ['no-preference', true],
    ] as const) {
      const seen = async (page: Page): Promise<void> => {
        await open(page, 'code')
        const [animations, transitions] = await page.evaluate<[number, number]>(
          `['animationName', 'transitionProperty'].map((name) =>
            [...document.querySelectorAll('*')].filter((of) => {
              const { [name]: value, transitionDuration } = getComputedStyle(of)
              return value !== 'none' && (name === 'animationName' || transitionDuration !== '0s')
            }).length)`,
        )
        assert.deepEqual([animations > 0, transitions > 0], [moves, moves])
      }
      await withPage(demo.browser, { reducedMotion }, seen)
    }
  })

  test('a command is copied by a button, where scripts run', () =>
    withPage(demo.browser, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page, 'client-credentials')
      await page.getByText('As curl').click()
      const command = await page.locator('pre.command').textContent()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), command)
    }))

  for (const [colorScheme, locale] of [
    ['light', 'en-GB'],
    ['dark', 'zh-CN'],
  ] as const) {
    test(`no barrier: ${colorScheme}, ${locale}`, () =>
      withPage(demo.browser, { colorScheme, locale, reducedMotion: 'reduce' }, async (page) => {
        const look = async (): Promise<void> => {
          await page.evaluate(
            'document.querySelectorAll("details").forEach((d) => (d.open = true))',
          )
          for (const width of [320, 1280]) {
            await page.setViewportSize({ width, height: 800 })
            await assertClear(page)
          }
        }
        for (const path of [
          '',
          'playground',
          'playground/code',
          'playground/expiry?step=expired',
        ]) {
          await page.goto(`${demo.issuer}/${path}`)
          await look()
        }
        await open(page, 'implicit', 'arrive-fragment')
        await look()
        for (const step of ['api-tokens', 'write-with-read']) {
          await open(page, 'api', step)
          await page.locator('.step form button').click()
          await page.locator('.message.received').first().waitFor()
          await look()
        }
        await open(page, 'code', 'forged-state')
        await page.locator('.step form button').click()
        await page.locator('.notice.problem').waitFor()
        await look()
      }))
  }
})
