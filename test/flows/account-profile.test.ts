/** The profile page: owners change their own facts, and the language and time zone of pages. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { eventsOf, newVisitor, password, type Visitor } from '../support/people.ts'
import { type Form, startBefore } from '../support/start.ts'

const started = startBefore()
let owner: Visitor

beforeEach(async () => {
  owner = await newVisitor(started, 'Ada')
})

const save = async (changes: Form, by: Browser = owner.browser): Promise<Page> => {
  const page = await by.go('/account/profile')
  const form = formsOf(page.text).find(({ action }) => action === '/account/profile')
  assert.ok(form)
  return by.submitForm(page, form, changes)
}

const stored = async () => (await owner.operator('GET', `owners/${owner.id}`)).body

/** Members that a profile and its claims share. */
const shared = {
  given_name: 'Ada',
  family_name: 'Lovelace',
  nickname: 'Countess',
  picture: 'https://ada.example/portrait.jpg',
  profile: 'https://ada.example/',
  website: 'https://ada.example/notes',
  gender: 'female',
  birthdate: '1815-12-10',
  phone_number: '+44 20 7946 0018',
} as const

const whole = {
  name: 'Ada Lovelace',
  ...shared,
  street_address: "12 St. James's Square",
  postal_code: 'SW1Y 4LB',
  locality: 'London',
  region: '',
  country: 'United Kingdom',
  zone: 'Europe/London',
} as const

describe('saving', () => {
  test('keeps what was typed, tells it to applications as claims, and writes an event', async () => {
    started.pass(5)
    assert.match((await save(whole)).text, /Your profile was saved\./)
    const { name, claims, updated_at } = await stored()
    assert.deepEqual(
      { name, claims, updated_at },
      {
        name: 'Ada Lovelace',
        claims: {
          ...shared,
          zoneinfo: 'Europe/London',
          address: {
            street_address: "12 St. James's Square",
            postal_code: 'SW1Y 4LB',
            locality: 'London',
            country: 'United Kingdom',
            formatted: "12 St. James's Square\nSW1Y 4LB London\nUnited Kingdom",
          },
        },
        updated_at: started.now(),
      },
    )
    const [event] = await eventsOf(owner)
    assert.deepEqual(
      [event?.type, event?.details],
      [
        'owner.profile_changed',
        {
          changed:
            'address birthdate family_name gender given_name name nickname phone_number picture profile website zone zoneinfo',
        },
      ],
    )
    assert.match((await owner.browser.go('/account/events')).text, /You changed your profile\./)
  })

  test('nothing new writes nothing', async () => {
    await save(whole)
    const before = await stored()
    started.pass(5)
    await save(whole)
    assert.deepEqual(await stored(), before)
  })

  test('an empty field removes its claim, and other claims of the operator stay', async () => {
    const claims = {
      middle_name: 'King',
      nickname: 'Ada',
      // A day that an operator or an earlier version wrote hinders no other change.
      birthdate: '1815-02-31',
      phone_number: '1',
      phone_number_verified: true,
    }
    await owner.operator('PATCH', `owners/${owner.id}`, { claims })
    await save({ nickname: '' })
    assert.deepEqual((await stored()).claims, {
      middle_name: 'King',
      birthdate: '1815-02-31',
      phone_number: '1',
      phone_number_verified: true,
    })
    await save({ phone_number: '2', birthdate: '' })
    assert.deepEqual((await stored()).claims, { middle_name: 'King', phone_number: '2' })
  })

  test('does not overwrite what somebody else changed meanwhile', async () => {
    const page = await owner.browser.go('/account/profile')
    await owner.operator('PATCH', `owners/${owner.id}`, { name: 'Countess' })
    const store = started.server().store
    const found = store.findSession.bind(store)
    store.findSession = async (id, now) => {
      const login = await found(id, now)
      return login && { ...login, owner: { ...login.owner, name: 'Ada' } }
    }
    const form = formsOf(page.text).find(({ action }) => action === '/account/profile')
    assert.ok(form)
    const answer = await owner.browser.submitForm(page, form, { name: 'Augusta' })
    store.findSession = found
    assert.equal(answer.status, 409)
    assert.match(answer.text, /changed elsewhere meanwhile/)
    assert.match(answer.text, /name="name" [^>]*value="Augusta"/)
    assert.equal((await stored()).name, 'Countess')
  })

  const url = 'Write a whole URL, such as https://example.com/.'
  const wrong: readonly [string, Form, remedy?: string][] = [
    ['a website without a scheme', { website: 'ada.example' }, url],
    ['a picture over http', { picture: 'http://ada.example/p.jpg' }, url],
    ['a picture that is a script', { picture: 'javascript:alert(1)' }],
    ['a picture that is data', { picture: 'data:image/png;base64,AA' }],
    ['a picture that is longer than a claim', { picture: `https://a.example/${'a'.repeat(2048)}` }],
    ['a website that is a script', { website: 'javascript:alert(1)' }],
    ['a name that is too long', { name: 'a'.repeat(201) }, 'This is too long'],
    ['a name with a line break', { name: 'Ada\nLovelace' }],
    ['another birthday', { birthdate: '10 December 1815' }, 'as in 1990-05-04, or a year.'],
    ['a birthday in no month', { birthdate: '1815-13-10' }, 'as in 1990-05-04, or a year.'],
    ['31 February', { birthdate: '1815-02-31' }],
    ['an unknown zone', { zone: 'Mars/Olympus' }],
    ['an offset as the zone', { zone: '+01:00' }],
    ['markup as the zone', { zone: '"><script>alert(1)</script>' }],
    ['an unknown language', { language: 'xx' }],
  ]
  for (const [what, changes, remedy] of wrong) {
    test(`${what}: 400 and the field is named, nothing changes`, async () => {
      const before = await stored()
      const page = await save({ ...changes })
      assert.equal(page.status, 400)
      assert.match(page.text, /This cannot be saved: /)
      assert.equal(page.text.match(/<details class="confirm edits" open>/g)?.length, 1)
      if (remedy !== undefined) assert.ok(page.text.includes(remedy))
      assert.doesNotMatch(page.text, /<script(?! type="module" src="\/assets\/account\.js">)/)
      assert.deepEqual(await stored(), before)
    })
  }
})

describe('language and time zone', () => {
  test('a zone holds for the times of all account pages, and the foot names it once', async () => {
    await save({ zone: 'Asia/Shanghai' })
    const at = new Date(started.now() * 1000)
    const there = new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(11, 16)
    const { text } = await owner.browser.go('/account/sessions')
    assert.match(
      text,
      new RegExp(`<time datetime="${at.toISOString().slice(0, 10)}[^>]*>[^<]*, ${there}</time>`),
    )
    assert.equal(text.match(/Times are in the zone Asia\/Shanghai \(UTC\+8\)\./g)?.length, 1)
    assert.doesNotMatch(text, / UTC</)
  })

  test('without a chosen zone the browser decides, whatever zone applications are told', async () => {
    const chosen = async () =>
      /<select name="zone">.*?<option[^>]* selected>([^<]*)</.exec(
        (await owner.browser.go('/account/profile')).text,
      )?.[1]
    await save({ zone: 'Asia/Tokyo' })
    assert.equal(await chosen(), 'Asia/Tokyo')
    await save({ zone: '' })
    assert.equal(await chosen(), 'As the browser says')
    assert.equal((await stored()).claims.zoneinfo, undefined)
    const { claims } = await stored()
    await owner.operator('PATCH', `owners/${owner.id}`, {
      claims: { ...claims, zoneinfo: 'Europe/Paris' },
    })
    assert.equal(await chosen(), 'As the browser says')
    await save({})
    assert.equal((await stored()).claims.zoneinfo, 'Europe/Paris')
    assert.match((await owner.browser.go('/account/sessions')).text, /Times are in UTC\./)
  })

  test('a language holds for pages from then on, in this browser also after the login', async () => {
    const page = await save({ language: 'zh' })
    assert.match(page.text, /<html lang="zh-Hans"/)
    assert.equal((await stored()).claims.locale, 'zh-Hans')
    await owner.browser.submit(await owner.browser.go('/logout'))
    assert.match((await owner.browser.go('/login')).text, /<html lang="zh-Hans"/)
    const other = new Browser(started)
    assert.match((await other.go('/login')).text, /<html lang="en"/)
    const inside = await other.logIn(await other.go('/login'), owner.username, password)
    assert.match(inside.text, /<html lang="zh-Hans"/)
    const asked = await other.go('/account/profile?ui_locales=en')
    assert.match(asked.text, /<html lang="en"/)
    await save({ language: '' }, other)
    assert.match((await other.go('/account')).text, /<html lang="en"/)
  })
})

test('stored markup is text on every page of the account', async () => {
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  await save({
    name: markup,
    nickname: markup,
    street_address: `</textarea>${markup}`,
    picture: `https://ada.example/"><script>alert(1)</script>`,
  })
  for (const path of ['', '/profile', '/sessions', '/security', '/events', '/password']) {
    const { text } = await owner.browser.go(`/account${path}`)
    assert.doesNotMatch(text, /<script>|<img src=x|<\/textarea>"/, path)
  }
})

test('the page loads nothing from the site of the picture', async () => {
  const page = await save({ picture: 'https://tracker.example/p.gif' })
  assert.doesNotMatch(page.text, /<img/)
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self';/)
  assert.ok(Buffer.byteLength(page.text) < 60_000)
})
