/** The first request is decided and answered: no page on the way can change it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { assertOnPage, enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { challenge } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { formBody, start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

let operator: Operator
let victim: Browser
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  victim = await enter(service)
})

const foreign = 'it belongs to another browser, was changed, or cookies are off'
const otherCallback = 'https://app.example/other'

const createClient = async () => {
  const { body } = await operator('POST', 'clients', { redirect_uris: [callback, otherCallback] })
  return body as { client_id: string; client_secret: string }
}

const requestOf = (client_id: string) => ({ ...codeRequest, client_id, scope: 'photos:read' })

/** Everything that a request says, said otherwise. */
const otherwise = {
  response_type: 'token',
  client_id: 'gallery',
  redirect_uri: otherCallback,
  scope: 'photos contacts',
  state: 'evil',
  code_challenge: challenge.code_challenge,
  code_challenge_method: 'plain',
  prompt: 'none',
  response_mode: 'fragment',
  resource: 'https://else.example',
  approved: 'true',
}

/** Without `client_id`, with which a request begins anew. */
const { client_id: _, ...more } = otherwise
const extra = formBody(more)

/** A consent page for a client of this test's own. */
const openConsent = async () => {
  const client = await createClient()
  const page = await victim.go(authorizePath(requestOf(client.client_id)))
  const [form] = formsOf(page.text)
  assert.ok(form)
  return { client, page, form }
}

const authorizationsOf = async (clientId: string) =>
  (await operator('GET', `authorizations?client=${clientId}`)).body.items

describe('A-22: fields that are added', () => {
  test('to the consent form, to its address and to the way on: the request stays as it was', async () => {
    const { client, form } = await openConsent()
    const fields = { ...otherwise, ...form.fields, decision: 'allow' }
    const decided = await victim.ask(`/consent?${extra}`, fields)
    assert.equal(decided.status, 303)
    const page = await victim.ask(`${decided.headers.get('location')}&${extra}`)
    const { code = '', ...rest } = sentTo(page, `${callback}?`)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    const { body } = await redeem(service, code, [client.client_id, client.client_secret])
    assert.equal(body.scope, 'photos:read')
  })

  test('to the login form, to its address and to the way on', async () => {
    const client = await createClient()
    const browser = new Browser(service)
    const login = await browser.go(authorizePath(requestOf(client.client_id)))
    const [form] = formsOf(login.text)
    const who = { username: 'alice', password: 'wonderland' }
    const entered = await browser.ask(`/login?${extra}`, { ...otherwise, ...form?.fields, ...who })
    const consent = await browser.go(`${entered.headers.get('location')}&${extra}`)
    const boxes = formsOf(consent.text)[0]?.fields.permission
    assert.deepEqual(boxes, ['photos:read'])
    const page = await browser.submit(consent, { decision: 'allow' })
    assert.equal(sentTo(page, `${callback}?`).state, 'xyz')
  })
})

test('A-22: a whole request beside a journey is a request of its own', async () => {
  const { client, form } = await openConsent()
  const journey = form.fields.journey?.[0] ?? ''
  const other = (await createClient()).client_id
  const page = await victim.go(`${authorizePath(requestOf(other))}&journey=${journey}`)
  assert.notEqual(formsOf(page.text)[0]?.fields.journey?.[0], journey)
  await victim.submit(page, { decision: 'allow' })
  const lengths = [client.client_id, other].map(async (id) => (await authorizationsOf(id)).length)
  assert.deepEqual(await Promise.all(lengths), [0, 1])
})

describe('A-22: the journey that pages carry', () => {
  test('takes no change of a single character, in any form', async () => {
    const { client, form } = await openConsent()
    const journey = form.fields.journey?.[0] ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const changes = fc.record({
      at: fc.integer({ min: 0, max: journey.length - 1 }),
      by: fc.constantFrom(...alphabet, '', '=', '~', '.'),
    })
    await fc.assert(
      fc.asyncProperty(changes, async ({ at, by }) => {
        const changed = journey.slice(0, at) + by + journey.slice(at + 1)
        fc.pre(changed !== journey)
        assertOnPage(await victim.ask(`/consent?${formBody({ journey: changed })}`), foreign)
        assertOnPage(await victim.ask(`/authorize?${formBody({ journey: changed })}`), foreign)
        const fields = { ...form.fields, journey: changed, decision: 'allow' }
        assertOnPage(await victim.ask('/consent', fields), foreign)
      }),
      { numRuns: 60 },
    )
    assert.deepEqual(await authorizationsOf(client.client_id), [])
  })

  test('cannot be written anew around its seal', async () => {
    const { client, form } = await openConsent()
    const journey = form.fields.journey?.[0] ?? ''
    const body = Buffer.from(journey.slice(0, -43), 'base64url').toString()
    assert.ok(body.includes('photos%3Aread'))
    const greedy = Buffer.from(body.replace('photos%3Aread', 'photos')).toString('base64url')
    const decided = Buffer.from(body.replace('"decision":null', '"decision":{}')).toString(
      'base64url',
    )
    for (const forged of [greedy, decided]) {
      const page = await victim.ask(`/authorize?journey=${forged}${journey.slice(-43)}`)
      assertOnPage(page, foreign)
    }
    assert.deepEqual(await authorizationsOf(client.client_id), [])
  })

  test('of one request is not that of another: each is answered by itself', async () => {
    const [first, second] = [await openConsent(), await openConsent()]
    const journey = second.form.fields.journey ?? []
    const page = await victim.submit(first.page, { journey, decision: 'allow' })
    assert.ok(answerOf(page).code)
    assert.deepEqual(await authorizationsOf(first.client.client_id), [])
    const { length } = await authorizationsOf(second.client.client_id)
    assert.equal(length, 1)
  })

  test('is needed', async () => {
    const { client, form } = await openConsent()
    for (const journey of [[], '', 'x', form.fields.csrf ?? '']) {
      const fields = { ...form.fields, journey, decision: 'allow' }
      assertOnPage(await victim.ask('/consent', fields), foreign)
    }
    assert.deepEqual(await authorizationsOf(client.client_id), [])
  })

  test('comes once', async () => {
    const { form } = await openConsent()
    const journey = form.fields.journey?.[0] ?? ''
    const fields = { ...form.fields, journey: ['x', journey], decision: 'allow' }
    assertOnPage(await victim.ask('/consent', fields), foreign)
  })
})

describe('what the consent form may say', () => {
  const wrong = {
    'a permission that was not asked': { permission: ['photos:read', 'photos:write'] },
    'no permission that there is': { permission: ['photos:read', 'admin'] },
    "an operator's permission": { permission: 'clients:write' },
    'a duration that there is not': { duration: 'always' },
    'no decision': { decision: [] },
    'another decision': { decision: 'ALLOW' },
  } as const
  const said = 'the form does not fit what the application asked for'
  for (const [name, changes] of Object.entries(wrong)) {
    test(`SC-09: not ${name}`, async () => {
      const { client, form } = await openConsent()
      const fields = { ...form.fields, decision: 'allow', ...changes }
      assertOnPage(await victim.ask('/consent', fields), said)
      assert.deepEqual(await authorizationsOf(client.client_id), [])
    })
  }
})

describe('what changes on our side while the owner decides', () => {
  const allow = async (change: (path: string) => Promise<unknown>) => {
    const { client, page } = await openConsent()
    await change(`clients/${client.client_id}`)
    return { client, page: await victim.submit(page, { decision: 'allow' }) }
  }

  test('R-08: a redirect URI that is registered no more is not sent to', async () => {
    const { page } = await allow((path) =>
      operator('PATCH', path, { redirect_uris: [otherCallback] }),
    )
    assertOnPage(page, 'redirect_uri is not registered for this client')
  })

  test('a client that is disabled or deleted gets nothing', async () => {
    for (const change of [
      (path: string) => operator('PATCH', path, { disabled: true }),
      (path: string) => operator('DELETE', path),
    ]) {
      const { client, page } = await allow(change)
      assertOnPage(page, 'client_id names no client of this service')
      assert.deepEqual((await authorizationsOf(client.client_id)) ?? [], [])
    }
  })

  test('what the client may ask for no more is not granted', async () => {
    const { page } = await allow((path) => operator('PATCH', path, { scope: 'contacts' }))
    assert.equal(sentTo(page, `${callback}?`).error, 'invalid_scope')
  })

  test('a response type that it may use no more is not answered', async () => {
    const { page } = await allow((path) =>
      operator('PATCH', path, { grant_types: ['client_credentials'] }),
    )
    assert.equal(sentTo(page, `${callback}?`).error, 'unauthorized_client')
  })

  test('a client that became public has to use PKCE at once', async () => {
    const { page } = await allow((path) =>
      operator('PATCH', path, { token_endpoint_auth_method: 'none' }),
    )
    assert.equal(sentTo(page, `${callback}?`).error, 'invalid_request')
  })
})
