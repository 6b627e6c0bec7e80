/** What people ask of the pages. */
import assert from 'node:assert/strict'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { Browser } from '../support/browser.ts'
import { galleryCallback } from '../support/gallery.ts'
import { newPerson, newVisitor, password } from '../support/people.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { push, pushedPath, tryPush } from '../support/pushing.ts'
import {
  assertDone,
  isActive,
  newCode,
  newTokens,
  type Operation,
  operation,
  reading,
  refresh,
} from './operation.ts'

const logIn = operation('log in', 'startSession', async (service) => {
  const { id, username, operator } = await newPerson(service)
  const browser = new Browser(service)
  const page = await browser.go('/login')
  return {
    ask: () => browser.submit(page, { username, password }),
    settle: async (done) => {
      const { body } = await operator('GET', `events?owner=${id}`)
      const types = body.items.map(({ type }: { type: string }) => type)
      assertDone(types.includes('login.succeeded'), done)
      const fresh = new Browser(service)
      const inside = await fresh.logIn(await fresh.go('/login'), username, password)
      assert.equal(inside.status, 200)
    },
  }
})

const logInWrongly = operation(
  'log in wrongly',
  'appendEvent',
  async (service) => {
    const { username } = await newPerson(service)
    const browser = new Browser(service)
    const page = await browser.go('/login')
    return {
      ask: () => browser.submit(page, { username, password: 'a wrong one' }),
      settle: async () => assert.equal(browser.cookies.has('latchkey_session'), false),
    }
  },
  ({ status }) => status === 403,
)

const endLogin = operation('log out', 'endSession', async (service) => {
  const { browser } = await newVisitor(service)
  const session = browser.cookies.get('latchkey_session') ?? ''
  const page = await browser.go('/logout')
  return {
    ask: () => browser.submit(page),
    settle: async (done) => {
      const stolen = new Browser(service)
      stolen.cookies.set('latchkey_session', session)
      assertDone((await stolen.ask('/account')).status === 303, done)
    },
  }
})

/** Other nodes send the notices if this one cannot. */
const logOut: Operation = { ...endLogin, doesWithout: 'claimLogoutNotices' }

const seePages = ['/login', '/logout', '/account'].map((path) =>
  reading(`see ${path}`, async (service) => {
    const { browser } = await newVisitor(service)
    return () => browser.ask(path)
  }),
)

/** Noted uses are written first; if that fails, the page is shown without them. */
const seeUses: Operation = {
  ...reading('see uses', async (service) => {
    const { access_token, username } = await newTokens(service)
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), username, password)
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await service.ask('/api/photos', { headers })).status, 200)
    return () => browser.ask('/account')
  }),
  doesWithout: 'recordUses',
}

const seeConsentPage = reading('see consent', async (service) => {
  const { browser } = await newVisitor(service)
  return () => browser.go(authorizePath(codeRequest))
})

const askSilently = reading(
  'ask without a login or a page',
  async (service) => () => service.ask(authorizePath({ ...codeRequest, prompt: 'none' })),
  ({ headers }) => assert.match(headers.get('location') ?? '', /error=login_required/),
  ({ status, headers }) => status < 400 && !/error=temporarily/.test(headers.get('location') ?? ''),
)

/** There is none: a fault must not look like that. */
const seeLogo = reading(
  'see the logo of a client',
  async (service) => () => service.ask('/assets/client-logo?client_id=gallery&version=x'),
  () => {},
  ({ status }) => status === 404,
)

const consent = operation('consent', 'approve', async (service) => {
  const { id, operator, browser } = await newVisitor(service)
  const page = await browser.go(authorizePath(codeRequest))
  const ask = () => browser.submit(page, { decision: 'allow' })
  return {
    ask,
    settle: async (done) => {
      const { body } = await operator('GET', `authorizations?owner=${id}`)
      assertDone(body.items.length === 1, done)
      const again = await ask()
      assert.equal(again.status, 302, again.text)
      const list = await operator('GET', `authorizations?owner=${id}`)
      assert.equal(list.body.items.length, 1)
    },
  }
})

const deny = reading('deny', async (service) => {
  const { browser } = await newVisitor(service)
  const page = await browser.go(authorizePath(codeRequest))
  return () => browser.submit(page, { decision: 'deny' })
})

/** The claim comes before the answer: a fault may cost the request, and never answers it twice. */
const denyPushed = operation('deny a pushed request', 'finishCeremony', async (service) => {
  const { browser } = await newVisitor(service)
  const uri = await push(service, { ...codeRequest, prompt: 'consent' })
  const page = await browser.go(pushedPath(uri))
  return {
    ask: () => browser.submit(page, { decision: 'deny' }),
    settle: async (done) => {
      const { status } = await new Browser(service).ask(pushedPath(uri))
      assertDone(status === 400, done)
    },
  }
})

const pushRequest = reading(
  'push a request',
  async (service) => () => tryPush(service),
  ({ body }) => assert.equal(body.expires_in, 60),
)

const authorizeAgain = reading(
  'remembered consent',
  async (service) => {
    const { browser } = await newCode(service)
    return () => browser.go(authorizePath(codeRequest))
  },
  ({ headers }) => assert.ok(headers.get('location')?.startsWith(`${callback}?code=`)),
)

const logInAtClient = operation('log in at a client', 'noteClientLogin', async (service) => {
  const { body } = await service.ask('/register', {
    json: {
      redirect_uris: [callback],
      grant_types: ['implicit'],
      response_types: ['id_token'],
      backchannel_logout_uri: 'https://app.example/logout',
    },
  })
  const request = { client_id: body.client_id, redirect_uri: callback, nonce: 'n' }
  const query = { ...request, response_type: 'id_token', scope: 'openid' }
  const openConsent = async () => {
    const { browser } = await newVisitor(service)
    const page = await browser.go(authorizePath(query))
    return () => browser.submit(page, { decision: 'allow' })
  }
  // Only the first signature writes something about its key.
  await (await openConsent())()
  return {
    ask: await openConsent(),
    settle: async (_done, answers) => {
      for (const { headers } of answers) {
        const location = headers.get('location')
        if (location !== null) assert.match(location, /#id_token=/)
      }
    },
  }
})

const implicitRequest = {
  response_type: 'token',
  client_id: 'gallery',
  redirect_uri: galleryCallback,
  state: 'xyz',
}

const implicit = operation('implicit', 'startFamily', async (service) => {
  const { browser } = await newVisitor(service)
  const page = await browser.go(authorizePath(implicitRequest))
  const ask = () => browser.submit(page, { decision: 'allow' })
  return {
    ask,
    settle: async (_done, answers) => {
      for (const { headers } of answers) {
        const location = headers.get('location')
        if (location === null) continue
        const token = new URLSearchParams(new URL(location).hash.slice(1)).get('access_token')
        const bearer = { authorization: `Bearer ${token}` }
        assert.equal((await service.ask('/api/photos', { headers: bearer })).status, 200)
      }
    },
  }
})

const changeAccount = (action: 'narrow' | 'end') =>
  operation(
    `${action} on the account page`,
    action === 'end' ? 'endAuthorization' : 'narrowAuthorization',
    async (service) => {
      const { access_token, refresh_token, username } = await newTokens(service)
      const browser = new Browser(service)
      await browser.logIn(await browser.go('/login'), username, password)
      const page = await openAccess(browser)
      const [form] = accessFormsOn(page)
      assert.ok(form)
      const headers = { authorization: `Bearer ${access_token}` }
      return {
        ask: () => browser.submitForm(page, form, { action, permission: ['photos:read'] }),
        settle: async (done) => {
          const { status } = await service.ask('/api/contacts', { headers })
          assertDone(status === (action === 'end' ? 401 : 403), done)
          const photos = await service.ask('/api/photos', { headers })
          if (action === 'narrow') assert.equal(photos.status, 200)
          else assertDone(!(await isActive(service, access_token)), done)
          const refreshed = await refresh(service, refresh_token)
          if (action === 'end') assertDone(refreshed.status === 400, done)
          else if (done === true) assert.equal(refreshed.body.scope, 'photos:read')
        },
      }
    },
  )

export const pageOperations: readonly Operation[] = [
  logIn,
  logInWrongly,
  logOut,
  ...seePages,
  seeUses,
  seeConsentPage,
  askSilently,
  seeLogo,
  consent,
  deny,
  denyPushed,
  pushRequest,
  authorizeAgain,
  implicit,
  logInAtClient,
  changeAccount('narrow'),
  changeAccount('end'),
]
