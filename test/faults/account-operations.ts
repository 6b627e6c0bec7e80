/**
 * Requests of owners about their account: logins ended, another end, another password, and pages to
 * read.
 */
import assert from 'node:assert/strict'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import {
  assertDone,
  introspect,
  newTokens,
  type Operation,
  operation,
  reading,
} from './operation.ts'

type Visited = Awaited<ReturnType<typeof newVisitor>>
type Service = Parameters<Operation['prepare']>[0]

const isIn = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('/account')).status === 200

const logIn = async (service: Service, username: string, secret = password): Promise<Browser> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), username, secret)
  return browser
}

const changeEnd = operation(
  'another end on the account page',
  'changeAuthorizationEnd',
  async (service) => {
    const { refresh_token: token, username } = await newTokens(service)
    const browser = await logIn(service, username)
    const page = await openAccess(browser)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    return {
      ask: () => browser.submitForm(page, form, { action: 'until', until: 'day' }),
      settle: async (done) => {
        const { body } = await introspect(service, token)
        assertDone(body.authorization_expires_in !== undefined, done)
      },
    }
  },
)

/** Pauses an application on the account page, or resumes one that is paused. */
const pausing = (
  action: 'pause' | 'resume',
  effect: 'pauseAuthorizations' | 'resumeAuthorizations',
) =>
  operation(`${action} on the account page`, effect, async (service) => {
    const { access_token: token, username } = await newTokens(service)
    const browser = await logIn(service, username)
    const cardOn = (page: Awaited<ReturnType<Browser['go']>>) => {
      const [form] = accessFormsOn(page)
      assert.ok(form)
      return form
    }
    const first = await openAccess(browser)
    const page =
      action === 'pause'
        ? first
        : await browser.submitForm(first, cardOn(first), { action: 'pause' })
    return {
      ask: () => browser.submitForm(page, cardOn(page), { action }),
      settle: async (done) => {
        const { body } = await introspect(service, token)
        assertDone(body.active === (action === 'resume'), done)
      },
    }
  })

/** Ends logins while a second one is there. */
const endSessions = (
  name: string,
  effect: 'endSessionOf' | 'endOtherSessions',
  action: 'end' | 'end-others',
) =>
  operation(name, effect, async (service) => {
    const { browser, username }: Visited = await newVisitor(service)
    const other = await logIn(service, username)
    const page = await browser.go('/account/sessions')
    const forms = formsOf(page.text).filter((one) => one.action === '/account/sessions')
    const form = forms.find(({ fields }) => 'session' in fields === (action === 'end'))
    assert.ok(form)
    return {
      ask: () => browser.submitForm(page, form, { action }),
      settle: async (done) => {
        assertDone(!(await isIn(other)), done)
        assert.equal(await isIn(browser), true)
      },
    }
  })

/** Asked once more it is wrong, since the password until then is none any more. */
const isChanged = ({ status }: Answer): boolean => status === 200

const changePassword = operation(
  'another password on the account page',
  'changePassword',
  async (service) => {
    const { browser, username } = await newVisitor(service)
    const page = await browser.go('/account/password')
    const form = formsOf(page.text).find(({ action }) => action === '/account/password')
    assert.ok(form)
    const next = 'staple the other horse'
    const filled = { password, new_password: next, new_password_again: next }
    return {
      ask: () => browser.submitForm(page, form, filled),
      settle: async (done) => {
        assertDone(await isIn(await logIn(service, username, next)), done)
      },
    }
  },
  isChanged,
)

const seePages = ['/account/sessions', '/account/password', '/account/events'].map((path) =>
  reading(`see ${path}`, async (service) => {
    const { browser } = await newVisitor(service)
    // So that an event names an application.
    const page = await browser.go(authorizePath(codeRequest))
    await browser.submit(page, { decision: 'allow' })
    return () => browser.ask(path)
  }),
)

const seeLedger = ['', '.json'].map((ending) =>
  reading(`see /account/ledger${ending}`, async (service) => {
    const { username } = await newTokens(service)
    const browser = await logIn(service, username)
    const { text } = await openAccess(browser)
    const [, id] = /name="authorization" value="([^"]+)"/.exec(text) ?? []
    return () => browser.ask(`/account/ledger${ending}?authorization=${id}`)
  }),
)

export const accountOperations: readonly Operation[] = [
  changeEnd,
  pausing('pause', 'pauseAuthorizations'),
  pausing('resume', 'resumeAuthorizations'),
  endSessions('end a login', 'endSessionOf', 'end'),
  endSessions('end all other logins', 'endOtherSessions', 'end-others'),
  changePassword,
  ...seePages,
  ...seeLedger,
]
