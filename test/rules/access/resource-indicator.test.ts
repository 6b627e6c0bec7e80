/** Resource indicators (RFC 8707): they only ever narrow. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getAdminUri, getResourceUri, isFor, listAudiences } from '../../../src/access/audience.ts'
import { narrowToResources, narrowWithWords } from '../../../src/access/resource-indicator.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const issuer = 'https://as.example/oauth2'
const mcp = 'https://mcp.example.com'
const resources = [
  { name: 'contacts', uri: null },
  { name: 'photos', uri: null },
  { name: 'tasks', uri: null },
  { name: 'tools', uri: mcp },
]
const site = { issuer, resources }
const all: Permissions = ['contacts:read', 'photos:read', 'photos:write', 'tasks:read']
const photos = getResourceUri(issuer, 'photos')
const contacts = getResourceUri(issuer, 'contacts')

const narrow = (permissions: Permissions, ...indicators: readonly string[]) =>
  narrowToResources({ permissions, details: [], audience: [] }, indicators, site).permissions

const assertInvalid = (act: () => unknown, reason?: string): void =>
  assert.throws(
    act,
    (fault) =>
      fault instanceof Refusal &&
      fault.code === 'invalid_target' &&
      (reason === undefined || fault.reason === reason),
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
    assertInvalid(() => narrow(['clients:read'], getResourceUri(issuer, 'clients')))
  })

  it('the admin API alone, and never by the name of the API of owners', () => {
    const mixed: Permissions = ['clients:read', 'owners:read', 'photos:read']
    assert.deepEqual(narrow(mixed, getAdminUri(issuer)), ['clients:read', 'owners:read'])
    assert.deepEqual(narrow(mixed, `${issuer}/api`), ['photos:read'])
    assertInvalid(() => narrow(['photos:read'], getAdminUri(issuer)))
    assertInvalid(() => narrow(['clients:read'], `${issuer}/api`))
    assertInvalid(() => narrow(mixed, `${getAdminUri(issuer)}/`))
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
    assert.deepEqual(listAudiences({ permissions: mixed, details: [] }, site), [
      `${issuer}/userinfo`,
      photos,
    ])
    assert.deepEqual(listAudiences({ permissions: ['offline_access'], details: [] }, site), [])
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
      assertInvalid(() => narrow(all, uri), 'unknown_resource')
      assertInvalid(() => narrow(all, photos, uri), 'unknown_resource')
      assertInvalid(() => narrow(all, uri, issuer), 'unknown_resource')
    })
  }

  it('what the permissions do not reach', () =>
    assertInvalid(() => narrow(['photos:read'], contacts), 'unreached_resource'))

  it('an audience that would make tokens too long', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      name: `r${index}`,
      uri: `https://${index}.example/${'x'.repeat(238)}`,
    }))
    const ask = (count: number) =>
      narrowToResources(
        { permissions: many.map(({ name }) => `${name}:read` as const), details: [], audience: [] },
        many.slice(0, count).map(({ uri }) => uri),
        { issuer, resources: many },
      )
    assert.equal(ask(8).audience.length, 8)
    assertInvalid(() => ask(9), 'audience_too_long')
  })

  it('and the description lists what there is, as far as it has room', () => {
    const uri = `https://quoted.example/"\\${'x'.repeat(480)}`
    const many = [
      { name: 'quoted', uri },
      { name: 'long', uri: `${mcp}/${'y'.repeat(480)}` },
    ]
    assert.throws(
      () =>
        narrowToResources({ permissions: all, details: [], audience: [] }, ['x'], {
          issuer,
          resources: many,
        }),
      {
        description: `resource has to be one of ${issuer}, ${issuer}/api, ${uri.replace('"', '%22').replaceAll('\\', '%5C')}, ...`,
      },
    )
  })
})

it('never more than before, and all of it of a resource that was named', () => {
  const uris = fc.array(fc.constantFrom(issuer, `${issuer}/api`, photos, contacts, 'x'))
  fc.assert(
    fc.property(fc.subarray([...all]), uris, (permissions, indicators) => {
      try {
        const left = narrow(permissions, ...indicators)
        const named = indicators.length === 0 || indicators.some((uri) => !/\/api\/|^x$/.test(uri))
        const reached = (name = ''): boolean =>
          named || indicators.includes(getResourceUri(issuer, name))
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
  assert.deepEqual(listAudiences({ permissions, details: [] }, site), [getAdminUri(issuer), photos])
})

describe('the audience', () => {
  const mixed: Permissions = ['email', 'openid', 'photos:read', 'tools:read']
  const reach = (permissions: Permissions, ...audience: readonly string[]) => ({
    permissions,
    details: [],
    audience,
  })

  it('is what resource names, each once; without it, that of the permissions', () => {
    const ask = (...uris: string[]) => narrowToResources(reach(mixed), uris, site).audience
    assert.deepEqual(ask(), [])
    assert.deepEqual(ask(`${issuer}/`, issuer, photos), [issuer, photos])
    assert.deepEqual(ask(mcp, photos, mcp), [mcp, photos])
  })

  it('of the service is what is built in, and no resource elsewhere', () => {
    assert.deepEqual(narrow(mixed, issuer), ['email', 'openid', 'photos:read'])
    assert.deepEqual(narrow(mixed, `${issuer}/api`), ['photos:read'])
    assert.deepEqual(narrow(mixed, mcp), ['tools:read'])
    assertInvalid(() => narrow(['tools:read'], issuer), 'unreached_resource')
    // A resource elsewhere is not at the place of a built-in one.
    assertInvalid(() => narrow(mixed, getResourceUri(issuer, 'tools')), 'unknown_resource')
  })

  it('that was approved can be narrowed, and never left', () => {
    const approved = reach(['email', 'photos:read', 'tools:read'], photos, mcp)
    const later = (...uris: string[]) => narrowToResources(approved, uris, site)
    assert.deepEqual(later(), reach(['photos:read', 'tools:read'], photos, mcp))
    assert.deepEqual(later(mcp), reach(['tools:read'], mcp))
    // The part of the service that was approved.
    for (const wide of [issuer, `${issuer}/`, `${issuer}/api`]) {
      assert.deepEqual(later(wide), reach(['photos:read'], photos))
    }
    for (const beyond of [contacts, getAdminUri(issuer)]) {
      assertInvalid(() => later(beyond), 'resource_beyond_grant')
      assertInvalid(() => later(mcp, beyond), 'resource_beyond_grant')
    }
    const ofService = reach(['email', 'photos:read'], issuer)
    assert.deepEqual(narrowToResources(ofService, [photos], site), reach(['photos:read'], photos))
    assertInvalid(() => narrowToResources(ofService, [mcp], site), 'resource_beyond_grant')
  })

  it('of a resource that has another uri now reaches nothing', () => {
    const old = reach(['tools:read'], 'https://old.example')
    assertInvalid(() => narrowToResources(old, [], site), 'unreached_resource')
    assertInvalid(() => narrowToResources(old, [mcp], site), 'resource_beyond_grant')
  })

  it('has userinfo in it where a code keeps words', () => {
    const ask = (permissions: Permissions, ...uris: string[]) =>
      narrowWithWords(reach(permissions), uris, site)
    const userinfo = `${issuer}/userinfo`
    assert.deepEqual(ask(mixed, mcp), reach(['email', 'openid', 'tools:read'], mcp, userinfo))
    assert.deepEqual(ask(mixed, issuer), reach(['email', 'openid', 'photos:read'], issuer))
    assert.deepEqual(ask(mixed), reach(mixed))
    const offline: Permissions = ['offline_access', 'tools:read']
    assert.deepEqual(ask(offline, mcp), reach(offline, mcp))
  })

  it('is for each API within it', () => {
    const rows: [readonly string[], readonly string[]][] = [
      [[], [photos, mcp, getAdminUri(issuer), `${issuer}/userinfo`, 'x']],
      [[issuer], [photos, contacts, getAdminUri(issuer), `${issuer}/userinfo`]],
      [[`${issuer}/api`], [photos, contacts]],
      [[photos], [photos]],
      [
        [mcp, contacts],
        [mcp, contacts],
      ],
    ]
    const every = [photos, contacts, mcp, getAdminUri(issuer), `${issuer}/userinfo`, 'x']
    for (const [audience, expected] of rows) {
      const reached = every.filter((uri) => isFor({ audience }, uri, site))
      assert.deepEqual(reached.sort(), (audience.length === 0 ? every : [...expected]).sort())
    }
  })
})
