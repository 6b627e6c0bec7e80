/** The account page: another end for an access, notices, and old forms. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { accessFormsOn, accessPathsOn, openAccess } from '../support/accesses.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { introspect, refresh, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const hour = 3600
const day = 24 * hour

const started = startBefore()
let browser: Browser
let people = 0
const password = 'correct horse battery'

beforeEach(async () => {
  const username = `owner-${++people}`
  await (await operatorOf(started))('POST', 'owners', { username, password })
  browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), username, password)
})

const logInAgain = async (): Promise<void> => {
  await browser.logIn(await browser.go('/login'), `owner-${people}`, password)
}

const allow = async (scope = 'photos contacts:read', duration = 'forever') => {
  const page = await browser.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
  const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow', duration }))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { status, body, text } = await started.post('/token', form, photoPrinter)
  assert.equal(status, 200, text)
  return body
}

/** Submits the form of the first application with some fields changed, and follows the redirect. */
const change = async (changes: Form): Promise<Page> => {
  const page = await openAccess(browser)
  const [card] = accessFormsOn(page)
  assert.ok(card)
  return browser.submitForm(page, card, changes)
}

const setEnd = (until: string, date = ''): Promise<Page> => change({ action: 'until', until, date })

const dayAfter = (days: number): string =>
  new Date((started.now() + days * day) * 1000).toISOString().slice(0, 10)

const untilOn = ({ text }: Page): string =>
  /<h2>Until<\/h2>\s*<p>(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''

const noticeOn = ({ text }: Page): string | undefined =>
  /<p role="status">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '')

describe('another end', () => {
  test('sooner: works on the very next request of tokens issued before, and clients are told', async () => {
    const tokens = await allow()
    assert.equal('authorization_expires_in' in tokens, false)
    const page = await setEnd('day')
    assert.deepEqual(
      [page.status, noticeOn(page)],
      [200, 'The access of Photo Printer now ends tomorrow.'],
    )
    const end = started.now() + day
    assert.equal((await introspect(started, tokens.access_token)).exp, started.now() + hour)
    assert.equal((await introspect(started, tokens.refresh_token)).exp, end)
    await started.advance(day - 60)
    const { body } = await refresh(started, tokens.refresh_token)
    assert.deepEqual(
      [body.expires_in, body.refresh_token_timeout, body.authorization_expires_in],
      [60, 60, 60],
    )
    await started.advance(59)
    assert.equal(await use(started, body.access_token), 200)
    await started.advance(1)
    assert.equal(await use(started, body.access_token), 401)
    const late = await refresh(started, body.refresh_token)
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
  })

  test('later: a refresh token that waits lives on, an access token keeps its own end', async () => {
    const tokens = await allow('photos', 'day')
    const end = started.now() + day
    assert.equal(tokens.authorization_expires_in, day)
    await started.advance(day - 60)
    await logInAgain()
    const refreshed = (await refresh(started, tokens.refresh_token)).body
    assert.equal(refreshed.expires_in, 60)
    assert.equal(untilOn(await setEnd('forever')), 'No end date')
    await started.advance(60)
    assert.equal((await introspect(started, refreshed.refresh_token)).exp, end - 60 + 30 * day)
    assert.equal(await use(started, refreshed.access_token), 401)
    const { status, body } = await refresh(started, refreshed.refresh_token)
    assert.deepEqual([status, body.expires_in], [200, hour])
    assert.equal('authorization_expires_in' in body, false)
    assert.equal(await use(started, body.access_token), 200)
  })

  test('a day on the calendar lasts until its last second, by UTC', async () => {
    const tokens = await allow()
    const page = await setEnd('date', dayAfter(3))
    const [form] = accessFormsOn(page)
    const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
    assert.equal(untilOn(page), weekday.format(new Date(`${dayAfter(3)}T12:00:00Z`)))
    assert.match(page.text, new RegExp(`datetime="${dayAfter(3)}T23:59:59Z"`))
    assert.deepEqual(form?.fields.date, [dayAfter(3)])
    const end = Date.parse(`${dayAfter(3)}T23:59:59Z`) / 1000
    const { exp } = await introspect(started, tokens.refresh_token)
    assert.equal(exp, end)
    await setEnd('date', dayAfter(0))
    assert.match(
      (await openAccess(browser)).text,
      new RegExp(`datetime="${dayAfter(0)}T23:59:59Z"`),
    )
    assert.equal(await use(started, tokens.access_token), 200)
  })

  test('a day stands in its field afterwards', async () => {
    await allow()
    const page = await change({ action: 'until', until: 'date', date: dayAfter(9) })
    assert.deepEqual(accessFormsOn(page)[0]?.fields.date, [dayAfter(9)])
  })

  const wrong: readonly [string, Form][] = [
    ['no day', { until: 'date', date: '' }],
    ['yesterday', { until: 'date', date: '2026-01-01' }],
    ['a day that there is not', { until: 'date', date: '2027-02-31' }],
    ['a month and a day that there are not', { until: 'date', date: '2027-13-45' }],
    ['a month zero', { until: 'date', date: '2027-00-10' }],
    ['more than ten years', { until: 'date', date: '2999-01-01' }],
    ['nonsense', { until: 'date', date: '<script>' }],
    ['another way of writing', { until: 'date', date: '1/2/2027' }],
    ['an unknown span', { until: 'session' }],
  ]
  for (const [what, changes] of wrong) {
    test(`${what}: the page says what is expected, and nothing changes`, async () => {
      const tokens = await allow()
      const page = await change({ action: 'until', ...changes })
      assert.equal(page.status, 400)
      assert.match(page.text, /role="alert"[^>]*>Nothing was changed\. Choose a day from today on/)
      assert.match(page.text, /<details class="end" open>/)
      assert.deepEqual(
        accessFormsOn(page).map(({ fields }) => fields.date),
        [[changes.date ?? '']],
      )
      assert.equal(untilOn(page), 'No end date')
      assert.equal(await use(started, tokens.access_token), 200)
    })
  }

  test('a visit becomes a lasting one and outlives the logout', async () => {
    const tokens = await allow('photos', 'session')
    assert.equal(tokens.authorization_expires_in, 12 * hour)
    const page = await setEnd('month')
    assert.doesNotMatch(untilOn(page), /log out/)
    await browser.submit(await browser.go('/logout'))
    assert.equal(await use(started, tokens.access_token), 200)
    await started.advance(29 * day)
    assert.equal((await refresh(started, tokens.refresh_token)).status, 200)
  })

  test('is not undone by allowing something further for longer', async () => {
    const tokens = await allow('photos', 'forever')
    await setEnd('day')
    await started.advance(1)
    const more = await allow('contacts', 'forever')
    assert.equal(accessPathsOn(await browser.go('/account')).length, 2)
    await started.advance(day)
    assert.equal((await refresh(started, tokens.refresh_token)).status, 400)
    assert.equal((await refresh(started, more.refresh_token)).status, 200)
  })

  test('is not undone by a password that the owner gives to a trusted application', async () => {
    const form = {
      grant_type: 'password',
      username: `owner-${people}`,
      password,
      scope: 'photos:read',
    }
    const first = (await started.post('/token', form, houseApp)).body
    await setEnd('day')
    await started.advance(1)
    const second = (await started.post('/token', form, houseApp)).body
    const seen = await introspect(started, first.refresh_token, houseApp)
    assert.equal(seen.authorization_expires_in, day - 1)
    assert.equal('authorization_expires_in' in second, false)
  })

  test('two tabs, one after the other: the later one holds, and what has ended stays ended', async () => {
    const tokens = await allow()
    const page = await openAccess(browser)
    const [card] = accessFormsOn(page)
    assert.ok(card)
    await browser.submitForm(page, card, { action: 'until', until: 'day' })
    const later = await browser.submitForm(page, card, { action: 'until', until: 'month' })
    assert.match(noticeOn(later) ?? '', /^The access of Photo Printer now ends \d+ /)
    assert.equal(
      (await introspect(started, tokens.refresh_token)).authorization_expires_in,
      30 * day,
    )
    await browser.submitForm(page, card, { action: 'end' })
    const stale = await browser.submitForm(page, card, { action: 'until', until: 'forever' })
    assert.equal(noticeOn(stale), 'That access had ended before. Nothing was changed.')
    assert.equal(await use(started, tokens.access_token), 401)
  })

  test('a login that has ended meanwhile changes nothing', async () => {
    const tokens = await allow('photos', 'day')
    const page = await openAccess(browser)
    const [card] = accessFormsOn(page)
    assert.ok(card)
    const stolen = new Browser(started)
    for (const [name, value] of browser.cookies) stolen.cookies.set(name, value)
    await browser.submit(await browser.go('/logout'))
    const form = { ...card.fields, action: 'until', until: 'forever' }
    const answer = await stolen.ask('/account', form)
    assert.equal(answer.status, 303)
    assert.match(answer.headers.get('location') ?? '', /^\/login\?done=nothing&tag=/)
    const seen = await introspect(started, tokens.refresh_token)
    assert.equal(seen.authorization_expires_in, day)
  })
})

describe('a form that is no longer fresh', () => {
  test('takes away what was switched off on it, not what was allowed since', async () => {
    const tokens = await allow('photos')
    const page = await openAccess(browser)
    const [card] = accessFormsOn(page)
    assert.ok(card)
    const more = await allow('photos contacts')
    await browser.submitForm(page, card, { action: 'narrow', permission: ['photos:read'] })
    const [left] = accessFormsOn(await openAccess(browser))
    assert.deepEqual(left?.fields.permission, ['photos:read', 'contacts:read', 'contacts:write'])
    const write = await started.ask('/api/photos', {
      method: 'POST',
      headers: { authorization: `Bearer ${more.access_token}` },
      json: {},
    })
    assert.equal(write.status, 403)
    assert.equal(await use(started, tokens.access_token), 200)
  })

  test('a program that does not say what it saw keeps exactly what it names', async () => {
    await allow('photos contacts')
    const [card] = accessFormsOn(await openAccess(browser))
    const { csrf = [], authorization = [] } = card?.fields ?? {}
    const form = { csrf, authorization, action: 'narrow', permission: ['contacts:read'] }
    const page = await browser.go('/account', form)
    assert.deepEqual(accessFormsOn(page)[0]?.fields.permission, ['contacts:read'])
  })
})

describe('notices', () => {
  const narrow = () => change({ action: 'narrow', permission: ['photos:read'] })

  test('each change says what was done, and to which application', async () => {
    await allow()
    assert.equal(
      noticeOn(await narrow()),
      'Saved. Photo Printer can no longer do this: Add, change and delete your photos; See the people you know. It must ask you again.',
    )
    assert.equal(
      noticeOn(await change({ action: 'end' })),
      'Photo Printer no longer has access. It must ask you again. Ended access',
    )
  })

  test('to one access of several, it says that it was this one', async () => {
    await allow('photos', 'forever')
    await started.advance(1)
    await allow('photos', 'day')
    const still = 'The other access is as it was.'
    assert.equal(
      noticeOn(await narrow()),
      `Saved. Photo Printer can no longer do this: Add, change and delete your photos. It must ask you again. ${still}`,
    )
    assert.match(noticeOn(await setEnd('month')) ?? '', new RegExp(`now ends .*\\. ${still}$`))
    assert.equal(
      noticeOn(await change({ action: 'end' })),
      'This access of Photo Printer has ended. It still has another one. Ended access',
    )
    assert.equal(
      noticeOn(await change({ action: 'end' })),
      'Photo Printer no longer has access. It must ask you again. Ended access',
    )
  })

  test('no link puts words into the page', async () => {
    const words = ['ended', 'gone', 'Your+account+is+closed', 'constructor', '__proto__', '']
    for (const done of words) {
      for (const tag of ['', '&tag=', `&tag=${'A'.repeat(16)}`, '&client=photo-printer&tag=x']) {
        const page = await browser.go(`/account?done=${done}${tag}`)
        assert.deepEqual([page.status, noticeOn(page)], [200, undefined])
        assert.doesNotMatch(page.text, /Your account is closed|function|\[object/)
      }
    }
  })

  test('what one login was told, another is not, nor is it anything else', async () => {
    await allow()
    const told = (await narrow()).url
    assert.notEqual(noticeOn(await browser.go(told)), undefined)
    const changed = [told.replace('narrowed', 'ended'), told.replace('photo-printer', 'gallery')]
    for (const url of changed) assert.equal(noticeOn(await browser.go(url)), undefined)
    await browser.submit(await browser.go('/logout'))
    await logInAgain()
    assert.equal(noticeOn(await browser.go(told)), undefined)
  })

  test('in Chinese, too', async () => {
    await allow()
    const { url } = await change({ action: 'end' })
    const page = await browser.ask(url, undefined, { 'accept-language': 'zh-CN' })
    assert.equal(
      noticeOn(page),
      'Photo Printer 不再有访问权限。它必须再次征得您的同意。 已终止的访问',
    )
  })
})

test('narrowing while the token is being used: not one use after it is allowed', async () => {
  const tokens = await allow('photos contacts')
  const [card] = accessFormsOn(await openAccess(browser))
  let done = false
  const late: number[] = []
  const write = async (): Promise<void> => {
    for (let round = 0; round < 15; round++) {
      const after = done
      const { status } = await started.ask('/api/contacts', {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.access_token}` },
        json: { round },
      })
      if (after) late.push(status)
    }
  }
  const form = { ...card?.fields, action: 'narrow', permission: ['contacts:read'] }
  const narrow = browser.ask('/account', form).then(({ status }) => {
    assert.equal(status, 303)
    done = true
  })
  await Promise.all([narrow, write(), write(), write()])
  late.push(
    (
      await started.ask('/api/contacts', {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.access_token}` },
        json: {},
      })
    ).status,
  )
  assert.deepEqual(new Set(late), new Set([403]))
})
