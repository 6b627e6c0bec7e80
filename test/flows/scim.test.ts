/** SCIM 2.0 (RFC 7643, RFC 7644): the documented requests of Entra ID, Okta and OneLogin, one after the other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { password } from '../support/people.ts'
import { codeRequest, walk } from '../support/printing.ts'
import {
  addUser,
  type Directory,
  groupSchema,
  openDirectory,
  patchOf,
  userSchema,
} from '../support/scim.ts'
import { start, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'

let directory: Directory
const service = startBefore(start, async () => {
  directory = await openDirectory(service)
})

const ask: Directory['ask'] = (...asked) => directory.ask(...asked)
const time = () => new Date(service.now() * 1000).toISOString()
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const listOf = (...resources: readonly unknown[]) => ({
  schemas: [listSchema],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})
const refused = (status: number, detail: string, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})
const location = (path: string) => `${service.issuer}/scim/v2${path}`

/** Sends a request, and compares the whole answer. @param body undefined: without one */
const expect = async (status: number, body: unknown, ...asked: Parameters<Directory['ask']>) => {
  const answer = await ask(...asked)
  assert.equal(answer.status, status, `${asked[0]} ${asked[1]}: ${answer.text}`)
  if (body === undefined) assert.equal(answer.text, '')
  else {
    const { meta, ...rest } = answer.body
    // The version is a digest, and nobody knows it beforehand.
    const told = meta === undefined ? rest : { ...rest, meta: { ...meta, version: undefined } }
    assert.deepEqual(told, body)
    assert.equal(answer.headers.get('content-type'), 'application/scim+json')
    if (meta?.version !== undefined) assert.equal(answer.headers.get('etag'), meta.version)
  }
  return answer
}

const metaOf = (type: 'User' | 'Group', id: string, created = time()) => ({
  resourceType: type,
  created,
  lastModified: time(),
  location: location(`/${type}s/${id}`),
  version: undefined,
})

/** A resource of a list, whose version is not compared. */
const withoutVersion = (answer: Awaited<ReturnType<Directory['ask']>>) =>
  answer.body.Resources.map(({ meta, ...rest }: { meta: object }) => ({
    ...rest,
    meta: { ...meta, version: undefined },
  }))

test('Entra ID provisions users and groups', async () => {
  const userName = 'Test_User_dfeef4c5-5681-4387-b016-bdf221e82081'
  const search = `/Users?filter=userName+eq+%22${userName}%22`
  await expect(200, listOf(), 'GET', search)
  const sent = {
    schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: true,
    displayName: 'Ms Entra',
    emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
  }
  const created = await ask('POST', '/Users', sent)
  assert.equal(created.status, 201, created.text)
  const { id } = created.body
  assert.equal(created.headers.get('location'), location(`/Users/${id}`))
  const kept = {
    schemas: [userSchema],
    id,
    externalId: sent.externalId,
    userName,
    name: sent.name,
    displayName: 'Ms Entra',
    active: true,
    emails: [{ value: 'Test_User_fd0ea19b@testuser.com', type: 'work', primary: true }],
  }
  const meta = metaOf('User', id)
  await expect(200, { ...kept, meta }, 'GET', `/Users/${id}`)
  assert.deepEqual(withoutVersion(await ask('GET', search)), [{ ...kept, meta }])
  const taken = refused(
    409,
    'another user or group has this name, or another user this address',
    'uniqueness',
  )
  await expect(409, taken, 'POST', '/Users', { ...sent, externalId: 'x' })

  const changed = {
    ...kept,
    userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com',
    name: { formatted: 'givenName Updated', familyName: 'Updated', givenName: 'givenName' },
    emails: [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }],
    meta,
  }
  const several = patchOf(
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
    { op: 'Replace', path: 'name.familyName', value: 'Updated' },
    { op: 'Replace', path: 'userName', value: changed.userName },
    { op: 'Add', value: { 'name.formatted': 'givenName Updated', title: 'Boss' } },
    {
      op: 'Add',
      path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber',
      value: '7',
    },
    { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
  )
  await expect(200, changed, 'PATCH', `/Users/${id}`, several)
  const off = patchOf({ op: 'Replace', path: 'active', value: 'False' })
  await expect(200, { ...changed, active: false }, 'PATCH', `/Users/${id}`, off)

  const displayName = 'displayName of Entra'
  const group = await ask('POST', '/Groups', {
    schemas: [
      groupSchema,
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName,
    members: [],
    meta: { resourceType: 'Group' },
  })
  assert.equal(group.status, 201, group.text)
  const groupId = group.body.id
  const plain = {
    schemas: [groupSchema],
    id: groupId,
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName,
    meta: metaOf('Group', groupId),
  }
  const path = `/Groups/${groupId}`
  await expect(200, plain, 'GET', `${path}?excludedAttributes=members`)
  const found = `/Groups?excludedAttributes=members&filter=displayName+eq+%22${encodeURIComponent(displayName)}%22`
  assert.deepEqual(withoutVersion(await ask('GET', found)), [plain])
  const rename = patchOf({ op: 'Replace', path: 'displayName', value: 'updatedDisplayName' })
  await expect(204, undefined, 'PATCH', path, rename)
  const member = [{ $ref: null, value: id }]
  await expect(
    204,
    undefined,
    'PATCH',
    path,
    patchOf({ op: 'Add', path: 'members', value: member }),
  )
  const full = {
    ...plain,
    displayName: 'updatedDisplayName',
    members: [{ value: id, $ref: location(`/Users/${id}`), type: 'User', display: 'Ms Entra' }],
  }
  await expect(200, full, 'GET', path)
  const ofMember = `/Groups?filter=members.value+eq+%22${id}%22&excludedAttributes=members`
  assert.equal((await ask('GET', ofMember)).body.Resources[0].id, groupId)
  const user = await ask('GET', `/Users/${id}?attributes=groups`)
  const inGroup = { value: groupId, $ref: location(path), display: 'updatedDisplayName' }
  assert.deepEqual(user.body, { schemas: [userSchema], id, groups: [inGroup] })
  const out = patchOf({ op: 'Remove', path: 'members', value: member })
  await expect(204, undefined, 'PATCH', path, out)
  await expect(200, { ...full, members: [] }, 'GET', path)
  await expect(204, undefined, 'DELETE', path)
  await expect(204, undefined, 'DELETE', `/Users/${id}`)
  const gone = refused(404, 'the client has no resource with this id')
  await expect(404, gone, 'GET', `/Users/${id}`)
  await expect(404, gone, 'DELETE', path)
})

test('Okta provisions users and pushes groups', async () => {
  assert.equal((await ask('GET', '/Users?startIndex=1&count=2')).body.totalResults, 0)
  await expect(200, listOf(), 'GET', '/Groups?startIndex=1&count=100')
  const search = '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100'
  await expect(200, listOf(), 'GET', search)
  const sent = {
    schemas: [userSchema],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await ask('POST', '/Users', sent)
  assert.equal(created.status, 201, created.text)
  const { id } = created.body
  const { groups: _, password: __, ...kept } = { ...sent, id, meta: metaOf('User', id) }
  await expect(200, kept, 'GET', `/Users/${id}`)
  assert.doesNotMatch(created.text, /1mz050nq/)
  const put = {
    schemas: [userSchema],
    id,
    userName: 'test.user@okta.local',
    name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work', display: 'x' }],
    active: true,
    groups: [],
    meta: { resourceType: 'User' },
  }
  const emails = [{ value: 'test.user@okta.local', type: 'work', primary: true }]
  const { locale, ...stays } = kept
  assert.equal(locale, 'en-US')
  const replaced = { ...stays, emails, name: put.name, displayName: 'Another User' }
  await expect(200, replaced, 'PUT', `/Users/${id}`, put)
  const off = patchOf({ op: 'replace', value: { active: false } })
  await expect(200, { ...replaced, active: false }, 'PATCH', `/Users/${id}`, off)

  const push = { schemas: [groupSchema], displayName: 'Test SCIMv2', members: [] }
  const group = await ask('POST', '/Groups', push)
  const groupId = group.body.id
  const path = `/Groups/${groupId}`
  const named = patchOf({ op: 'replace', value: { id: groupId, displayName: 'Test SCIMv22' } })
  await expect(204, undefined, 'PATCH', path, named)
  const other = await addUser(directory)
  const members = patchOf(
    { op: 'remove', path: `members[value eq "${other.id}"]` },
    { op: 'add', path: 'members', value: [{ value: id, display: 'test.user@okta.local' }] },
  )
  await expect(204, undefined, 'PATCH', path, members)
  const meta = metaOf('Group', groupId)
  const shown = { schemas: [groupSchema], id: groupId, displayName: 'Test SCIMv22', meta }
  const [first, second] = [
    [id, 'Another User'],
    [other.id, other.userName],
  ].map(([value, display]) => ({ value, $ref: location(`/Users/${value}`), type: 'User', display }))
  await expect(200, { ...shown, members: [first] }, 'GET', path)
  const whole = patchOf({ op: 'replace', path: 'members', value: [{ value: other.id }] })
  await expect(204, undefined, 'PATCH', path, whole)
  const putGroup = {
    schemas: [groupSchema],
    id: groupId,
    displayName: 'Test SCIMv22',
    members: [
      { value: id, display: 'x' },
      { value: other.id, display: 'y' },
    ],
  }
  const inOrder = [first, second].sort((a, b) => ((a?.value ?? '') < (b?.value ?? '') ? -1 : 1))
  await expect(200, { ...shown, members: inOrder }, 'PUT', path, putGroup)
  await expect(204, undefined, 'DELETE', path)
})

test('OneLogin provisions users and groups, and reads plain JSON', async () => {
  const plain = { accept: 'application/json' }
  const search = '/Users?filter=userName%20eq%20%22one%40login.example%22'
  const none = await ask('GET', search, undefined, plain)
  assert.deepEqual([none.status, none.body], [200, listOf()])
  assert.equal(none.headers.get('content-type'), 'application/json')
  const sent = {
    schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    userName: 'one@login.example',
    externalId: '12345678',
    name: { givenName: 'One', familyName: 'Login', formatted: 'One Login' },
    emails: [{ value: 'one@login.example', type: 'work', primary: true }],
    active: true,
    displayName: 'One Login',
  }
  const { body } = await ask('POST', '/Users', sent, plain)
  const { id } = body
  const kept = { ...sent, schemas: [userSchema], id, meta: metaOf('User', id) }
  const put = { ...sent, id, name: { ...sent.name, givenName: 'Uno' }, active: 'false' }
  const changed = { ...kept, name: put.name, active: false }
  await expect(200, changed, 'PUT', `/Users/${id}`, put)
  const groups = await ask('GET', '/Groups')
  assert.equal(groups.body.totalResults, 0)
  const group = await ask('POST', '/Groups', {
    schemas: [groupSchema],
    displayName: 'OneLogin Team',
    members: [{ value: id }],
  })
  assert.deepEqual(
    group.body.members.map(({ value }: { value: string }) => value),
    [id],
  )
  const path = `/Groups/${group.body.id}`
  const out = patchOf({ op: 'remove', path: 'members', value: [{ value: id }] })
  await expect(204, undefined, 'PATCH', path, out)
  const into = patchOf({ op: 'add', value: { members: [{ value: id }] } })
  const answered = await ask('PATCH', `${path}?attributes=members.value`, into)
  const asked = { schemas: [groupSchema], id: group.body.id, members: [{ value: id }] }
  assert.deepEqual([answered.status, answered.body], [200, asked])
  await expect(204, undefined, 'DELETE', `/Users/${id}`)
  assert.deepEqual((await ask('GET', path)).body.members, [])
  await expect(204, undefined, 'DELETE', path)
})

test('sessions, codes and tokens of a user who is disabled are dead on the next request', async () => {
  const { operator } = directory
  const { id, userName } = await addUser(directory)
  const set = await operator('POST', `owners/${id}/set-password`, { password })
  assert.equal(set.status, 200, set.text)
  const browser = new Browser(service)
  await browser.logIn(await browser.go(`${service.issuer}/login`), userName, password)
  const codeOf = (page: Page) => answerOf(page).code ?? ''
  const tokens = (await redeem(service, codeOf(await walk(service, codeRequest, {}, browser)))).body
  const code = codeOf(await walk(service, codeRequest, {}, browser))
  assert.equal(await use(service, tokens.access_token), 200)
  const off = patchOf({ op: 'replace', path: 'active', value: false })
  assert.equal((await ask('PATCH', `/Users/${id}`, off)).body.active, false)
  assert.equal(await use(service, tokens.access_token), 401)
  assert.deepEqual(await introspect(service, tokens.access_token), { active: false })
  assert.equal((await redeem(service, code)).body.error, 'invalid_grant')
  assert.equal((await refresh(service, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.match((await browser.go(`${service.issuer}/account`)).url, /\/login/)
  const { body } = await operator('GET', `events?owner=${id}&type=owner.changed`)
  const [{ actor, details }] = body.items
  assert.deepEqual(
    [actor.type, actor.client_id, actor.door, details.changed, details.disabled],
    ['operator', directory.clientId, 'scim', 'disabled', true],
  )
  assert.equal((await operator('GET', `clients/${photoPrinter[0]}`)).status, 200)
})

describe('a request', () => {
  test('is answered by what the API is: RFC 7644 section 4', async () => {
    const config = await service.ask('/scim/v2/ServiceProviderConfig')
    const { bulk, changePassword, etag, filter, patch, sort } = config.body
    assert.deepEqual(
      { bulk: bulk.supported, changePassword, etag, filter, patch, sort },
      {
        bulk: false,
        changePassword: { supported: false },
        etag: { supported: true },
        filter: { supported: true, maxResults: 100 },
        patch: { supported: true },
        sort: { supported: false },
      },
    )
    const types = (await ask('GET', '/ResourceTypes')).body
    assert.deepEqual(
      types.Resources.map(({ id }: { id: string }) => id),
      ['User', 'Group'],
    )
    const schema = await ask('GET', `/Schemas/${userSchema}`)
    assert.equal(schema.body.attributes[0].name, 'userName')
    await expect(403, refused(403, 'this list takes no filter'), 'GET', '/Schemas?filter=a+pr')
    const me = 'a token of this API is of a client, and no user stands behind it'
    await expect(501, refused(501, me), 'GET', '/Me')
    const bulk501 = 'there are no bulk requests, as ServiceProviderConfig says'
    await expect(501, refused(501, bulk501), 'POST', '/Bulk', {})
    const nothing = refused(404, 'the SCIM API has nothing at this path')
    for (const path of ['', '/Foo', '/Users/x/y']) await expect(404, nothing, 'GET', path)
    const metadata = await service.ask('/.well-known/oauth-protected-resource/scim/v2')
    const { resource, scopes_supported } = metadata.body
    assert.deepEqual([resource, scopes_supported], [location(''), ['scim']])
  })

  test('takes entity tags (section 3.14), and says what it expects', async () => {
    const { id, meta } = await addUser(directory)
    const path = `/Users/${id}`
    const version = { 'if-none-match': meta.version }
    // Groups change without the version of the user.
    assert.equal((await ask('GET', path, undefined, version)).status, 200)
    const alone = `${path}?excludedAttributes=groups`
    assert.equal((await ask('GET', alone, undefined, version)).status, 304)
    const rename = patchOf({ op: 'replace', path: 'displayName', value: 'New' })
    const old = { 'if-match': 'W/"old"' }
    const other = refused(412, 'If-Match names another version of the resource: read it again')
    for (const method of ['PATCH', 'DELETE']) {
      await expect(412, other, method, path, method === 'PATCH' ? rename : undefined, old)
    }
    const right = { 'if-match': meta.version }
    assert.equal((await ask('PATCH', path, rename, right)).body.displayName, 'New')
    await expect(412, other, 'PATCH', path, rename, right)

    const wrong = (detail: string, scimType: string, ...operations: readonly object[]) =>
      expect(400, refused(400, detail, scimType), 'PATCH', path, patchOf(...operations))
    const good = { op: 'replace', path: 'displayName', value: 'Never' }
    const noPath = 'a path leads to no attribute of the resource: /Schemas lists them'
    await wrong(noPath, 'invalidPath', good, { op: 'replace', path: 'activ', value: false })
    await wrong('groups is read only', 'mutability', { op: 'add', path: 'groups', value: [] })
    const noValue = 'no value of emails is meant by the path'
    const email = { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.example' }
    await wrong(noValue, 'noTarget', good, email)
    await wrong('active has to be true or false', 'invalidValue', { ...good, path: 'active' })
    await wrong('op has to be add, remove or replace', 'invalidSyntax', { ...good, op: 'move' })
    assert.equal((await ask('GET', path)).body.displayName, 'New')
    const filter =
      'the filter needs one of eq, ne, co, sw, ew, gt, ge, lt, le and pr at character 10'
    const bad = refused(400, filter, 'invalidFilter')
    await expect(400, bad, 'GET', '/Users?filter=userName%20is%20%22a%22')
    const name = 'userName has to be text of 1 to 200 visible characters, no blank at either end'
    const nameless = { schemas: [userSchema], userName: ' ' }
    await expect(400, refused(400, name, 'invalidValue'), 'POST', '/Users', nameless)
  })

  test('without a condition waits for its turn: each of many at once is done', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => addUser(directory)))
    const { body: group } = await ask('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'at once',
    })
    const path = `/Groups/${group.id}`
    const join = ({ id }: { id: string }) =>
      patchOf({ op: 'add', path: 'members', value: [{ value: id }] })
    const done = await Promise.all([
      ...users.map((user) => ask('PATCH', path, join(user))),
      ...['nickName', 'displayName', 'externalId', 'userName'].map((name) =>
        ask(
          'PATCH',
          `/Users/${users[0].id}`,
          patchOf({ op: 'add', path: name, value: `at ${name}` }),
        ),
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        ask(
          'PATCH',
          `/Users/${users[1].id}`,
          patchOf({ op: 'add', path: 'externalId', value: `${i}` }),
        ),
      ),
      ask('PATCH', `/Users/${users[0].id}`, patchOf({ op: 'add', path: 'active', value: false })),
    ])
    assert.deepEqual([...new Set(done.map(({ status }) => status))], [204, 200])
    const { members } = (await ask('GET', path)).body
    assert.equal(members.length, users.length)
    const all = {
      schemas: [groupSchema],
      displayName: 'at once',
      members: [...members, ...members],
    }
    assert.equal((await ask('PUT', path, all)).status, 200)
    const user = (await ask('GET', `/Users/${users[0].id}`)).body
    assert.deepEqual(
      [user.nickName, user.displayName, user.externalId, user.userName, user.active],
      ['at nickName', 'at displayName', 'at externalId', 'at userName', false],
    )
    const { body } = await directory.operator('GET', `events?owner=${user.id}&type=owner.changed`)
    const renamed = body.items.find(({ details }: { details: object }) => 'username' in details)
    const { usernameBefore, username, changed } = renamed.details
    assert.deepEqual(
      [usernameBefore, username, changed],
      [users[0].userName, 'at userName', 'username'],
    )
  })

  test('finds by any filter, and pages', async () => {
    const own = await openDirectory(service)
    const users = []
    for (const nickName of ['Ann', 'Bob', 'Cem']) {
      service.pass(1)
      users.push(await addUser(own, { nickName, externalId: nickName, active: nickName !== 'Bob' }))
    }
    const idsOf = async (query: string) =>
      (await own.ask('GET', `/Users?${query}`)).body.Resources.map(
        ({ nickName }: { nickName: string }) => nickName,
      )
    const filters: Readonly<Record<string, readonly string[]>> = {
      'active eq true and not (nickName sw "c")': ['Ann'],
      'nickName eq "bob" or externalId eq "Cem"': ['Bob', 'Cem'],
      'externalId eq "cem"': [],
      [`id eq "${users[0].id}"`]: ['Ann'],
      'emails pr': [],
      [`${userSchema}:nickName ge "bob" and meta.created gt "2020-01-01T00:00:00Z"`]: [
        'Bob',
        'Cem',
      ],
    }
    for (const [filter, found] of Object.entries(filters)) {
      assert.deepEqual(await idsOf(`filter=${encodeURIComponent(filter)}`), found, filter)
    }
    assert.deepEqual(await idsOf('startIndex=2&count=1'), ['Bob'])
    const search = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'nickName pr',
      startIndex: 3,
      attributes: ['nickName'],
    }
    const page = await own.ask('POST', '/Users/.search', search)
    assert.deepEqual(page.body, {
      schemas: [listSchema],
      totalResults: 3,
      startIndex: 3,
      itemsPerPage: 1,
      Resources: [{ schemas: [userSchema], id: users[2].id, nickName: 'Cem' }],
    })
  })
})
