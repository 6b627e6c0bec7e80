/** One-time codes and recovery codes: set up on the account page, asked for after the password. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import {
  codeAt,
  firstStep,
  isInside,
  makeRecoveryCodes,
  setUpCodes,
  submitWith,
} from '../support/factors.ts'
import { eventsOf, newVisitor, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()
beforeEach(async () => {
  // The tries of earlier tests from the same address are forgotten.
  await service.advance(ownerLimits.attempts.forgetSeconds)
})

/** Somebody with one-time codes; the next code that is free is the one of the next half minute. */
const newPersonWithCodes = async () => {
  const person = await newVisitor(service)
  const secret = await setUpCodes(person.browser, service.now())
  await service.advance(30)
  return { ...person, secret }
}

describe('one-time codes', () => {
  test('are shown as a picture, as text and as a link, and count once the first was right', async () => {
    const { browser, username } = await newVisitor(service)
    const page = await browser.go('/account/security/codes')
    assert.match(page.text, /<svg class="qr"[^>]*role="img" aria-label="QR code with the secret/)
    const [, link = ''] = /href="(otpauth:[^"]*)"/.exec(page.text) ?? []
    const uri = new URL(link.replaceAll('&amp;', '&'))
    const secret = uri.searchParams.get('secret') ?? ''
    assert.equal(`${uri.host}${uri.pathname}`, `totp/Latchkey:${username}`)
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      secret,
      issuer: 'Latchkey',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.ok(page.text.includes((secret.match(/.{4}/g) ?? []).join(' ')))

    const wrong = await submitWith(browser, page, 'code', { code: '000000' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /That code was not right/)
    assert.ok(wrong.text.includes(secret))
    const { page: alone } = await firstStep(service, username, password)
    assert.match(alone.url, /\/account$/)

    const right = await submitWith(browser, wrong, 'code', { code: codeAt(secret, service.now()) })
    assert.match(right.url, /\/account\/security\/recovery$/)
    const { page: asked } = await firstStep(service, username, password)
    assert.match(asked.url, /\/login\/second\?ceremony=/)
  })

  test('the code that switched them on logs nobody in', async () => {
    const { browser, username } = await newVisitor(service)
    const secret = await setUpCodes(browser, service.now())
    const { browser: thief, page } = await firstStep(service, username, password)
    const used = await submitWith(thief, page, 'code', { code: codeAt(secret, service.now()) })
    assert.equal(used.status, 403)
    assert.match(used.text, /This code, or a later one, was used already/)
    await service.advance(30)
    const next = await submitWith(thief, page, 'code', { code: codeAt(secret, service.now()) })
    assert.match(next.url, /\/account$/)
  })

  test('are asked for after the password, and lead on to where one was going', async () => {
    const { username, secret } = await newPersonWithCodes()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath(codeRequest))
    const second = await browser.logIn(login, username, password)
    assert.equal(second.status, 200)
    assert.equal(browser.cookies.has('latchkey_session'), false)
    const code = codeAt(secret, service.now())
    const consent = await submitWith(browser, second, 'code', { code })
    assert.match(consent.url, /\/consent\?journey=/)
    const back = await browser.submit(consent, { decision: 'allow' })
    assert.match(answerOf(back).code ?? '', /^lk_ac_/)
  })

  test('may be early or late by one, in any spelling, and each is used once', async () => {
    const { username, secret } = await newPersonWithCodes()
    const attempt = async (code: string): Promise<number> => {
      const { browser, page } = await firstStep(service, username, password)
      return (await submitWith(browser, page, 'code', { code })).status
    }
    await service.advance(300)
    const now = service.now()
    assert.equal(await attempt(codeAt(secret, now - 60)), 403)
    assert.equal(await attempt(codeAt(secret, now + 60)), 403)
    assert.equal(await attempt(codeAt(secret, now - 30)), 200)
    assert.equal(await attempt(codeAt(secret, now - 30)), 403)
    const next = codeAt(secret, now + 30)
    assert.equal(await attempt(`${next.slice(0, 3)} ${next.slice(3)}`), 200)
    assert.equal(await attempt(codeAt(secret, now)), 403)
  })

  test('are told of, and leave the login saying how it was made', async () => {
    const person = await newPersonWithCodes()
    const { browser, page } = await firstStep(service, person.username, password)
    const wrong = await submitWith(browser, page, 'code', { code: '12' })
    assert.match(wrong.text, /2 digits; the code has 6\. Type the one that your app shows now\./)
    await service.advance(1)
    const code = codeAt(person.secret, service.now())
    assert.match((await submitWith(browser, wrong, 'code', { code })).url, /\/account$/)
    const [entered, failed] = await eventsOf(person)
    assert.deepEqual(
      [entered?.type, entered?.details.methods, entered?.details.context],
      ['login.succeeded', 'pwd otp mfa', '2'],
    )
    assert.deepEqual(
      [failed?.type, failed?.details],
      [
        'login.second_factor_failed',
        { factor: 'one-time code', outcome: 'wrong', address: '127.0.0.1' },
      ],
    )
    const added = (await eventsOf(person)).find(({ type }) => type === 'factor.added')
    assert.deepEqual(added?.details, { factor: 'one-time codes' })
  })

  test('wrong ones have to wait as wrong passwords do, and a right one starts anew', async () => {
    const { username, secret } = await newPersonWithCodes()
    const { browser, page } = await firstStep(service, username, password)
    let last = page
    for (let i = 0; i < 6; i++) {
      last = await submitWith(browser, page, 'code', { code: '000000' })
      assert.equal(last.status, 403)
    }
    const code = codeAt(secret, service.now())
    const waiting = await submitWith(browser, last, 'code', { code })
    assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1'])
    assert.match(waiting.text, /too many wrong tries\. Try again in 1 second\./)
    await service.advance(1)
    assert.equal((await submitWith(browser, waiting, 'code', { code })).status, 200)
    assert.equal(await isInside(browser), true)
  })

  test('are removed again, by whoever was asked for the password not long ago', async () => {
    const { browser, username } = await newPersonWithCodes()
    await service.advance(600)
    const asked = await browser.go('/account/security/codes')
    assert.match(asked.url, /\/account\/confirm\?next=security%2Fcodes$/)
    const wrong = await submitWith(browser, asked, 'password', { password: 'another one' })
    assert.deepEqual([wrong.status, /That was not right/.test(wrong.text)], [403, true])
    const setup = await submitWith(browser, wrong, 'password', { password })
    assert.match(setup.url, /\/account\/security\/codes$/)
    assert.match(setup.text, /<h1>Set up the app again<\/h1>/)
    const form = formsOf(setup.text).find(({ fields }) => fields.action?.[0] === 'remove_codes')
    assert.ok(form)
    await service.advance(600)
    const unproven = await browser.submitForm(setup, form)
    assert.match(unproven.url, /\/account\/confirm\?next=security%2Fcodes$/)
    const proven = await submitWith(browser, unproven, 'password', { password })
    const without = await browser.submitForm(proven, form)
    assert.match(without.text, /Authenticator app<\/b><\/p><p class="says line">Off</)
    const { page: inside } = await firstStep(service, username, password)
    assert.match(inside.url, /\/account$/)
  })

  test('a secret of another time is not taken, and a new one is shown', async () => {
    const { browser } = await newVisitor(service)
    const page = await browser.go('/account/security/codes')
    const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page.text) ?? []
    await service.advance(599)
    await browser.submit(await browser.go('/account/confirm'), { password })
    await service.advance(1)
    const code = codeAt(secret, service.now())
    const late = await submitWith(browser, page, 'code', { code })
    assert.equal(late.status, 400)
    assert.match(late.text, /That took too long/)
    assert.equal(late.text.includes(secret), false)
  })

  const secretOn = (page: Page): string => /secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? ''

  const isOn = async (browser: Browser): Promise<boolean> =>
    !(await browser.go('/account/security')).text.includes(
      'Authenticator app</b></p><p class="says line">Off<',
    )

  const remove = async (browser: Browser): Promise<Page> => {
    const page = await browser.go('/account/security/codes')
    const form = formsOf(page.text).find(({ fields }) => fields.action?.[0] === 'remove_codes')
    assert.ok(form)
    return browser.submitForm(page, form)
  }

  test('are said to be on however often the answer gets lost', async () => {
    const { browser } = await newVisitor(service)
    const page = await browser.go('/account/security/codes')
    const code = codeAt(secretOn(page), service.now())
    for (let i = 0; i < 3; i++) {
      const answer = await submitWith(browser, page, 'code', { code })
      assert.match(answer.url, /\/account\/security\/recovery$/)
    }
    assert.equal(await isOn(browser), true)
  })

  test('are not said to be on where they were removed since: a new secret is shown', async () => {
    const { browser } = await newVisitor(service)
    const [one, two] = [
      await browser.go('/account/security/codes'),
      await browser.go('/account/security/codes'),
    ]
    const set = (page: Page) =>
      submitWith(browser, page, 'code', { code: codeAt(secretOn(page), service.now()) })
    assert.match((await set(one)).url, /\/account\/security\/recovery$/)
    assert.equal((await remove(browser)).status, 200)
    const late = await set(one)
    assert.equal(late.status, 400)
    assert.match(late.text, /took too long, or something has changed since/)
    assert.ok(![secretOn(one), secretOn(two)].includes(secretOn(late)))
    assert.equal(await isOn(browser), false)
    assert.match((await set(two)).url, /\/account\/security\/recovery$/)
    assert.equal((await set(one)).status, 400)
    assert.match((await set(two)).url, /\/account\/security\/recovery$/)
    assert.equal(await isOn(browser), true)
    assert.equal((await set(late)).status, 200)
  })

  test('the password grant has no place for them, and says so', async () => {
    const { username } = await newPersonWithCodes()
    const ask = (secret: string) =>
      service.post('/token', { grant_type: 'password', username, password: secret }, houseApp)
    assertRefused(
      await ask(password),
      'invalid_grant',
      'this owner logs in with a second factor, which this grant cannot carry: use the authorization code grant',
    )
    assertRefused(
      await ask('wrong'),
      'invalid_grant',
      'username or password is wrong, or there were too many tries',
    )
  })
})

describe('recovery codes', () => {
  test('ten are shown once, each logs in once, and they can be made anew', async () => {
    const person = await newPersonWithCodes()
    const { browser, username } = person
    const shown = await makeRecoveryCodes(browser)
    assert.equal(shown.length, 10)
    for (const code of shown) assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
    const attempt = async (code: string): Promise<number> => {
      const { browser: other, page } = await firstStep(service, username, password)
      return (await submitWith(other, page, 'recovery_code', { recovery_code: code })).status
    }
    const [first = '', second = ''] = shown
    assert.equal(await attempt(first.toUpperCase().replaceAll('-', ' ')), 200)
    assert.equal(await attempt(first), 403)
    const told = (await eventsOf(person)).filter(({ type }) => type === 'recovery_code.used')
    assert.deepEqual(
      told.map(({ details }) => details),
      [{ left: 9 }],
    )
    assert.match((await browser.go('/account/security')).text, />9 of 10 left</)

    const other = await makeRecoveryCodes(browser)
    assert.equal(new Set([...shown, ...other]).size, 20)
    assert.equal(await attempt(second), 403)
    assert.equal(await attempt(other[0] ?? ''), 200)
  })

  test('those that were shown count only when they were kept', async () => {
    const { browser, username } = await newPersonWithCodes()
    const page = await browser.go('/account/security/recovery')
    const [, code = ''] = /<code>([^<]+)<\/code>/.exec(page.text) ?? []
    const { page: asked } = await firstStep(service, username, password)
    assert.equal(asked.text.includes('recovery_code'), false)
    assert.match((await browser.submit(page)).text, />10 of 10 left</)
    const { browser: other, page: again } = await firstStep(service, username, password)
    const inside = await submitWith(other, again, 'recovery_code', { recovery_code: code })
    assert.equal(inside.status, 200)
    const { browser: third, page: last } = await firstStep(service, username, password)
    const used = await submitWith(third, last, 'recovery_code', { recovery_code: code })
    assert.match(used.text, /That was not accepted\. Each code works once/)
  })

  const codesOn = (page: Page): readonly string[] =>
    [...page.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code = '']) => code)

  const logsIn = async (username: string, code: string): Promise<boolean> => {
    const { browser, page } = await firstStep(service, username, password)
    await submitWith(browser, page, 'recovery_code', { recovery_code: code })
    return isInside(browser)
  }

  test('of two pages the one that was kept last counts, and the other says that it does not', async () => {
    const { browser, username } = await newPersonWithCodes()
    const one = await browser.go('/account/security/recovery')
    const two = await browser.go('/account/security/recovery')
    // One browser alone is logged in, so no number stands before it.
    const only = /Your recovery codes count from now on.*>All browsers</s
    assert.match((await browser.submit(one)).text, only)
    assert.match((await browser.submit(one)).text, /Your recovery codes count from now on/)
    assert.match((await browser.submit(two)).text, /Your recovery codes count from now on/)
    const late = await browser.submit(one)
    assert.equal(late.status, 400)
    assert.match(late.text, /These are other codes/)
    assert.equal(await logsIn(username, codesOn(one)[0] ?? ''), false)
    assert.equal(await logsIn(username, codesOn(late)[0] ?? ''), false)
    assert.equal(await logsIn(username, codesOn(two)[0] ?? ''), true)
    assert.match((await browser.submit(two)).text, /Your recovery codes count from now on/)
    assert.match((await browser.go('/account/security')).text, />9 of 10 left</)
  })

  test('are not said to count where the last factor was removed meanwhile', async () => {
    const { browser } = await newPersonWithCodes()
    const page = await browser.go('/account/security/recovery')
    const security = await browser.go('/account/security/codes')
    const form = formsOf(security.text).find(({ fields }) => fields.action?.[0] === 'remove_codes')
    assert.ok(form)
    await browser.submitForm(security, form)
    for (let i = 0; i < 2; i++) {
      const kept = await browser.submit(page)
      assert.match(kept.url, /\/account\/security$/)
      assert.match(kept.text, /Once a passkey or the app is there/)
    }
  })

  test('nobody without another factor is shown any', async () => {
    const { browser } = await newVisitor(service)
    const page = await browser.go('/account/security/recovery')
    assert.match(page.url, /\/account\/security$/)
    assert.match(page.text, /Once a passkey or the app is there/)
  })
})

describe('an operator', () => {
  test('takes away all factors of somebody who is locked out', async () => {
    const person = await newPersonWithCodes()
    await makeRecoveryCodes(person.browser)
    const reset = () => person.operator('DELETE', `owners/${person.id}/factors`)
    assert.equal((await reset()).status, 204)
    assert.equal((await reset()).status, 204)
    const { page } = await firstStep(service, person.username, password)
    assert.match(page.url, /\/account$/)
    const events = await eventsOf(person)
    const removed = events.filter(({ type }) => type === 'factor.removed')
    assert.deepEqual(
      removed.map(({ details }) => details),
      [{ factor: 'all', by: 'operator' }],
    )
    assert.equal((await person.operator('DELETE', 'owners/nobody/factors')).status, 404)
    const reader = await operatorOf(service, 'owners:read')
    assert.equal((await reader('DELETE', `owners/${person.id}/factors`)).status, 403)
  })
})
