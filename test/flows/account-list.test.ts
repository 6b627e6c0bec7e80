/** The list of applications: search, filter, order, pages, and ending several at once. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { accessPathsOn } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Form, formBody, start, startBefore } from '../support/start.ts'
import { redeem, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const day = 86_400
const password = 'correct horse battery'

const started = startBefore(() => start({ sessionSeconds: 400 * day }))
let people = 0

const newOwner = async (): Promise<Browser> => {
  const username = `person-${++people}`
  await (await operatorOf(started))('POST', 'owners', { username, password })
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), username, password)
  return browser
}

/** A client of a name, and what an owner allows it; its access token. */
const allow = async (browser: Browser, client_name: string, changes: Form = {}) => {
  const operator = await operatorOf(started)
  const { body } = await operator('POST', 'clients', {
    client_name,
    redirect_uris: [callback],
    grant_types: ['authorization_code'],
    client_uri: `https://${client_name.length}.example/`,
    access_token_seconds: 300 * day,
  })
  const request = { ...codeRequest, client_id: body.client_id, scope: 'photos:read', ...changes }
  const page = await browser.go(authorizePath(request))
  const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow', ...changes }))
  const tokens = await redeem(started, code, [body.client_id, body.client_secret])
  await started.advance(1)
  return tokens.body.access_token as string
}

const namesOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<div class="app"><a [^>]*><bdi class="name">(.*?)<\/bdi>/g)].map(
    ([, name = '']) => name,
  )

const listed = async (browser: Browser, query: Form = {}): Promise<readonly string[]> =>
  namesOn(await browser.go(`/account?${formBody(query)}`))

/** Submits the form of a list with the lines of these names selected; no redirect is followed. */
const endSelected = (browser: Browser, page: Page, names: readonly string[]): Promise<Page> => {
  const form = formsOf(page.text).find(({ action }) => action.startsWith('/account'))
  const shown = namesOn(page)
  const ids = accessPathsOn(page).map((path) => path.split('/').at(-1) ?? '')
  const access = ids.filter((_, i) => names.includes(shown[i] ?? ''))
  const [, posted] = formsOf(page.text).filter(({ fields }) => 'csrf' in fields)
  const { action } = posted ?? form ?? { action: '' }
  return browser.ask(action, { csrf: posted?.fields.csrf ?? [], access, action: 'end-selected' })
}

const noticeOn = ({ text }: Page): string | undefined =>
  /<p role="status">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '')

describe('the list', () => {
  let browser: Browser

  before(async () => {
    browser = await newOwner()
    assert.equal(await use(started, await allow(browser, 'Zebra Prints')), 200)
    await allow(browser, 'Café <b>Photos</b>', { scope: 'photos' })
    const token = await allow(browser, 'Album')
    await started.advance(31 * day)
    await allow(browser, 'Brief', { duration: 'day' })
    assert.equal(await use(started, token), 200)
    await started.advance(60)
  })

  test('begins with what was used last, and ends with what never was', async () => {
    const all = ['Album', 'Zebra Prints', 'Brief', 'Café &lt;b&gt;Photos&lt;/b&gt;']
    assert.deepEqual(await listed(browser), all)
    const page = await browser.go('/account')
    assert.match(
      page.text,
      /<h1>4 applications can use your account<\/h1>[\s\S]*>2 were not used for a month\.</,
    )
  })

  test('is ordered by name, and by when each was allowed', async () => {
    assert.deepEqual(await listed(browser, { order: 'name' }), [
      'Album',
      'Brief',
      'Café &lt;b&gt;Photos&lt;/b&gt;',
      'Zebra Prints',
    ])
    assert.deepEqual(await listed(browser, { order: 'since' }), [
      'Brief',
      'Album',
      'Café &lt;b&gt;Photos&lt;/b&gt;',
      'Zebra Prints',
    ])
  })

  test('is searched by name and website, whatever the case and the accents', async () => {
    assert.deepEqual(await listed(browser, { q: ' CAFE ' }), ['Café &lt;b&gt;Photos&lt;/b&gt;'])
    assert.deepEqual(await listed(browser, { q: '12.example' }), ['Zebra Prints'])
    const none = await browser.go(`/account?${formBody({ q: '"><script>' })}`)
    assert.match(none.text, /No application matches\./)
    assert.ok(none.text.includes('name="q" value="&quot;&gt;&lt;script&gt;"'))
  })

  test('shows what was not used for 30 days, ends within 7, can destroy, or is paused', async () => {
    assert.deepEqual(await listed(browser, { show: 'unused', order: 'name' }), [
      'Café &lt;b&gt;Photos&lt;/b&gt;',
      'Zebra Prints',
    ])
    assert.deepEqual(await listed(browser, { show: 'ending' }), ['Brief'])
    assert.deepEqual(await listed(browser, { show: 'destructive' }), [
      'Café &lt;b&gt;Photos&lt;/b&gt;',
    ])
    assert.deepEqual(await listed(browser, { show: 'paused' }), [])
    const { text } = await browser.go('/account?order=name')
    for (const said of ['All <span>4<', 'Can delete or spend <span>1<', 'Ends soon <span>1<']) {
      assert.ok(text.includes(said), said)
    }
    assert.doesNotMatch(text, />Paused/)
  })

  test('takes anything unknown in its query for absent', async () => {
    const all = await listed(browser)
    for (const query of [
      { show: 'constructor', order: '__proto__', page: '-1' },
      { page: '0' },
      { page: '1e3' },
      { page: '999999' },
    ]) {
      assert.deepEqual(await listed(browser, query), all)
    }
    const long = await browser.go(`/account?${formBody({ q: 'x'.repeat(5000) })}`)
    assert.ok(long.text.includes(`value="${'x'.repeat(100)}"`))
  })
})

describe('ending several at once', () => {
  test('ends what is selected, once, and tells of each as of a single end', async () => {
    const browser = await newOwner()
    const tokens = [
      await allow(browser, 'One'),
      await allow(browser, 'Two'),
      await allow(browser, 'Three'),
    ]
    const page = await browser.go('/account?order=name')
    const sent = await endSelected(browser, page, ['One', 'Two'])
    assert.equal(sent.status, 303)
    const told = await browser.go(sent.headers.get('location') ?? '')
    assert.equal(
      noticeOn(told),
      '2 applications no longer have access. They must ask you again. Ended access',
    )
    assert.match(told.text, />By name<\/h2>/)
    assert.deepEqual(namesOn(told), ['Three'])
    assert.deepEqual(await Promise.all(tokens.map((token) => use(started, token))), [401, 401, 200])
    const again = await endSelected(browser, page, ['One', 'Two'])
    const gone = await browser.go(again.headers.get('location') ?? '')
    assert.equal(noticeOn(gone), 'That access had ended before. Nothing was changed.')
    const { text: events } = await browser.go('/account/events')
    for (const name of ['One', 'Two']) {
      const ended = `You ended the access of <b><bdi class="name">${name}</bdi></b>.`
      assert.equal(events.split(ended).length, 2, events)
    }
    assert.deepEqual(namesOn(await browser.go('/account/ended')).toSorted(), ['One', 'Two'])
  })

  test('two tabs at the same moment end each access once', async () => {
    const browser = await newOwner()
    await allow(browser, 'Both')
    const page = await browser.go('/account')
    const told = await Promise.all(
      [0, 1].map(async () => {
        const sent = await endSelected(browser, page, ['Both'])
        return noticeOn(await browser.go(sent.headers.get('location') ?? ''))
      }),
    )
    assert.deepEqual(told.toSorted(), [
      '1 application no longer has access. It must ask you again. Ended access',
      'That access had ended before. Nothing was changed.',
    ])
  })

  test('without a selection changes nothing, and says so', async () => {
    const browser = await newOwner()
    const token = await allow(browser, 'Kept')
    const sent = await endSelected(browser, await browser.go('/account'), [])
    const told = await browser.go(sent.headers.get('location') ?? '')
    assert.equal(noticeOn(told), 'No application was selected. Nothing was changed.')
    assert.equal(await use(started, token), 200)
  })
})

describe('the page of one application', () => {
  test('is its owner’s alone; an id that is none, or a stranger’s, is not found', async () => {
    const browser = await newOwner()
    await allow(browser, 'Mine')
    const [path = ''] = accessPathsOn(await browser.go('/account'))
    assert.equal((await browser.ask(path)).status, 200)
    const stranger = await newOwner()
    const unknown = `/account/access/${'0'.repeat(26)}`
    for (const one of [path, unknown, '/account/access/x', "/account/access/'--"]) {
      const page = await stranger.ask(one)
      assert.equal(page.status, 404)
      assert.doesNotMatch(page.text, /Mine/)
    }
  })

  test('leads to what it did once the access has ended', async () => {
    const browser = await newOwner()
    await allow(browser, 'Over')
    const list = await browser.go('/account')
    const [path = ''] = accessPathsOn(list)
    await endSelected(browser, list, ['Over'])
    const page = await browser.ask(path)
    const ledger = `/account/ledger?authorization=${path.split('/').at(-1)}`
    assert.deepEqual([page.status, page.headers.get('location')], [303, ledger])
    assert.match((await browser.go(path)).text, /This access ended:/)
  })
})

describe('many applications', () => {
  test('come in pages, each of which is small', async () => {
    const browser = await newOwner()
    for (let i = 0; i < 101; i++) await allow(browser, `Shop ${String(i).padStart(3, '0')}`)
    const first = await browser.go('/account?order=name')
    assert.deepEqual(
      [namesOn(first)[0], namesOn(first).at(-1), namesOn(first).length],
      ['Shop 000', 'Shop 049', 50],
    )
    assert.ok(first.text.length < 60_000, String(first.text.length))
    const linkOn = ({ text }: Page, name: string): string =>
      new RegExp(`href="([^"]+)">${name}<`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await browser.go(linkOn(first, 'Next'))
    const third = await browser.go(linkOn(second, 'Next'))
    assert.deepEqual([linkOn(first, 'Previous'), linkOn(third, 'Next')], ['', ''])
    assert.deepEqual(namesOn(third), ['Shop 100'])
    assert.match(third.text, /101 to 101 of 101/)
    assert.deepEqual(namesOn(await browser.go(linkOn(third, 'Previous'))), namesOn(second))
    const sent = await endSelected(browser, third, ['Shop 100'])
    const back = await browser.go(sent.headers.get('location') ?? '')
    assert.deepEqual(namesOn(back), namesOn(second))
  })
})
