/**
 * A password or a login that was right a moment ago: everything it began ends when the password
 * changes (RC-08, RF-12).
 */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Operator, startWithOperator } from '../flows/operator.ts'
import { assertOnPage } from '../support/authorization.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { galleryCallback } from '../support/gallery.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { assertRefused } from '../support/tokens.ts'

const { service, operator } = startWithOperator()

const password = 'correct horse'
let names = 0

const createOwner = async () => {
  const username = `owner ${++names}`
  const { body } = await operator('POST', 'owners', { username, password })
  return { username, path: `owners/${body.id}`, query: `owner=${body.id}` }
}

type Made = Awaited<ReturnType<typeof createOwner>>

const ends: Readonly<Record<string, (made: Made) => ReturnType<Operator>>> = {
  'the password was changed': ({ path }) =>
    operator('POST', `${path}/set-password`, { password: 'another horse' }),
  'the owner was disabled': ({ path }) => operator('PATCH', path, { disabled: true }),
  'the owner was deleted': ({ path }) => operator('DELETE', path),
}

type Step = 'startSession' | 'startFamily' | 'approve' | 'findAuthorizations'

/** The next such step reaches the store only after something else was done, and acknowledged. */
const overtake = (t: TestContext, step: Step, first: () => ReturnType<Operator>): void => {
  const { store } = service.server()
  const real = store[step] as (...args: readonly unknown[]) => Promise<unknown>
  const { mock } = t.mock.method(store, step, async (...args: readonly unknown[]) => {
    mock.restore()
    const { status } = await first()
    assert.ok(status === 200 || status === 204)
    return real(...args)
  })
}

const approvedBy = async ({ query }: Made): Promise<readonly unknown[]> =>
  (await operator('GET', `authorizations?${query}`)).body.items

const enter = async ({ username }: Made): Promise<Browser> => {
  const browser = new Browser(service)
  const page = await browser.logIn(await browser.go('/login'), username, password)
  assert.match(page.url, /\/account$/)
  return browser
}

const assertLoginPage = (page: Page): void => {
  assert.match(page.url, /\/login(\?|$)/)
  assert.doesNotMatch(page.text, /lk_a[ct]_/)
}

const implicitRequest = {
  response_type: 'token',
  client_id: 'gallery',
  redirect_uri: galleryCallback,
  state: 'xyz',
}

for (const [why, end] of Object.entries(ends)) {
  describe(`between a check and what follows from it, ${why}`, () => {
    test('a login is a wrong password', async (t) => {
      const made = await createOwner()
      const browser = new Browser(service)
      const page = await browser.go('/login')
      overtake(t, 'startSession', () => end(made))
      const answer = await browser.logIn(page, made.username, password)
      assert.equal(answer.status, 403)
      assert.match(answer.text, /The username, email address or password is wrong/)
      assertLoginPage(await browser.go('/account'))
    })

    test('the password grant earns nothing', async (t) => {
      const made = await createOwner()
      overtake(t, 'startFamily', () => end(made))
      const form = { grant_type: 'password', username: made.username, password }
      const answer = await service.post('/token', form, houseApp)
      const said = 'owner and client have to be enabled, and the password unchanged'
      assertRefused(answer, 'invalid_grant', said)
      assert.deepEqual(await approvedBy(made), [])
    })

    test('a consent approves nothing', async (t) => {
      const made = await createOwner()
      const browser = await enter(made)
      const page = await browser.go(authorizePath(codeRequest))
      overtake(t, 'approve', () => end(made))
      const answer = await browser.submit(page, { decision: 'allow' })
      assertOnPage(answer, 'the application or your login has ended while this page was open')
      assert.deepEqual(await approvedBy(made), [])
    })

    test('an implicit answer carries no token', async (t) => {
      const made = await createOwner()
      const browser = await enter(made)
      const page = await browser.go(authorizePath(implicitRequest))
      overtake(t, 'startFamily', () => end(made))
      const answer = await browser.submit(page, { decision: 'allow' })
      const said = 'this request was answered already, or its approval has ended'
      assertOnPage(answer, said)
    })

    for (const request of [codeRequest, implicitRequest]) {
      test(`what was approved earlier is found no more: ${request.response_type}`, async (t) => {
        const made = await createOwner()
        const browser = await enter(made)
        const page = await browser.go(authorizePath(request))
        const [form] = formsOf(page.text)
        assert.ok(form)
        const allowed = await browser.ask(form.action, { ...form.fields, decision: 'allow' })
        const onward = allowed.headers.get('location') ?? ''
        assert.match(onward, /^\/authorize\?journey=/)
        overtake(t, 'findAuthorizations', () => end(made))
        assertLoginPage(await browser.go(onward))
      })
    }
  })
}
