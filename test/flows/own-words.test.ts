/** Words of the setting `claims`: they tell claims from the attributes of owners. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOwnWords } from '../../src/config/own-words.ts'
import { readAccount } from '../support/accesses.ts'
import { answerOf, formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { idTokenClaims, registerOpenid } from '../support/openid.ts'
import { newVisitor, type Visitor } from '../support/people.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'
import { bearer } from './operator.ts'

const setting = {
  teams: ['teams'],
  work: {
    claims: ['department', 'desk'],
    title: { en: 'Work', zh: '工作' },
    text: { en: 'Sees where you work', zh: '查看您的工作地点' },
  },
}
const parsed = parseOwnWords(setting)
const claims = 'value' in parsed ? parsed.value : []

const attributes = { teams: ['staff', 'admins'], department: 'Post', desk: { floor: 2 }, pin: '1' }

let person: Visitor
const service = startBefore(
  () => start({ claims }),
  async () => {
    person = await newVisitor(service)
    await person.operator('PATCH', `owners/${person.id}`, { attributes })
  },
)

const request = { ...codeRequest, scope: 'openid teams work photos:read', prompt: 'consent' }

const tokensFor = async (asked: Form, changes: Form = {}) => {
  const page = await walk(service, asked, changes, person.browser)
  return (await redeem(service, answerOf(page).code ?? '')).body
}

const userinfo = async (token: string) => {
  const { sub, ...told } = (await service.ask('/userinfo', bearer(token))).body
  assert.equal(sub, person.id)
  return told
}

test('a word tells its claims at /userinfo, and no other attribute', async () => {
  const { access_token, id_token, scope } = await tokensFor(request)
  assert.equal(scope, 'openid photos:read teams work')
  const { teams, department, desk } = attributes
  assert.deepEqual(await userinfo(access_token), { teams, department, desk })
  assert.equal((await idTokenClaims(service, id_token, photoPrinter[0])).teams, undefined)
})

test('the consent page shows the words and the values, and they can be unticked', async () => {
  const page = await person.browser.go(authorizePath(request))
  assert.match(page.text, /Sees where you work/)
  assert.match(page.text, /Sees: teams/)
  assert.match(page.text, /staff, admins/)
  assert.deepEqual(formsOf(page.text)[0]?.fields.permission?.toSorted(), [
    'openid',
    'photos:read',
    'teams',
    'work',
  ])
  const changes = { permission: ['openid', 'photos:read', 'work'] }
  const { access_token, scope } = await tokensFor(request, changes)
  assert.equal(scope, 'openid photos:read work')
  const { department, desk } = attributes
  assert.deepEqual(await userinfo(access_token), { department, desk })
})

test('single claims, and id_token alone, put them into the ID token', async () => {
  const asked = { userinfo: { desk: null }, id_token: { teams: null } }
  const single = { ...request, scope: 'openid', claims: JSON.stringify(asked) }
  const { access_token, id_token } = await tokensFor(single)
  const told = await idTokenClaims(service, id_token, photoPrinter[0])
  assert.deepEqual([told.teams, told.desk], [attributes.teams, undefined])
  assert.deepEqual(await userinfo(access_token), { desk: attributes.desk })
  const [client_id] = await registerOpenid(service)
  const alone = { ...request, client_id, response_type: 'id_token', nonce: 'n' }
  const answer = answerOf(await walk(service, alone, {}, person.browser))
  const inToken = await idTokenClaims(service, answer.id_token, client_id)
  assert.deepEqual([inToken.teams, inToken.department], [attributes.teams, 'Post'])
})

test('the account page has a switch for each, and it works at once', async () => {
  const tokens = await tokensFor(request)
  const { body } = await person.operator('GET', `authorizations?owner=${person.id}`)
  const [{ id }] = body.items.filter(
    (one: { client_id: string }) => one.client_id === photoPrinter[0],
  )
  const page = await readAccount(person.browser)
  assert.match(page.text, /Sees where you work/)
  const kept = { permissions: ['openid', 'photos:read', 'work'] }
  assert.equal((await person.operator('PATCH', `authorizations/${id}`, kept)).status, 200)
  assert.equal((await userinfo(tokens.access_token)).teams, undefined)
  const next = (await refresh(service, tokens.refresh_token)).body
  assert.equal(next.scope, 'openid photos:read work')
})

test('a changed attribute is told at the next request, and null is told of no more', async () => {
  const { access_token } = await tokensFor(request)
  const changed = { attributes: { teams: ['staff'], department: null } }
  await person.operator('PATCH', `owners/${person.id}`, changed)
  assert.deepEqual(await userinfo(access_token), { teams: ['staff'] })
  await person.operator('PATCH', `owners/${person.id}`, { attributes })
})

test('metadata names words and claims', async () => {
  const { body } = await service.ask('/.well-known/openid-configuration')
  for (const word of ['teams', 'work']) assert.ok(body.scopes_supported.includes(word))
  for (const claim of ['teams', 'department', 'desk']) {
    assert.ok(body.claims_supported.includes(claim))
  }
})

test('no resource may have the name of a word', async () => {
  const resource = { name: 'teams', title: 'Teams', read: 'See', write: 'Change' }
  const { status, body } = await person.operator('POST', 'resources', resource)
  assert.deepEqual(
    [status, body.detail],
    [422, 'the resource has the "name" "teams", which is a word'],
  )
  const [photos] = service.server().settings.resources
  assert.ok(photos)
  const named = [{ ...photos, name: 'teams' }]
  await assert.rejects(start({ claims, resources: named }), /name of a word of the setting claims/)
})

test('where the word is unknown, a request leaves it out', async () => {
  const other = await start()
  const asked = { ...codeRequest, scope: 'openid teams' }
  const page = await walk(other, asked)
  const form = { grant_type: 'authorization_code', code: answerOf(page).code ?? '' }
  const { body } = await other.post('/token', { ...form, redirect_uri: callback }, photoPrinter)
  assert.equal(body.scope, 'openid')
  await other.close()
})

describe('a setting that cannot work is refused', () => {
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [[], /^an object with words/],
    [{ openid: ['x'] }, /"openid" is a word already/],
    [{ groups: ['groups'] }, /"groups" is a word already/],
    [{ clients: ['x'] }, /the admin API uses the name "clients"/],
    [{ grant_management_query: ['x'] }, /"grant_management_query" is a permission of clients/],
    [{ 'a:b': ['x'] }, /other characters/],
    [{ a: [] }, /"a" needs a list/],
    [{ a: ['sub'] }, /the reserved claim "sub"/],
    [{ a: ['email'] }, /the reserved claim "email"/],
    [{ a: ['x'], b: ['x'] }, /two words name the claim "x"/],
    [{ a: { claims: ['x'], titel: 'A' } }, /other members/],
    [{ a: { claims: ['x'], title: 7 } }, /"a" needs for "title"/],
  ]
  for (const [given, said] of bad) {
    test(JSON.stringify(given), () => {
      const result = parseOwnWords(given)
      assert.match('expected' in result ? result.expected : 'taken', said)
    })
  }
})
