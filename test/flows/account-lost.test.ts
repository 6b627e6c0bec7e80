/** The guided page after a lost device, or a login by somebody else: each step works at once, and each can be skipped. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { addPasskey, isInside, named, newDevice, setUpCodes } from '../support/factors.ts'
import { eventsOf, newVisitor, password, type Visitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { redeem, use } from '../support/tokens.ts'

const service = startBefore(() => start(named))
const fresh = 'staple the other horse'

let owner: Visitor
beforeEach(async () => {
  owner = await newVisitor(service)
})

const logInElsewhere = async (): Promise<Browser> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), owner.username, password)
  return browser
}

/** What the owner allows in a browser. */
const allow = async (browser: Browser) => {
  const page = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
  return (await redeem(service, code)).body
}

const formOn = (page: Page) => {
  const form = formsOf(page.text).find(({ action }) => action === '/account/lost')
  if (form === undefined) throw new Error(`no step is open: ${page.status} ${page.text}`)
  return form
}

const press = (page: Page, action: string, changes: Form = {}): Promise<Page> =>
  owner.browser.submitForm(page, formOn(page), { action, ...changes })

const headingOf = ({ text }: Page): string =>
  /<li class="now" aria-current="step"><h2>([^<]*)</.exec(text)?.[1] ??
  /<h1[^>]*>([^<]*)</.exec(text)?.[1] ??
  ''

/** The lines of steps that lie behind. */
const linesOf = ({ text }: Page): readonly string[] => {
  const [, guide = ''] = /<ol class="guide">(.*?)<\/ol>/s.exec(text) ?? []
  const before = guide.split('class="now"')[0] ?? ''
  return [...before.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, line = '']) => line)
}

const open = (query: string): Promise<Page> => owner.browser.go(`/account/lost?${query}`)

test('is reached from the page of security, for either reason', async () => {
  const { text } = await owner.browser.go('/account/security')
  assert.match(text, /href="\/account\/lost\?why=phone"/)
  assert.match(text, /href="\/account\/lost\?why=not-me"/)
})

test('walked to its end: the others are out, keys gone, applications paused, password and codes new', async () => {
  const phone = await logInElsewhere()
  const tokens = await allow(phone)
  await addPasskey(owner.browser, newDevice(service), 'Telephone')
  await setUpCodes(owner.browser, service.now())
  let page = await open('why=phone')
  assert.equal(headingOf(page), 'Log out everything else')
  page = await press(page, 'log-out')
  assert.equal(await isInside(phone), false)
  assert.deepEqual(linesOf(page), ['No other browser is logged in'])
  assert.equal(headingOf(page), 'Remove its keys')
  const [passkey = ''] = /name="passkey" value="([^"]+)"/.exec(page.text)?.slice(1) ?? []
  // The application for codes was on the telephone, so that one is ticked.
  assert.deepEqual(formOn(page).fields.codes, ['1'])
  page = await press(page, 'remove', { passkey, codes: [] })
  assert.deepEqual(linesOf(page), ['No other browser is logged in', '1 key stays'])
  assert.equal(headingOf(page), 'What applications may do')
  const [access = ''] = /name="access" value="([^"]+)"/.exec(page.text)?.slice(1) ?? []
  page = await press(page, 'pause', { access })
  assert.equal(await use(service, tokens.access_token), 401)
  assert.equal(linesOf(page)[2], 'No application can do anything')
  assert.match(page.text, /<p>1 is paused<\/p>/)
  assert.equal(headingOf(page), 'New password and codes')
  page = await press(page, 'renew', { password, new_password: fresh })
  assert.equal(headingOf(page), 'Nobody else is logged in, and the password is new')
  const codes = [...page.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code)
  assert.equal(new Set(codes).size, 10)
  const keep = formsOf(page.text).find(({ action }) => action === '/account/security/recovery')
  assert.ok(keep)
  const kept = await owner.browser.submitForm(page, keep)
  assert.match(kept.text, /Your recovery codes count from now on/)
  assert.match(kept.text, />10 of 10 left</)
  assert.equal((await owner.browser.go('/account')).status, 200)
})

test('skipped from the first step to the last changes nothing, and the receipt says so', async () => {
  const phone = await logInElsewhere()
  const tokens = await allow(phone)
  await addPasskey(owner.browser, newDevice(service))
  const before = (await eventsOf(owner)).length
  let page = await open('why=not-me')
  for (let step = 0; step < 4; step++) page = await press(page, 'skip')
  assert.equal(headingOf(page), '1 other browser is still logged in')
  assert.match(page.text, /You skipped something/)
  assert.equal(await isInside(phone), true)
  assert.equal(await use(service, tokens.access_token), 200)
  assert.equal((await eventsOf(owner)).length, before)
})

test('of an account with nothing to do but a password goes there at once', async () => {
  const page = await open('')
  assert.equal(headingOf(page), 'New password and codes')
  assert.equal(linesOf(page).length, 3)
  assert.doesNotMatch(page.text, /name="codes"/)
})

describe('each step alone', () => {
  test('logs out what is ticked, and says how many stay', async () => {
    const [one, two] = [await logInElsewhere(), await logInElsewhere()]
    const page = await open('why=not-me')
    const [session = ''] = formOn(page).fields.session ?? []
    const next = await press(page, 'log-out', { session: [session] })
    const inside = [await isInside(one), await isInside(two)]
    assert.deepEqual(inside.toSorted(), [false, true])
    assert.equal(headingOf(next), 'New password and codes')
    assert.equal(linesOf(next)[0], '1 other browser stays logged in')
  })

  test('logs out a login that began after the page was shown, where all are ticked', async () => {
    await logInElsewhere()
    const page = await open('why=not-me')
    const late = await logInElsewhere()
    await press(page, 'log-out')
    assert.equal(await isInside(late), false)
  })

  test('sent twice is done once', async () => {
    await logInElsewhere()
    const page = await open('why=not-me')
    const [first, second] = [await press(page, 'log-out'), await press(page, 'log-out')]
    assert.deepEqual(linesOf(first), linesOf(second))
    const ended = (await eventsOf(owner)).filter(({ type }) => type === 'session.ended')
    assert.equal(ended.length, 1)
    const renew = { password, new_password: fresh }
    const both = [press(first, 'renew', renew), press(first, 'renew', renew)]
    for (const done of await Promise.all(both)) {
      assert.equal(headingOf(done), 'Nobody else is logged in, and the password is new')
    }
  })

  test('ends applications where the owner says so', async () => {
    const tokens = await allow(owner.browser)
    const page = await open('why=phone&step=3')
    const [access = ''] = /name="access" value="([^"]+)"/.exec(page.text)?.slice(1) ?? []
    const next = await press(page, 'end', { access })
    assert.equal(await use(service, tokens.access_token), 401)
    assert.match((await owner.browser.go('/account/ended')).text, /Photo Printer/)
    assert.doesNotMatch(next.text, /is paused/)
  })

  test('says what is wrong with a new password, in numbers', async () => {
    const page = await open('step=4')
    const short = await press(page, 'renew', { password, new_password: 'short' })
    assert.equal(short.status, 400)
    assert.match(short.text, /This password has 5 characters; at least 8 are needed/)
    const wrong = await press(page, 'renew', { password: 'wrong', new_password: fresh })
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /your current password was wrong/)
  })

  test('needs an action that there is', async () => {
    const page = await open('step=4')
    assert.equal((await press(page, 'delete')).status, 400)
  })
})

describe('about a login', () => {
  test('marks its session, and ticks what came since', async () => {
    await allow(owner.browser)
    await service.advance(60)
    await logInElsewhere()
    await addPasskey(owner.browser, newDevice(service), 'Planted')
    const { body } = await owner.operator('GET', `events?owner=${owner.id}&type=login.succeeded`)
    const [event] = body.items
    const page = await open(`event=${event.id}`)
    assert.match(page.text, /<h1>That was not me<\/h1>/)
    assert.match(page.text, /<span class="tag warn">This is the one<\/span>/)
    const keys = await press(page, 'skip')
    assert.deepEqual(formOn(keys).fields.event, [event.id])
    assert.equal(formOn(keys).fields.passkey?.length, 1)
    assert.match(keys.text, /Added since then/)
    const apps = await press(keys, 'skip')
    assert.equal(formOn(apps).fields.access, undefined)
  })

  test('that is asked for without a login is where the login ends, at the same step', async () => {
    const { body } = await owner.operator('GET', `events?owner=${owner.id}&type=login.succeeded`)
    const query = `why=phone&step=4&event=${body.items[0].id}`
    const browser = new Browser(service)
    const login = await browser.go(`/account/lost?${query}`)
    const page = await browser.logIn(login, owner.username, password)
    assert.equal(page.url, `${service.issuer}/account/lost?${query}`)
  })
})
