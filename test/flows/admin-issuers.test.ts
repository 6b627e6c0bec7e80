/** `/admin/api/issuers`: trusted issuers are created, changed and deleted; the setting `issuers` creates some. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingsTable } from '../../src/config/settings.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { openCompany } from '../support/issuers.ts'
import { newPerson } from '../support/people.ts'
import { start } from '../support/start.ts'
import { operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()
const keys = await newKeys('ES256', 'one')

const parseSetting = (given: unknown) => settingsTable.issuers.parse(given, '/')

let count = 0
const fresh = () => {
  const number = ++count
  return {
    id: `company-${number}`,
    issuer: `https://login-${number}.company.example`,
    title: 'Company',
    jwks: keySetOf(keys),
    owner: 'username',
    grants: ['id-jag'],
    scope: 'photos:read',
  }
}

const list = async () => (await operator('GET', 'issuers')).body.items

describe('POST /admin/api/issuers', () => {
  test('trusts an issuer, and tells of it', async () => {
    const given = { ...fresh(), clients: ['photo-printer'] }
    const made = await operator('POST', 'issuers', given)
    assert.deepEqual([made.status, made.body], [201, given])
    assert.equal(made.headers.get('location'), `${service.issuer}/admin/api/issuers/${given.id}`)
    assert.deepEqual((await operator('GET', `issuers/${given.id}`)).body, given)
    assert.deepEqual((await list()).at(-1), given)
    const { body } = await operator('GET', 'events?type=issuer.created')
    const { id: issuerId, issuer, title } = given
    assert.deepEqual(body.items[0].details, { issuerId, issuer, title })
  })

  test('makes an id where none is given', async () => {
    const { id: _, ...given } = fresh()
    const { status, body } = await operator('POST', 'issuers', given)
    assert.equal(status, 201)
    assert.deepEqual(body, { id: body.id, ...given })
    assert.match(body.id, /^issuer-[a-z0-9]{26}$/)
  })

  const privateKey = { ...keys.publicKey, d: 'AQAB' }
  const faults: readonly (readonly [object, number, string])[] = [
    [{ id: 'A B' }, 400, 'needs an "id" of at most 40 lower-case letters, digits and "-"'],
    [{ issuer: undefined }, 400, 'needs an "issuer"'],
    [{ title: 'a\nb' }, 400, 'needs a "title" of at most 60 characters on one line'],
    [{ jwks: undefined }, 400, 'needs either "jwks" or "jwks_uri"'],
    [{ jwks_uri: 'https://keys.example' }, 400, 'needs either "jwks" or "jwks_uri"'],
    [
      { jwks: undefined, jwks_uri: 'http://keys.example' },
      400,
      'needs an https URL (or an http one on a loopback address) as "jwks_uri"',
    ],
    [
      { jwks: { keys: [privateKey] } },
      400,
      'needs as "jwks" a set of at most 20 public keys (RSA of 2,048 to 4,096 bits, EC, Ed25519, X25519, ML-DSA), without private or symmetric ones',
    ],
    [{ owner: 'name' }, 400, 'needs one of username, email, sub as "owner"'],
    [{ grants: [] }, 400, 'needs a list of jwt-bearer and id-jag, or of one of them, as "grants"'],
    [
      { grants: ['saml'] },
      400,
      'needs a list of jwt-bearer and id-jag, or of one of them, as "grants"',
    ],
    [{ scope: '' }, 400, 'needs a text as "scope"'],
    [
      { clients: [] },
      400,
      'needs a list of 1 to 100 client ids as "clients", or none for any client',
    ],
    [{ extra: 1 }, 400, 'has an unknown member "extra"'],
  ]
  for (const [change, status, says] of faults) {
    test(`refuses ${JSON.stringify(change).slice(0, 60)}`, async () => {
      const answer = await operator('POST', 'issuers', { ...fresh(), ...change })
      assert.deepEqual(answer.body, problem('invalid_request', status, `the issuer ${says}`))
    })
  }

  test('refuses a scope that no owner can give', async () => {
    const said = 'scope of the issuer has to name what owners can give, such as photos:read'
    for (const scope of ['photos:read faxes', 'clients:write', 'issuers:read']) {
      const { body } = await operator('POST', 'issuers', { ...fresh(), scope })
      assert.deepEqual(body, problem('invalid_request', 422, said))
    }
  })

  test('refuses the id and the iss of another one', async () => {
    const given = fresh()
    await operator('POST', 'issuers', given)
    const same = await operator('POST', 'issuers', { ...fresh(), id: given.id })
    assert.deepEqual(same.body, problem('conflict', 409, 'there is an issuer with this id'))
    const other = await operator('POST', 'issuers', { ...fresh(), issuer: given.issuer })
    assert.deepEqual(other.body, problem('conflict', 409, 'another issuer has this iss'))
  })
})

describe('DELETE /admin/api/issuers/{id}', () => {
  test('frees the id and the iss', async () => {
    const given = fresh()
    const other = { ...given, id: `${given.id}-other` }
    for (const next of [given, given, other, { ...given, issuer: fresh().issuer }]) {
      const made = await operator('POST', 'issuers', next)
      assert.deepEqual([made.status, made.body], [201, next])
      assert.equal((await operator('DELETE', `issuers/${next.id}`)).status, 204)
      assert.equal((await operator('GET', `issuers/${next.id}`)).status, 404)
      assert.equal((await operator('DELETE', `issuers/${next.id}`)).status, 404)
    }
  })
})

describe('PATCH /admin/api/issuers/{id}', () => {
  test('changes what the body has, and tells of it', async () => {
    const given = fresh()
    await operator('POST', 'issuers', given)
    const jwks_uri = 'https://keys.company.example/set'
    const change = { title: 'Company Ltd', jwks: null, jwks_uri, clients: ['photo-printer'] }
    const { status, body } = await operator('PATCH', `issuers/${given.id}`, change)
    const { jwks: _, ...others } = given
    const after = { ...others, title: 'Company Ltd', jwks_uri, clients: ['photo-printer'] }
    assert.deepEqual([status, body], [200, after])
    assert.deepEqual((await operator('GET', `issuers/${given.id}`)).body, after)
    const events = await operator('GET', 'events?type=issuer.changed')
    assert.equal(events.body.items[0].details.titleBefore, 'Company')
    const wide = await operator('PATCH', `issuers/${given.id}`, { clients: null })
    assert.equal(wide.body.clients, undefined)
  })

  test('keeps the id, and refuses the iss of another one', async () => {
    const [one, other] = [fresh(), fresh()]
    for (const given of [one, other]) await operator('POST', 'issuers', given)
    const renamed = await operator('PATCH', `issuers/${one.id}`, { id: other.id })
    assert.deepEqual(renamed.body, problem('invalid_request', 400, 'the id of an issuer stays'))
    const taken = await operator('PATCH', `issuers/${one.id}`, { issuer: other.issuer })
    assert.deepEqual(taken.body, problem('conflict', 409, 'another issuer has this iss'))
    const unknown = await operator('PATCH', 'issuers/nobody', { title: 'x' })
    assert.deepEqual(unknown.body, problem('not_found', 404, 'there is no such issuer'))
  })

  test('checks the scope of the body alone, though a resource of the stored one is gone', async () => {
    const resource = { name: 'faxes', title: 'Faxes', read: 'Read faxes', write: 'Send faxes' }
    assert.equal((await operator('POST', 'resources', resource)).status, 201)
    const given = { ...fresh(), scope: 'faxes:read photos:read' }
    assert.equal((await operator('POST', 'issuers', given)).status, 201)
    assert.equal((await operator('DELETE', 'resources/faxes')).status, 204)
    const path = `issuers/${given.id}`
    const renamed = await operator('PATCH', path, { title: 'Renamed' })
    assert.deepEqual([renamed.status, renamed.body], [200, { ...given, title: 'Renamed' }])
    const said = 'scope of the issuer has to name what owners can give, such as photos:read'
    const same = await operator('PATCH', path, { scope: given.scope })
    assert.deepEqual(same.body, problem('invalid_request', 422, said))
  })

  test('counts for the next assertion', async () => {
    const company = await openCompany(service, operator)
    const { username } = await newPerson(service)
    const path = `issuers/${company.members.id}`
    await operator('PATCH', path, { scope: 'contacts:read' })
    const { body } = await company.ask(await company.jag(username))
    assert.equal(body.scope, 'contacts:read')
    await operator('PATCH', path, { grants: ['jwt-bearer'] })
    const refused = await company.ask(await company.jag(username))
    assert.deepEqual(refused.body, {
      error: 'invalid_grant',
      error_description: 'typ of the assertion has to be that of jwt-bearer',
    })
  })
})

describe('the permissions', () => {
  test('are issuers:read and issuers:write', async () => {
    const reader = await operatorOf(service, 'issuers:read')
    assert.equal((await reader('GET', 'issuers')).status, 200)
    const missing = 'the access token does not allow issuers:write'
    const refused = await reader('POST', 'issuers', fresh())
    assert.deepEqual(refused.body, problem('insufficient_scope', 403, missing))
    const stranger = await operatorOf(service, 'clients:read')
    assert.equal((await stranger('GET', 'issuers')).status, 403)
  })
})

describe('the setting issuers', () => {
  test('creates each once, and the stored one counts', async () => {
    const given = fresh()
    const parsed = parseSetting([given])
    assert.ok('value' in parsed)
    const started = await start({ issuers: parsed.value })
    try {
      const admin = await operatorOf(started)
      const { body } = await admin('GET', 'issuers')
      assert.deepEqual(body, { items: [given], next: null })
      await admin('PATCH', `issuers/${given.id}`, { title: 'Changed' })
      await started.restart()
      const again = await (await operatorOf(started))('GET', `issuers/${given.id}`)
      assert.equal(again.body.title, 'Changed')
      const told = started.notices.filter(({ message }) => message.includes('setting issuers'))
      assert.deepEqual(
        told.map(({ level, message, issuer }) => ({ level, message, issuer })),
        [
          {
            level: 'info',
            message:
              'the stored issuer differs from the setting issuers, and the stored one counts',
            issuer: given.id,
          },
        ],
      )
    } finally {
      await started.close()
    }
  })

  test('leaves a deleted one deleted, also where its iss has another id by then', async () => {
    const [one, other] = [fresh(), fresh()]
    const parsed = parseSetting([one, other])
    assert.ok('value' in parsed)
    const started = await start({ issuers: parsed.value })
    try {
      const ask: typeof operator = async (...asked) => (await operatorOf(started))(...asked)
      for (const { id } of [one, other]) {
        assert.equal((await ask('DELETE', `issuers/${id}`)).status, 204)
      }
      const anew = { ...one, id: `${one.id}-new` }
      assert.equal((await ask('POST', 'issuers', anew)).status, 201)
      await started.restart()
      assert.deepEqual((await ask('GET', 'issuers')).body, { items: [anew], next: null })
    } finally {
      await started.close()
    }
  })

  test('refuses entries with faults, each by its place', () => {
    const [one, other] = [fresh(), fresh()]
    assert.deepEqual(parseSetting([one, { ...other, id: one.id }]), {
      expected: `a list of at most 100 issuers, but "${one.id}" is there twice`,
    })
    assert.deepEqual(parseSetting([one, { ...other, owner: 'x' }]), {
      expected:
        'a list of at most 100 issuers, but entry 2 needs one of username, email, sub as "owner"',
    })
    assert.deepEqual(parseSetting(JSON.stringify([one])), parseSetting([one]))
  })
})
