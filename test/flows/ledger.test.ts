/** The ledger: the owner who allowed an application sees its requests, and nobody else does. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { targetCharacters } from '../../src/model/use.ts'
import { parameterLimits } from '../../src/protocol/parameters.ts'
import { accountLimits } from '../../src/rooms/account/limits.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { storeLimits } from '../../src/store/limits.ts'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, callback, codeRequest, obtainTokens } from '../support/printing.ts'
import { type Answer, type Form, start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const day = 86_400

const started = startBefore()
let browser: Browser
let username: string

const operator: Operator = async (...asked) => (await operatorOf(started))(...asked)

beforeEach(async () => {
  const visitor = await newVisitor(started)
  browser = visitor.browser
  username = visitor.username
})

/** Allows the demo's web application something; the access token it gets. */
const allow = async (scope = 'photos contacts:read', as = browser): Promise<string> => {
  const page = await as.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
  const { code = '' } = answerOf(await as.submit(page, { decision: 'allow', duration: 'forever' }))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await started.post('/token', form, photoPrinter)).body.access_token
}

const use = (token: string, path = '/api/photos', json?: object): Promise<Answer> =>
  started.ask(path, {
    headers: { authorization: `Bearer ${token}` },
    ...(json === undefined ? {} : { json }),
  })

const idOn = async (as = browser): Promise<string> => {
  const [form] = accessFormsOn(await openAccess(as))
  return form?.fields.authorization?.[0] ?? ''
}

const download = async (id: string, as = browser) =>
  as.ask(`/account/ledger.json?authorization=${id}`)

const change = async (changes: Form, as = browser): Promise<Page> => {
  const [form] = accessFormsOn(await openAccess(as))
  return as.ask('/account', { ...form?.fields, ...changes })
}

/** What is read, tags left out. */
const textOf = ({ text }: Page): string => text.replaceAll(/<[^<>]*>/g, '')

const isoOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** The body of a download without the times of the entries, in the order of what was done. */
const toldIn = ({ body }: Answer): readonly string[] =>
  body.entries
    .map((entry: Record<string, unknown>) =>
      [entry.action, entry.resource ?? entry.api, entry.outcome, entry.count, entry.network].join(
        ' ',
      ),
    )
    .sort()

describe('what is written down', () => {
  test('reads, writes and refusals, each in its minute, added up by the day', async () => {
    const token = await allow('photos contacts:read')
    const minute = Math.floor(started.now() / 60) * 60
    for (let i = 0; i < 3; i++) assert.equal((await use(token)).status, 200)
    const made = await use(token, '/api/photos', { title: 'a' })
    assert.equal((await use(token, `/api/photos/${made.body.id}`)).status, 200)
    assert.equal((await use(token, '/api/contacts', { name: 'b' })).status, 403)
    assert.equal((await use(token, '/api/calendar')).status, 403)
    assert.equal((await use(token, '/api/nothing')).status, 404)
    assert.equal((await use(`${token}x`)).status, 401)
    const answer = await download(await idOn())
    assert.deepEqual(toldIn(answer), [
      'read calendar refused 1 127.0.0.*',
      'read photos allowed 1 127.0.0.*',
      'read photos allowed 3 127.0.0.*',
      'write contacts refused 1 127.0.0.*',
      'write photos allowed 1 127.0.0.*',
    ])
    assert.equal(answer.body.entries[0].minute, isoOf(minute))
    assert.equal(answer.body.last_used_at, isoOf(started.now()))
    const today = isoOf(started.now()).slice(0, 10)
    assert.deepEqual(answer.body.days, [{ day: today, reads: 4, writes: 1, checks: 0, refused: 2 }])
    assert.equal(answer.body.entries[0].minutes, 1)
  })

  test('the item that was asked for: its id in the file, and on the page its name, as it is now', async () => {
    const token = await allow('photos')
    const made = await use(token, '/api/photos', { title: 'Lake, <b>evening' })
    const { id: target } = made.body
    assert.equal((await use(token, `/api/photos/${target}`)).status, 200)
    const authorization = `Bearer ${token}`
    await started.ask('/api/photos/gone', { headers: { authorization } })
    await started.ask('/api/photos/%3Cscript%3E', { headers: { authorization } })
    const id = await idOn()
    const targets = async () =>
      (await download(id)).body.entries.map((entry: { target?: string }) => entry.target ?? null)
    assert.deepEqual((await targets()).toSorted(), [null, null, target, 'gone'].toSorted())
    const said = textOf(await browser.go(`/account/ledger?authorization=${id}`))
    for (const told of ['Saw Lake, &lt;b&gt;evening in photos', 'Saw gone in photos']) {
      assert.ok(said.includes(told), told)
    }
    await started.ask(`/api/photos/${target}`, { method: 'DELETE', headers: { authorization } })
    const later = textOf(await browser.go(`/account/access/${id}`))
    assert.ok(later.includes(`Changed ${target} in photos`))
  })

  test('what a narrowed permission is asked for afterwards is a refusal', async () => {
    const token = await allow('photos contacts:read')
    await use(token, '/api/contacts')
    await change({ action: 'narrow', permission: ['photos:read'] })
    assert.equal((await use(token, '/api/contacts')).status, 403)
    const told = toldIn(await download(await idOn()))
    assert.deepEqual(told, [
      'read contacts allowed 1 127.0.0.*',
      'read contacts refused 1 127.0.0.*',
    ])
  })

  test('userinfo reads what the words of the token tell', async () => {
    const token = await allow('photos:read profile email openid offline_access')
    assert.equal((await use(token, '/userinfo')).status, 200)
    assert.deepEqual(toldIn(await download(await idOn())), [
      'read email+openid+profile allowed 1 127.0.0.*',
    ])
    assert.match(
      (await browser.go(`/account/ledger?authorization=${await idOn()}`)).text,
      /Saw your name and profile and your email address/,
    )
  })

  test('userinfo refuses a token without any word, and the owner sees that', async () => {
    const token = await allow('photos:read')
    assert.equal((await use(token, '/userinfo')).status, 403)
    assert.deepEqual(toldIn(await download(await idOn())), ['read openid refused 1 127.0.0.*'])
  })

  test('another API that asks about the token is told by its name, whatever that holds', async () => {
    const name = '<b onclick="x">Shop</b>'
    const made = await operator('POST', 'clients', {
      client_name: name,
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const { client_id, client_secret } = made.body
    const token = await allow('photos')
    const asked = await started.post('/introspect', { token }, [client_id, client_secret])
    assert.equal(asked.body.active, true)
    await started.post('/introspect', { token }, photoPrinter)
    const id = await idOn()
    const answer = await download(id)
    assert.deepEqual(toldIn(answer), [`check ${client_id} allowed 1 `])
    assert.equal(answer.body.days[0].checks, 1)
    const page = await browser.go(`/account/ledger?authorization=${id}`)
    assert.match(page.text, /Used at <bdi class="name">&lt;b onclick=&quot;x&quot;&gt;Shop/)
    await operator('DELETE', `clients/${client_id}`)
    const later = await browser.go(`/account/ledger?authorization=${id}`)
    assert.ok(later.text.includes(`Used at <bdi class="name">${client_id}</bdi>`))
  })

  test('what another API names: shown as plain text, for tokens of its own audience alone', async () => {
    const made = { grant_types: ['client_credentials'], scope: 'openid' }
    const api = (await operator('POST', 'clients', { ...made, client_name: 'Shop' })).body
    const gateway = (await operator('POST', 'clients', { ...made, may_introspect: true })).body
    await operator('PATCH', 'resources/photos', { introspection_clients: [api.client_id] })
    const token = await allow('photos')
    const foreign = await allow('contacts:read')
    const ask = async (target: string, of = token, as = api) => {
      const secret = [as.client_id, as.client_secret] as const
      return (await started.post('/introspect', { token: of, target }, secret)).body.active
    }
    const shown = '<i>Lake</i> & "evening"'
    assert.equal(await ask(shown), true)
    assert.equal(await ask('Sea\r\n\u202eevil'), true)
    assert.equal(await ask('x'.repeat(10_000)), true)
    assert.equal(await ask('\u202e'), true)
    assert.equal(await ask('of another API', foreign), false)
    assert.equal(await ask('of a gateway', token, gateway), true)
    const pair = [api.client_id, api.client_secret] as const
    const listed = await started.post('/introspect', { token, 'target[]': 'Lake' }, pair)
    assert.equal(listed.body.active, true)
    const refused = await started.post('/introspect', { token, target: ['a', 'b'] }, pair)
    assert.equal(refused.body.error_description, 'parameter target came more than once')

    const ids = accessFormsOn(await openAccess(browser)).map(
      ({ fields }) => fields.authorization?.[0] ?? '',
    )
    const files = await Promise.all([...new Set(ids)].map((id) => download(id)))
    const told = files
      .flatMap(({ body }) => body.entries)
      .map((entry: Record<string, unknown>) => [entry.action, entry.target ?? null, entry.count])
    const expected = [
      ['check', shown, 1],
      ['check', 'Sea evil', 1],
      ['check', `${'x'.repeat(targetCharacters - 1)}…`, 1],
      ['check', null, 2],
      ['check', null, 1],
    ]
    assert.deepEqual(told.map(String).sort(), expected.map(String).sort())
    const pages = await Promise.all(
      [...new Set(ids)].map((id) => browser.go(`/account/ledger?authorization=${id}`)),
    )
    const text = pages.map((page) => page.text).join('')
    const item = '<b><bdi class="name">&lt;i&gt;Lake&lt;/i&gt; &amp; &quot;evening&quot;</bdi></b>'
    assert.ok(text.includes(`Used at <bdi class="name">Shop</bdi>: ${item}`))
    assert.doesNotMatch(text, /\u202e|<i>Lake/)
  })

  test('a token of a client itself leaves nothing', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    const token = (await started.post('/token', form, nightlyReport)).body.access_token
    assert.equal((await use(token)).status, 200)
    await allow('photos')
    assert.deepEqual((await download(await idOn())).body.entries, [])
  })
})

describe('the account page', () => {
  test('draws the days, says them in words, and leads to the ledger', async () => {
    const token = await allow('photos')
    await use(token)
    const page = await openAccess(browser)
    assert.match(page.text, /<svg viewBox="0 0 300 100"[^>]* role="img"/)
    assert.match(textOf(page), /1 seen/)
    const [, link = ''] = /href="(\/account\/ledger\?authorization=[^"]+)"/.exec(page.text) ?? []
    const ledger = await browser.go(link)
    assert.equal(ledger.status, 200)
    assert.match(ledger.text, /Saw photos/)
    assert.match(ledger.text, /<code>127\.0\.0\.\*<\/code>/)
  })

  test('speaks Chinese to whoever reads that', async () => {
    const token = await allow('photos')
    await use(token)
    const id = await idOn()
    const chinese = { 'accept-language': 'zh-CN' }
    const page = await browser.ask(`/account/access/${id}`, undefined, chinese)
    assert.match(textOf(page), /查看 1 次/)
    const ledger = await browser.ask(`/account/ledger?authorization=${id}`, undefined, chinese)
    assert.match(ledger.text, /查看了照片/)
  })

  test('points out what was not used for 30 days', async () => {
    await allow('photos')
    await started.advance(30 * day - 1)
    await browser.logIn(await browser.go('/login'), username, password)
    assert.doesNotMatch((await browser.go('/account')).text, /used warn|not used for a month\./)
    await started.advance(1)
    const page = await browser.go('/account')
    assert.match(page.text, /1 was not used for a month\./)
    assert.match(page.text, /<span class="used warn">Never used</)
  })
})

describe('what is not one’s own', () => {
  test('looks like what is not there, on the page and as JSON', async () => {
    const token = await allow('photos')
    await use(token)
    const id = await idOn()
    const { browser: stranger } = await newVisitor(started)
    await allow('photos', stranger)
    for (const path of ['/account/ledger', '/account/ledger.json']) {
      const pages = await Promise.all(
        [id, '0'.repeat(26), 'x', "' or 1=1 --"].map((one) =>
          stranger.ask(`${path}?authorization=${encodeURIComponent(one)}`),
        ),
      )
      assert.deepEqual(
        pages.map(({ status }) => status),
        [404, 404, 404, 404],
      )
      for (const page of pages) assert.doesNotMatch(page.text, /127\.0\.0/)
    }
    assert.equal((await download(id)).status, 200)
  })

  test('is for nobody who is not logged in', async () => {
    await allow('photos')
    const id = await idOn()
    const stranger = new Browser(started)
    const page = await stranger.ask(`/account/ledger?authorization=${id}`)
    assert.deepEqual([page.status, page.headers.get('location')], [303, `/login?next=ledger-${id}`])
    assert.equal((await stranger.ask(`/account/ledger.json?authorization=${id}`)).status, 403)
  })

  test('stays their own when the access has ended', async () => {
    const token = await allow('photos')
    await use(token)
    const id = await idOn()
    await change({ action: 'end' })
    const { browser: stranger } = await newVisitor(started)
    assert.equal((await download(id, stranger)).status, 404)
    assert.doesNotMatch((await stranger.go('/account/ended')).text, /Photo Printer/)
  })
})

describe('an access that has ended', () => {
  test('can be looked back at for 30 days, with what was tried at the end', async () => {
    const token = await allow('photos')
    await use(token)
    const id = await idOn()
    assert.match((await browser.go('/account/ended')).text, /No access has ended/)
    await change({ action: 'end' })
    assert.equal((await use(token)).status, 401)
    const account = await browser.go('/account')
    assert.doesNotMatch(account.text, /Photo Printer/)
    assert.match(account.text, /<a href="\/account\/ended">/)
    const list = await browser.go('/account/ended')
    assert.match(list.text, /Photo Printer/)
    assert.ok(list.text.includes(`/account/ledger?authorization=${id}`))
    const ledger = await browser.go(`/account/ledger?authorization=${id}`)
    assert.match(textOf(ledger), /This access ended:/)
    assert.match(textOf(ledger), /Saw photos/)
    const { body } = await download(id)
    assert.equal(body.ended_at, isoOf(started.now()))
    assert.equal(body.expires_at, null)
    assert.deepEqual(body.permissions, ['photos:read', 'photos:write'])
    assert.equal(body.days[0].reads, 1)

    await started.advance(storeLimits.useDays * day - 1)
    await browser.logIn(await browser.go('/login'), username, password)
    assert.deepEqual(toldIn(await download(id)), ['read photos allowed 1 127.0.0.*'])
    await started.advance(1)
    assert.equal((await download(id)).status, 404)
    assert.doesNotMatch((await browser.go('/account/ended')).text, /Photo Printer/)
  })

  test('is one whose last permission was taken, or whose end has come, as well', async () => {
    await allow('photos')
    const narrowed = await idOn()
    await change({ action: 'narrow', permission: [] })
    await allow('contacts:read')
    const expired = await idOn()
    const page = await openAccess(browser)
    assert.ok(page.text.includes(expired))
    const form = formsOf(page.text).find(({ fields }) => fields.date !== undefined)
    await browser.ask('/account', { ...form?.fields, until: 'day', action: 'until' })
    await started.advance(day)
    await browser.logIn(await browser.go('/login'), username, password)
    const { text } = await browser.go('/account/ended')
    for (const id of [narrowed, expired]) assert.ok(text.includes(`authorization=${id}`))
    assert.match(text, /<span class="what">Could do: See, change and delete photos<\/span>/)
  })

  test('is listed by when it ended, over as many pages as it takes', async () => {
    const ids: string[] = []
    for (let i = 0; i < parameterLimits.pageRowsDefault + 1; i++) {
      started.pass(1)
      await allow('photos')
      ids.push(await idOn())
      // The one that is allowed first ends last.
      await change(i === 0 ? { action: 'until', until: 'day' } : { action: 'end' })
    }
    await started.advance(day)
    await browser.logIn(await browser.go('/login'), username, password)
    const idsOn = ({ text }: Page) =>
      [...text.matchAll(/ledger\?authorization=(\w+)/g)].map(([, id]) => id)
    const first = await browser.go('/account/ended')
    const [, more = ''] = /href="([^"]+ended\?after=[^"]+)"/.exec(first.text) ?? []
    const found = [...idsOn(first), ...idsOn(await browser.go(more))]
    const [last, ...others] = ids
    assert.deepEqual(found, [last, ...others.toReversed()])
    const bent = await browser.go('/account/ended?after=1-x')
    assert.deepEqual(idsOn(bent), idsOn(first))
  })

  test('is led to from the notice that it has ended', async () => {
    await allow('photos')
    const page = await openAccess(browser)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    const told = await browser.submitForm(page, form, { action: 'end' })
    assert.match(told.text, /role="status">.*<a href="\/account\/ended">Ended access/)
  })
})

describe('the download', () => {
  test('is a file that nobody keeps on the way', async () => {
    await allow('photos')
    const { headers, body } = await download(await idOn())
    assert.equal(headers.get('content-disposition'), 'attachment; filename="ledger.json"')
    assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.deepEqual(
      { ...body, allowed_at: null, taken_at: null },
      {
        client_id: 'photo-printer',
        client_name: 'Photo Printer',
        permissions: ['photos:read', 'photos:write'],
        allowed_at: null,
        expires_at: null,
        ended_at: null,
        last_used_at: null,
        taken_at: null,
        days: [],
        entries: [],
        next: null,
      },
    )
  })

  test('goes on where there is more, as the page does', async () => {
    const token = await allow('photos')
    const id = await idOn()
    // Many days, so that no day has more lines than are kept apart.
    const perDay = 50
    const uses = Array.from({ length: accountLimits.ledgerRows + 1 }, (_, i) => ({
      authorizationId: id as never,
      used: 'photos:read' as const,
      allowed: true,
      network: '',
      uses: 1,
      lastAt: started.now() - Math.floor(i / perDay) * day - (i % perDay) * 60,
    }))
    await started.server().store.recordUses({ collector: 'a', turn: 1, uses })
    assert.equal((await use(token)).status, 200)
    const first = await download(id)
    const second = await browser.ask(first.body.next)
    assert.deepEqual(
      [first, second].map(({ body }) => [body.entries.length, body.next === null]),
      [
        [accountLimits.ledgerRows, false],
        [2, true],
      ],
    )
    const page = await browser.go(`/account/ledger?authorization=${id}`)
    assert.match(textOf(page), /A file holds 1,000 lines/)
    const last = /<a href="([^"]+before=[^"]+)">Go to the lines of the next file/.exec(page.text)
    const end = await browser.go((last?.[1] ?? '').replaceAll('&amp;', '&'))
    assert.equal([...end.text.matchAll(/Saw photos/g)].length, 2)
    const [, file = ''] = /<a href="([^"]+)" download>/.exec(end.text) ?? []
    const part = await browser.ask(file.replaceAll('&amp;', '&'))
    assert.deepEqual(part.body.entries, second.body.entries)
    const [, older = ''] = /<a href="([^"]+before=[^"]+)"/.exec(page.text) ?? []
    const next = await browser.go(older.replaceAll('&amp;', '&'))
    assert.equal([...next.text.matchAll(/Saw photos/g)].length, parameterLimits.pageRows)
  })

  for (const before of ['x', 'MA', '', '%00', 'a'.repeat(3000)]) {
    test(`does not go on from ${before.slice(0, 5)}`, async () => {
      await allow('photos')
      const id = await idOn()
      const page = await browser.ask(`/account/ledger?authorization=${id}&before=${before}`)
      assert.equal(page.status, before === '' ? 200 : 400)
    })
  }
})

describe('the store', () => {
  test('keeps it over a restart', async () => {
    const token = await allow('photos')
    await use(token)
    const id = await idOn()
    const found = (await download(id)).body
    await use(token)
    await started.restart()
    const later = (await download(id)).body
    assert.equal(later.entries[0].count, found.entries[0].count + 1)
    assert.equal(later.days[0].reads, 2)
  })

  test('forgets a day after 30 days, but not the last use', async () => {
    const token = await allow('photos')
    await use(token)
    const at = started.now()
    const id = await idOn()
    await started.advance(storeLimits.useDays * day)
    await browser.logIn(await browser.go('/login'), username, password)
    assert.equal((await download(id)).body.entries.length, 1)
    await started.advance(day)
    await browser.logIn(await browser.go('/login'), username, password)
    const { entries, days, last_used_at } = (await download(id)).body
    assert.deepEqual([entries, days, last_used_at], [[], [], isoOf(at)])
    assert.match((await openAccess(browser)).text, /Not used in the last 30 days/)
  })

  test('keeps it for as long as the settings say', async () => {
    const brief = await start({ accessLogSeconds: 2 * day })
    try {
      const { access_token } = await obtainTokens(brief)
      const own = new Browser(brief)
      await own.logIn(await own.go('/login'), 'alice', 'wonderland')
      await brief.ask('/api/photos', { headers: { authorization: `Bearer ${access_token}` } })
      assert.match(textOf(await openAccess(own)), /1 seen/)
      const { store } = brief.server()
      const { body } = await brief.post('/introspect', { token: access_token }, photoPrinter)
      const [listed] = (await store.listAuthorizations({ ownerId: body.sub }, null, 1, brief.now()))
        .rows
      assert.ok(listed)
      const of = { authorizationId: listed.id, ownerId: listed.ownerId }
      const days = async () => (await store.countUses(of, 10, brief.now())).length
      await brief.advance(2 * day)
      assert.equal(await days(), 1)
      await brief.advance(day)
      assert.equal(await days(), 0)
    } finally {
      await brief.close()
    }
  })

  test('may be down for a while: nothing is lost, and nothing counted twice', async (t) => {
    const token = await allow('photos')
    const id = await idOn()
    const { store } = started.server()
    const record = store.recordUses
    const failing = t.mock.method(
      store,
      'recordUses',
      async (batch: Parameters<typeof record>[0]) => {
        // Every other time it was done, but nobody hears of it.
        if (failing.mock.callCount() % 2 === 1) await record(batch)
        throw new StoreFault('indeterminate', 'it is unknown whether it was done')
      },
    )
    for (let i = 0; i < 5; i++) {
      assert.equal((await use(token)).status, 200)
      await started.advance(housekeepingLimits.usesFlushSeconds)
    }
    const page = await openAccess(browser)
    assert.deepEqual([page.status, /Not used in the last/.test(page.text)], [200, false])
    assert.equal((await browser.go(`/account/ledger?authorization=${id}`)).status, 200)
    failing.mock.restore()
    const { days, entries } = (await download(id)).body
    assert.equal(days[0].reads, 5)
    assert.equal(
      entries.reduce((sum: number, entry: { count: number }) => sum + entry.count, 0),
      5,
    )
  })
})
