/** Getting past a second factor: replayed, foreign and unverified assertions, used codes, guesses, and ways around. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { ownerLimits } from '../../src/owners/limits.ts'
import { answerAsked, askedOn, type Deviation } from '../support/authenticator.ts'
import { enter } from '../support/authorization.ts'
import { Browser, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import {
  addPasskey,
  codeAt,
  firstStep,
  formWith,
  isInside,
  makeRecoveryCodes,
  named,
  newDevice,
  requirePasskey,
  setUpCodes,
  submitWith,
} from '../support/factors.ts'
import { eventsOf, newVisitor, type Person, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, type Started, start } from '../support/start.ts'

let service: Started
before(async () => {
  // Tests choose the address that they come from, by the header of a proxy on this machine.
  service = await start({ ...named, trustedProxies: ['127.0.0.1'] })
})
after(() => service.close())
beforeEach(async () => {
  // The tries of earlier tests from the same address are forgotten.
  await service.advance(ownerLimits.attempts.forgetSeconds)
})

/** A browser somewhere else. */
class Elsewhere extends Browser {
  static #hosts = 0
  readonly #address = `198.51.100.${++Elsewhere.#hosts}`

  override ask(path: string, form?: Form, headers: Readonly<Record<string, string>> = {}) {
    return super.ask(path, form, { 'x-forwarded-for': this.#address, ...headers })
  }
}

/** The same browser: what it is answered never comes to the first one. */
const twinOf = (browser: Browser): Browser => {
  const twin = new Browser(service)
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
  return twin
}

const prefix = '__Host-latchkey_'

const newPerson = async () => {
  const person = await newVisitor(service)
  const device = newDevice(service)
  await addPasskey(person.browser, device)
  await requirePasskey(person.browser)
  return { ...person, device }
}

const newPersonWithCodes = async () => {
  const person = await newPerson()
  const secret = await setUpCodes(person.browser, service.now())
  await service.advance(30)
  return { ...person, secret }
}

/** What went wrong with somebody's logins, the latest first. */
const failuresOf = async (person: Person) =>
  (await eventsOf(person)).filter(({ type }) => /failed|regressed/.test(type))

const assertOutside = async (browser: Browser, page: Page, status = 403): Promise<void> => {
  assert.equal(page.status, status, page.text)
  assert.equal(browser.cookies.has(`${prefix}session`), false)
  assert.equal(await isInside(browser), false)
}

/** What is wrong with an assertion as well as with a passkey being made. */
const ofBoth: Readonly<Record<string, Deviation>> = {
  'over another challenge': { challenge: 'A'.repeat(43) },
  'in a frame of another origin': { crossOrigin: true },
  'in a frame of another origin that is named': {
    crossOrigin: true,
    topOrigin: 'https://evil.example',
  },
  'under another top page without saying that it is framed': {
    topOrigin: 'https://evil.example',
  },
  'that says of its frame neither yes nor no': { crossOrigin: 'false' },
  'without verifying its owner': { verified: false },
}

describe('an assertion', () => {
  const deviations: Readonly<Record<string, Deviation>> = {
    'for another origin': { origin: 'https://auth.example.com.evil.example' },
    'for a subdomain': { origin: 'https://www.auth.example.com' },
    'over plain http': { origin: 'http://auth.example.com' },
    'for another relying party': { rpId: 'example.com' },
    'of a passkey being made': { type: 'webauthn.create' },
    ...ofBoth,
    'without anybody there': { present: false },
    'of another device than it was': { eligible: false },
    'that says nothing of whose it is': { userHandle: null },
    'that says it is of somebody else': {
      userHandle: Buffer.from('somebody').toString('base64url'),
    },
  }
  for (const [what, deviation] of Object.entries(deviations)) {
    test(`${what} is refused`, async () => {
      const { device } = await newPerson()
      const browser = new Browser(service)
      const asked = askedOn(await browser.go('/login'))
      const page = await answerAsked(browser, asked, device.get(asked, deviation))
      assert.match(page.text, /The passkey was not accepted/)
      await assertOutside(browser, page)
      const again = askedOn(page)
      assert.equal((await answerAsked(browser, again, device.get(again))).status, 200)
    })
  }

  test('with one bit of its signature changed is refused', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = JSON.parse(device.get(asked))
    const bytes = Buffer.from(credential.response.signature, 'base64url')
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    credential.response.signature = bytes.toString('base64url')
    await assertOutside(browser, await answerAsked(browser, asked, JSON.stringify(credential)))
  })

  test('that was used logs in nobody again, neither here nor in another browser', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = device.get(asked)
    assert.equal((await answerAsked(browser, asked, credential)).status, 200)
    const page = await browser.go('/logout')
    await browser.submit(page)
    await assertOutside(browser, await answerAsked(browser, asked, credential))
    const thief = new Browser(service)
    const theirs = askedOn(await thief.go('/login'))
    await assertOutside(thief, await answerAsked(thief, theirs, credential))
    const ceremony = asked.form.fields.ceremony ?? []
    await assertOutside(thief, await answerAsked(thief, theirs, credential, { ceremony }))
  })

  test('over a challenge of another browser, or of another page, is refused', async () => {
    const { device, username } = await newPerson()
    const victim = new Browser(service)
    const asked = askedOn(await victim.go('/login'))
    const thief = new Browser(service)
    const theirs = askedOn(await thief.go('/login'))
    const ceremony = asked.form.fields.ceremony ?? []
    const credential = device.get(asked)
    await assertOutside(thief, await answerAsked(thief, theirs, credential, { ceremony }))
    const { browser, page } = await firstStep(service, username, password)
    const second = askedOn(page)
    const login = askedOn(await browser.go('/login?switch=1'))
    const mixed = { ceremony: second.form.fields.ceremony ?? [] }
    await assertOutside(browser, await answerAsked(browser, login, device.get(second), mixed))
  })

  test('that comes too late is refused', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = device.get(asked)
    await service.advance(600)
    await assertOutside(browser, await answerAsked(browser, asked, credential))
  })

  test('of a passkey that was removed, or of nobody, is refused', async () => {
    const { browser: owner, device } = await newPerson()
    const page = await owner.go('/account/security/passkeys')
    await owner.submitForm(page, formWith(page, 'passkey'))
    const browser = new Browser(service)
    for (const credential of [
      device.get(askedOn(await browser.go('/login'))),
      '{}',
      'nothing',
      '[1]',
      JSON.stringify({ id: 'x'.repeat(2000), response: {} }),
    ]) {
      const asked = askedOn(await browser.go('/login'))
      await assertOutside(browser, await answerAsked(browser, asked, credential))
    }
  })

  test('of somebody else does not help after a password, nor to confirm a login', async () => {
    const alice = await newPerson()
    const mallory = await newPerson()
    const { browser, page } = await firstStep(service, alice.username, password)
    const asked = askedOn(page)
    await assertOutside(browser, await answerAsked(browser, asked, mallory.device.get(asked)))
    await service.advance(600)
    const confirm = askedOn(await alice.browser.go('/account/confirm'))
    const refused = await answerAsked(alice.browser, confirm, mallory.device.get(confirm))
    assert.equal(refused.status, 403)
    assert.match((await alice.browser.go('/account/security/codes')).url, /\/account\/confirm/)
  })

  test('of somebody who is disabled is refused', async () => {
    const { device, operator, id } = await newPerson()
    await operator('PATCH', `owners/${id}`, { disabled: true })
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    await assertOutside(browser, await answerAsked(browser, asked, device.get(asked)))
  })

  test('of which twenty copies come at once begins one session', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = device.get(asked)
    const form = { ...asked.form.fields, credential }
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => browser.ask('/login/passkey', form)),
    )
    assert.deepEqual(pages.map(({ status }) => status).sort(), [303, ...Array(19).fill(403)])
  })
})

describe('a passkey being made', () => {
  const deviations: Readonly<Record<string, Deviation>> = {
    'for another origin': { origin: 'https://evil.example' },
    'for another relying party': { rpId: 'evil.example' },
    'with an assertion': { type: 'webauthn.get' },
    ...ofBoth,
    // A statement with certificates could send this service to addresses that a stranger chose.
    'with a certificate of its maker': { certified: 'packed' },
    'with a certificate of its maker, in another format': { certified: 'fido-u2f' },
  }
  for (const [what, deviation] of Object.entries(deviations)) {
    test(`${what} is refused`, async () => {
      const browser = await enter(service)
      const asked = askedOn(await browser.go('/account/security/passkeys'))
      const page = await answerAsked(browser, asked, newDevice(service).create(asked, deviation))
      assert.equal(page.status, 400)
      assert.match(page.text, /The passkey was not added/)
      assert.match(page.text, /Log in without a password/)
    })
  }

  test('that vouches for itself alone is taken', async () => {
    const { browser } = await newPerson()
    const asked = askedOn(await browser.go('/account/security/passkeys'))
    const credential = newDevice(service).create(asked, { fmt: 'packed' })
    assert.equal((await answerAsked(browser, asked, credential)).status, 200)
  })

  test('is added once, for the login that began it, by nobody else', async () => {
    const { browser, device } = await newPerson()
    const page = await browser.go('/account/security/passkeys')
    const asked = askedOn(page)
    const credential = device.create(asked)
    const other = await newPerson()
    const foreign = askedOn(await other.browser.go('/account/security/passkeys'))
    const ceremony = asked.form.fields.ceremony ?? []
    const stolen = await answerAsked(other.browser, foreign, credential, { ceremony })
    assert.equal(stolen.status, 400)
    assert.equal((await answerAsked(browser, asked, credential)).status, 200)
    const again = askedOn(await browser.go('/account/security/passkeys'))
    const taken = await answerAsked(browser, again, credential)
    assert.equal(taken.status, 400)
  })

  test('that another owner has already is not taken over', async () => {
    const alice = await newPerson()
    const mallory = await newPerson()
    const asked = askedOn(await mallory.browser.go('/account/security/passkeys'))
    const made = JSON.parse(mallory.device.create(asked))
    const [id = ''] = alice.device.passkeys.keys()
    const page = await answerAsked(mallory.browser, asked, JSON.stringify({ ...made, id }))
    assert.equal(page.status, 400)
    const browser = new Browser(service)
    const login = askedOn(await browser.go('/login'))
    assert.equal((await answerAsked(browser, login, alice.device.get(login))).status, 200)
  })
})

describe('the second step, of which the answer got lost', () => {
  type WithCodes = Awaited<ReturnType<typeof newPersonWithCodes>>
  const ways: Readonly<Record<string, (person: WithCodes, page: Page) => Promise<Form>>> = {
    'a one-time code': async ({ secret }) => ({ code: codeAt(secret, service.now()) }),
    'a recovery code': async ({ browser }) => {
      const [code = ''] = await makeRecoveryCodes(browser)
      return { recovery_code: code }
    },
    'a passkey': async ({ device }, page) => ({ credential: device.get(askedOn(page)) }),
  }

  const show = (browser: Browser, page: Page, shown: Form): Promise<Page> => {
    const { code: _, ...fields } = formWith(page, 'code').fields
    return browser.go('/login/second', { ...fields, ...shown })
  }

  const assertBegunAnew = async (browser: Browser, page: Page): Promise<void> => {
    assert.match(page.text, /This login was finished already/)
    assert.ok(formWith(page, 'password'))
    await assertOutside(browser, page)
  }

  for (const [what, prepare] of Object.entries(ways)) {
    test(`with ${what}: it says so, accuses nobody, and the login begins anew`, async () => {
      const person = await newPersonWithCodes()
      const { browser, page } = await firstStep(service, person.username, password)
      const shown = await prepare(person, page)
      assert.equal((await show(twinOf(browser), page, shown)).status, 200)
      for (let i = 0; i < 8; i++) await assertBegunAnew(browser, await show(browser, page, shown))
      await service.advance(30)
      const next = { code: codeAt(person.secret, service.now()) }
      for (const other of [
        next,
        { code: '000000' },
        { recovery_code: 'x' },
        { credential: '{}' },
      ]) {
        await assertBegunAnew(browser, await show(browser, page, other))
      }
      const login = await browser.go(page.url)
      await assertBegunAnew(browser, login)
      assert.deepEqual(await failuresOf(person), [])
      const second = await browser.logIn(login, person.username, password)
      assert.equal((await show(browser, second, next)).status, 200)
      assert.equal(await isInside(browser), true)
    })

    test(`with ${what}, twenty at once: one login, and nobody is accused`, async () => {
      const person = await newPersonWithCodes()
      const { browser, page } = await firstStep(service, person.username, password)
      const shown = await prepare(person, page)
      const twins = Array.from({ length: 20 }, () => twinOf(browser))
      await Promise.all(twins.map((twin) => show(twin, page, shown)))
      const inside = await Promise.all(twins.map(isInside))
      assert.equal(inside.filter((one) => one).length, 1)
      assert.deepEqual(await failuresOf(person), [])
      const { browser: later, page: again } = await firstStep(service, person.username, password)
      await service.advance(30)
      const next = { code: codeAt(person.secret, service.now()) }
      assert.equal((await show(later, again, next)).status, 200)
    })
  }

  test('leads on where the browser is logged in by then', async () => {
    const { username, secret } = await newPersonWithCodes()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath(codeRequest))
    const second = await browser.logIn(login, username, password)
    const code = codeAt(secret, service.now())
    assert.match((await show(browser, second, { code })).url, /\/consent\?journey=/)
    const cookie = browser.cookies.get(`${prefix}session`)
    assert.match((await show(browser, second, { code })).url, /\/consent\?journey=/)
    assert.match((await browser.go(second.url)).url, /\/consent\?journey=/)
    assert.match((await show(browser, second, { code, journey: '' })).url, /\/account$/)
    assert.equal(browser.cookies.get(`${prefix}session`), cookie)
  })

  test('leads nobody on who is logged in as somebody else', async () => {
    const { username, secret } = await newPersonWithCodes()
    const { browser, page } = await firstStep(service, username, password)
    const code = codeAt(secret, service.now())
    await submitWith(twinOf(browser), page, 'code', { code })
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    const shown = await submitWith(browser, page, 'code', { code })
    assert.match(shown.text, /This login was finished already/)
  })
})

describe('a passkey alone, of which the answer got lost', () => {
  test('says so, accuses nobody, and the login begins anew', async () => {
    const person = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = person.device.get(asked)
    assert.equal((await answerAsked(twinOf(browser), asked, credential)).status, 200)
    const page = await answerAsked(browser, asked, credential)
    assert.match(page.text, /This login was finished already/)
    await assertOutside(browser, page)
    assert.deepEqual(await failuresOf(person), [])
    const again = askedOn(page)
    assert.equal((await answerAsked(browser, again, person.device.get(again))).status, 200)
  })

  test('leads on where the browser is logged in by then', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go(authorizePath(codeRequest)))
    const credential = device.get(asked)
    assert.match((await answerAsked(browser, asked, credential)).url, /\/consent\?journey=/)
    const cookie = browser.cookies.get(`${prefix}session`)
    assert.match((await answerAsked(browser, asked, credential)).url, /\/consent\?journey=/)
    const elsewhere = await answerAsked(browser, asked, credential, { journey: '' })
    assert.match(elsewhere.url, /\/account$/)
    assert.equal(browser.cookies.get(`${prefix}session`), cookie)
  })

  test('leads nobody on who is logged in as somebody else', async () => {
    const { device } = await newPerson()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    const credential = device.get(asked)
    await answerAsked(twinOf(browser), asked, credential)
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    const page = await answerAsked(browser, asked, credential)
    assert.deepEqual([page.status, /This login was finished already/.test(page.text)], [403, true])
  })

  test('leads on where it confirmed a login, one after the other and at once', async () => {
    for (const device of [newDevice(service), newDevice(service, true)]) {
      const person = await newVisitor(service)
      const { browser } = person
      await addPasskey(browser, device)
      await service.advance(600)
      const asked = askedOn(await browser.go('/account/confirm?next=security%2Fcodes'))
      const credential = device.get(asked)
      const send = () => answerAsked(browser, asked, credential)
      for (const page of await Promise.all([send(), send(), send()])) {
        assert.match(page.url, /\/account\/security\/codes$/)
      }
      assert.match((await send()).url, /\/account\/security\/codes$/)
      assert.deepEqual(await failuresOf(person), [])
      await service.advance(600)
      assert.equal((await send()).status, 403)
      assert.match((await browser.go('/account/security/codes')).url, /\/account\/confirm/)
    }
  })
})

describe('codes', () => {
  test('one that was used within its half minute is told apart from a wrong one, and accuses nobody', async () => {
    const person = await newPersonWithCodes()
    const { browser, page } = await firstStep(service, person.username, password)
    const code = codeAt(person.secret, service.now())
    await submitWith(browser, page, 'code', { code })
    await browser.submit(await browser.go('/logout'))
    const { page: again } = await firstStep(service, person.username, password, browser)
    const used = await submitWith(browser, again, 'code', { code })
    assert.match(used.text, /This code, or a later one, was used already\. Wait for the next one/)
    await assertOutside(browser, used)
    assert.deepEqual(
      (await failuresOf(person)).map(({ details }) => details),
      [{ factor: 'one-time code', outcome: 'used', address: '127.0.0.1' }],
    )
    await service.advance(30)
    const next = codeAt(person.secret, service.now())
    assert.equal((await submitWith(browser, used, 'code', { code: next })).status, 200)
    const events = await browser.go('/account/events')
    assert.match(events.text, /came again for another login\. If you did not log in twice/)
    assert.doesNotMatch(events.text, /The password was right/)
  })

  test('a wrong one is told with what was wrong about it', async () => {
    const person = await newPersonWithCodes()
    const [recovery = ''] = await makeRecoveryCodes(person.browser)
    const { browser, page } = await firstStep(service, person.username, password)
    const address = '127.0.0.1'
    await submitWith(browser, page, 'code', { code: '000000' })
    assert.deepEqual(
      (await failuresOf(person)).map(({ details }) => details),
      [{ factor: 'one-time code', outcome: 'wrong', address }],
    )
    await submitWith(browser, page, 'recovery_code', { recovery_code: recovery })
    await service.advance(1)
    const { browser: other, page: second } = await firstStep(service, person.username, password)
    await submitWith(other, second, 'recovery_code', { recovery_code: recovery })
    assert.deepEqual((await failuresOf(person))[0]?.details, {
      factor: 'recovery code',
      outcome: 'used',
      address,
    })
  })

  test('a passkey that may have been copied is told of once', async () => {
    const person = await newPerson()
    const device = newDevice(service, true)
    await addPasskey(person.browser, device)
    const { browser, page } = await firstStep(service, person.username, password)
    const asked = askedOn(page)
    await assertOutside(
      browser,
      await answerAsked(browser, asked, device.get(asked, { counter: 0 })),
    )
    assert.deepEqual(
      (await failuresOf(person)).map(({ type }) => type),
      ['passkey.counter_regressed'],
    )
  })

  test('one that was used is refused, at once and later, twenty at once or one', async () => {
    const { username, secret } = await newPersonWithCodes()
    const code = codeAt(secret, service.now())
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => firstStep(service, username, password)),
    )
    const pages = await Promise.all(
      tries.map(({ browser, page }) => submitWith(browser, page, 'code', { code })),
    )
    const inside = await Promise.all(tries.map(({ browser }) => isInside(browser)))
    assert.equal(inside.filter((one) => one).length, 1)
    assert.equal(pages.filter(({ status }) => status === 200).length, 1)
    const { browser, page } = await firstStep(service, username, password)
    await assertOutside(browser, await submitWith(browser, page, 'code', { code }))
  })

  test('of somebody else help nobody', async () => {
    const alice = await newPersonWithCodes()
    const mallory = await newPersonWithCodes()
    const [recovery = ''] = await makeRecoveryCodes(mallory.browser)
    await makeRecoveryCodes(alice.browser)
    const { browser, page } = await firstStep(service, alice.username, password)
    const code = codeAt(mallory.secret, service.now())
    await assertOutside(browser, await submitWith(browser, page, 'code', { code }))
    const form = { recovery_code: recovery }
    await assertOutside(browser, await submitWith(browser, page, 'recovery_code', form))
  })

  test('cannot be guessed: each wrong one costs more time, wherever it comes from', async () => {
    const { username } = await newPersonWithCodes()
    const admitted: number[] = []
    for (let second = 0; second < 600; second += 20) {
      const thief = new Elsewhere(service)
      const { page } = await firstStep(service, username, password, thief)
      const answer = await submitWith(thief, page, 'code', {
        code: String(second).padStart(6, '0'),
      })
      if (answer.status === 403) admitted.push(second)
      else assert.equal(answer.status, 429)
      await service.advance(20)
    }
    assert.ok(admitted.length <= 15, String(admitted.length))
  })

  test('LG-06 wrong codes and wrong passwords from one address count together', async () => {
    const person = await newPersonWithCodes()
    const thief = new Elsewhere(service)
    const { page } = await firstStep(service, person.username, password, thief)
    const guess = async (): Promise<number> =>
      (await submitWith(thief, page, 'code', { code: '000000' })).status
    for (let i = 0; i < defaultLimits.networkFreeTries; i++) {
      assert.equal((await firstStep(service, `nobody-${i}`, 'wrong', thief)).page.status, 403)
    }
    assert.deepEqual([await guess(), await guess()], [403, 429])
    const { browser, page: own } = await firstStep(service, person.username, password)
    const code = codeAt(person.secret, service.now())
    assert.equal((await submitWith(browser, own, 'code', { code })).status, 200)
  })

  test('a stranger who knows the password does not keep the owner’s usual browser out', async () => {
    const { username, browser: owner, secret } = await newPersonWithCodes()
    await owner.submit(await owner.go('/logout'))
    const thief = new Elsewhere(service)
    const { page: theirs } = await firstStep(service, username, password, thief)
    const guess = async (): Promise<number> =>
      (await submitWith(thief, theirs, 'code', { code: '000000' })).status
    const most = ownerLimits.attempts.freeTries + 1
    for (let i = 0; i < most; i++) assert.equal(await guess(), 403)
    assert.equal(await guess(), 429)
    const { page } = await firstStep(service, username, password, owner)
    const code = codeAt(secret, service.now())
    assert.equal((await submitWith(owner, page, 'code', { code })).status, 200)
    assert.equal(await isInside(owner), true)
  })

  test('cookies that a thief gathered before the codes were set up are no tries of their own', async () => {
    const person = await newVisitor(service)
    const gathered: Elsewhere[] = []
    for (let i = 0; i < 4; i++) {
      const thief = new Elsewhere(service)
      await thief.logIn(await thief.go('/login'), person.username, password)
      await thief.submit(await thief.go('/logout'))
      gathered.push(thief)
    }
    await service.advance(1)
    const secret = await setUpCodes(person.browser, service.now())
    await person.browser.submit(await person.browser.go('/logout'))
    const answers: number[] = []
    for (const thief of gathered) {
      const { page } = await firstStep(service, person.username, password, thief)
      for (let i = 0; i < 3; i++) {
        answers.push((await submitWith(thief, page, 'code', { code: '000000' })).status)
      }
    }
    const most = ownerLimits.attempts.freeTries + 1
    assert.deepEqual(answers, [...Array(most).fill(403), ...Array(12 - most).fill(429)])
    await service.advance(30)
    const { browser, username } = person
    const { page } = await firstStep(service, username, password, browser)
    const code = codeAt(secret, service.now())
    assert.equal((await submitWith(browser, page, 'code', { code })).status, 200)
  })

  test('nor is a browser that chose a new password by a link', async () => {
    const { id, username, operator } = await newPersonWithCodes()
    const thief = new Elsewhere(service)
    await operator('PATCH', `owners/${id}`, { email: `${username}@mail.example` })
    const { body } = await operator('POST', `owners/${id}/links`, { purpose: 'reset' })
    await thief.submit(await thief.go(body.link), { password: 'chosen by a thief' })
    const other = await firstStep(service, username, 'chosen by a thief', new Elsewhere(service))
    const guess = async ({ browser, page }: typeof other): Promise<number> =>
      (await submitWith(browser, page, 'code', { code: '000000' })).status
    const most = ownerLimits.attempts.freeTries + 1
    for (let i = 0; i < most; i++) assert.equal(await guess(other), 403)
    const known = await firstStep(service, username, 'chosen by a thief', thief)
    assert.equal(await guess(known), 429)
  })

  test('nor are those of somebody who set up other codes before', async () => {
    const person = await newPersonWithCodes()
    const thief = new Elsewhere(service)
    const first = await firstStep(service, person.username, password, thief)
    const code = codeAt(person.secret, service.now())
    assert.equal((await submitWith(thief, first.page, 'code', { code })).status, 200)
    await thief.submit(await thief.go('/logout'))
    await service.advance(1)
    await setUpCodes(person.browser, service.now())
    const guess = async (browser: Browser): Promise<number> => {
      const { page } = await firstStep(service, person.username, password, browser)
      return (await submitWith(browser, page, 'code', { code: '000000' })).status
    }
    const most = ownerLimits.attempts.freeTries + 1
    for (let i = 0; i < most; i++) assert.equal(await guess(new Elsewhere(service)), 403)
    assert.equal(await guess(thief), 429)
  })

  test('wrong codes from a known browser wait as well, by themselves', async () => {
    const { username, browser: owner } = await newPersonWithCodes()
    await owner.submit(await owner.go('/logout'))
    const { page } = await firstStep(service, username, password, owner)
    const guess = async (browser: Browser, at: Page): Promise<number> =>
      (await submitWith(browser, at, 'code', { code: '000000' })).status
    const most = ownerLimits.attempts.freeTries + 1
    for (let i = 0; i < most; i++) assert.equal(await guess(owner, page), 403)
    assert.equal(await guess(owner, page), 429)
    const { browser: other, page: theirs } = await firstStep(service, username, password)
    assert.equal(await guess(other, theirs), 403)
  })

  test('wrong ones of a thief keep out no recovery code: those are counted by networks alone', async () => {
    const { username, browser: owner, secret, device } = await newPersonWithCodes()
    const [recovery = ''] = await makeRecoveryCodes(owner)
    for (let i = 0; i < 8; i++) {
      const thief = new Elsewhere(service)
      const { page } = await firstStep(service, username, password, thief)
      await submitWith(thief, page, 'code', { code: '000000' })
    }
    const { browser, page } = await firstStep(service, username, password)
    const code = codeAt(secret, service.now())
    assert.equal((await submitWith(browser, page, 'code', { code })).status, 429)
    for (let i = 0; i < 8; i++) {
      const wrong = await submitWith(browser, page, 'recovery_code', { recovery_code: 'wrong' })
      assert.equal(wrong.status, 403)
    }
    const form = { recovery_code: recovery }
    assert.equal((await submitWith(browser, page, 'recovery_code', form)).status, 200)
    const { browser: other, page: again } = await firstStep(service, username, password)
    const asked = askedOn(again)
    assert.equal((await answerAsked(other, asked, device.get(asked))).status, 200)
  })

  test('wrong ones that are not counted bury no other event: what is told of them gets rarer', async () => {
    const person = await newPersonWithCodes()
    const [recovery = ''] = await makeRecoveryCodes(person.browser)
    const other = await newPersonWithCodes()
    const toldAfter = async (tries: number, shown: Form): Promise<number> => {
      const { browser, page } = await firstStep(service, person.username, password)
      const { code: _, ...fields } = formWith(page, 'code').fields
      const sent = Array.from({ length: tries }, () =>
        browser.ask('/login/second', { ...fields, ...shown }),
      )
      for (const { status } of await Promise.all(sent)) assert.equal(status, 403)
      return (await failuresOf(person)).length
    }
    const most = ownerLimits.attempts.freeTries + 1
    assert.equal(await toldAfter(20, { recovery_code: 'wrong' }), most)
    assert.equal(await toldAfter(30, { credential: '{}' }), most)
    await service.advance(2)
    assert.equal(await toldAfter(20, { recovery_code: 'wrong' }), most + 1)
    const { browser: thief, page: theirs } = await firstStep(service, other.username, password)
    await answerAsked(thief, askedOn(theirs), '{}')
    assert.equal((await failuresOf(other)).length, 1)
    const { browser, page } = await firstStep(service, person.username, password)
    const code = codeAt(person.secret, service.now())
    assert.equal((await submitWith(browser, page, 'code', { code })).status, 200)
    const { browser: again, page: second } = await firstStep(service, person.username, password)
    const form = { recovery_code: recovery }
    assert.equal((await submitWith(again, second, 'recovery_code', form)).status, 200)
  })

  test('wrong recovery codes of one network wait after fifty, whoever the owner is', async () => {
    const { username } = await newPersonWithCodes()
    const { browser: owner } = await newPersonWithCodes()
    const [recovery = ''] = await makeRecoveryCodes(owner)
    assert.match(recovery, /^\w{5}-\w{5}$/)
    const { browser, page } = await firstStep(service, username, password)
    const { code: _, ...fields } = formWith(page, 'code').fields
    const guess = () => browser.ask('/login/second', { ...fields, recovery_code: 'wrong' })
    const answers = []
    for (let i = 0; i < 60; i++) answers.push((await guess()).status)
    assert.ok(answers.includes(403))
    assert.equal(answers.at(-1), 429)
    await service.advance(3600)
    assert.equal((await guess()).status, 403)
  })

  test('wrong ones of a thief do not keep out an owner who has a passkey', async () => {
    const { username, device } = await newPersonWithCodes()
    const { browser: thief, page } = await firstStep(service, username, password)
    for (let i = 0; i < 8; i++) await submitWith(thief, page, 'code', { code: '000000' })
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    assert.equal((await answerAsked(browser, asked, device.get(asked))).status, 200)
  })
})

describe('the way around', () => {
  test('LG-04 after the password alone, nothing is reached', async () => {
    const { username } = await newPersonWithCodes()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath(codeRequest))
    const second = await browser.logIn(login, username, password)
    assert.match(second.url, /\/login\/second\?/)
    const journey = formWith(second, 'journey').fields.journey?.[0] ?? ''
    for (const [path, where] of [
      [`/authorize?journey=${journey}`, /\/login\?journey=[^&]+$/],
      [`/consent?journey=${journey}`, /\/login\?journey=[^&]+$/],
      [authorizePath(codeRequest), /\/login\?journey=[^&]+$/],
      ['/account', /\/login$/],
      ['/account/security', /\/login\?next=security$/],
      ['/account/confirm', /\/login\?next=security$/],
      ['/account/confirm?next=security%2Frecovery', /\/login\?next=security%2Frecovery$/],
      ['/account/security/recovery', /\/login\?next=security%2Frecovery$/],
    ] as const) {
      const page = await browser.go(path)
      assert.match(page.url, where, path)
    }
    const decision = { journey, decision: 'allow', permission: 'photos:read' }
    const csrf = formWith(second, 'csrf').fields.csrf ?? []
    const forced = await browser.go('/consent', { ...decision, csrf })
    assert.match(forced.url, /\/login\?journey=/)
    assert.equal(browser.cookies.has(`${prefix}session`), false)
    const form = { grant_type: 'password', username, password }
    assert.equal((await service.post('/token', form, houseApp)).status, 400)
  })

  test('a first step cannot be carried to another browser, or be forged or kept', async () => {
    const { username, secret } = await newPersonWithCodes()
    const { page } = await firstStep(service, username, password)
    const thief = new Browser(service)
    const login = await thief.go('/login')
    const csrf = formWith(login, 'csrf').fields.csrf ?? []
    const ceremony = formWith(page, 'code').fields.ceremony?.[0] ?? ''
    const code = codeAt(secret, service.now())
    for (const text of [ceremony, `${ceremony.slice(0, -1)}A`, '', 'x', ceremony.slice(10)]) {
      const form = { csrf, journey: '', ceremony: text, code }
      const refused = await thief.go('/login/second', form)
      assert.match(refused.text, /Please log in again/)
      await assertOutside(thief, refused)
    }
    const { browser, page: late } = await firstStep(service, username, password)
    await service.advance(600)
    const next = codeAt(secret, service.now())
    await assertOutside(browser, await submitWith(browser, late, 'code', { code: next }))
  })

  test('a first step ends with the password, and with the owner', async () => {
    for (const change of ['password', 'disabled'] as const) {
      const { username, secret, operator, id } = await newPersonWithCodes()
      const { browser, page } = await firstStep(service, username, password)
      if (change === 'disabled') await operator('PATCH', `owners/${id}`, { disabled: true })
      else await operator('POST', `owners/${id}/set-password`, { password: 'a new password' })
      const code = codeAt(secret, service.now())
      await assertOutside(browser, await submitWith(browser, page, 'code', { code }))
    }
  })

  test('a first step is finished once', async () => {
    const { username, secret } = await newPersonWithCodes()
    const { browser, page } = await firstStep(service, username, password)
    const code = codeAt(secret, service.now())
    assert.equal((await submitWith(browser, page, 'code', { code })).status, 200)
    await browser.submit(await browser.go('/logout'))
    await service.advance(60)
    const next = codeAt(secret, service.now())
    await assertOutside(browser, await submitWith(browser, page, 'code', { code: next }))
  })

  test('a planted session is not raised by the second step: it ends, and a new one begins', async () => {
    const { username, secret } = await newPersonWithCodes()
    const planted = await enter(service, 'bob', 'builder')
    const before = planted.cookies.get(`${prefix}session`)
    const { page } = await firstStep(service, username, password, planted)
    const code = codeAt(secret, service.now())
    await submitWith(planted, page, 'code', { code })
    const after = planted.cookies.get(`${prefix}session`)
    assert.notEqual(after, before)
    const thief = new Browser(service)
    thief.cookies.set(`${prefix}session`, before ?? '')
    assert.equal(await isInside(thief), false)
  })

  test('CSRF: no form of these pages is taken from elsewhere', async () => {
    const { browser, username } = await newPersonWithCodes()
    const { browser: waiting, page: second } = await firstStep(service, username, password)
    const security = await browser.go('/account/security/passkeys')
    const setup = await browser.go('/account/security/codes')
    const recovery = await browser.go('/account/security/recovery')
    const confirm = await browser.go('/account/confirm')
    const forms: readonly (readonly [Browser, Page, string])[] = [
      [waiting, second, 'code'],
      [browser, security, 'passkey'],
      [browser, security, 'ceremony'],
      [browser, setup, 'code'],
      [browser, recovery, 'ceremony'],
      [browser, confirm, 'ceremony'],
    ]
    for (const [visitor, page, field] of forms) {
      const { action, fields } = formWith(page, field)
      const forged = await visitor.ask(action, { ...fields, csrf: 'forged' })
      assert.equal(forged.status, 403, action)
      const site = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await visitor.ask(action, { ...fields }, site)).status, 403, action)
    }
    assert.match((await browser.go('/account/security/passkeys')).text, /Telephone/)
  })

  test('an unlocked browser alone does not change factors some time after the login', async () => {
    const { browser } = await newVisitor(service)
    await addPasskey(browser, newDevice(service))
    const page = await browser.go('/account/security/passkeys')
    const form = formWith(page, 'passkey')
    await service.advance(600)
    const sent = await browser.submitForm(page, form)
    assert.match(sent.url, /\/account\/confirm\?next=security%2Fpasskeys$/)
    assert.match((await browser.go('/account/security/passkeys')).text, /Telephone/)
    for (const next of ['https://evil.example', '//evil.example', 'constructor', '__proto__']) {
      const confirm = await browser.go(`/account/confirm?next=${encodeURIComponent(next)}`)
      assert.deepEqual(formWith(confirm, 'next').fields.next, ['security'])
      const form = { next, password }
      const done = await submitWith(browser, confirm, 'password', form)
      assert.equal(new URL(done.url).pathname, '/account/security')
    }
  })

  test('passwords guessed on the confirmation page wait, and keep nobody else out', async () => {
    const { browser, username } = await newVisitor(service)
    const confirm = await browser.go('/account/confirm')
    const guess = (tried: string) => submitWith(browser, confirm, 'password', { password: tried })
    for (let i = 0; i < 6; i++) assert.equal((await guess('a wrong one')).status, 403)
    assert.equal((await guess(password)).status, 429)
    const { page } = await firstStep(service, username, password)
    assert.equal(page.status, 200)
    await service.advance(1)
    assert.equal((await guess(password)).status, 200)
  })

  test('no secret of a factor lies in the database, nor in an event or the log', async () => {
    const person = await newPersonWithCodes()
    const { browser, secret, id } = person
    const codes = await makeRecoveryCodes(browser)
    const { store } = service.server()
    const factors = await store.findFactors(id as never)
    const kept = JSON.stringify([factors, await eventsOf(person), service.notices])
    assert.match(factors.oneTimeCodes?.secret ?? '', /^gcm\./)
    for (const one of [secret, ...codes]) assert.equal(kept.includes(one), false)
  })
})
