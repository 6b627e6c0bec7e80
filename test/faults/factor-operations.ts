/** Requests of owners to the pages of second factors. */
import assert from 'node:assert/strict'
import { type Asked as AskedPasskey, Authenticator, askedOn } from '../support/authenticator.ts'
import { Browser, formsOf, type Page, type Reachable } from '../support/browser.ts'
import { codeAt, formWith, makeRecoveryCodes, requirePasskey } from '../support/factors.ts'
import { newVisitor, type Person, password } from '../support/people.ts'
import { assertDone, type Operation, operation } from './operation.ts'

/** A passkey belongs to the name of this machine, not to its address. */
const originOf = ({ issuer }: Reachable): string => issuer.replace('127.0.0.1', 'localhost')

const send = (browser: Browser, { page, form }: AskedPasskey, credential: string) =>
  browser.submitForm(page, form, { credential })

interface Owner extends Person {
  readonly browser: Browser
  readonly device: Authenticator
}

const seeSecurity = async (service: Reachable, browser: Browser, part = ''): Promise<Page> => {
  const page = await browser.ask(`${originOf(service)}/account/security${part}`)
  assert.equal(page.status, 200, page.text)
  return page
}

const newOwner = async (service: Reachable): Promise<Owner> => {
  const visitor = await newVisitor(service)
  return { ...visitor, device: new Authenticator(originOf(service)) }
}

const newOwnerWithPasskey = async (service: Reachable): Promise<Owner> => {
  const owner = await newOwner(service)
  const asked = askedOn(await seeSecurity(service, owner.browser, '/passkeys'))
  assert.equal((await send(owner.browser, asked, owner.device.create(asked))).status, 303)
  return owner
}

const addPasskey = operation('add a passkey', 'addPasskey', async (service) => {
  const { browser, device } = await newOwner(service)
  const asked = askedOn(await seeSecurity(service, browser, '/passkeys'))
  const credential = device.create(asked)
  return {
    ask: () => send(browser, asked, credential),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser, '/passkeys')
      assertDone(text.includes('remove_passkey'), done)
    },
  }
})

const removePasskey = operation('remove a passkey', 'removePasskey', async (service) => {
  const { browser } = await newOwnerWithPasskey(service)
  const page = await browser.go('/account/security/passkeys')
  const form = formWith(page, 'passkey')
  return {
    ask: () => browser.submitForm(page, form),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser, '/passkeys')
      assertDone(!text.includes('remove_passkey'), done)
    },
  }
})

/** When a page was shown (unix seconds), as it says for those who print it. */
const shownAt = ({ text }: Page): number => {
  const [, at = ''] = /class="on-paper">.*?datetime="([^"]+)"/.exec(text) ?? []
  return Date.parse(at) / 1000
}

const setUp = async (browser: Browser) => {
  const at = shownAt(await browser.go('/account/security'))
  const page = await browser.go('/account/security/codes')
  const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page.text) ?? []
  const code = codeAt(secret, at)
  return () => browser.submitForm(page, formWith(page, 'code'), { code })
}

const setOneTimeCodes = operation('set up one-time codes', 'setOneTimeCodes', async (service) => {
  // A process reads the key behind recovery codes once, and the answer shows such codes.
  await (await newOwnerWithPasskey(service)).browser.go('/account/security/recovery')
  const { browser } = await newOwner(service)
  return {
    ask: await setUp(browser),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser)
      assertDone(text.includes('Asked after your password'), done)
    },
  }
})

const removeOneTimeCodes = operation(
  'remove one-time codes',
  'removeOneTimeCodes',
  async (service) => {
    const { browser } = await newOwner(service)
    await (await setUp(browser))()
    const page = await browser.go('/account/security/codes')
    return {
      ask: () => browser.submitForm(page, formWith(page, 'action')),
      settle: async (done) => {
        const { text } = await seeSecurity(service, browser)
        assertDone(!text.includes('Asked after your password'), done)
      },
    }
  },
)

const setRecoveryCodes = operation('keep recovery codes', 'setRecoveryCodes', async (service) => {
  const { browser } = await newOwnerWithPasskey(service)
  const page = await browser.go('/account/security/recovery')
  return {
    ask: () => browser.submit(page),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser)
      assertDone(text.includes('>10 of 10 left<'), done)
    },
  }
})

const setRecoveryCodesAgain = operation(
  'keep recovery codes of which the answer got lost',
  'setRecoveryCodes',
  async (service) => {
    const { browser } = await newOwnerWithPasskey(service)
    const page = await browser.go('/account/security/recovery')
    await browser.submit(page)
    return {
      ask: () => browser.submit(page),
      settle: async () => {
        const { text } = await seeSecurity(service, browser)
        assert.match(text, />10 of 10 left</)
      },
    }
  },
)

const confirm = (by: 'password' | 'passkey') =>
  operation(`confirm a login by ${by}`, 'confirmSession', async (service) => {
    const { browser, device } = await newOwnerWithPasskey(service)
    const page = await browser.ask(`${originOf(service)}/account/confirm?next=security%2Frecovery`)
    const asked = askedOn(page)
    const credential = device.get(asked)
    return {
      ask: () =>
        by === 'passkey'
          ? send(browser, asked, credential)
          : browser.submitForm(page, formWith(page, 'password'), { password }),
      settle: async () => {
        assert.equal((await browser.ask('/account')).status, 200)
      },
    }
  })

const logInWithPasskey = operation('log in with a passkey', 'startSession', async (service) => {
  const { id, operator, device } = await newOwnerWithPasskey(service)
  const browser = new Browser(service)
  const asked = askedOn(await browser.ask(`${originOf(service)}/login`))
  const credential = device.get(asked)
  const logins = async (): Promise<number> => {
    const { body } = await operator('GET', `events?owner=${id}`)
    const types: readonly string[] = body.items.map(({ type }: { type: string }) => type)
    return types.filter((type) => type === 'login.succeeded').length
  }
  return {
    ask: () => send(browser, asked, credential),
    // However often it was asked, the signature has logged in once or never.
    settle: async (done) => {
      const count = await logins()
      assertDone(count === 2, done)
      assert.ok(count <= 2, String(count))
    },
  }
})

const useRecoveryCode = operation(
  'log in with a recovery code',
  'startSession',
  async (service) => {
    const { username, browser: earlier } = await newOwnerWithPasskey(service)
    const [code = ''] = await requirePasskey(earlier)
    const browser = new Browser(service)
    const page = await browser.logIn(await browser.go('/login'), username, password)
    return {
      ask: () => browser.submitForm(page, formWith(page, 'recovery_code'), { recovery_code: code }),
      settle: async (done) => {
        const { text } = await seeSecurity(service, earlier)
        assertDone(text.includes('>9 of 10 left<'), done)
      },
    }
  },
)

const showWrongCode = operation(
  'show a wrong recovery code',
  'appendEvent',
  async (service) => {
    const { username, browser: earlier } = await newOwnerWithPasskey(service)
    await requirePasskey(earlier)
    const browser = new Browser(service)
    const page = await browser.logIn(await browser.go('/login'), username, password)
    return {
      ask: () => browser.submitForm(page, formWith(page, 'recovery_code'), { recovery_code: 'x' }),
      settle: async () => assert.equal(browser.cookies.has('latchkey_session'), false),
    }
  },
  ({ status }) => status === 403,
)

const setPasskeyOnly = operation('require a passkey', 'setPasskeyOnly', async (service) => {
  const { browser } = await newOwnerWithPasskey(service)
  await makeRecoveryCodes(browser)
  const page = await browser.go('/account/security/passkeys')
  const form = formsOf(page.text).find(({ fields }) => fields.action?.[0] === 'passkey_only_on')
  assert.ok(form)
  return {
    ask: () => browser.submitForm(page, form),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser, '/passkeys')
      assertDone(text.includes('passkey_only_off'), done)
    },
  }
})

const resetFactors = operation('reset factors', 'resetFactors', async (service) => {
  const { id, operator, browser } = await newOwnerWithPasskey(service)
  return {
    ask: () => operator('DELETE', `owners/${id}/factors`),
    settle: async (done) => {
      const { text } = await seeSecurity(service, browser, '/passkeys')
      assertDone(!text.includes('remove_passkey'), done)
    },
  }
})

export const factorOperations: readonly Operation[] = [
  addPasskey,
  removePasskey,
  setOneTimeCodes,
  removeOneTimeCodes,
  setRecoveryCodes,
  setRecoveryCodesAgain,
  setPasskeyOnly,
  confirm('password'),
  confirm('passkey'),
  logInWithPasskey,
  useRecoveryCode,
  showWrongCode,
  resetFactors,
]
