/** The admin API: approvals of owners, and events. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { houseApp } from '../support/demo-clients.ts'
import { codeRequest, obtainTokens } from '../support/printing.ts'
import { bearer, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const statusOf = async (token: string, resource: string) =>
  (await service.ask(`/api/${resource}`, bearer(token))).status

/** What alice approved for the demo's web application. */
const approvedByAlice = async () => {
  const tokens = await obtainTokens(service, { ...codeRequest, scope: 'photos contacts' })
  const { body } = await operator('GET', 'authorizations?client=photo-printer')
  return { ...tokens, authorization: body.items[0] }
}

describe('GET /admin/api/authorizations', () => {
  it('lists by owner and by client, with the names of both', async () => {
    const { authorization } = await approvedByAlice()
    await service.post(
      '/token',
      { grant_type: 'password', username: 'bob', password: 'builder', scope: 'photos:read' },
      houseApp,
    )
    const { id, owner_id, last_used_at, ...rest } = authorization
    assert.match(id, /^[0-9a-z]{26}$/)
    assert.deepEqual(rest, {
      client_id: 'photo-printer',
      client_name: 'Photo Printer',
      username: 'alice',
      permissions: ['contacts:read', 'contacts:write', 'photos:read', 'photos:write'],
      scope: 'contacts:read contacts:write photos:read photos:write',
      authorization_details: [],
      duration: 'forever',
      created_at: service.now(),
      expires_at: null,
      paused: false,
      paused_at: null,
      paused_by: null,
    })
    const { body: owners } = await operator('GET', 'owners')
    const [alice, bob] = ['alice', 'bob'].map(
      (name) => owners.items.find((owner: { username: string }) => owner.username === name).id,
    )
    assert.equal(owner_id, alice)
    const usersOf = async (query: string) => {
      const { body } = await operator('GET', `authorizations?${query}`)
      return body.items.map((item: { username: string }) => item.username)
    }
    assert.deepEqual(await usersOf(`owner=${alice}`), ['alice'])
    assert.deepEqual(await usersOf(`owner=${bob}`), ['bob'])
    assert.deepEqual(await usersOf('client=house-app'), ['bob'])
    assert.deepEqual(await usersOf(`owner=${bob}&client=photo-printer`), [])
    const all = await operator('GET', 'authorizations')
    const first = await operator('GET', 'authorizations?limit=1')
    const second = await operator('GET', `authorizations?limit=1&after=${first.body.next}`)
    assert.deepEqual([...first.body.items, ...second.body.items], all.body.items)
    assert.equal(second.body.next, null)
  })
})

describe('PATCH /admin/api/authorizations/{id}', () => {
  it('narrows: tokens that are out already lose what went', async () => {
    const { authorization, access_token: token } = await approvedByAlice()
    assert.equal(await statusOf(token, 'contacts'), 200)
    const { status, body } = await operator('PATCH', `authorizations/${authorization.id}`, {
      permissions: ['photos:read', 'photos:write', 'calendar:read'],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.id, body.permissions, body.scope],
      [authorization.id, ['photos:read', 'photos:write'], 'photos:read photos:write'],
    )
    assert.equal(await statusOf(token, 'contacts'), 403)
    assert.equal(await statusOf(token, 'photos'), 200)
    const again = await operator('PATCH', `authorizations/${authorization.id}`, {
      scope: 'photos:read,contacts',
    })
    assert.equal(again.body.scope, 'photos:read')
  })

  it('ends what it leaves nothing of', async () => {
    const { authorization, access_token: token } = await approvedByAlice()
    const path = `authorizations/${authorization.id}`
    const { status, body } = await operator('PATCH', path, { scope: 'calendar' })
    assert.deepEqual([status, body.permissions, body.scope], [200, [], ''])
    assert.equal(await statusOf(token, 'photos'), 401)
    const listed = await operator('GET', 'authorizations?client=photo-printer')
    assert.deepEqual(listed.body.items, [])
    assert.equal((await operator('PATCH', path, { scope: 'calendar' })).status, 404)
  })

  it('pauses and resumes, all that the owner approved for the client', async () => {
    const { authorization, access_token: token } = await approvedByAlice()
    const path = `authorizations/${authorization.id}`
    const { last_used_at: _, client_name: __, username: ___, ...before } = authorization
    for (let repeat = 0; repeat < 2; repeat++) {
      const { status, body } = await operator('PATCH', path, { paused: true })
      assert.equal(status, 200)
      const { last_used_at: ____, ...paused } = body
      const said = { paused: true, paused_at: service.now(), paused_by: 'operator' }
      assert.deepEqual(paused, { ...before, ...said })
      assert.equal(await statusOf(token, 'photos'), 401)
    }
    const listed = await operator('GET', 'authorizations?client=photo-printer')
    assert.equal(listed.body.items[0].paused, true)
    const narrowed = await operator('PATCH', path, { scope: 'photos:read' })
    assert.equal(narrowed.body.paused, true)
    for (let repeat = 0; repeat < 2; repeat++) {
      const { body } = await operator('PATCH', path, { paused: false })
      assert.deepEqual([body.paused, body.paused_at, body.paused_by], [false, null, null])
      assert.equal(await statusOf(token, 'photos'), 200)
    }
    const { body } = await operator('GET', 'events?limit=100')
    const told = body.items.filter(
      ({ authorization_id: id }: { authorization_id: string }) => id === authorization.id,
    )
    const doers = told.map((one: { type: string; actor: { type: string } }) => [
      one.type,
      one.actor.type,
    ])
    // All of it happened within one millisecond.
    assert.deepEqual(doers.toSorted(), [
      ['authorization.approved', 'owner'],
      ['authorization.narrowed', 'operator'],
      ['authorization.paused', 'operator'],
      ['authorization.resumed', 'operator'],
    ])
    await operator('DELETE', path)
    assert.equal((await operator('PATCH', path, { paused: true })).status, 404)
    assert.equal((await operator('PATCH', path, { paused: false })).status, 404)
  })

  it('names what is wrong', async () => {
    const { authorization } = await approvedByAlice()
    const either =
      'the body has to hold either what is to be kept, as permissions or as scope, or paused'
    const named = (member: string) =>
      `${member} has to name at least one permission, and only known ones; DELETE ends the authorization`
    const wrong: readonly (readonly [object, string])[] = [
      [{}, either],
      [{ permissions: ['photos:read'], scope: 'photos:read' }, either],
      [{ paused: true, scope: 'photos:read' }, either],
      [{ paused: 'yes' }, 'paused has to be true or false'],
      [{ permissions: [] }, named('permissions')],
      [{ permissions: ['photos:delete'] }, named('permissions')],
      [{ permissions: ['clients:write'] }, named('permissions')],
      [
        { permissions: 'photos:read' },
        'permissions has to be a list of permissions such as photos:read',
      ],
      [{ scope: 'attic' }, named('scope')],
      [{ client_id: 'gallery' }, 'unknown: client_id; known: permissions, scope, paused'],
    ]
    for (const [said, detail] of wrong) {
      const { status, body } = await operator('PATCH', `authorizations/${authorization.id}`, said)
      assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)])
    }
  })
})

describe('DELETE /admin/api/authorizations/{id}', () => {
  it('ends it with all its tokens', async () => {
    const { authorization, access_token: token } = await approvedByAlice()
    const gone = await operator('DELETE', `authorizations/${authorization.id}`)
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal(await statusOf(token, 'photos'), 401)
    const expected = [404, problem('not_found', 404, 'there is no such authorization')]
    for (const id of [authorization.id, 'x', "' or 1=1 --"]) {
      const path = `authorizations/${encodeURIComponent(id)}`
      const ended = await operator('DELETE', path)
      assert.deepEqual([ended.status, ended.body], expected)
      const narrowed = await operator('PATCH', path, { scope: 'photos' })
      assert.deepEqual([narrowed.status, narrowed.body], expected)
    }
  })
})

describe('GET /admin/api/events', () => {
  it('tells what happened, newest first, by client and by owner', async () => {
    const { body: made } = await operator('POST', 'clients', {
      client_id: 'watched',
      grant_types: ['client_credentials'],
    })
    await service.advance(1)
    await operator('POST', 'clients/watched/rotate-secret')
    await service.advance(1)
    await operator('DELETE', 'clients/watched')

    const { status, body, text } = await operator('GET', 'events?client=watched')

    assert.equal(status, 200)
    const now = service.now()
    assert.deepEqual(
      body.items.map((event: { type: string; at: number }) => [event.type, event.at]),
      [
        ['client.deleted', now],
        ['client.secret_rotated', now - 1],
        ['client.registered', now - 2],
      ],
    )
    assert.deepEqual(Object.keys(body.items[0]), [
      'id',
      'at',
      'type',
      'client_id',
      'owner_id',
      'authorization_id',
      'request_id',
      'actor',
      'details',
    ])
    assert.equal(text.includes(made.client_secret), false)

    const { body: owner } = await operator('POST', 'owners', {
      username: 'watched',
      password: 'correct horse',
    })
    const { body: ofOwner } = await operator('GET', `events?owner=${owner.id}`)
    assert.deepEqual(
      ofOwner.items.map((event: { type: string }) => event.type),
      ['owner.created'],
    )
  })

  it('goes on where a page ended, under either name', async () => {
    const whole = await operator('GET', 'events?limit=5')
    const first = await operator('GET', 'events?limit=2')
    assert.deepEqual(first.body.items, whole.body.items.slice(0, 2))
    for (const name of ['after', 'before']) {
      const { body } = await operator('GET', `events?limit=3&${name}=${first.body.next}`)
      assert.deepEqual(body.items, whole.body.items.slice(2))
    }
    const { next } = first.body
    const both = await operator('GET', `events?after=${next}&before=${next}`)
    assert.deepEqual(both.body, problem('invalid_request', 400, 'use one of after and before'))
  })
})
