/** A paused application: it can do nothing, loses nothing, and its owner resumes it. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { formatMetrics } from '../../src/events/counter.ts'
import { accessFormsOn, accessPathsOn, openAccess } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Answer, type Form, start, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const day = 24 * 3600
const password = 'correct horse battery'

const started = startBefore()
let browser: Browser
let people = 0

const newOwner = async (service = started): Promise<Browser> => {
  const username = `owner-${++people}`
  await (await operatorOf(service))('POST', 'owners', { username, password })
  const visitor = new Browser(service)
  await visitor.logIn(await visitor.go('/login'), username, password)
  return visitor
}

beforeEach(async () => {
  browser = await newOwner()
})

const request = { ...codeRequest, scope: 'photos contacts:read' }

const codeFor = async (as = browser, more: Form = {}): Promise<string> => {
  const page = await as.go(authorizePath({ ...request, prompt: 'consent', ...more }))
  const answer = await as.submit(page, { decision: 'allow' })
  return answerOf(answer).code ?? ''
}

const tokensOf = async (as = browser, service = started) => {
  const { status, body, text } = await redeem(service, await codeFor(as))
  assert.equal(status, 200, text)
  return body
}

/** Submits the first card of the account page. */
const act = async (action: string, changes: Form = {}, as = browser): Promise<Page> => {
  const page = await openAccess(as)
  const [card] = accessFormsOn(page)
  assert.ok(card)
  return as.submitForm(page, card, { ...changes, action })
}

const textOf = ({ text }: Page): string =>
  text
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

const assertPaused = ({ status, headers, body }: Answer): void => {
  assert.deepEqual(body, {
    error: 'temporarily_unavailable',
    error_description:
      'this application is paused: its owner can resume it, and nothing was used up',
  })
  assert.deepEqual([status, headers.get('retry-after')], [503, '300'])
  assert.equal(headers.get('cache-control'), 'no-store')
}

const read = (token: string): Promise<Answer> =>
  started.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })

describe('while it is paused', () => {
  test('APIs answer 401 invalid_token, and introspection says no more than inactive', async () => {
    const tokens = await tokensOf()
    const { access_token: token, refresh_token: refreshToken } = tokens
    const said = textOf(await act('pause'))
    assert.match(said, /Photo Printer is paused\./)
    assert.match(said, /You paused Photo Printer on /)
    const readAccepted = async () =>
      /tokens_read_total\{outcome="accepted"\} \d+/.exec(
        formatMetrics(await started.server().askMetrics()),
      )?.[0]
    const before = await readAccepted()
    const refused = await read(token)
    assert.equal(refused.status, 401)
    assert.equal(await readAccepted(), before)
    assert.equal(refused.body.error, 'invalid_token')
    assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    const about = { headers: { authorization: `Bearer ${token}` } }
    assert.equal((await started.ask('/userinfo', about)).status, 401)
    for (const one of [token, refreshToken]) {
      assert.deepEqual(await introspect(started, one), { active: false })
    }
    assert.match(textOf(await act('resume')), /Photo Printer is resumed\./)
    assert.equal((await read(token)).status, 200)
    for (const one of [token, refreshToken]) {
      assert.equal((await introspect(started, one)).active, true)
    }
  })

  test('a refresh may be retried later, with the same refresh token', async () => {
    const { refresh_token: first } = await tokensOf()
    await act('pause')
    for (let i = 0; i < 3; i++) {
      assertPaused(await refresh(started, first))
      await started.advance(100)
    }
    await act('resume')
    const { status, body } = await refresh(started, first)
    assert.equal(status, 200)
    assert.equal(await use(started, body.access_token), 200)
  })

  test('a code may be retried, as long as it lives', async () => {
    const code = await codeFor()
    await act('pause')
    assertPaused(await redeem(started, code))
    await act('resume')
    assert.equal((await redeem(started, code)).status, 200)
    const other = await codeFor()
    await act('pause')
    await started.advance(60)
    assert.equal((await redeem(started, other)).body.error, 'invalid_grant')
  })

  test('a token revoked meanwhile stays dead', async () => {
    const one = await tokensOf()
    const other = await tokensOf()
    await act('pause')
    await started.post('/revoke', { token: one.access_token }, photoPrinter)
    await started.post('/revoke', { token: other.refresh_token }, photoPrinter)
    await act('resume')
    assert.deepEqual(
      [await use(started, one.access_token), await use(started, other.access_token)],
      [401, 401],
    )
    assert.equal((await refresh(started, one.refresh_token)).status, 200)
    assert.equal((await refresh(started, other.refresh_token)).body.error, 'invalid_grant')
  })

  test('the password grant of a trusted application is refused as well', async () => {
    const username = `owner-${people}`
    const form = { grant_type: 'password', username, password, scope: 'photos:read' }
    const { body } = await started.post('/token', form, houseApp)
    await act('pause')
    assertPaused(await started.post('/token', form, houseApp))
    assert.equal(await use(started, body.access_token), 401)
    await act('resume')
    assert.equal((await started.post('/token', form, houseApp)).status, 200)
  })

  test('it can be narrowed and ended, and its end date comes', async () => {
    const { access_token: token, refresh_token: refreshToken } = await tokensOf()
    await act('pause')
    await act('narrow', { permission: ['photos:read'], shown: '' })
    await act('until', { until: 'day' })
    await act('resume')
    const body = await introspect(started, token)
    assert.deepEqual([body.scope, body.exp <= started.now() + day], ['photos:read', true])
    await act('pause')
    await started.advance(day)
    await browser.logIn(await browser.go('/login'), `owner-${people}`, password)
    assert.match(textOf(await browser.go('/account')), /No application has access to your account/)
    assert.equal((await refresh(started, refreshToken)).body.error, 'invalid_grant')
    await tokensOf()
    await act('pause')
    await act('end')
    const page = await browser.go(authorizePath(request))
    assert.match(page.url, /\/consent\?/)
  })

  test('uses are in the access log, as refused ones', async () => {
    const { access_token: token } = await tokensOf()
    await act('pause')
    await read(token)
    await started.post('/introspect', { token }, nightlyReport)
    await (await operatorOf(started))('PATCH', 'clients/nightly-report', { may_introspect: true })
    await started.post('/introspect', { token }, nightlyReport)
    await started.advance(5)
    const page = await openAccess(browser)
    const [, id] = /name="authorization" value="([^"]+)"/.exec(page.text) ?? []
    const { body } = await browser.ask(`/account/ledger.json?authorization=${id}`)
    assert.deepEqual(
      body.entries
        .map((one: Record<string, unknown>) => [one.action, one.outcome, one.count])
        .toSorted(),
      [
        ['check', 'refused', 1],
        ['read', 'refused', 1],
      ],
    )
    await (await operatorOf(started))('PATCH', 'clients/nightly-report', { may_introspect: false })
  })

  test('a stranger pauses and resumes nothing', async () => {
    const { access_token: token } = await tokensOf()
    const page = await openAccess(browser)
    const [, id = ''] = /name="authorization" value="([^"]+)"/.exec(page.text) ?? []
    const stranger = await newOwner()
    await tokensOf(stranger)
    const gone = await act('pause', { authorization: id }, stranger)
    assert.match(textOf(gone), /That access had ended before/)
    assert.equal(await use(started, token), 200)
    await act('pause')
    await act('resume', { authorization: id }, stranger)
    assert.equal(await use(started, token), 401)
  })

  test('it stays so over a restart', async () => {
    const { access_token: token, refresh_token: refreshToken } = await tokensOf()
    await act('pause')
    await started.restart()
    assert.equal(await use(started, token), 401)
    assertPaused(await refresh(started, refreshToken))
    await act('resume')
    assert.equal(await use(started, token), 200)
  })

  test('every access of the application rests, and those of others do not', async () => {
    const { access_token: first } = await tokensOf()
    const code = await codeFor(browser, { scope: 'photos:read' })
    const more = await browser.go(authorizePath({ ...request, prompt: 'consent' }))
    const day = await browser.submit(more, { decision: 'allow', duration: 'day' })
    const { body: second } = await redeem(started, answerOf(day).code ?? '')
    const { body: other } = await started.post(
      '/token',
      { grant_type: 'password', username: `owner-${people}`, password, scope: 'photos:read' },
      houseApp,
    )
    assert.equal(accessPathsOn(await browser.go('/account')).length, 3)
    const [path = ''] = accessPathsOn(await browser.go('/account?q=photo+printer'))
    const page = await browser.go(path)
    const [card] = accessFormsOn(page)
    assert.ok(card)
    const said = textOf(await browser.submitForm(page, card, { action: 'pause' }))
    assert.match(said, /Photo Printer is paused\./)
    assert.match(said, /To pause or resume concerns every access of Photo Printer/)
    assert.deepEqual(
      await Promise.all(
        [first, second.access_token, other.access_token].map((one) => use(started, one)),
      ),
      [401, 401, 200],
    )
    assertPaused(await redeem(started, code))
  })
})

describe('/authorize of a paused application', () => {
  /** A page that offers to resume. */
  const paused = async (more: Form = {}): Promise<Page> => {
    await tokensOf()
    await act('pause')
    return browser.go(authorizePath({ ...request, ...more }))
  }

  test('offers to resume, and goes on with what was approved', async () => {
    const page = await paused()
    assert.match(page.url, /\/resume\?journey=/)
    const said = textOf(page)
    assert.match(said, /You paused Photo Printer It can do nothing in your name since /)
    assert.match(said, /127\.0\.0\.1/)
    const answer = answerOf(await browser.submit(page, { decision: 'resume' }))
    assert.equal(answer.state, 'xyz')
    assert.equal((await redeem(started, answer.code ?? '')).status, 200)
  })

  test('asks for consent after it, where something is new', async () => {
    const page = await paused({ scope: 'calendar:read' })
    const consent = await browser.submit(page, { decision: 'resume' })
    assert.match(consent.url, /\/consent\?/)
    const answer = answerOf(await browser.submit(consent, { decision: 'allow' }))
    assert.equal((await redeem(started, answer.code ?? '')).status, 200)
  })

  test('goes back with access_denied, and the pause stays', async () => {
    const page = await paused()
    const answer = answerOf(await browser.submit(page, { decision: 'deny' }))
    assert.deepEqual([answer.error, answer.state], ['access_denied', 'xyz'])
    assert.match((await browser.go(authorizePath(request))).url, /\/resume\?/)
  })

  test('prompt=none gets interaction_required', async () => {
    await paused()
    const answer = answerOf(await browser.go(authorizePath({ ...request, prompt: 'none' })))
    assert.deepEqual([answer.error, answer.state], ['interaction_required', 'xyz'])
  })

  test('in Chinese', async () => {
    const page = await paused({ ui_locales: 'zh-CN' })
    assert.match(textOf(page), /您暂停了 Photo Printer/)
  })

  test('a page of before leads on, and a paused consent page leads back', async () => {
    const page = await paused()
    await act('resume')
    const onward = await browser.submit(page, { decision: 'resume' })
    assert.ok(answerOf(onward).code)
    const consent = await browser.go(authorizePath({ ...request, scope: 'calendar:write' }))
    await act('pause')
    const again = await browser.submit(consent, { decision: 'allow' })
    assert.match(again.url, /\/resume\?/)
  })

  test('the form is bound to the browser, and names what is wrong', async () => {
    const page = await paused()
    const [form] = formsOf(page.text)
    assert.ok(form)
    const wrong = await browser.ask('/resume', { ...form.fields, decision: 'perhaps' })
    assert.equal(wrong.status, 400)
    const forged = await browser.ask('/resume', {
      ...form.fields,
      decision: 'resume',
      csrf: 'x'.repeat(43),
    })
    assert.equal(forged.status, 403)
    const stranger = await newOwner()
    const foreign = await stranger.ask('/resume', { ...form.fields, decision: 'resume' })
    assert.ok([400, 403].includes(foreign.status))
    assert.match((await browser.go(authorizePath(request))).url, /\/resume\?/)
  })

  test('whoever logged out meanwhile logs in first', async () => {
    const page = await paused()
    const [form] = formsOf(page.text)
    assert.ok(form)
    await browser.submit(await browser.go('/logout'))
    const next = await browser.go('/resume', { ...form.fields, decision: 'resume' })
    assert.match(next.url, /\/login\?/)
    assert.match((await browser.logIn(next, `owner-${people}`, password)).url, /\/resume\?/)
  })
})

describe('events', () => {
  test('tell owners who paused and resumed', async () => {
    await tokensOf()
    await act('pause')
    await act('resume')
    const operator = await operatorOf(started)
    const page = await openAccess(browser)
    const [, id] = /name="authorization" value="([^"]+)"/.exec(page.text) ?? []
    await operator('PATCH', `authorizations/${id}`, { paused: true })
    assert.match(
      textOf(await openAccess(browser)),
      /The operator of this service paused Photo Printer on /,
    )
    const said = textOf(await browser.go('/account/events'))
    assert.match(said, /The operator paused Photo Printer\./)
    assert.match(said, /You resumed Photo Printer\./)
    assert.match(said, /You paused Photo Printer\./)
  })
})

describe('the setting for unused applications', () => {
  const service = async (pauseUnusedDays: number) => {
    const years = { sessionSeconds: 400 * day, refreshTokenSeconds: 400 * day }
    const own = await start({ pauseUnusedDays, ...years, accessTokenSeconds: 400 * day })
    return { own, as: await newOwner(own) }
  }

  test('pauses what nobody used for so many days, says why, and keeps what is resumed', async () => {
    const { own, as } = await service(30)
    const { access_token: token, refresh_token: refreshToken } = await tokensOf(as, own)
    for (let i = 0; i < 2; i++) {
      await own.advance(29 * day)
      assert.equal(await use(own, token), 200)
      await own.advance(5)
    }
    await own.advance(31 * day)
    assert.equal(await use(own, token), 401)
    assertPaused(await refresh(own, refreshToken))
    assert.match(
      textOf(await openAccess(as)),
      /Photo Printer was paused on [^.]*\. The reason: it was not used for 30 days\./,
    )
    assert.match(
      textOf(await as.go('/account/events')),
      /Photo Printer was paused, because it was not used for 30 days\./,
    )
    const { body } = await (await operatorOf(own))('GET', 'events?limit=50')
    const told = body.items.filter(({ type }: { type: string }) => type === 'authorization.paused')
    assert.deepEqual(
      told.map(({ actor, details }: Record<string, unknown>) => [actor, details]),
      [[{ type: 'service' }, { unusedDays: 30 }]],
    )
    await act('resume', {}, as)
    await own.advance(29 * day)
    assert.equal(await use(own, token), 200)
    await own.close()
  })

  test('is off unless set', async () => {
    const { own, as } = await service(0)
    await tokensOf(as, own)
    await own.advance(300 * day)
    assert.doesNotMatch(textOf(await openAccess(as)), /was paused/)
    await own.close()
  })
})
