/** Logins by another service, and links to accounts there. */
import assert from 'node:assert/strict'
import type { Store } from '../../src/store/store.ts'
import { Browser, type Page, type Reachable } from '../support/browser.ts'
import type { CodeProvider } from '../support/code-provider.ts'
import { isInside } from '../support/factors.ts'
import { eventsOf, newName, newVisitor, type Person, type Visitor } from '../support/people.ts'
import type { Answer } from '../support/start.ts'
import { formTo, leave } from '../support/upstream.ts'
import { assertDone, type Operation, operation } from './operation.ts'

const isLinked = async (browser: Browser): Promise<boolean> => {
  const form = formTo(await browser.go('/account/security'), '/account/upstreams')
  return form.fields.action?.[0] === 'unlink'
}

const countEvents = async (person: Person, wanted: string): Promise<number> =>
  (await eventsOf(person)).filter(({ type }) => type === wanted).length

/** Somebody is logged in: neither refused, nor met as a newcomer. */
const isEntered = ({ status, text }: Answer): boolean =>
  status === 200 && !text.includes('new here')

/**
 * @param provider where everybody of these tests has an account
 * @param store counts the owners of an address: no answer does
 */
export const upstreamOperations = (provider: CodeProvider, store: Store): readonly Operation[] => {
  /** A visitor on the way back from the provider, to link an account. */
  const beginLink = async (service: Reachable): Promise<Visitor & { back: string }> => {
    const visitor = await newVisitor(service)
    const { browser, username } = visitor
    const page = await browser.go('/account/security')
    const { action, fields } = formTo(page, '/account/upstreams')
    const url = (await browser.ask(action, fields)).headers.get('location') ?? ''
    return { ...visitor, back: provider.logIn(url, username) }
  }

  const newLinked = async (service: Reachable): Promise<Visitor> => {
    const { back, ...visitor } = await beginLink(service)
    assert.match((await visitor.browser.go(back)).text, /The account is linked/)
    return visitor
  }

  /** A browser on the way back from the provider, to log in. */
  const beginLogin = async (service: Reachable, subject: string) => {
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'))
    return { browser, back: provider.logIn(url, subject) }
  }

  const logIn = async (service: Reachable, subject: string): Promise<Page> => {
    const { browser, back } = await beginLogin(service, subject)
    return browser.go(back)
  }

  const link = operation('link an account', 'linkUpstream', async (service) => {
    const { back, ...visitor } = await beginLink(service)
    const { browser, username } = visitor
    return {
      ask: () => browser.go(back),
      settle: async (done) => {
        const linked = await isLinked(browser)
        assertDone(linked, done)
        assert.equal(await countEvents(visitor, 'upstream.linked'), linked ? 1 : 0)
        assert.equal(isEntered(await logIn(service, username)), linked)
        // The answer was lost, and the page is loaded again: the code was used by then.
        provider.forgetCodes()
        const { text } = await browser.go(back)
        assert.match(text, linked ? /The account is linked/ : /Nothing was linked/)
      },
    }
  })

  const unlink = operation('unlink an account', 'unlinkUpstream', async (service) => {
    const visitor = await newLinked(service)
    const { browser, username } = visitor
    const page = await browser.go('/account/security')
    const form = formTo(page, '/account/upstreams')
    return {
      ask: () => browser.submitForm(page, form),
      settle: async (done) => {
        const linked = await isLinked(browser)
        assertDone(!linked, done)
        assert.equal(await countEvents(visitor, 'upstream.unlinked'), linked ? 0 : 1)
        assert.equal(isEntered(await logIn(service, username)), linked)
      },
    }
  })

  const enter = operation(
    'log in by another service',
    'startSession',
    async (service) => {
      const visitor = await newLinked(service)
      const { browser, back } = await beginLogin(service, visitor.username)
      return {
        ask: () => browser.go(back),
        // The first login was by password. The trip has logged in once or never.
        settle: async (done) => {
          const count = await countEvents(visitor, 'login.succeeded')
          assertDone(count === 2, done)
          assert.ok(count <= 2, String(count))
        },
      }
    },
    isEntered,
  )

  const meet = operation('see who is new', null, async (service) => {
    const { browser, back } = await beginLogin(service, newName())
    return {
      ask: () => browser.go(back),
      settle: async () => assert.equal(await isInside(browser), false),
    }
  })

  const create = operation(
    'make an account by another service',
    'createLinkedOwner',
    async (service) => {
      const subject = newName()
      const { browser, back } = await beginLogin(service, subject)
      const page = await browser.go(back)
      const form = formTo(page, '/login/with/other/new')
      return {
        ask: () => browser.submitForm(page, form),
        // Even if the answer was lost, the account lets its person in.
        settle: async (done) => {
          const isIn = isEntered(await logIn(service, subject))
          assertDone(isIn, done)
          const owners = await store.listOwnersOfEmail(`${subject}@example.net`, 2)
          assert.equal(owners.length, isIn ? 1 : 0)
        },
      }
    },
    isEntered,
  )

  return [link, unlink, enter, meet, create]
}
