/** Takes the pictures of README.md from the real pages: `npm run pictures`. Needs Chromium. */
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { openDemo } from './demo.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')
const size = { width: 760, height: 900 }

const chromium = findChromium()
if (chromium === null) throw new Error('no Chromium here: set CHROMIUM_PATH or install it')

const demo = await openDemo(chromium)
const request = new URL('/authorize', demo.issuer)
request.search = new URLSearchParams({
  response_type: 'code',
  client_id: 'photo-printer',
  redirect_uri: `${demo.issuer}/callback`,
  state: 'af0ifjsldkj',
  scope: 'photos calendar:read',
}).toString()

try {
  await demo.walk('pictures', { width: 1280, javaScriptEnabled: true }, async (page) => {
    await page.setViewportSize(size)
    const take = (name: string) =>
      page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    await page.goto(request.href)
    await page.locator('input[name=username]').fill('alice')
    await page.locator('input[name=password]').fill('wonderland')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await take('consent')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL('**/callback?*')
    await page.goto(`${demo.issuer}/account`)
    await take('account')
  })
} finally {
  await demo.close()
}
