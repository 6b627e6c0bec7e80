/** Attacks on grants: their ids are public, so an id alone opens nothing (Grant Management section 10). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { exchanged, exchangeGrant, letAct } from '../support/exchange.ts'
import { type Managing, manageGrants, registerManaging } from '../support/grants.ts'
import { jwtBearerType, openCompany } from '../support/issuers.ts'
import { authorizePath, callback, walk } from '../support/printing.ts'
import { tryPush } from '../support/pushing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, redeem, use } from '../support/tokens.ts'

let client: Managing
let thief: Managing
const service = startBefore(undefined, async () => {
  client = await registerManaging(service)
  thief = await registerManaging(service, { client_name: 'Thief' })
})

const create = { grant_management_action: 'create' }
const unknown = 'grant_id is unknown, has ended, or is a grant of another client or person'

/** The grant of the client is as it was before the attack. */
const assertUntouched = async ({ grant_id, access_token }: Record<string, string>) => {
  const { status, body } = await client.query(grant_id ?? '')
  assert.equal(status, 200)
  assert.deepEqual(body.scopes, [
    { scope: 'photos:read', resource: [`${service.issuer}/api/photos`] },
  ])
  assert.equal(await use(service, access_token ?? ''), 200)
}

describe('another client that knows the id', () => {
  test('cannot see or end the grant: it looks like one that never was', async () => {
    const granted = await client.obtain(create)
    const answers = await Promise.all(
      [granted.grant_id, '01k3zzzzzzzzzzzzzzzzzzzzzz', 'x', '%00', '..%2Ftoken'].flatMap((id) => [
        thief.query(id),
        thief.revoke(id),
      ]),
    )
    for (const { status, body } of answers) {
      assert.equal(status, 404)
      const said = { error: 'not_found', error_description: 'the client has no such grant' }
      assert.deepEqual(body, said)
    }
    await assertUntouched(granted)
  })

  test('cannot name it in a request, not even before a login', async () => {
    const granted = await client.obtain(create)
    for (const action of ['update', 'merge', 'replace']) {
      const named = { grant_management_action: action, grant_id: granted.grant_id }
      const browser = await enter(service)
      await thief.obtain(create, {}, browser)
      const answer = await thief.answer(named, {}, browser)
      assert.deepEqual([answer.error, answer.error_description], ['invalid_grant_id', unknown])
      const pushed = await tryPush(service, thief.request(named), thief.credentials)
      assert.equal(pushed.body.error, 'invalid_grant_id')
    }
    await assertUntouched(granted)
  })
})

describe('what is no grant', () => {
  /** The newest authorization of a client, as the operator lists it. */
  const newestOf = async (operator: Operator, id: string) => {
    const { body } = await operator('GET', `authorizations?client=${id}`)
    return body.items[0]
  }

  const assertNoGrant = async (managing: Managing, id: string) => {
    for (const ask of [managing.query, managing.revoke]) assert.equal((await ask(id)).status, 404)
    for (const action of ['update', 'replace']) {
      const named = { grant_management_action: action, grant_id: id }
      const pushed = await tryPush(service, managing.request(named), managing.credentials)
      assertRefused(pushed, 'invalid_grant_id', unknown)
    }
  }

  const managed = {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'client_credentials', jwtBearerType, exchangeGrant],
    response_types: ['code'],
    scope: 'photos contacts grant_management_query grant_management_revoke',
  }

  test('a delegation is not managed by its client', async () => {
    const operator = await operatorOf(service)
    const made = await operator('POST', 'clients', { client_name: 'Helper', ...managed })
    const acting = [made.body.client_id, made.body.client_secret] as const
    const { access_token } = await client.obtain({})
    await letAct(operator, client.credentials[0], [acting[0]])
    const token = await exchanged(service, access_token, acting)
    const { id } = await newestOf(operator, acting[0])
    await assertNoGrant({ credentials: acting, ...manageGrants(service, acting) }, id)
    assert.equal(await use(service, token), 200)
  })

  test('what an issuer opened is not, either', async () => {
    const operator = await operatorOf(service)
    const company = await openCompany(service, operator)
    await operator('PATCH', `clients/${company.clientId}`, managed)
    const { credentials } = company
    const { body } = await company.ask(await company.assertion('alice'))
    const { id, allowed_by } = await newestOf(operator, company.clientId)
    assert.equal(allowed_by.id, company.members.id)
    await assertNoGrant({ credentials, ...manageGrants(service, credentials) }, id)
    assert.equal(await use(service, body.access_token), 200)
  })
})

describe('another person', () => {
  test('cannot widen a grant of somebody else, however the request began', async () => {
    const granted = await client.obtain(create)
    const named = {
      grant_management_action: 'update',
      grant_id: granted.grant_id,
      scope: 'contacts:read',
    }
    const bob = await enter(service, 'bob', 'builder')
    const answer = answerOf(await walk(service, client.request(named), {}, bob))
    assert.deepEqual([answer.error, answer.error_description], ['invalid_grant_id', unknown])
    await assertUntouched(granted)
  })

  test('cannot take over the consent page: a decision is of the login it was made in', async () => {
    const granted = await client.obtain(create)
    const named = { grant_management_action: 'replace', grant_id: granted.grant_id }
    const browser = await enter(service)
    const page = await browser.go(
      service.issuer + authorizePath(client.request({ ...named, scope: 'contacts:read' })),
    )
    await browser.logIn(await browser.go('/login?switch=1'), 'bob', 'builder')
    const answer = await browser.submit(page, { decision: 'allow' })
    assert.notEqual(answer.status, 200)
    await assertUntouched(granted)
  })

  test('who allows the same pushed request gets no part of the grant', async () => {
    const pushed = await tryPush(service, client.request(create), client.credentials)
    const path = authorizePath({
      client_id: client.credentials[0],
      request_uri: pushed.body.request_uri,
    })
    const alice = await enter(service)
    const bob = await enter(service, 'bob', 'builder')
    const pages = [await alice.go(path), await bob.go(path)] as const
    const { code = '' } = answerOf(await alice.submit(pages[0], { decision: 'allow' }))
    const second = await bob.submit(pages[1], { decision: 'allow' })
    assert.equal(second.status, 400)
    const { body } = await redeem(service, code, client.credentials)
    await assertUntouched(body)
  })
})

describe('a token', () => {
  const ask = (token: string, id: string, method = 'GET') =>
    service.ask(`/grants/${id}`, { method, headers: { authorization: `Bearer ${token}` } })

  test('of an owner opens no grant, whatever its scope asked', async () => {
    const scope = 'photos:read grant_management_query grant_management_revoke'
    const granted = await client.obtain({ ...create, scope })
    assert.equal(granted.scope, 'photos:read')
    for (const method of ['GET', 'DELETE']) {
      const { status, body, headers } = await ask(granted.access_token, granted.grant_id, method)
      assert.equal(status, 403)
      assert.equal(body.error, 'insufficient_scope')
      assert.match(headers.get('www-authenticate') ?? '', /scope="grant_management_/)
    }
    await assertUntouched(granted)
  })

  test('with one of the two permissions does only that', async () => {
    const granted = await client.obtain(create)
    const rows = [
      ['grant_management_query', 'DELETE'],
      ['grant_management_revoke', 'GET'],
    ] as const
    for (const [scope, method] of rows) {
      const form = { grant_type: 'client_credentials', scope }
      const { body } = await service.post('/token', form, client.credentials)
      assert.equal(body.scope, scope)
      assert.equal((await ask(body.access_token, granted.grant_id, method)).status, 403)
    }
    await assertUntouched(granted)
  })

  test('for another API opens none', async () => {
    const granted = await client.obtain(create)
    const form = {
      grant_type: 'client_credentials',
      scope: 'grant_management_query photos:read',
      resource: `${service.issuer}/api/photos`,
    }
    const { body } = await service.post('/token', form, client.credentials)
    assert.equal(body.scope, 'photos:read')
    assert.equal((await ask(body.access_token, granted.grant_id)).status, 401)
  })

  test('that is missing or wrong is invalid_token', async () => {
    const granted = await client.obtain(create)
    const none = await service.ask(`/grants/${granted.grant_id}`)
    assert.equal(none.status, 401)
    const wrong = await ask('lk_at_x', granted.grant_id)
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_token'])
    const inQuery = await service.ask(`/grants/${granted.grant_id}?access_token=lk_at_x`)
    assert.equal(inQuery.status, 401)
  })

  test('may be got by registration alone: no client gets a permission it did not register', async () => {
    const form = { grant_type: 'client_credentials', scope: 'grant_management_revoke' }
    const { body } = await service.post('/token', form, ['nightly-report', 'nightly-report-secret'])
    assert.equal(body.error, 'invalid_scope')
  })
})

describe('a code from before the grant changed', () => {
  test('earns nothing, and a form sent late brings nothing back', async () => {
    const browser = await enter(service)
    const granted = await client.obtain(create, {}, browser)
    const named = { grant_management_action: 'update', grant_id: granted.grant_id }
    const late = await browser.go(
      service.issuer + authorizePath(client.request({ ...named, scope: 'contacts:read' })),
    )
    const { code = '' } = await client.answer(named, {}, browser)
    await client.answer({ ...named, grant_management_action: 'replace' }, {}, browser)
    const { body } = await redeem(service, code, client.credentials)
    assert.equal(body.error, 'invalid_grant')
    await client.revoke(granted.grant_id)
    const answer = await browser.submit(late, { decision: 'allow' })
    assert.equal(answerOf(answer).error, 'invalid_grant_id')
    assert.equal((await client.query(granted.grant_id)).status, 404)
  })
})

test('a grant that nobody may see says nothing of whether its owner is here', async () => {
  const granted = await client.obtain(create)
  const named = { grant_management_action: 'update', grant_id: granted.grant_id, prompt: 'none' }
  const stranger = answerOf(await walk(service, client.request(named), {}, new Browser(service)))
  assert.equal(stranger.error, 'login_required')
  const alice = answerOf(await walk(service, client.request(named), {}, await enter(service)))
  assert.equal(alice.error, 'consent_required')
})
