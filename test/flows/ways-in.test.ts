/** Sign-up and a forgotten password: links by mail, as the mailbox of the demo shows them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { lastLink, mailsIn } from '../support/mailbox.ts'
import { newName } from '../support/people.ts'
import { start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()

const chosen = 'another good password'

const logIn = async (username: string, password: string): Promise<number> => {
  const form = { grant_type: 'password', username, password }
  return (await service.post('/token', form, houseApp)).status
}

describe('/signup', () => {
  it('makes an account with a proved address, and logs in', async () => {
    const browser = new Browser(service)
    const login = await browser.go('/login')
    assert.match(login.text, /href="\/signup"/)
    const asked = await browser.submit(await browser.go('/signup'), { email: 'New@example.com' })
    assert.equal(asked.status, 200)
    assert.match(asked.text, /Check your email/)
    assert.match(asked.text, /href="\/mailbox"/)
    const [mail] = await mailsIn(service)
    assert.deepEqual(
      [mail?.to, mail?.subject],
      ['New@example.com', 'Create your account at Latchkey'],
    )
    const link = await lastLink(service)
    assert.match(link, new RegExp(`^${service.issuer}/signup\\?link=lk_ln_`))
    const form = await browser.go(link)
    const weak = await browser.submit(form, { password: 'password1' })
    assert.equal(weak.status, 400)
    const account = await browser.submit(weak, { password: chosen, name: 'New Person' })
    assert.equal(new URL(account.url).pathname, '/account')
    assert.match(account.text, /New Person/)
    assert.equal(await logIn('new@example.com', chosen), 200)
    const used = await browser.go(link)
    assert.equal(used.status, 410)
  })

  it('offers the login where another account has confirmed the address meanwhile', async () => {
    const browser = new Browser(service)
    const email = 'meanwhile@example.com'
    await browser.submit(await browser.go('/signup'), { email })
    const form = await browser.go(await lastLink(service))
    const operator = await operatorOf(service)
    const members = { username: newName(), email, email_verified: true }
    assert.equal((await operator('POST', 'owners', { ...members, password: chosen })).status, 201)
    const taken = await browser.submit(form, { password: 'a password of another' })
    assert.equal(taken.status, 409)
    assert.match(taken.text, /belongs to another account/)
    assert.match(taken.text, /href="\/login\b/)
    assert.equal(await logIn(email, chosen), 200)
  })

  it('leads from a dead link to a new one', async () => {
    const browser = new Browser(service)
    const dead = await browser.go('/signup?link=lk_ln_x')
    assert.equal(dead.status, 410)
    assert.match(dead.text, /class="button primary" href="\/signup">Create an account</)
    assert.doesNotMatch(dead.text, /\/forgot/)
  })

  it('tells whoever has an account of it, by mail alone', async () => {
    const browser = new Browser(service)
    const asked = await browser.submit(await browser.go('/signup'), { email: 'ALICE@example.com' })
    assert.match(asked.text, /Check your email/)
    const [mail] = await mailsIn(service)
    assert.deepEqual(
      [mail?.to, mail?.subject],
      ['alice@example.com', 'You have an account at Latchkey'],
    )
    assert.match(mail?.text ?? '', /alice\./)
  })

  it('sends no link for the address of a disabled owner, who has an account', async () => {
    const operator = await operatorOf(service)
    const email = 'disabled@example.com'
    const { body } = await operator('POST', 'owners', {
      username: newName(),
      password: null,
      email,
    })
    await operator('PATCH', `owners/${body.id}`, { disabled: true })
    const browser = new Browser(service)
    await browser.submit(await browser.go('/signup'), { email })
    const [mail] = await mailsIn(service)
    assert.equal(mail?.to, email)
    assert.doesNotMatch(mail?.link ?? '', /link=/)
  })

  it('sends no link for an address that is somebody’s username, and no event about nobody', async () => {
    const operator = await operatorOf(service)
    const username = 'by-name@example.com'
    const person = { username, password: null, email: 'elsewhere@example.com' }
    await operator('POST', 'owners', person)
    const browser = new Browser(service)
    await browser.submit(await browser.go('/signup'), { email: username })
    const [mail] = await mailsIn(service)
    assert.equal(mail?.to, 'elsewhere@example.com')
    assert.doesNotMatch(mail?.link ?? '', /link=/)
    await browser.submit(await browser.go('/signup'), { email: 'nobody-yet@example.com' })
    assert.equal((await mailsIn(service))[0]?.to, 'nobody-yet@example.com')
    const { body } = await operator('GET', 'events?type=mail.sent&limit=100')
    for (const { owner_id } of body.items) assert.notEqual(owner_id, null)
  })

  it('takes email addresses only, and nothing that could be a header', async () => {
    const browser = new Browser(service)
    const before = (await mailsIn(service)).length
    for (const email of [
      '',
      'alice',
      'a@b@c.example',
      'a\uff20b.example@c.example',
      'a\ufe6bb.example@c.example',
      'a@b.example,c@d.example',
      'a@b.example\r\nBcc: eve@evil.example',
      'Eve <eve@evil.example>',
      `${'a'.repeat(65)}@b.example`,
    ]) {
      const page = await browser.submit(await browser.go('/signup'), { email })
      assert.equal(page.status, 400, email)
      assert.match(page.text, /That is not an email address/)
    }
    assert.equal((await mailsIn(service)).length, before)
  })

  it('is closed where the operator says so', async () => {
    for (const [signUp, words] of [
      ['off', /Nobody can create an account here/],
      ['invited', /You need an invitation/],
    ] as const) {
      const closed = await start({ signUp })
      const browser = new Browser(closed)
      const page = await browser.go('/signup')
      assert.equal(page.status, 404)
      assert.match(page.text, words)
      assert.equal((await browser.go('/login')).text.includes('/signup'), signUp === 'invited')
      await closed.close()
    }
    const silent = await start({ demo: false, signUp: 'open' })
    const browser = new Browser(silent)
    assert.match((await browser.go('/signup')).text, /You need an invitation/)
    assert.match((await browser.go('/forgot')).text, /This service sends no mail/)
    assert.doesNotMatch((await browser.go('/login')).text, /\/forgot/)
    assert.equal((await silent.ask('/mailbox')).status, 404)
    await silent.close()
  })
})

describe('/forgot', () => {
  it('sends a link to the address of the account, by name or address', async () => {
    for (const username of ['alice', 'Alice@Example.com']) {
      const browser = new Browser(service)
      assert.match((await browser.go('/login')).text, /href="\/forgot"/)
      const asked = await browser.submit(await browser.go('/forgot'), { username })
      assert.match(asked.text, /If there is such an account/)
      const [mail] = await mailsIn(service)
      assert.deepEqual(
        [mail?.to, mail?.subject],
        ['alice@example.com', 'Choose a new password for Latchkey'],
      )
      const password = `${chosen} of ${username.length}`
      const done = await browser.submit(await browser.go(await lastLink(service)), { password })
      assert.match(done.text, /The password is new/)
      assert.match(done.text, /name="username" type="text" value="alice"/)
      assert.doesNotMatch(done.url, /alice/)
      assert.match((await browser.go('/login')).text, /name="username" type="text" value=""/)
      assert.equal(await logIn('alice', password), 200)
    }
  })

  it('repeats what was typed, to send again or to change, and not in the URL', async () => {
    for (const [path, typed] of [
      ['/forgot', { username: '<b>alice' }],
      ['/signup', { email: 'again@example.com' }],
    ] as const) {
      const browser = new Browser(service)
      const asked = await browser.submit(await browser.go(path), typed)
      const [value = ''] = Object.values<string>(typed)
      const shown = value.replace('<', '&lt;').replace('>', '&gt;')
      assert.match(asked.text, new RegExp(`(You entered|Check) .*${shown}`))
      assert.doesNotMatch(decodeURIComponent(asked.url), /alice|again/)
      assert.match(asked.text, new RegExp(`class="button" href="${path}">Change it`))
      const again = await browser.submit(asked)
      assert.match(again.text, /Check your email/)
      assert.equal(again.url, asked.url)
    }
    assert.equal((await mailsIn(service)).filter(({ to }) => to === 'again@example.com').length, 2)
  })

  it('writes in the language of whoever asks', async () => {
    const browser = new Browser(service)
    const form = await browser.go('/forgot?ui_locales=zh')
    const asked = await browser.submit(form, { username: 'bob' })
    assert.match(asked.text, /请查看您的邮箱/)
    const [mail] = await mailsIn(service)
    assert.equal(mail?.subject, '为 Latchkey 选择新密码')
    const page = await browser.go(await lastLink(service))
    assert.match(page.text, /选择新密码/)
  })
})

it('/.well-known/change-password leads to the password page', async () => {
  const { status, headers } = await service.ask('/.well-known/change-password')
  assert.deepEqual([status, headers.get('location')], [302, '/account/password'])
})
