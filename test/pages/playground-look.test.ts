/** The look of the playground in a real browser: barriers, movement, and a button for copies. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  findChromium,
  newUndrawnPage,
  noChromium,
  resize,
  walkUnblocked,
  withPage,
} from './chromium.ts'
import { type Demo, openDemo } from './demo.ts'
import { addAxe, assertClear } from './look.ts'

const chromium = findChromium()

describe('the look of the playground in a browser', { skip: noChromium(chromium) }, () => {
  let demo: Demo

  before(async () => {
    demo = await openDemo(chromium ?? '')
  })
  after(() => demo.close())

  const open = async (page: Page, flow: string, step?: string): Promise<void> => {
    await page.goto(`${demo.issuer}/playground/${flow}${step ? `?step=${step}` : ''}`)
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

  test('the login page keeps its look: what is beside a label stands in its line', () =>
    withPage(demo.browser, { viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto(`${demo.issuer}/login`)
      const tops = await page.evaluate<readonly number[]>(
        `['label[for=password]', '.field > .beside'].map((of) =>
          Math.round(document.querySelector(of).getBoundingClientRect().top / 8))`,
      )
      assert.equal(tops[0], tops[1])
    }))

  test('a command is copied by a button, where scripts run', () =>
    withPage(demo.browser, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page, 'client-credentials')
      await page.getByText('As curl').click()
      const command = await page.locator('pre.command').textContent()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), command)
    }))

  /** Presses the button of a step without a mouse: the page is never drawn. Checks the page after it. */
  const press = async (page: Page, flow: string, step: string, comes: string): Promise<void> => {
    await open(page, flow, step)
    const click = "setTimeout(() => document.querySelector('.step form button').click())"
    await Promise.all([page.waitForEvent('load'), page.evaluate(`${click};null`)])
    assert.equal(await page.evaluate(`document.querySelector('${comes}')?.checkVisibility()`), true)
  }

  // In the other language and scheme only the words and the colours differ.
  for (const [colorScheme, locale, rules] of [
    ['light', 'en-GB', 'all'],
    ['dark', 'zh-CN', 'colours'],
  ] as const) {
    test(`no barrier: ${colorScheme}, ${locale}`, async () => {
      const options = { colorScheme, locale, reducedMotion: 'reduce' } as const
      await walkUnblocked(await newUndrawnPage(demo.browser, options), async (page) => {
        await addAxe(page)
        const look = async (): Promise<void> => {
          await page.evaluate(
            'document.querySelectorAll("details").forEach((d) => (d.open = true))',
          )
          for (const width of [320, 1280]) {
            await resize(page, width)
            await assertClear(page, rules)
          }
        }
        for (const path of [
          '',
          'playground',
          'playground/code',
          'playground/expiry?step=expired',
          'callback?code=lk_ac_made-up&state=af0ifjsldkj',
          'callback?error=access_denied&error_description=denied',
          'gallery',
          'gallery#access_token=lk_at_made-up&token_type=Bearer',
        ]) {
          await page.goto(`${demo.issuer}/${path}`)
          await look()
        }
        await open(page, 'implicit', 'arrive-fragment')
        await look()
        for (const step of ['api-tokens', 'write-with-read']) {
          await press(page, 'api', step, '.message.received')
          await look()
        }
        for (const step of ['first-tokens', 'proxy-asks', 'proxy-unknown-api']) {
          await press(page, 'forward-auth', step, '.message.received')
          await look()
        }
        const login = ['login', 'hybrid', 'claims', 'step-up', 'pairwise']
        for (const flow of [...login, 'signed-request', 'pushed-request']) {
          await open(page, flow)
          await look()
        }
        for (const step of ['add-jwt-api', 'jwt-token', 'check-jwt', 'follow-feed', 'revoke-jwt']) {
          await press(page, 'jwt', step, '.message.received')
          await look()
        }
        await press(page, 'document', 'page-for-document', '.message.refused')
        await look()
        await press(page, 'code', 'forged-state', '.notice.problem')
        await look()
        await page.context().close()
      })
    })
  }
})
