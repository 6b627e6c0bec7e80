/** A directory, or a thief of its token, that wants more than the people of the directory. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin, nightlyReport } from '../support/demo-clients.ts'
import { mailsIn } from '../support/mailbox.ts'
import { newName, newPerson, password } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import {
  addGroup,
  addUser,
  type Directory,
  groupSchema,
  openDirectory,
  patchOf,
  userSchema,
} from '../support/scim.ts'
import { start, startBefore } from '../support/start.ts'

let mine: Directory
let other: Directory
const service = startBefore(start, async () => {
  mine = await openDirectory(service)
  other = await openDirectory(service)
})

const statusOf = async (...asked: Parameters<Directory['ask']>) => (await mine.ask(...asked)).status
const off = patchOf({ op: 'replace', path: 'active', value: false })
const whole = (userName: string) => ({ schemas: [userSchema], userName })

describe('a token', () => {
  const asks = async (token: string) =>
    (await service.ask('/scim/v2/Users', { headers: { authorization: `Bearer ${token}` } })).status

  test('of an owner, of the admin API, or of nobody opens no SCIM', async () => {
    const missing = await service.ask('/scim/v2/Users')
    assert.equal(missing.status, 401)
    const challenge = missing.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /^Bearer .*oauth-protected-resource\/scim\/v2"$/)
    assert.equal(await asks((await obtainTokens(service)).access_token), 403)
    const form = { grant_type: 'client_credentials' }
    const admin = (await service.post('/token', form, latchkeyAdmin)).body.access_token
    assert.equal(await asks(admin), 403)
    const resource = `${service.issuer}/scim/v2`
    const narrowed = { grant_type: 'client_credentials', resource }
    const { access_token: token } = (await service.post('/token', narrowed, mine.credentials)).body
    assert.equal(await asks(token), 200)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await service.ask('/admin/api/owners', { headers })).status, 401)
  })

  test('comes from an operator alone: no client takes the permission by itself', async () => {
    const asked = { client_name: 'x', grant_types: ['client_credentials'], scope: 'scim' }
    const own = await service.ask('/register', { json: asked })
    assert.ok(own.status === 400 || !String(own.body.scope).includes('scim'), own.text)
    const form = { grant_type: 'client_credentials', scope: 'scim' }
    assert.equal((await service.post('/token', form, nightlyReport)).body.error, 'invalid_scope')
    const clients = await operatorOf(service, 'clients:read clients:write')
    assert.equal((await clients('POST', 'clients', asked)).status, 403)
    const change = await clients('PATCH', `clients/${nightlyReport[0]}`, { scope: 'scim' })
    assert.equal(change.status, 403)
    const rotated = await clients('POST', `clients/${mine.clientId}/rotate-secret`)
    assert.equal(rotated.status, 403)
  })

  test('is dead once the operator takes the permission', async () => {
    const directory = await openDirectory(service)
    const path = `clients/${directory.clientId}`
    const { status, text } = await directory.operator('PATCH', path, { scope: 'photos:read' })
    assert.equal(status, 200, text)
    assert.ok([401, 403].includes((await directory.ask('GET', '/Users')).status))
  })
})

describe('a directory', () => {
  test('neither sees nor changes what it did not create', async () => {
    const person = await newPerson(service)
    const theirs = await addUser(other)
    const group = await addGroup(other, newName(), [theirs.id])
    for (const id of [person.id, theirs.id]) {
      assert.equal(await statusOf('GET', `/Users/${id}`), 404)
      assert.equal(await statusOf('PATCH', `/Users/${id}`, off), 404)
      assert.equal(await statusOf('PUT', `/Users/${id}`, whole('x')), 404)
      assert.equal(await statusOf('DELETE', `/Users/${id}`), 404)
      const member = { schemas: [groupSchema], displayName: newName(), members: [{ value: id }] }
      assert.equal(await statusOf('POST', '/Groups', member), 400)
    }
    assert.equal(await statusOf('GET', `/Groups/${group.id}`), 404)
    assert.equal(await statusOf('DELETE', `/Groups/${group.id}`), 404)
    assert.equal(await statusOf('POST', '/Users', whole(person.username)), 409)
    const filter = `/Users?filter=${encodeURIComponent(`userName eq "${person.username}"`)}`
    assert.equal((await mine.ask('GET', filter)).body.totalResults, 0)
    const rename = patchOf({ op: 'replace', path: 'userName', value: person.username })
    assert.equal(await statusOf('PATCH', `/Users/${(await addUser(mine)).id}`, rename), 409)
  })

  test('locks out no operator, even one whom it created', async () => {
    const user = await addUser(mine)
    const plain = await addUser(mine)
    const group = await addGroup(mine, newName(), [user.id])
    const path = `owners/${user.id}`
    const asked = await mine.operator('PATCH', path, { roles: ['auditor'] })
    assert.equal(asked.status, 200, asked.text)
    assert.equal(await statusOf('PATCH', `/Users/${user.id}`, off), 403)
    assert.equal(await statusOf('PUT', `/Users/${user.id}`, whole(newName())), 403)
    assert.equal(await statusOf('DELETE', `/Users/${user.id}`), 403)
    const members = `/Groups/${group.id}`
    const out = patchOf({ op: 'remove', path: `members[value eq "${user.id}"]` })
    assert.equal(await statusOf('PATCH', members, out), 403)
    const others = patchOf({ op: 'replace', path: 'members', value: [{ value: plain.id }] })
    assert.equal(await statusOf('PATCH', members, others), 403)
    assert.equal(await statusOf('DELETE', members), 403)
    const { body } = await mine.operator('GET', path)
    assert.deepEqual([body.disabled, body.roles], [false, ['auditor']])
  })

  test('takes no name that lets its people in', async () => {
    const name = newName()
    const client = { client_name: newName(), allowed_groups: [name] }
    const uri = { redirect_uris: ['https://wiki.example/callback'] }
    const made = await mine.operator('POST', 'clients', { ...client, ...uri })
    const isAllowed = made.status === 201
    if (!isAllowed) {
      // The group has to be there before: then it is deleted, and the list stays.
      assert.equal((await mine.operator('POST', 'groups', { name })).status, 201)
      assert.equal((await mine.operator('POST', 'clients', { ...client, ...uri })).status, 201)
      assert.equal((await mine.operator('DELETE', `groups/${name}`)).status, 204)
    }
    const create = await mine.ask('POST', '/Groups', { schemas: [groupSchema], displayName: name })
    assert.deepEqual([create.status, create.body.scimType], [409, 'uniqueness'])
    const group = await addGroup(mine, newName())
    const rename = patchOf({ op: 'replace', path: 'displayName', value: name })
    assert.equal(await statusOf('PATCH', `/Groups/${group.id}`, rename), 409)
  })

  test('claims no address: a new one is not confirmed, and a confirmed one is no name', async () => {
    const address = `${newName()}@example.com`
    const person = await newPerson(service)
    const change = { email: address, email_verified: true }
    assert.equal((await mine.operator('PATCH', `owners/${person.id}`, change)).status, 200)
    assert.equal(await statusOf('POST', '/Users', whole(address.toUpperCase())), 409)
    const user = await addUser(mine, { emails: [{ value: address, primary: true }] })
    const { body } = await mine.operator('GET', `owners/${user.id}`)
    assert.deepEqual([body.email, body.email_verified], [address, false])
  })

  test('takes no account over by an address that it sets, and says so to the one of before', async () => {
    const name = newName()
    const before = `${name}@corp.example`
    const thief = `thief-${name}@evil.example`
    const made = await addUser(mine, { userName: name, emails: [{ value: before }] })
    const { id } = made
    const { operator } = mine
    const confirm = { email_verified: true, claims: { birthdate: '1984-07-13' } }
    assert.equal((await operator('PATCH', `owners/${id}`, confirm)).status, 200)
    await operator('POST', `owners/${id}/set-password`, { password })
    const version = (await mine.ask('GET', `/Users/${id}`)).headers.get('etag')
    // Nobody tries out the birthdate on the version.
    assert.equal(version, made.meta.version)
    const to = patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: thief })
    assert.equal(await statusOf('PATCH', `/Users/${id}`, to), 200)
    const browser = new Browser(service)
    for (const typed of [name, thief]) {
      await browser.submit(await browser.go('/forgot'), { username: typed })
    }
    const mails = await mailsIn(service)
    assert.deepEqual(
      mails.filter((one) => one.to === thief),
      [],
    )
    const told = mails.filter((one) => one.to === before).map(({ subject }) => subject)
    assert.deepEqual(told, ['Your email address at Latchkey may change'])
    const { body } = await operator('GET', `events?owner=${id}&type=owner.changed`)
    const changes = body.items.map(
      ({ details }: { details: { changed: string } }) => details.changed,
    )
    assert.deepEqual(changes.toSorted(), ['claims emailVerified', 'email'])
    assert.equal(await statusOf('POST', '/Users', whole(thief)), 409)
  })

  test('enables only whom it disabled, and renames no group that lets people in', async () => {
    const on = patchOf({ op: 'replace', path: 'active', value: true })
    const { id } = await addUser(mine, { active: false })
    const path = `/Users/${id}`
    assert.equal(await statusOf('PATCH', path, on), 200)
    assert.equal(await statusOf('PATCH', path, off), 200)
    const { operator } = mine
    assert.equal((await operator('PATCH', `owners/${id}`, { disabled: true })).status, 200)
    assert.equal(await statusOf('PATCH', path, on), 403)
    assert.equal((await operator('PATCH', `owners/${id}`, { disabled: false })).status, 200)
    assert.equal(await statusOf('PATCH', path, off), 200)
    assert.equal(await statusOf('PATCH', path, on), 200)
    const group = await addGroup(mine, newName())
    const client = { client_name: newName(), redirect_uris: ['https://wiki.example/callback'] }
    const told = { ...client, told_groups: [group.displayName] }
    assert.equal((await operator('POST', 'clients', told)).status, 201)
    const rename = patchOf({ op: 'replace', path: 'displayName', value: newName() })
    assert.equal(await statusOf('PATCH', `/Groups/${group.id}`, rename), 409)
    const kept = await operator('DELETE', `clients/${mine.clientId}`)
    assert.deepEqual([kept.status, kept.body.title], [409, 'conflict'], kept.text)
  })

  test('asks for bounded work', async () => {
    const filter = (text: string) => statusOf('GET', `/Users?filter=${encodeURIComponent(text)}`)
    assert.equal(await filter(`${'('.repeat(900)}id pr`), 400)
    assert.equal(await filter(Array(100).fill('id pr').join(' or ')), 400)
    assert.equal(await statusOf('GET', '/Users?startIndex=999999999'), 400)
    const { id } = await addUser(mine)
    const many = Array(1001).fill({ op: 'replace', path: 'displayName', value: 'x' })
    assert.equal(await statusOf('PATCH', `/Users/${id}`, patchOf(...many)), 400)
    const emails = Array(101).fill({ value: 'a@b.example' })
    assert.equal(await statusOf('PUT', `/Users/${id}`, { ...whole('x'), emails }), 400)
    const large = { ...whole('x'), title: 'x'.repeat(300_000) }
    assert.equal(await statusOf('PUT', `/Users/${id}`, large), 413)
    const nested = patchOf({ op: 'replace', value: { ['['.repeat(60_000)]: 1 } })
    assert.equal(await statusOf('PATCH', `/Users/${id}`, nested), 400)
    const names = 'a,'.repeat(101)
    assert.equal(await statusOf('GET', `/Users?attributes=${names}`), 400)
    const zero = encodeURIComponent('members.value eq "\\u0000"')
    assert.equal(await statusOf('GET', `/Groups?filter=${zero}`), 400)
    assert.equal(await statusOf('GET', '/Groups/%00'), 404)
  })

  test('sends what is no text, and learns so', async () => {
    const { id } = await addUser(mine)
    const bad = { toString: 1, valueOf: 1 }
    const email = { value: 'a@b.example', primary: bad }
    const active = { op: 'replace', path: 'active' }
    for (const operation of [
      { ...active, op: bad },
      { ...active, value: bad },
      { op: 'add', path: 'emails', value: [email] },
      ...[null, [], ''].map((value) => ({ ...active, value })),
      { op: 'remove', path: 'active' },
    ]) {
      const { status, body } = await mine.ask('PATCH', `/Users/${id}`, patchOf(operation))
      assert.deepEqual([status, body.scimType], [400, 'invalidValue'], JSON.stringify(operation))
    }
    const schemas = ['URN:ietf:params:scim:api:messages:2.0:SearchRequest']
    for (const member of ['filter', 'count', 'attributes', 'excludedAttributes']) {
      assert.equal(await statusOf('POST', '/Users/.search', { schemas, [member]: [bad] }), 400)
    }
    const members = [{ value: id, type: bad }]
    const group = { schemas: [groupSchema.toUpperCase()], displayName: newName() }
    assert.equal(await statusOf('POST', '/Groups', { ...group, members }), 400)
    assert.equal(await statusOf('POST', '/Groups', group), 201)
  })
})
