/** The operator's browser is shown what mends a refused request; nobody else's is. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cliLimits } from '../../src/cli/limits.ts'
import type { ClientId } from '../../src/model/ids.ts'
import { operatorViewSeconds } from '../../src/rooms/operator-view.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { askFor } from '../support/authorization.ts'
import { Browser, type Page } from '../support/browser.ts'
import { forge } from '../support/forgery.ts'
import { codeFor } from '../support/operator-code.ts'
import { callback } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const cookie = 'latchkey_operator'

const service = startBefore(
  () => start({ demo: false }),
  async () => {
    const client = sampleClient({ id: 'photo-printer' as ClientId, redirectUris: [callback] })
    await service.server().store.createClient(client, trace())
  },
)

const enter = async (browser: Browser, code: string): Promise<Page> =>
  browser.submit(await browser.go('/operator'), { code })

const operatorsBrowser = async (): Promise<Browser> => {
  const browser = new Browser(service)
  const page = await enter(browser, await codeFor(service))
  assert.match(page.text, /This browser is shown more until/)
  return browser
}

const refusedIn = async (browser: Browser): Promise<string> => {
  const page = await askFor(service, { redirect_uri: `${callback}/` }, browser)
  assert.equal(page.status, 400)
  return page.text
}

const isShown = async (browser: Browser): Promise<void> => {
  const text = await refusedIn(browser)
  assert.match(text, /callback<mark>\/<\/mark><\/code>/)
  assert.match(text, /curl -sS -X PATCH .*\/admin\/api\/clients\/photo-printer/)
  assert.match(text, /-u &#39;CLIENT_ID&#39;/)
}

const isHidden = async (browser: Browser): Promise<void> => {
  const text = await refusedIn(browser)
  assert.doesNotMatch(text, /callback|<mark>|curl|<dl|For whoever/)
}

const isRefused = async (browser: Browser, code: string): Promise<void> => {
  const page = await enter(browser, code)
  assert.equal(page.status, 403)
  assert.match(page.text, /role="alert"[^>]*>This code does not count/)
  assert.equal(browser.cookies.has(cookie), false)
  await isHidden(browser)
}

describe('a code of the command line', () => {
  test('makes a browser the operator’s, for eight hours', async () => {
    const browser = await operatorsBrowser()
    await isHidden(new Browser(service))
    service.pass(operatorViewSeconds - 1)
    await isShown(browser)
    service.pass(1)
    await isHidden(browser)
    assert.match((await browser.go('/operator')).text, /name="code"/)
  })

  test('or until the operator has seen enough', async () => {
    const browser = await operatorsBrowser()
    const page = await browser.go('/operator')
    const after = await browser.submit(page, { action: 'end' })
    assert.match(after.text, /name="code"/)
    await isHidden(browser)
  })

  test('comes with whatever blanks a terminal adds, and travels in no URL', async () => {
    const browser = new Browser(service)
    const page = await browser.go('/operator')
    const code = ` ${await codeFor(service)}\n`
    const answer = await browser.ask('/operator', { csrf: csrfOn(page), code })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/operator'])
    const [set = ''] = answer.headers.getSetCookie()
    assert.match(set, /^latchkey_operator=[A-Za-z0-9_-]+; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.doesNotMatch(JSON.stringify(service.notices), /lk_op_/)
  })

  test('counts once, also of many at the same moment', async () => {
    const code = await codeFor(service)
    const browsers = Array.from({ length: 5 }, () => new Browser(service))
    const pages = await Promise.all(browsers.map((browser) => enter(browser, code)))
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 403, 403, 403, 403])
    await isRefused(new Browser(service), code)
  })

  test('counts for ten minutes', async () => {
    const code = await codeFor(service)
    service.pass(cliLimits.operatorCodeSeconds)
    await isRefused(new Browser(service), code)
  })

  test('counts after a restart, as the cookie does', async () => {
    const code = await codeFor(service)
    await service.restart()
    const browser = new Browser(service)
    await enter(browser, code)
    await service.restart()
    await isShown(browser)
  })

  test('is refused where it is none, or was changed, and that is counted by its reason', async () => {
    const code = await codeFor(service)
    for (const wrong of ['', 'lk_op_', 'x'.repeat(10_000), `${code}A`, `A${code}`, code.slice(6)]) {
      await isRefused(new Browser(service), wrong)
    }
    assert.equal(
      service.notices.filter(({ reason }) => reason === 'bad_operator_code').length >= 6,
      true,
    )
  })
})

const csrfOn = ({ text }: Page): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? ''

describe('nobody else becomes the operator', () => {
  test('by the cookie of another browser', async () => {
    const operator = await operatorsBrowser()
    const browser = new Browser(service)
    await browser.go('/operator')
    browser.cookies.set(cookie, operator.cookies.get(cookie) ?? '')
    await isHidden(browser)
  })

  test('by a cookie that was changed, or one made up', async () => {
    const browser = await operatorsBrowser()
    const right = browser.cookies.get(cookie) ?? ''
    const later = (said: string) =>
      said.slice(0, -1) + String.fromCharCode(said.charCodeAt(said.length - 1) ^ 1)
    for (const forged of [
      forge(right, '', later),
      right.slice(0, -1) + (right.endsWith('A') ? 'B' : 'A'),
      'A'.repeat(100),
      '',
    ]) {
      browser.cookies.set(cookie, forged)
      await isHidden(browser)
    }
    browser.cookies.set(cookie, right)
    await isShown(browser)
  })

  test('by what was sealed for another purpose', async () => {
    const browser = new Browser(service)
    const way = await askFor(service, {}, browser)
    const journey = new URL(way.headers.get('location') ?? '', service.issuer).searchParams
    const operator = await operatorsBrowser()
    const own = operator.cookies.get(cookie) ?? ''
    await isRefused(new Browser(service), own)
    await isRefused(new Browser(service), `lk_op_${own}`)
    await isRefused(browser, journey.get('journey') ?? '')
    const code = await codeFor(service)
    for (const sealed of [journey.get('journey') ?? '', code, code.slice('lk_op_'.length)]) {
      browser.cookies.set(cookie, sealed)
      await isHidden(browser)
    }
  })

  test('by a form from elsewhere: the code is not used up by it', async () => {
    const code = await codeFor(service)
    const browser = new Browser(service)
    await browser.go('/operator')
    const answer = await browser.ask('/operator', { code })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /This form has expired/)
    await enter(browser, code)
    await isShown(browser)
  })
})

test('in Chinese', async () => {
  const headers = { 'accept-language': 'zh' }
  const { text } = await service.ask('/operator', { headers })
  assert.match(text, /<h1>供运营者使用<\/h1>/)
})
