/** Grant management: a client begins, changes, sees and gives back grants. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { enter } from '../support/authorization.ts'
import { tryBackchannel } from '../support/backchannel.ts'
import { answerOf } from '../support/browser.ts'
import { rent, startWithDetails } from '../support/details.ts'
import { tryDevice } from '../support/devices.ts'
import { orders } from '../support/elsewhere.ts'
import { type Managing, manageGrants, registerManaging } from '../support/grants.ts'
import { newVisitor } from '../support/people.ts'
import { assertPlaced } from '../support/placed.ts'
import { walk } from '../support/printing.ts'
import { goPushed, push, tryPush } from '../support/pushing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, redeem, refresh, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

let client: Managing
const service = startBefore(startWithDetails, async () => {
  client = await registerManaging(service)
})

const create = { grant_management_action: 'create' }

/** The names in the scopes of a grant, as its client sees them. */
const namesOf = async (id: string): Promise<string> => {
  const { status, body } = await client.query(id)
  assert.equal(status, 200)
  return body.scopes.map(({ scope }: { scope: string }) => scope).join(' ')
}

test('the metadata name the endpoint and the actions', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  assert.equal(body.grant_management_endpoint, `${service.issuer}/grants`)
  const actions = ['create', 'update', 'merge', 'replace', 'query', 'revoke']
  assert.deepEqual(body.grant_management_actions_supported, actions)
})

describe('the token response', () => {
  test('has grant_id with an action alone, and so has a refresh', async () => {
    const ordinary = await client.obtain({})
    assert.equal('grant_id' in ordinary, false)
    const granted = await client.obtain(create)
    assert.match(granted.grant_id, /^[0-9a-z]{26}$/)
    const refreshed = await refresh(service, granted.refresh_token, client.credentials)
    assert.equal(refreshed.body.grant_id, granted.grant_id)
  })

  test('has it after a pushed request, too', async () => {
    const uri = await push(service, client.request(create), client.credentials)
    const browser = await enter(service)
    const page = await goPushed(browser, uri, client.credentials[0])
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    const { body } = await redeem(service, code, client.credentials)
    assert.equal(await namesOf(body.grant_id), 'photos:read')
  })
})

describe('create', () => {
  test('begins a grant beside earlier ones, each with an end of its own', async () => {
    const first = await client.obtain(create, { duration: 'day' })
    const second = await client.obtain(
      { ...create, scope: 'contacts:read' },
      { duration: 'forever' },
    )
    assert.notEqual(first.grant_id, second.grant_id)
    assert.equal(first.authorization_expires_in, 86_400)
    assert.equal('authorization_expires_in' in second, false)
    assert.equal(await namesOf(first.grant_id), 'photos:read')
    assert.equal(await namesOf(second.grant_id), 'contacts:read')
    assert.equal(await use(service, first.access_token), 200)
  })

  test('asks the owner, whatever was allowed before', async () => {
    const browser = await enter(service)
    await client.obtain(create, {}, browser)
    const page = await browser.go(service.issuer + pathOf(create))
    assert.match(page.url, /\/consent\?/)
    const { error } = await client.answer({ ...create, prompt: 'none' }, {}, browser)
    assert.equal(error, 'consent_required')
  })

  test('allowed twice on one page, begins one grant', async () => {
    const operator = await operatorOf(service)
    const list = async (): Promise<readonly string[]> => {
      const { body } = await operator('GET', `authorizations?client=${client.credentials[0]}`)
      return body.items.map(({ id }: { id: string }) => id)
    }
    const earlier = await list()
    const browser = await enter(service)
    const page = await browser.go(service.issuer + pathOf(create))
    await browser.submit(page, { decision: 'allow' })
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    const { body } = await redeem(service, code, client.credentials)
    const begun = (await list()).filter((id) => !earlier.includes(id))
    assert.deepEqual(begun, [body.grant_id])
  })
})

const pathOf = (changes: Readonly<Record<string, string>>): string =>
  `/authorize?${new URLSearchParams(client.request(changes) as Record<string, string>)}`

for (const action of ['update', 'merge']) {
  test(`${action} merges into the named grant what its owner allows`, async () => {
    const first = await client.obtain(create)
    const other = await client.obtain(create)
    const changed = await client.obtain({
      grant_management_action: action,
      grant_id: first.grant_id,
      scope: 'contacts:read',
    })
    assert.equal(changed.grant_id, first.grant_id)
    assert.equal(changed.scope, 'contacts:read photos:read')
    assert.equal(await namesOf(first.grant_id), 'contacts:read photos:read')
    assert.equal(await namesOf(other.grant_id), 'photos:read')
    assert.equal(await use(service, changed.access_token), 200)
    assert.equal(await use(service, other.access_token), 200)
  })
}

describe('a change', () => {
  test('shows its owner all of the grant, with the new end for all of it', async () => {
    const { grant_id } = await client.obtain(create, { duration: 'day' })
    const update = { grant_management_action: 'update', grant_id, scope: 'contacts:read' }
    const browser = await enter(service)
    const page = await browser.go(service.issuer + pathOf(update))
    const boxes = [...page.text.matchAll(/name="permission" value="([^"]+)"/g)]
    assert.deepEqual(boxes.map(([, name]) => name).toSorted(), ['contacts:read', 'photos:read'])
    const decided = { decision: 'allow', permission: 'contacts:read', duration: 'month' }
    assert.ok('code' in answerOf(await browser.submit(page, decided)))
    assert.equal(await namesOf(grant_id), 'contacts:read')
  })

  test('ends the tokens from before, which the new ones replace', async () => {
    const first = await client.obtain(create)
    const named = { grant_management_action: 'replace', grant_id: first.grant_id }
    const changed = await client.obtain(named)
    assert.equal(await use(service, first.access_token), 401)
    const { body } = await refresh(service, first.refresh_token, client.credentials)
    assert.equal(body.error, 'invalid_grant')
    assert.equal(await use(service, changed.access_token), 200)
  })

  test('that its owner denies changes nothing', async () => {
    const first = await client.obtain(create)
    const named = {
      grant_management_action: 'replace',
      grant_id: first.grant_id,
      scope: 'calendar:read',
    }
    const { error } = await client.answer(named, { decision: 'deny' })
    assert.equal(error, 'access_denied')
    assert.equal(await namesOf(first.grant_id), 'photos:read')
    assert.equal(await use(service, first.access_token), 200)
  })
})

test('replace leaves in the grant what its owner allows now, and nothing else', async () => {
  const first = await client.obtain({ ...create, scope: 'photos:read photos:write' })
  const other = await client.obtain({ ...create, scope: 'photos:write' })
  const changed = await client.obtain({
    grant_management_action: 'replace',
    grant_id: first.grant_id,
    scope: 'contacts:read photos:read',
  })
  assert.equal(changed.grant_id, first.grant_id)
  assert.equal(await namesOf(first.grant_id), 'contacts:read photos:read')
  assert.equal(await namesOf(other.grant_id), 'photos:write')
})

describe('GET /grants/{grant_id}', () => {
  test('tells scopes by API, claims and details', async () => {
    const { grant_id } = await client.obtain({
      ...create,
      scope: 'openid email photos:read photos:write orders:read',
      authorization_details: JSON.stringify([rent]),
    })
    const { status, headers, body } = await client.query(grant_id)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.deepEqual(body, {
      scopes: [
        { scope: 'email openid' },
        { scope: 'orders:read', resource: [orders] },
        { scope: 'photos:read photos:write', resource: [`${service.issuer}/api/photos`] },
      ],
      claims: ['email', 'email_verified'],
      authorization_details: [rent],
    })
  })

  test('merges details, and replaces them', async () => {
    const details = (...some: readonly object[]) => ({
      authorization_details: JSON.stringify(some),
    })
    const { grant_id } = await client.obtain({ ...create, ...details(rent) })
    const coal = { ...rent, to: 'Coal merchant' }
    const named = { grant_id, scope: 'photos:read' }
    const told = async () => (await client.query(grant_id)).body.authorization_details
    await client.obtain({ ...named, grant_management_action: 'update', ...details(coal) })
    assert.deepEqual(await told(), [coal, rent])
    await client.obtain({ ...named, grant_management_action: 'replace', ...details(coal) })
    assert.deepEqual(await told(), [coal])
  })

  test('tells no more than its client may have now', async () => {
    const operator = await operatorOf(service)
    const made = await operator('POST', 'clients', {
      client_name: 'Limited',
      redirect_uris: [client.request().redirect_uri],
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'photos:read photos:write grant_management_query',
    })
    const credentials = [made.body.client_id, made.body.client_secret] as const
    const limited = manageGrants(service, credentials)
    const { grant_id } = await limited.obtain({ ...create, scope: 'photos:read photos:write' })
    const change = { scope: 'photos:read grant_management_query' }
    await operator('PATCH', `clients/${credentials[0]}`, change)
    const { body } = await limited.query(grant_id)
    assert.deepEqual(
      body.scopes.map(({ scope }: { scope: string }) => scope),
      ['photos:read'],
    )
  })
})

test('the account says of a grant for a visit that it ends with the logout', async () => {
  const { browser, id: ownerId } = await newVisitor(service)
  const { grant_id } = await client.obtain(create, { duration: 'session' }, browser)
  const operator = await operatorOf(service)
  const { body } = await operator('GET', `authorizations?owner=${ownerId}`)
  assert.deepEqual(
    body.items.map(({ id, duration }: Record<string, string>) => [id, duration]),
    [[grant_id, 'session']],
  )
  assert.match((await browser.go('/account')).text, /Ends when you log out/)
  assert.match((await browser.go(`/account/access/${grant_id}`)).text, /When you log out/)
})

test('GET tells no details that are not in force', async () => {
  const operator = await operatorOf(service)
  const words = { title: 'Notes', read: 'See your notes', write: 'Change your notes' }
  const resource = { name: 'notes', ...words, actions: { pin: 'Pin your notes' } }
  assert.equal((await operator('POST', 'resources', resource)).status, 201)
  const notes = { type: 'notes', actions: ['read', 'pin'] }
  const authorization_details = JSON.stringify([notes, rent])
  const { grant_id } = await client.obtain({ ...create, authorization_details })
  const told = async () => (await client.query(grant_id)).body.authorization_details
  assert.deepEqual(await told(), [notes, rent])
  assert.equal((await operator('PATCH', 'resources/notes', { actions: {} })).status, 200)
  assert.deepEqual(await told(), [{ ...notes, actions: ['read'] }, rent])
  const types = { authorization_details_types: ['notes'] }
  const changed = await operator('PATCH', `clients/${client.credentials[0]}`, types)
  assert.equal(changed.status, 200)
  assert.deepEqual(await told(), [{ ...notes, actions: ['read'] }])
  const all = { authorization_details_types: ['notes', 'orders', 'payments'] }
  await operator('PATCH', `clients/${client.credentials[0]}`, all)
  await operator('DELETE', 'resources/notes')
  assert.deepEqual(await told(), [rent])
})

describe('DELETE /grants/{grant_id}', () => {
  test('ends the grant and its tokens, and its owner sees by whom', async () => {
    const { grant_id, access_token, refresh_token } = await client.obtain(create)
    // The latest event is the first on the page.
    service.pass(1)
    const { status, text } = await client.revoke(grant_id)
    assert.deepEqual([status, text], [204, ''])
    assert.equal(await use(service, access_token), 401)
    const { body } = await refresh(service, refresh_token, client.credentials)
    assert.equal(body.error, 'invalid_grant')
    for (const ask of [client.query, client.revoke]) assert.equal((await ask(grant_id)).status, 404)
    const operator = await operatorOf(service)
    const events = await operator('GET', `events?client=${client.credentials[0]}&limit=100`)
    const { actor } = events.body.items.find(
      ({ type, authorization_id: id }: { type: string; authorization_id: string }) =>
        type === 'authorization.ended' && id === grant_id,
    )
    assert.equal(actor.type, 'client')
    assert.equal(actor.client_id, client.credentials[0])
    const browser = await enter(service)
    const page = await browser.go('/account/events')
    assert.match(
      page.text,
      /The access of <b><bdi class="name">Bookkeeper<\/bdi><\/b> ended\.<\/p><p class="says">by <bdi class="name">Bookkeeper/,
    )
  })
})

test('DELETE ends the grant of an owner who is disabled, and enabling does not bring it back', async () => {
  const visitor = await newVisitor(service)
  const { grant_id, access_token } = await client.obtain(create, {}, visitor.browser)
  const disable = (disabled: boolean) =>
    visitor.operator('PATCH', `owners/${visitor.id}`, { disabled })
  await disable(true)
  assert.equal((await client.query(grant_id)).status, 404)
  assert.equal((await client.revoke(grant_id)).status, 204)
  assert.equal((await client.revoke(grant_id)).status, 404)
  await disable(false)
  assert.equal((await client.query(grant_id)).status, 404)
  assert.equal(await use(service, access_token), 401)
})

test('a request of a device, or by the backchannel, is told where grants are managed', async () => {
  for (const [name, value] of [
    ['grant_management_action', 'create'],
    ['grant_id', '01k3zzzzzzzzzzzzzzzzzzzzzz'],
  ] as const) {
    const asked = { scope: 'openid photos:read', [name]: value }
    const said = `${name} is not supported here: manage grants at /authorize or /par`
    assertRefused(await tryDevice(service, asked), 'invalid_request', said)
    const answer = await tryBackchannel(service, { ...asked, login_hint: 'alice' })
    assertRefused(answer, 'invalid_request', said)
  }
})

describe('a request that names a grant wrongly', () => {
  const told = async (changes: Readonly<Record<string, string>>) => {
    const browser = await enter(service)
    const { error, error_description } = answerOf(
      await walk(service, client.request(changes), {}, browser),
    )
    return [error, error_description]
  }
  const unknown = [
    'invalid_grant_id',
    'grant_id is unknown, has ended, or is a grant of another client or person',
  ]

  test('is refused, at /authorize and at /par', async () => {
    const { grant_id } = await client.obtain(create)
    const rows: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
      [
        { grant_management_action: 'query' },
        [
          'invalid_request',
          'grant_management_action has to be one of create, update, merge, replace',
        ],
      ],
      [
        { grant_id },
        [
          'invalid_request',
          'grant_id needs a grant_management_action beside it: update or replace',
        ],
      ],
      [
        { ...create, grant_id },
        [
          'invalid_request',
          'grant_management_action=create begins a new grant: leave grant_id out',
        ],
      ],
      [{ grant_management_action: 'update' }, ['invalid_request', 'parameter grant_id is missing']],
      [{ grant_management_action: 'update', grant_id: 'x' }, unknown],
      [{ grant_management_action: 'replace', grant_id: '01k3zzzzzzzzzzzzzzzzzzzzzz' }, unknown],
    ]
    for (const [changes, expected] of rows) {
      assert.deepEqual(await told(changes), expected)
      const pushed = await tryPush(service, client.request(changes), client.credentials)
      assertRefused(pushed, expected[0] ?? '', expected[1] ?? '')
    }
  })

  test('with a response type that has no code, and none tells grant_id beside a code', async () => {
    const every = await registerManaging(service, {
      grant_types: ['authorization_code', 'implicit', 'client_credentials'],
      response_types: ['code', 'token', 'id_token', 'id_token token', 'code token'],
    })
    const browser = await enter(service)
    const ask = (response_type: string) =>
      every.answer(
        { ...create, scope: 'openid photos:read', nonce: 'n', response_type },
        {},
        browser,
      )
    for (const type of ['token', 'id_token', 'id_token token']) {
      const { error, error_description } = await ask(type)
      assert.deepEqual(
        [error, error_description],
        ['invalid_request', 'grant_management_action needs a response_type with code'],
      )
    }
    const { code = '', access_token, grant_id } = await ask('code token')
    assert.match(access_token ?? '', /^lk_at_/)
    assert.equal(grant_id, undefined)
    const { body } = await redeem(service, code, every.credentials)
    assert.match(body.grant_id, /^[0-9a-z]{26}$/)
  })

  test('of an ended grant', async () => {
    const { grant_id } = await client.obtain(create)
    await client.revoke(grant_id)
    assert.deepEqual(await told({ grant_management_action: 'update', grant_id }), unknown)
  })

  test('of a public client', async () => {
    const browser = await enter(service)
    const request = {
      response_type: 'code',
      client_id: 'gallery',
      redirect_uri: 'http://127.0.0.1:6750/gallery',
      code_challenge: 'K2-ltc83acc4h0c9w6ESC_rEMTJ3bww-uCHaoeK1t8U',
      code_challenge_method: 'S256',
      ...create,
    }
    const answer = answerOf(await walk(service, request, {}, browser))
    assert.equal(answer.error, 'unauthorized_client')
    assert.equal(answer.error_description, 'grants are managed by clients that authenticate')
  })
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
