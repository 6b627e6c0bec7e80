/** The admin API: roles of owners, and what operators end of an owner. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPermissions } from '../../src/model/resource.ts'
import { Browser } from '../support/browser.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { giveRoles } from '../support/console.ts'
import { isInside } from '../support/factors.ts'
import { eventsOf, newPerson, newVisitor, password } from '../support/people.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { bearer, operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const refused = (role: string) => ({
  status: 403,
  detail: `the role ${role} allows more than the access token`,
})

const said = ({ status, body }: { status: number; body: { detail?: string } }) => ({
  status,
  detail: body.detail,
})

describe('roles of owners', () => {
  test('are given at once or later, each once and sorted, and listed by role', async () => {
    const person = await newPerson(service)
    await giveRoles(person, ['staff', 'auditor', 'staff'])
    const { body } = await operator('GET', `owners/${person.id}`)
    assert.deepEqual(body.roles, ['auditor', 'staff'])
    // Lists go by id, so by the time of creation.
    service.pass(1)
    const made = await operator('POST', 'owners', {
      username: `staff-of-${person.username}`,
      password,
      roles: ['staff'],
    })
    assert.deepEqual(made.body.roles, ['staff'])
    const ids = async (role: string) =>
      (await operator('GET', `owners?role=${role}`)).body.items.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids('staff'), [person.id, made.body.id])
    assert.deepEqual(await ids('auditor'), [person.id])
    assert.deepEqual(await ids('any'), [person.id, made.body.id])
    assert.deepEqual(await ids('operator'), [])
    const event = (await eventsOf(person)).find(({ type }) => type === 'owner.changed')
    assert.deepEqual(event?.details, {
      changed: 'roles',
      rolesBefore: '',
      roles: 'auditor staff',
    })
  })

  test('are words of a certain form, and not too many', async () => {
    const { id } = await newPerson(service)
    const detail =
      'roles has to be a list of at most 20 roles, each of 1 to 40 lower-case letters, digits and _ : -, a letter first'
    const many = Array.from({ length: 21 }, (_, i) => `role-${i}`)
    for (const roles of [['Operator'], ['a b'], [''], 'operator', many]) {
      const answer = await operator('PATCH', `owners/${id}`, { roles })
      assert.deepEqual([answer.status, answer.body], [400, problem('invalid_request', 400, detail)])
    }
    const search = await operator('GET', 'owners?role=Staff&search=a')
    assert.equal(search.status, 400)
  })

  test('of the console are given by a client that may do as much', async () => {
    const writer = await operatorOf(service, 'owners:read owners:write')
    const { id } = await newPerson(service)
    for (const role of ['operator', 'auditor']) {
      const given = await writer('PATCH', `owners/${id}`, { roles: [role] })
      assert.deepEqual(said(given), refused(role))
      const made = await writer('POST', 'owners', { username: 'x', password, roles: [role] })
      assert.deepEqual(said(made), refused(role))
    }
    assert.equal((await writer('PATCH', `owners/${id}`, { roles: ['staff'] })).status, 200)
    const reading = adminPermissions.filter((one) => one.endsWith(':read')).join(' ')
    const reader = await operatorOf(service, `owners:write ${reading}`)
    assert.equal((await reader('PATCH', `owners/${id}`, { roles: ['auditor'] })).status, 200)
    assert.equal((await reader('PATCH', `owners/${id}`, { roles: ['operator'] })).status, 403)
  })

  test('protect their bearer from a client that may do less', async () => {
    const writer = await operatorOf(service, 'owners:read owners:write')
    const person = await newPerson(service)
    await giveRoles(person, ['operator'])
    const path = `owners/${person.id}`
    for (const [method, of, body] of [
      ['PATCH', path, { email: 'thief@example.com' }],
      ['PATCH', path, { roles: [] }],
      ['POST', `${path}/set-password`, { password: 'quite another one' }],
      ['POST', `${path}/links`, { purpose: 'reset' }],
      ['POST', `${path}/end-access`, undefined],
      ['DELETE', `${path}/factors`, undefined],
      ['DELETE', path, undefined],
    ] as const) {
      assert.deepEqual(said(await writer(method, of, body)), refused('operator'), of)
    }
    assert.equal((await operator('PATCH', path, { email: 'o@example.com' })).status, 200)
  })
})

describe('a role in the console, for an owner whom another program changed', () => {
  test('is given once the ways to log in that stay are named', async () => {
    const writer = await operatorOf(service, undefined, await newWriter())
    const person = await newVisitor(service)
    const path = `owners/${person.id}`
    const password = 'quite another one'
    assert.equal((await writer('POST', `${path}/set-password`, { password })).status, 200)
    const inside = new Browser(service)
    await inside.logIn(await inside.go('/login'), person.username, password)
    assert.equal(await isInside(inside), true)
    const asked = await operator('PATCH', path, { roles: ['operator'] })
    assert.equal(asked.status, 409, asked.text)
    const [, way = ''] = /what stays: (password:\d+)$/.exec(asked.body.detail) ?? []
    assert.deepEqual((await operator('GET', path)).body.roles, [])
    assert.equal(await isInside(inside), true)
    const given = await operator('PATCH', path, { roles: ['operator'], keep_ways_in: [] })
    assert.deepEqual([given.status, given.body.roles], [200, ['operator']])
    assert.equal(await isInside(inside), false)
    await inside.logIn(await inside.go('/login'), person.username, password)
    assert.equal(await isInside(inside), false)
    assert.notEqual(way, '')
  })

  /** A client of its own that may write owners alone. */
  const newWriter = async (): Promise<readonly [string, string]> => {
    const grant_types = ['client_credentials']
    const given = { client_name: 'A help desk', grant_types, scope: 'owners:read owners:write' }
    const { body } = await operator('POST', 'clients', given)
    return [body.client_id, body.client_secret]
  }
})

describe('permissions of the admin API, for a client whose secret another program made', () => {
  const form = { grant_type: 'client_credentials' }
  const grant_types = ['client_credentials']
  const jobWriter = () => operatorOf(service, 'clients:read clients:write')
  const wider = 'owners:write resources:read'

  /** A client of the operator, whose secret a program without the permission has rotated. */
  const newJob = async () => {
    const { body: help } = await operator('POST', 'clients', {
      client_name: 'Help desk',
      grant_types,
      scope: 'clients:read clients:write',
    })
    const scope = 'photos:read'
    const given = { client_name: 'A job', grant_types, scope }
    const { body: job } = await operator('POST', 'clients', given)
    const writer = await operatorOf(service, undefined, [help.client_id, help.client_secret])
    const { body } = await writer('POST', `clients/${job.client_id}/rotate-secret`)
    return {
      path: `clients/${job.client_id}`,
      client: [job.client_id, body.client_secret] as const,
    }
  }
  const tokenStatus = async (client: readonly [string, string]) =>
    (await service.post('/token', form, client)).status

  test('is asked about, and the secret goes unless it is named', async () => {
    const { path, client } = await newJob()
    const asked = await operator('PATCH', path, { scope: wider })
    assert.equal(asked.status, 409, asked.text)
    const [, way = ''] = /what stays: (secret:\w+)$/.exec(asked.body.detail) ?? []
    assert.equal((await operator('GET', path)).body.scope, 'photos:read')
    assert.equal(await tokenStatus(client), 200)
    const given = await operator('PATCH', path, { scope: wider, keep_ways_in: [] })
    assert.deepEqual([given.status, given.body.scope], [200, wider])
    assert.equal(await tokenStatus(client), 401)
    assert.equal(await tokenStatus([client[0], given.body.client_secret]), 200)
    assert.notEqual(way, '')
  })

  test('keep a secret that is named, but not another one', async () => {
    for (const isNamed of [true, false]) {
      const { path, client } = await newJob()
      const asked = await operator('PATCH', path, { scope: wider })
      const [way = ''] = /secret:\w+$/.exec(asked.body.detail) ?? []
      const keep_ways_in = [isNamed ? way : 'secret:another']
      const given = await operator('PATCH', path, { scope: wider, keep_ways_in })
      assert.deepEqual([given.status, 'client_secret' in given.body], [200, !isNamed])
      assert.equal(await tokenStatus(client), isNamed ? 200 : 401)
    }
  })

  test('ask nothing once the operator has rotated, and end the old secret and its tokens', async () => {
    const { path, client } = await newJob()
    service.pass(1)
    const { body: turned } = await operator('POST', `${path}/rotate-secret`, {
      keep_old_seconds: 3600,
    })
    const { body } = await service.post('/token', form, client)
    assert.equal(await tokenStatus(client), 200)
    assert.equal((await operator('PATCH', path, { scope: wider })).status, 200)
    assert.equal(await tokenStatus(client), 401)
    const read = await service.ask('/api/photos', bearer(body.access_token))
    assert.equal(read.status, 401)
    assert.equal(await tokenStatus([client[0], turned.client_secret]), 200)
  })

  test('ask about a client that a program made, and nothing where no more is given', async () => {
    const { body: made } = await (await jobWriter())('POST', 'clients', {
      client_name: 'A job',
      grant_types,
      scope: 'clients:read',
    })
    const path = `clients/${made.client_id}`
    const { body: help } = await operator('POST', 'clients', {
      client_name: 'Another operator',
      grant_types,
      scope: adminPermissions.join(' '),
    })
    const other = await operatorOf(service, undefined, [help.client_id, help.client_secret])
    for (const change of [{ client_name: 'B' }, { scope: 'clients:read photos:read' }]) {
      assert.equal((await other('PATCH', path, change)).status, 200)
    }
    const asked = await other('PATCH', path, { scope: 'clients:read clients:write' })
    assert.deepEqual([asked.status, asked.body.title], [409, 'conflict'])
  })

  test('ask about keys and platforms that others may have set', async () => {
    const { body: own } = await service.ask('/register', {
      json: {
        redirect_uris: ['https://own.example/cb'],
        grant_types: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: keySetOf(await newKeys('ES256', 'k-1')),
      },
    })
    const path = `clients/${own.client_id}`
    const credential = { issuer: 'https://ci.example', subject: 's', audience: 'a' }
    await operator('PATCH', path, { federated_credentials: [credential] })
    const raise = (more: object) => operator('PATCH', path, { scope: wider, ...more })
    const wayOf = async (more: object): Promise<string> => {
      const asked = await raise(more)
      assert.deepEqual([asked.status, asked.body.title], [409, 'conflict'])
      return /what stays: (\S+)$/.exec(asked.body.detail)?.[1] ?? ''
    }
    const keys = await wayOf({ keep_ways_in: [] })
    assert.match(keys, /^keys:/)
    const platforms = await wayOf({ keep_ways_in: [keys] })
    assert.match(platforms, /^platforms:/)
    assert.notEqual((await operator('GET', path)).body.scope, wider)
    // Keys that the operator sets at the same time are nobody else's.
    const jwks = keySetOf(await newKeys('ES256', 'k-2'))
    const { body: copy } = await operator('POST', 'clients', {
      grant_types,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: own.jwks,
    })
    const other = await operator('PATCH', `clients/${copy.client_id}`, { scope: wider, jwks })
    assert.equal(other.status, 200, other.text)
    const given = await raise({ keep_ways_in: [keys, platforms] })
    assert.deepEqual([given.status, given.body.scope], [200, wider])
  })

  test('end the registration token of a client that registered itself', async () => {
    const { body: own } = await service.ask('/register', {
      method: 'POST',
      json: {
        client_name: 'Own',
        redirect_uris: ['https://own.example/cb'],
        grant_types: ['authorization_code', 'client_credentials'],
      },
    })
    assert.ok(own.client_secret, JSON.stringify(own))
    const path = `clients/${own.client_id}`
    const asked = await operator('PATCH', path, { scope: wider })
    assert.equal(asked.status, 409, asked.text)
    assert.equal((await operator('PATCH', path, { scope: wider, keep_ways_in: [] })).status, 200)
    const managed = await service.ask(
      new URL(own.registration_client_uri).pathname,
      bearer(own.registration_access_token),
    )
    assert.equal(managed.status, 401)
  })
})

describe('a change under way while rights are given', () => {
  const outcomes = (answers: readonly { readonly status: number }[]) =>
    new Set(answers.map(({ status }) => status))

  test('comes before the role, or is refused', async () => {
    const writer = await operatorOf(service, 'owners:read owners:write')
    const person = await newPerson(service)
    const path = `owners/${person.id}`
    const under = Array.from({ length: 8 }, () =>
      writer('POST', `${path}/set-password`, { password: 'quite another one' }),
    )
    const [given, ...answers] = await Promise.all([
      operator('PATCH', path, { roles: ['operator'] }),
      ...under,
    ])
    assert.equal(given.status, 200, given.text)
    for (const status of outcomes(answers)) assert.ok([200, 403, 409].includes(status))
    assert.ok(outcomes(answers).has(409))
  })

  test('comes before the scope, or is refused', async () => {
    const writer = await operatorOf(service, 'clients:read clients:write resources:read')
    const grant_types = ['client_credentials']
    const made = await operator('POST', 'clients', {
      client_name: 'A job',
      grant_types,
      scope: 'resources:read',
    })
    assert.equal(made.status, 201, made.text)
    const path = `clients/${made.body.client_id}`
    const under = Array.from({ length: 8 }, () => writer('POST', `${path}/rotate-secret`))
    const [given, ...answers] = await Promise.all([
      operator('PATCH', path, { scope: 'owners:write' }),
      ...under,
    ])
    assert.equal(given.status, 200, given.text)
    for (const status of outcomes(answers)) assert.ok([200, 403, 409].includes(status))
  })
})

describe('the logins and the access of an owner', () => {
  test('are listed without anything that opens them, and all logins end', async () => {
    const person = await newVisitor(service)
    const other = new Browser(service)
    await other.logIn(await other.go('/login'), person.username, password)
    const path = `owners/${person.id}/sessions`
    const first = await operator('GET', `${path}?limit=1`)
    const rest = await operator('GET', `${path}?after=${first.body.next}`)
    assert.deepEqual(Object.keys(first.body.items[0]), [
      'id',
      'started_at',
      'seen_at',
      'expires_at',
      'user_agent',
      'network',
      'amr',
    ])
    assert.equal(rest.body.items.length, 1)
    const ended = await operator('POST', `owners/${person.id}/end-sessions`)
    assert.equal(ended.status, 204)
    assert.deepEqual([await isInside(person.browser), await isInside(other)], [false, false])
    assert.deepEqual((await operator('GET', path)).body.items, [])
  })

  test('all end at once, with one event', async () => {
    const person = await newVisitor(service)
    await walk(service, codeRequest, {}, person.browser)
    const list = () => operator('GET', `authorizations?owner=${person.id}`)
    assert.equal((await list()).body.items.length, 1)
    assert.equal((await operator('POST', `owners/${person.id}/end-access`)).status, 204)
    assert.deepEqual((await list()).body.items, [])
    assert.equal(await isInside(person.browser), false)
    const types = (await eventsOf(person)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'owner.access_ended').length, 1)
  })
})
