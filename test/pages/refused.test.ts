/** A request refused on a page, as a stranger and the operator see it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findChromium, noChromium } from './chromium.ts'
import { type Demo, openDemo } from './demo.ts'
import { assertClear } from './look.ts'

const chromium = findChromium()
const token = 'an-initial-access-token'
const registered = 'https://printer.example/a-long-way-to-the-callback/of-this-application'

/** A registration with the initial access token (RFC 7591 section 3). */
const register = async (issuer: string): Promise<string> => {
  const answer = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Printer', redirect_uris: [registered] }),
  })
  assert.equal(answer.status, 201)
  return String(((await answer.json()) as Record<string, unknown>).client_id)
}

describe('a refused request in a browser', { skip: noChromium(chromium) }, () => {
  let service: Demo
  let path: string

  before(async () => {
    const settings = { LATCHKEY_DEMO: '0', LATCHKEY_REGISTRATION_TOKEN: token }
    service = await openDemo(chromium ?? '', settings)
    const client_id = await register(service.issuer)
    const redirect_uri = `${registered}/`
    const asked = { response_type: 'code', client_id, redirect_uri, state: 'x' }
    path = `${service.issuer}/authorize?${new URLSearchParams(asked)}`
  })
  after(() => service.close())

  const details = (page: Page) => page.getByText('For the developer')

  for (const width of [320, 1280] as const) {
    test(`${width} px: a stranger is told who has to act, the operator also what mends it`, () =>
      service.walk('refused', { width, javaScriptEnabled: true }, async (page, look) => {
        assert.equal((await page.goto(path))?.status(), 400)
        await page.getByText('redirect_uri is not registered for this client.').waitFor()
        assert.equal(await details(page).count(), 0)
        assert.equal((await page.textContent('main'))?.includes('printer.example'), false)
        await assertClear(page)
        await look(page, 'stranger')

        await page.goto(`${service.issuer}/operator`)
        await page.getByLabel('Code').fill(await service.operatorCode())
        await look(page, 'code')
        await page.getByRole('button', { name: 'Show me more' }).click()
        await page.getByText('This browser is shown more until').waitFor()
        await assertClear(page)
        await look(page, 'operator-page')

        await page.goto(path)
        await details(page).click()
        assert.deepEqual(await page.locator('mark').allTextContents(), ['/'])
        const [mends = ''] = await page.locator('pre.command').allTextContents()
        assert.ok(mends.includes('"add_redirect_uris":'), mends)
        await assertClear(page)
        await look(page, 'operator')

        await page.goto(`${path}&ui_locales=zh`)
        await page.getByText('供开发者参考').click()
        await page.getByText('请发送已登记的地址，逐个字符都要一致').waitFor()
        assert.equal(await page.locator('main [lang]').count(), 0)
        await assertClear(page)
        await look(page, 'operator-zh')
      }))
  }
})
