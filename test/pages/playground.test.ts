/** The playground and the demo's first page in a real browser: every way through it, narrow and wide, with and without scripts. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { loadSettings } from '../../src/config/load.ts'
import { type Service, startService } from '../../src/server.ts'
import { findChromium, launch, noChromium, withPage as walkThrough } from './chromium.ts'

const chromium = findChromium()

describe('the playground in a browser', { skip: noChromium(chromium) }, () => {
  let browser: Browser
  let service: Service
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-playground-'))
    const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${join(folder, 'test.db')}` }
    service = await startService({ settings: loadSettings({ env, cwd: folder }), tell: () => {} })
    browser = await launch(chromium ?? '')
  })
  after(async () => {
    await browser.close()
    await service.close()
    await rm(folder, { recursive: true })
  })

  const withPage = (
    options: BrowserContextOptions,
    walk: (page: Page) => Promise<void>,
  ): Promise<void> => walkThrough(browser, { reducedMotion: 'reduce', ...options }, walk)

  const fits = async (page: Page): Promise<void> => {
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.deepEqual([page.url(), over], [page.url(), 0])
  }

  const open = async (page: Page, flow: string, step?: string): Promise<void> => {
    await page.goto(`${service.issuer}/playground/${flow}${step ? `?step=${step}` : ''}`)
  }

  /** Presses the step's own button and waits for what came of it. */
  const press = async (page: Page, flow: string, step: string): Promise<string> => {
    await open(page, flow, step)
    await fits(page)
    await page.locator('.step form button').click()
    await page.locator('.message.received').first().waitFor()
    await fits(page)
    assert.equal(await page.getByText('This is not the answer').count(), 0, page.url())
    return (await page.locator('.message.received > pre').first().textContent()) ?? ''
  }

  /** From the first step through our own pages back to the client. */
  const allow = async (page: Page, flow: string): Promise<void> => {
    await open(page, flow)
    await page.getByRole('link', { name: 'Go there with this browser' }).click()
    if (page.url().includes('/login')) {
      await page.getByLabel('Username').fill('alice')
      await page.getByLabel('Password').fill('wonderland')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
    }
    if (page.url().includes('/consent')) await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/playground\/\w+\?step=arrive/)
  }

  const ways = [320, 1280].flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ width, javaScriptEnabled })),
  )
  for (const { width, javaScriptEnabled } of ways) {
    const options = { javaScriptEnabled, viewport: { width, height: 800 } }
    const name = `${width} px, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`

    test(`${name}: a code is earned, exchanged, used and replayed`, () =>
      withPage(options, async (page) => {
        await page.goto(`${service.issuer}/`)
        await fits(page)
        await page.getByRole('link', { name: 'Authorization code', exact: true }).click()
        await allow(page, 'code')
        await page.getByText('the client believes the answer').waitFor()
        await page.getByRole('link', { name: 'Next: Exchange the code' }).click()
        await fits(page)
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByRole('link', { name: 'Next: Read the photos' }).click()
        await page.getByRole('button', { name: 'Send it' }).click()
        await page.getByText('The garden gate').first().waitFor()

        await page.getByRole('link', { name: 'Replay the code' }).click()
        assert.match(await press(page, 'code', 'replay'), /^HTTP\/1.1 400[\s\S]*invalid_grant/)
        const answers = await page.locator('.message.received > pre').allTextContents()
        assert.match(answers[1] ?? '', /{"active":false}$/)
        assert.match(answers[2] ?? '', /^HTTP\/1.1 401/)
      }))

    test(`${name}: a token comes in the fragment`, () =>
      withPage(options, async (page) => {
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
        assert.match(await press(page, 'implicit', 'read'), /^HTTP\/1.1 200/)
      }))
  }

  for (const javaScriptEnabled of [true, false]) {
    const options = {
      javaScriptEnabled,
      viewport: { width: javaScriptEnabled ? 1280 : 320, height: 800 },
    }
    test(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}: attacks end where they should`, () =>
      withPage(options, async (page) => {
        await allow(page, 'pkce')
        assert.match(await press(page, 'pkce', 'wrong-verifier'), /^HTTP\/1.1 400/)
        assert.match(await press(page, 'pkce', 'forged-state'), /^GET \/gallery\?code=/)
        await page.getByText('throws the answer away').waitFor()
        for (const step of ['first-tokens', 'refresh', 'refresh-again', 'stolen-refresh']) {
          await press(page, 'refresh', step)
        }
        await page.getByRole('heading', { name: 'What it meant' }).waitFor()
        await press(page, 'api', 'api-tokens')
        assert.match(await press(page, 'api', 'write-with-read'), /^HTTP\/1.1 403/)
      }))
  }

  test('a command is copied by a button, where scripts run', () =>
    withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page, 'client-credentials')
      await page.getByText('As curl').click()
      const command = await page.locator('pre.command').textContent()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), command)
    }))

  const barriers = async (page: Page): Promise<readonly string[]> => {
    await page.evaluate(axe.source)
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    )
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }

  for (const [colorScheme, locale] of [
    ['light', 'en-GB'],
    ['dark', 'zh-CN'],
  ] as const) {
    test(`no barrier: ${colorScheme}, ${locale}`, () =>
      withPage({ colorScheme, locale, viewport: { width: 320, height: 800 } }, async (page) => {
        const look = async (): Promise<void> => {
          await page.evaluate(
            'document.querySelectorAll("details").forEach((d) => (d.open = true))',
          )
          for (const width of [320, 1280]) {
            await page.setViewportSize({ width, height: 800 })
            await fits(page)
            const seen = { at: page.url(), width, violations: await barriers(page) }
            assert.deepEqual(seen, { at: page.url(), width, violations: [] })
          }
        }
        for (const path of [
          '',
          'playground',
          'playground/code',
          'playground/expiry?step=expired',
        ]) {
          await page.goto(`${service.issuer}/${path}`)
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
