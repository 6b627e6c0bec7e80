/** Languages of the operator's own files, and changes to a shipped language by a file. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { LanguageFile } from '../../src/model/language.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { mailsIn } from '../support/mailbox.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const persian: LanguageFile = {
  file: 'fa.json',
  tag: 'fa-IR',
  name: 'فارسی',
  direction: 'rtl',
  lang: null,
  dates: null,
  messages: new Map([
    ['login.title', 'ورود <b>&'],
    ['consent.allow', 'اجازه'],
    ['login.waitSeconds', '{seconds, plural, other {# ثانیه}}'],
    ['mails.reset.subject', 'گذرواژه برای {service}'],
    ['mails.reset.why', '{username} — {service} <script>'],
  ]),
}

const english: LanguageFile = {
  ...persian,
  file: 'en.json',
  tag: 'en',
  name: null,
  direction: null,
  messages: new Map([['login.submit', 'Sign in']]),
}

const started = startBefore(() =>
  start({
    languages: [english, persian],
    operatorName: { en: 'Tea Party', fa: 'چای' },
    loginText: { de: 'Für Gäste.', zh: '供客人使用。' },
  }),
)

const declared = (text: string) => /<html lang="([^"]*)" dir="([^"]*)">/.exec(text)?.slice(1)
const heading = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const inPersian = (text: string) => assert.deepEqual(declared(text), ['fa-IR', 'rtl'])

const choose = async (browser: Browser): Promise<Page> => {
  const page = await browser.go('/account/profile')
  const form = formsOf(page.text).find(({ action }) => action === '/account/profile')
  assert.ok(form)
  return browser.submitForm(page, form, { language: 'fa-IR' })
}

describe('a language of the operator', () => {
  it('is found by Accept-Language and ui_locales, also of another country', async () => {
    for (const [asked, accepted] of [
      ['', 'fa-IR, en;q=0.5'],
      ['', 'fa;q=0.9, en;q=0.5'],
      ['', 'fr, FA-AF, de'],
      ['?ui_locales=fr%20fa', 'en'],
    ] as const) {
      const { text, headers } = await started.ask(`/login${asked}`, {
        headers: { 'accept-language': accepted },
      })
      inPersian(text)
      assert.equal(headers.get('content-language'), 'fa-IR')
    }
  })

  it('escapes its messages, and speaks English where it has none', async () => {
    const { text } = await started.ask('/login?ui_locales=fa')
    assert.equal(heading(text), 'ورود &lt;b&gt;&amp;')
    assert.match(text, /<title>ورود &lt;b&gt;&amp; · چای<\/title>/)
    assert.match(text, /Password/)
    assert.match((await started.ask('/login')).text, />Sign in</)
  })

  it('takes texts of the operator in its language, in English, or else the first', async () => {
    const persian = (await started.ask('/login?ui_locales=fa')).text
    assert.match(persian, /چای/)
    assert.match(persian, /Für Gäste\./)
    const chinese = (await started.ask('/login?ui_locales=zh')).text
    assert.match(chinese, /Tea Party/)
    assert.match(chinese, /供客人使用。/)
  })

  it('follows its calendar and its digits', async () => {
    const { browser } = await newVisitor(started, 'Ada')
    const { text } = await browser.go('/account/events?ui_locales=fa')
    inPersian(text)
    assert.match(text, /<time datetime="2026-11-21T[^>]*>[^<]*[۰-۹]/)
  })

  it('can be chosen on the profile page, and stays with the browser', async () => {
    const { browser, operator, id } = await newVisitor(started, 'Zahra')
    const { text } = await browser.go('/account/profile')
    assert.match(text, /<option value="fa-IR" lang="fa-IR">فارسی<\/option>/)
    inPersian((await choose(browser)).text)
    await browser.submit(await browser.go('/logout'))
    inPersian((await browser.go('/login')).text)
    assert.equal((await operator('GET', `owners/${id}`)).body.claims.locale, 'fa-IR')
  })

  it('is on the way of an authorization, and in the metadata', async () => {
    const browser = new Browser(started)
    const login = await browser.go(
      authorizePath({ ...codeRequest, scope: 'photos:read', ui_locales: 'fa' }),
    )
    inPersian(login.text)
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    inPersian(consent.text)
    assert.match(consent.text, />اجازه<\/button>/)
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.deepEqual(body.ui_locales_supported, ['en', 'de', 'zh-Hans', 'fa-IR'])
  })

  it('is the language of mails that were asked for in it', async () => {
    const browser = new Browser(started)
    await browser.submit(await browser.go('/forgot?ui_locales=fa'), { username: 'alice' })
    await started.advance(2)
    const mail = (await mailsIn(started)).find(({ subject }) => subject === 'گذرواژه برای چای')
    assert.match(mail?.text ?? '', /alice — چای &lt;script&gt;/)
    inPersian((await browser.go(mail?.link ?? '')).text)
  })
})

it('a language that is gone leaves its owners to the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-gone-'))
  const store = `sqlite:${join(folder, 'latchkey.db')}`
  const before = await start({ store, languages: [persian] })
  const { browser, username } = await newVisitor(before, 'Omid')
  inPersian((await choose(browser)).text)
  await before.close()
  const later = await start({ store })
  const other = new Browser(later)
  const page = await other.logIn(await other.go('/login'), username, password)
  assert.deepEqual(declared(page.text), ['en', 'ltr'])
  assert.match((await other.go('/account/profile')).text, /<option value="" selected>/)
  await later.close()
  rmSync(folder, { recursive: true })
})

it('a wrong file keeps the service from starting, and says why', async () => {
  const messages = new Map([['login.titel', 'x']])
  await assert.rejects(start({ languages: [{ ...persian, messages }] }), {
    name: 'Error',
    message: 'fa.json: "login.titel" is unknown; did you mean "login.title"?',
  })
})
