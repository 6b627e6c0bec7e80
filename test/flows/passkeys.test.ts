/** Passkeys: made on the account page, alone enough to log in, and a second factor after the password. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answerAsked, askedOn } from '../support/authenticator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import {
  addPasskey,
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
import {
  eventsOf,
  newPerson as newOwner,
  newVisitor,
  type Person,
  password,
} from '../support/people.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Started, start, startBefore } from '../support/start.ts'

const service = startBefore(() => start(named))

const newPerson = async (counts = false) => ({
  ...(await newVisitor(service, 'Pat')),
  device: newDevice(service, counts),
})

const newPersonWithPasskey = async (counts = false) => {
  const person = await newPerson(counts)
  await service.advance(1)
  await addPasskey(person.browser, person.device)
  await service.advance(1)
  await requirePasskey(person.browser)
  return person
}

const latest = async (person: Person) => (await eventsOf(person))[0]

describe('making a passkey', () => {
  test('asks for one that is found without a username and verifies its owner', async () => {
    const { browser, username, id } = await newPerson()
    const page = await browser.go('/account/security/passkeys')
    const { options, form } = askedOn(page)
    const { challenge, ...said } = options
    assert.match(challenge, /^[\w-]{43}$/)
    assert.deepEqual(said, {
      rp: { id: 'auth.example.com', name: 'Latchkey' },
      user: {
        id: Buffer.from(id).toString('base64url'),
        name: username,
        displayName: 'Pat',
      },
      pubKeyCredParams: [
        { type: 'public-key', alg: -8 },
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      timeout: 600_000,
    })
    assert.deepEqual(form.fields.action, ['add_passkey'])
  })

  test('shows it under its name, then recovery codes, and knows the device again', async () => {
    const { browser, device } = await newPerson()
    const first = await addPasskey(browser, device, 'Blue\u202e key')
    assert.match(first.url, /\/account\/security\/recovery$/)
    await browser.submit(first)
    const second = await addPasskey(browser, device, '  ')
    assert.match(second.url, /\/account\/security\?done=passkey&tag=/)
    assert.match(second.text, /role="status">The passkey was added/)
    assert.match(second.text, /<b>2 passkeys<\/b>/)
    assert.match(second.text, /Blue key<\/bdi>, never used/)
    const list = await browser.go('/account/security/passkeys')
    assert.match(list.text, /<h1>2 passkeys log you in<\/h1>/)
    assert.match(list.text, /<b><bdi class="name">Passkey<\/bdi><\/b>/)
    assert.match(list.text, /Never used, on one device so far/)
    const excluded = askedOn(list).options.excludeCredentials
    assert.deepEqual(
      excluded.map(({ id }: { id: string }) => id).sort(),
      [...device.passkeys.keys()].sort(),
    )
  })

  test('is told of, and undone by removing it', async () => {
    const person = await newPersonWithPasskey()
    const { browser, username } = person
    assert.equal((await latest(person))?.type, 'factor.added')
    await service.advance(1)
    const page = await browser.go('/account/security/passkeys')
    const form = formsOf(page.text).find(({ fields }) => 'passkey' in fields)
    assert.ok(form)
    const without = await browser.submitForm(page, form)
    assert.match(without.text, /<h1>Log in without a password<\/h1>/)
    await service.advance(1)
    assert.deepEqual((await latest(person))?.details, { factor: 'passkey', name: 'Telephone' })
    const { page: inside } = await firstStep(service, username, password)
    assert.match(inside.url, /\/account$/)
  })

  test('is done once, and said to be done however often the answer gets lost', async () => {
    const person = await newPerson()
    const { browser, device } = person
    const asked = askedOn(await browser.go('/account/security/passkeys'))
    const credential = device.create(asked)
    const send = () => answerAsked(browser, asked, credential, { name: 'Telephone' })
    for (const page of await Promise.all([send(), send(), send()])) {
      assert.match(page.url, /\/account\/security\/recovery$/)
    }
    assert.match((await send()).url, /\/account\/security\/recovery$/)
    await makeRecoveryCodes(browser)
    const page = await send()
    assert.match(page.text, /role="status">The passkey was added/)
    const added = (await eventsOf(person)).filter(({ details }) => details.name === 'Telephone')
    assert.equal(added.length, 1)
    const list = await browser.go('/account/security/passkeys')
    const removed = await browser.submitForm(list, formWith(list, 'passkey'))
    assert.match(removed.text, /<h1>Log in without a password<\/h1>/)
    const late = await send()
    assert.deepEqual([late.status, /The passkey was not added/.test(late.text)], [400, true])
  })

  test('there are twenty at most', async () => {
    const { browser, device } = await newPerson()
    const asked = askedOn(await browser.go('/account/security/passkeys'))
    for (let i = 0; i < 20; i++) await addPasskey(browser, device)
    const full = await browser.go('/account/security/passkeys')
    assert.match(full.text, /These are as many passkeys as there can be/)
    assert.equal(full.text.includes('data-options'), false)
    const page = await answerAsked(browser, asked, device.create(asked))
    assert.equal(page.status, 400)
    assert.match(page.text, /as many passkeys as there can be/)
  })
})

describe('logging in with a passkey alone', () => {
  test('needs no username, and leads on to where one was going', async () => {
    const person = await newPersonWithPasskey()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath(codeRequest))
    const asked = askedOn(login)
    const { challenge, ...said } = asked.options
    assert.match(challenge, /^[\w-]{43}$/)
    assert.deepEqual(said, {
      rpId: 'auth.example.com',
      allowCredentials: [],
      userVerification: 'required',
      timeout: 600_000,
    })
    await service.advance(1)
    const consent = await answerAsked(browser, asked, person.device.get(asked))
    assert.match(consent.url, /\/consent\?journey=/)
    assert.equal(browser.cookies.get('__Host-latchkey_way'), 'passkey')
    const back = await browser.submit(consent, { decision: 'allow' })
    assert.match(answerOf(back).code ?? '', /^lk_ac_/)
    const events = await eventsOf(person)
    const entered = events.find(({ type }) => type === 'login.succeeded')
    assert.equal(entered?.details.methods, 'swk user mfa')
    assert.equal(entered?.details.context, 'phr')
  })

  test('shows when it was last used, and whether it is copied by now', async () => {
    const { device } = await newPersonWithPasskey()
    const browser = new Browser(service)
    const asked = askedOn(await browser.go('/login'))
    assert.match(
      (await answerAsked(browser, asked, device.get(asked, { backedUp: true }))).url,
      /\/account$/,
    )
    const page = await browser.go('/account/security/passkeys')
    assert.match(page.text, />just now<\/time><\/span>, kept by its maker on several devices/)
  })

  test('is a proof for the account page, too, as the password is', async () => {
    const { browser, device } = await newPersonWithPasskey()
    await service.advance(600)
    const page = await browser.go('/account/security/recovery')
    assert.match(page.url, /\/account\/confirm\?next=security%2Frecovery$/)
    const asked = askedOn(page)
    assert.deepEqual(
      asked.options.allowCredentials.map(({ id }: { id: string }) => id),
      [...device.passkeys.keys()],
    )
    const codes = await answerAsked(browser, asked, device.get(asked))
    assert.match(codes.url, /\/account\/security\/recovery$/)
  })

  test('a device that counts is let in for as long as it counts on', async () => {
    const person = await newPersonWithPasskey(true)
    const attempt = async (counter?: number): Promise<number> => {
      const browser = new Browser(service)
      const asked = askedOn(await browser.go('/login'))
      const deviation = counter === undefined ? {} : { counter }
      return (await answerAsked(browser, asked, person.device.get(asked, deviation))).status
    }
    assert.equal(await attempt(), 200)
    assert.equal(await attempt(900), 200)
    await service.advance(1)
    assert.equal(await attempt(900), 403)
    const told = await latest(person)
    assert.deepEqual(
      [told?.type, told?.details],
      ['passkey.counter_regressed', { name: 'Telephone', counter: 900 }],
    )
    // A copy may have signed: nobody has proved to be the owner.
    const { body } = await person.operator('GET', `events?owner=${person.id}&limit=1`)
    assert.deepEqual(body.items[0].actor, { type: 'anyone', network: '127.0.0.*' })
    assert.equal(await attempt(0), 403)
    assert.equal(await attempt(901), 200)
  })
})

describe('a passkey beside the password', () => {
  test('leaves the password as it is, also where its owner leaves the recovery page', async () => {
    const { browser, username, device } = await newPerson()
    const recovery = await addPasskey(browser, device)
    assert.match(recovery.url, /\/account\/security\/recovery$/)
    const { browser: other } = await firstStep(service, username, password)
    assert.equal(await isInside(other), true)
    const page = await browser.go('/account/security/passkeys')
    assert.match(page.text, /Your password alone logs you in, too/)
    assert.match(page.text, /Make recovery codes to change that/)
    assert.doesNotMatch(page.text, /passkey_only_on/)
  })

  test('is required once its owner says so, and no longer once that is taken back', async () => {
    const { browser, username } = await newPersonWithPasskey()
    const { browser: other, page } = await firstStep(service, username, password)
    assert.match(page.text, /Now use your passkey/)
    assert.equal(await isInside(other), false)
    const security = await browser.go('/account/security/passkeys')
    const form = formsOf(security.text).find(
      ({ fields }) => fields.action?.[0] === 'passkey_only_off',
    )
    assert.ok(form)
    const optional = await browser.submitForm(security, form)
    assert.match(optional.text, /role="status">Your password alone logs you in again\./)
    const { browser: third } = await firstStep(service, username, password)
    assert.equal(await isInside(third), true)
  })

  test('that is required confirms a login, too, and the password alone does not', async () => {
    const { browser, username, device } = await newPerson()
    const { browser: earlier } = await firstStep(service, username, password)
    await addPasskey(browser, device)
    await requirePasskey(browser)
    const off = { action: 'passkey_only_off' }
    const before = await earlier.go('/account/security/passkeys')
    assert.doesNotMatch(before.text, /value="passkey_only_off"/)
    await service.advance(600)
    for (const one of [browser, earlier]) {
      const page = await one.go('/account/confirm?next=security%2Fpasskeys')
      assert.doesNotMatch(page.text, /name="password"/)
      const form = formWith(page, 'ceremony')
      const weak = await one.submitForm(page, { ...form, action: '/account/confirm' }, { password })
      assert.equal(weak.status, 403)
      const sent = await one.submitForm(page, { ...form, action: '/account/security' }, off)
      assert.match(sent.url, /\/account\/confirm/)
    }
    const asked = askedOn(await browser.go('/account/confirm?next=security%2Fpasskeys'))
    const inside = await answerAsked(browser, asked, device.get(asked))
    assert.match(inside.text, /value="passkey_only_off"/)
  })

  test('is not required by a form without recovery codes', async () => {
    const { browser, device } = await newPerson()
    await addPasskey(browser, device)
    const page = await browser.go('/account/security/passkeys')
    const form = formWith(page, 'passkey')
    const refused = await browser.submitForm(page, form, { action: 'passkey_only_on' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /To require a passkey, you need a passkey and recovery codes/)
  })

  test('that was added under a former password is pointed out after a new one', async () => {
    const person = await newPerson()
    const { browser, device } = person
    await addPasskey(browser, device, 'Stranger')
    await service.advance(60)
    const form = { password, new_password: 'another horse battery' }
    const changed = await submitWith(browser, await browser.go('/account/password'), 'password', {
      ...form,
      new_password_again: form.new_password,
    })
    assert.match(changed.url, /\/account\/security\?done=password/)
    assert.match(changed.text, /role="status">The password is new/)
    assert.match(changed.text, /Check them: some were added under your former password/)
    await service.advance(60)
    await addPasskey(browser, newDevice(service), 'Mine')
    const later = await browser.go('/account/security/passkeys')
    assert.equal(later.text.match(/Added under your former password/g)?.length, 1)
    const reset = { password: 'a third horse battery' }
    const { body } = await person.operator('POST', `owners/${person.id}/set-password`, reset)
    assert.deepEqual(
      body.passkeys_of_former_password.map(({ name }: { name: string }) => name),
      ['Mine'],
    )
  })
})

describe('a passkey after the password', () => {
  test('is asked for, and is as good as the code of an application', async () => {
    const person = await newPersonWithPasskey()
    const { browser, page } = await firstStep(service, person.username, password)
    assert.match(page.url, /\/login\/second\?/)
    assert.equal(page.text.includes('name="code"'), false)
    const asked = askedOn(page)
    assert.equal(asked.options.allowCredentials.length, 1)
    await service.advance(1)
    assert.match((await answerAsked(browser, asked, person.device.get(asked))).url, /\/account$/)
    assert.equal((await latest(person))?.details.methods, 'pwd swk user mfa')
  })

  test('a recovery code stands in for it', async () => {
    const person = await newPersonWithPasskey()
    const [code = ''] = await makeRecoveryCodes(person.browser)
    const { browser, page } = await firstStep(service, person.username, password)
    await submitWith(browser, page, 'recovery_code', { recovery_code: code })
    assert.equal(await isInside(browser), true)
  })

  test('a key that stays in its device is told of as that', async () => {
    const person = await newPerson()
    const asked = askedOn(await person.browser.go('/account/security/passkeys'))
    const made = person.device.create(asked, { eligible: false })
    await answerAsked(person.browser, asked, made, { name: 'Blue key' })
    assert.match((await person.browser.go('/account/security/passkeys')).text, /on one device only/)
    const browser = new Browser(service)
    const login = askedOn(await browser.go('/login'))
    await service.advance(1)
    await answerAsked(browser, login, person.device.get(login, { eligible: false }))
    assert.equal((await latest(person))?.details.methods, 'pop user mfa')
  })

  test('the password grant has no place for it', async () => {
    const { username } = await newPersonWithPasskey()
    const form = { grant_type: 'password', username, password }
    assert.equal((await service.post('/token', form, houseApp)).body.error, 'invalid_grant')
  })
})

describe('a passkey is offered', () => {
  const logIn = async (username: string, path = '/login') => {
    const browser = new Browser(service)
    return browser.logIn(await browser.go(path), username, password)
  }

  test('once, after a login with the password alone, with a way on', async () => {
    const { browser, username } = await newPerson()
    const offer = await browser.go('/account/passkey')
    assert.match(offer.text, /<h1 class="after">Skip the password next time<\/h1>/)
    assert.match(offer.text, /<a class="button" href="\/account">Not now<\/a>/)
    assert.match((await logIn(username)).url, /\/account$/)
    const asked = askedOn(offer)
    const added = await answerAsked(browser, asked, newDevice(service).create(asked))
    assert.match(added.url, /\/account\/security\/recovery$/)
    assert.match((await browser.go('/account/passkey')).url, /\/account$/)
  })

  test('neither on the way to an application or a page, nor twice to logins at once', async () => {
    const { username } = await newOwner(service)
    assert.match((await logIn(username, authorizePath(codeRequest))).url, /\/consent\?/)
    assert.match((await logIn(username, '/login?next=events')).url, /\/account\/events$/)
    const urls = (await Promise.all([logIn(username), logIn(username)])).map(
      ({ url }) => new URL(url).pathname,
    )
    assert.deepEqual(urls.toSorted(), ['/account', '/account/passkey'])
  })
})

describe('where there is no name for a passkey to belong to', () => {
  test('a service at an address says so, and asks for none', async () => {
    const nameless = await start({ issuer: 'https://203.0.113.7', demo: true })
    const browser = await enter(nameless)
    const page = await browser.go('/account/security/passkeys')
    assert.match(page.text, /this service has no name\. Its operator can give it one/)
    assert.equal((await new Browser(nameless).go('/login')).text.includes('data-passkey'), false)
    await nameless.close()
  })

  test('the demo leads from its address to its name, where passkeys work', async () => {
    const demo = await start()
    const browser = await enter(demo)
    const page = await browser.go('/account/security/passkeys')
    const [, link = ''] = /<a href="(http:\/\/localhost[^"]*)"/.exec(page.text) ?? []
    // The passkey is for alice, whoever is logged in there.
    assert.equal(link, 'http://localhost:6749/login?next=security%2Fpasskeys&amp;switch=1')
    const login = await browser.go(link.replace('&amp;', '&'))
    const entered = await browser.logIn(login, 'alice', 'wonderland')
    assert.equal(entered.headers.get('location'), '/account/security/passkeys')
    const there = await browser.go('http://localhost:6749/account/security/passkeys')
    assert.equal(askedOn(there).options.rp.id, 'localhost')
    const device = newDevice({ ...demo, issuer: 'http://localhost:6749' })
    const asked = askedOn(there)
    const added = await answerAsked(browser, asked, device.create(asked), { name: 'Telephone' })
    assert.equal(added.headers.get('location'), '/account/security/recovery')
    await demo.close()
  })

  describe('the demo at its address', () => {
    let demo: Started
    before(async () => {
      demo = await start()
    })
    after(() => demo.close())

    /** The same service under the name that passkeys belong to. */
    const byName = () => ({ ...demo, issuer: 'http://localhost:6749' })

    /** An owner with a passkey, made under a host name that allows one. */
    const newOwner = async () => {
      const { browser, username } = await newVisitor(byName())
      const device = newDevice(byName())
      await demo.advance(1)
      await addPasskey(browser, device)
      return { browser, username, device }
    }

    const linkOn = ({ text }: Page): string | undefined =>
      /<a href="(http:\/\/localhost[^"]*)">http:\/\/localhost:6749<\/a>/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&')

    test('says on the login page where a passkey logs in, and leads on from there', async () => {
      const { device } = await newOwner()
      const here = await new Browser(demo).go('/account/events?ui_locales=en')
      const link = linkOn(here) ?? ''
      assert.equal(link, 'http://localhost:6749/login?next=events&switch=1&ui_locales=en')
      const there = new Browser(byName())
      const asked = askedOn(await there.go(link))
      const inside = await answerAsked(there, asked, device.get(asked))
      assert.equal(inside.url, 'http://localhost:6749/account/events?ui_locales=en')
    })

    test('lets the request of an application begin anew there, and it gets its code', async () => {
      const { device } = await newOwner()
      const here = await new Browser(demo).go(authorizePath(codeRequest))
      const link = linkOn(here) ?? ''
      assert.equal(link, `http://localhost:6749${authorizePath(codeRequest)}&prompt=login`)
      const there = new Browser(byName())
      const asked = askedOn(await there.go(link))
      const consent = await answerAsked(there, asked, device.get(asked))
      const { code = '', state } = answerOf(await there.submit(consent, { decision: 'allow' }))
      assert.equal(state, codeRequest.state)
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
      assert.equal((await demo.post('/token', form, photoPrinter)).status, 200)
    })

    test('says so after the password, too, and shows the recovery codes at once', async () => {
      const { browser: own, username } = await newOwner()
      await requirePasskey(own)
      const { page } = await firstStep(demo, username, password)
      assert.match(
        page.text,
        /Your passkey belongs to a host name, such as localhost, and not to an IP address/,
      )
      assert.equal(linkOn(page), 'http://localhost:6749/login?switch=1')
      assert.match(page.text, /<details open>/)
      const journey = new Browser(demo)
      const second = await journey.logIn(
        await journey.go(authorizePath(codeRequest)),
        username,
        password,
      )
      assert.equal(
        linkOn(second),
        `http://localhost:6749${authorizePath(codeRequest)}&prompt=login`,
      )
    })

    test('asks for the login there, whoever is logged in there already', async () => {
      const { username, device } = await newOwner()
      const there = new Browser(byName())
      // As a word: random text on a page may hold the three letters.
      const bob = /\bbob\b/i
      await there.logIn(await there.go('/login'), 'bob', 'builder')
      const enterBy = async (path: string): Promise<Page> => {
        const asked = askedOn(await there.go(linkOn(await new Browser(demo).go(path)) ?? ''))
        return answerAsked(there, asked, device.get(asked))
      }
      const account = await enterBy('/account')
      assert.ok(account.text.includes(username))
      assert.doesNotMatch(account.text, bob)
      await there.submit(await there.go('/logout'))
      await there.logIn(await there.go('/login'), 'bob', 'builder')
      const consent = await enterBy(authorizePath(codeRequest))
      assert.match(consent.url, /\/consent\?/)
      assert.ok(consent.text.includes(username))
      assert.doesNotMatch(consent.text, bob)
    })

    test('leaves it to the application how to ask where it says that', async () => {
      const asked = authorizePath({ ...codeRequest, prompt: 'select_account' })
      const link = linkOn(await new Browser(demo).go(asked))
      assert.equal(link, `http://localhost:6749${asked}`)
    })

    test('says it of nobody who has no passkey, and under its name of nobody at all', async () => {
      const { browser, username } = await newVisitor(demo)
      await setUpCodes(browser, demo.now())
      const { page } = await firstStep(demo, username, password)
      assert.match(page.text, /Enter the code from your app|Now use your passkey/)
      assert.equal(linkOn(page), undefined)
      assert.equal(linkOn(await new Browser(byName()).go('/login')), undefined)
    })
  })
})
