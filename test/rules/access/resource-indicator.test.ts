/** Resource indicators (RFC 8707): they only ever narrow. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  adminUri,
  audiencesOf,
  narrowToResources,
  resourceUri,
} from '../../../src/access/resource-indicator.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const issuer = 'https://as.example/oauth2'
const resources = [{ name: 'contacts' }, { name: 'photos' }, { name: 'tasks' }]
const all: Permissions = ['contacts:read', 'photos:read', 'photos:write', 'tasks:read']
const photos = resourceUri(issuer, 'photos')
const contacts = resourceUri(issuer, 'contacts')

const narrow = (permissions: Permissions, ...indicators: readonly string[]) =>
  narrowToResources(permissions, indicators, { issuer, resources })

const assertInvalid = (act: () => unknown): void =>
  assert.throws(
    act,
    (fault) =>
      fault instanceof Refusal &&
      fault.code === 'invalid_target' &&
      fault.reason === 'unknown_resource',
  )

describe('what is left', () => {
  const rows: readonly [string, readonly string[], Permissions][] = [
    ['no indicator', [], all],
    ['the service', [issuer], all],
    ['the service with a slash', [`${issuer}/`], all],
    ['its API', [`${issuer}/api`], all],
    ['one resource', [photos], ['photos:read', 'photos:write']],
    ['two', [photos, contacts], ['contacts:read', 'photos:read', 'photos:write']],
    ['one of them twice', [contacts, contacts], ['contacts:read']],
    ['one and all', [contacts, issuer], all],
  ]
  for (const [name, indicators, expected] of rows) {
    it(name, () => assert.deepEqual(narrow(all, ...indicators), expected))
  }

  it('one that is reached beside one that is not', () => {
    assert.deepEqual(narrow(['photos:read'], photos, contacts), ['photos:read'])
  })

  it("the operator's own permissions by the service as a whole", () => {
    assert.deepEqual(narrow(['clients:read'], issuer), ['clients:read'])
    assertInvalid(() => narrow(['clients:read'], resourceUri(issuer, 'clients')))
  })

  it('the admin API alone, and never by the name of the API of owners', () => {
    const mixed: Permissions = ['clients:read', 'owners:read', 'photos:read']
    assert.deepEqual(narrow(mixed, adminUri(issuer)), ['clients:read', 'owners:read'])
    assert.deepEqual(narrow(mixed, `${issuer}/api`), ['photos:read'])
    assertInvalid(() => narrow(['photos:read'], adminUri(issuer)))
    assertInvalid(() => narrow(['clients:read'], `${issuer}/api`))
    assertInvalid(() => narrow(mixed, `${adminUri(issuer)}/`))
  })
})

describe('words', () => {
  const mixed: Permissions = ['email', 'offline_access', 'openid', 'photos:read']

  it('are kept by the service as a whole, and where nothing is named', () => {
    for (const uris of [[], [issuer], [`${issuer}/`], [photos, issuer]]) {
      assert.deepEqual(narrow(mixed, ...uris), mixed)
    }
  })

  it('are left out by a resource, but for the one about the refresh token', () => {
    for (const uris of [[photos], [`${issuer}/api`], [photos, contacts]]) {
      assert.deepEqual(narrow(mixed, ...uris), ['offline_access', 'photos:read'])
    }
  })

  it('are not what a resource is asked for', () => {
    assertInvalid(() => narrow(['email', 'openid'], photos))
    assertInvalid(() => narrow(['offline_access', 'openid'], `${issuer}/api`))
    assertInvalid(() => narrow(mixed, contacts))
  })

  it('are for userinfo', () => {
    assert.deepEqual(audiencesOf(mixed, issuer), [`${issuer}/userinfo`, photos])
    assert.deepEqual(audiencesOf(['offline_access'], issuer), [])
  })
})

describe('SC-11: what is refused', () => {
  const strangers = [
    '',
    'photos',
    'https://as.example',
    'https://as.example/api/photos',
    `${issuer}/api/`,
    `${photos}/`,
    `${photos}/1`,
    `${photos}?x`,
    `${photos}#x`,
    `${issuer}/api/attic`,
    `${issuer}/api/photo`,
    `${issuer}/api/photosx`,
    `${issuer}/api/PHOTOS`,
    `${issuer}/api/photos%20`,
    `${issuer}.evil.example/api/photos`,
    photos.toUpperCase(),
    ` ${photos}`,
  ]
  for (const uri of strangers) {
    it(JSON.stringify(uri), () => {
      assertInvalid(() => narrow(all, uri))
      assertInvalid(() => narrow(all, photos, uri))
      assertInvalid(() => narrow(all, uri, issuer))
    })
  }

  it('what the permissions do not reach', () =>
    assertInvalid(() => narrow(['photos:read'], contacts)))
})

it('never more than before, and all of it of a resource that was named', () => {
  const uris = fc.array(fc.constantFrom(issuer, `${issuer}/api`, photos, contacts, 'x'))
  fc.assert(
    fc.property(fc.subarray([...all]), uris, (permissions, indicators) => {
      try {
        const left = narrow(permissions, ...indicators)
        const named = indicators.length === 0 || indicators.some((uri) => !/\/api\/|^x$/.test(uri))
        const reached = (name = ''): boolean =>
          named || indicators.includes(resourceUri(issuer, name))
        assert.deepEqual(
          left,
          permissions.filter((permission) => reached(permission.split(':')[0])),
        )
        assert.equal(indicators.includes('x'), false)
      } catch (fault) {
        if (!(fault instanceof Refusal)) throw fault
        assert.equal(fault.code, 'invalid_target')
      }
    }),
  )
})

it('each resource of an owner is an audience, and the admin API is one', () => {
  const permissions: Permissions = ['clients:read', 'events:read', 'photos:read', 'photos:write']
  assert.deepEqual(audiencesOf(permissions, issuer), [adminUri(issuer), photos])
})
