/** JWT bearer grants beside other things: pauses, branches, changes of the issuer, clients without an end. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { makeServiceTrace } from '../../src/store/trace.ts'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { exchanged, exchangeGrant, letAct } from '../support/exchange.ts'
import { type Company, jwtBearerType, openCompany } from '../support/issuers.ts'
import { newPerson, newVisitor } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let company: Company
const service = startBefore(start, async () => {
  company = await openCompany(service, operator)
})

/** With a new token each time: the clock moves here. */
const operator: Operator = async (...asked) => (await operatorOf(service))(...asked)

describe('what is paused', () => {
  test('as a branch of another application holds up no assertion for its client', async () => {
    const { access_token: token } = await obtainTokens(service)
    const grant_types = [jwtBearerType, exchangeGrant]
    await operator('PATCH', `clients/${company.clientId}`, { grant_types })
    await letAct(operator, photoPrinter[0], [company.clientId])
    await exchanged(service, token, company.credentials)
    const { body } = await operator('GET', `authorizations?client=${company.clientId}`)
    const [{ id }] = body.items
    assert.equal((await operator('PATCH', `authorizations/${id}`, { paused: true })).status, 200)
    const answer = await company.ask(await company.jag('alice'), { scope: 'photos:read' })
    assert.deepEqual([answer.status, answer.body.scope], [200, 'photos:read'])
  })
})

describe('the resource of an ID-JAG', () => {
  test('has to go with its scope', async () => {
    const claims = { scope: 'photos:read', resource: `${service.issuer}/api/contacts` }
    const answer = await company.ask(await company.jag('alice', { claims }))
    const said = 'the assertion opens nothing of the API that its resource names'
    assertRefused(answer, 'invalid_grant', said)
  })

  test('bounds the scope of the request', async () => {
    const claims = { resource: `${service.issuer}/api/contacts` }
    const answer = await company.ask(await company.jag('alice', { claims }), { scope: 'photos' })
    const said = 'scope names no permission that this client may ask for: photos'
    assertRefused(answer, 'invalid_scope', said)
  })
})

describe('the tokens of an assertion', () => {
  test('leave no row behind once they have expired', async () => {
    const { username } = await newPerson(service)
    const other = await openCompany(service, operator)
    const grant_types = [jwtBearerType, 'authorization_code', 'refresh_token']
    const redirect_uris = ['https://notes.example/callback']
    await operator('PATCH', `clients/${other.clientId}`, { grant_types, redirect_uris })
    const countRows = () => {
      const database = new DatabaseSync(join(service.folder, 'latchkey.db'), { readOnly: true })
      const row = database.prepare('select count(*) as count from families').get()
      database.close()
      return Number(row?.count)
    }
    for (let hour = 0; hour < 3; hour++) await service.advance(3600)
    const before = countRows()
    const { body } = await other.ask(await other.jag(username), { scope: 'photos:read' })
    assert.deepEqual([body.expires_in, countRows()], [3600, before + 1])
    for (let hour = 0; hour < 3; hour++) await service.advance(3600)
    assert.equal(countRows(), before)
  })

  test('without an end need a jti: each of them keeps its row', async () => {
    const { username } = await newPerson(service)
    const other = await openCompany(service, operator)
    await operator('PATCH', `clients/${other.clientId}`, { access_token_seconds: null })
    const said = 'the tokens of this client have no end, so the assertion needs a jti'
    assertRefused(await other.ask(await other.assertion(username)), 'invalid_grant', said)
    const claims = { jti: 'once' }
    const { body } = await other.ask(await other.assertion(username, { claims }))
    assert.deepEqual([body.token_type, body.expires_in], ['Bearer', undefined])
  })
})

describe('a change of the issuer', () => {
  test('beside right assertions refuses none of them', async () => {
    const admin = await operatorOf(service)
    for (let round = 0; round < 20; round++) {
      const assertions = await Promise.all(Array.from({ length: 8 }, () => company.jag('alice')))
      const [changed, ...answers] = await Promise.all([
        admin('PATCH', `issuers/${company.members.id}`, { title: `Acme ${round}` }),
        ...assertions.map((one) => company.ask(one, { scope: 'photos:read' })),
      ])
      assert.equal(changed.status, 200)
      for (const { status, text } of answers) assert.equal(status, 200, text)
    }
  })
})

describe('the account page', () => {
  test('leads to what companies opened, also after its end', async () => {
    const visitor = await newVisitor(service)
    const link = /<a href="\/account\/issuers">Allowed by others<\/a>/
    assert.doesNotMatch((await visitor.browser.go('/account')).text, link)
    assert.equal((await company.ask(await company.jag(visitor.username))).status, 200)
    assert.match((await visitor.browser.go('/account')).text, link)
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    await visitor.browser.ask('/account', { ...form?.fields, action: 'end' })
    assert.match((await visitor.browser.go('/account')).text, link)
  })
})

describe('the deletion of an issuer', () => {
  test('that was cut off goes on by itself, and what it opened ends', async () => {
    const other = await openCompany(service, operator)
    const { id: owner, username } = await newPerson(service)
    const { body } = await other.ask(await other.jag(username), { scope: 'photos:read' })
    const { store, operated } = service.server()
    await store.endTrustedIssuer(other.members.id, makeServiceTrace(service.now(), operated))
    await service.restart()
    await service.advance(1)
    assert.equal(await use(service, body.access_token), 401)
    const left = await operator('GET', `authorizations?owner=${owner}`)
    assert.deepEqual(left.body.items, [])
    const { body: events } = await operator('GET', `events?owner=${owner}&type=authorization.ended`)
    assert.deepEqual(events.items[0].actor.type, 'service')
    assert.equal((await operator('DELETE', `issuers/${other.members.id}`)).status, 404)
  })

  test('forgets no end by an owner, and no used assertion, though the company has another id later', async () => {
    const other = await openCompany(service, operator)
    const visitor = await newVisitor(service)
    const stays = await newPerson(service)
    const used = await other.jag(stays.username)
    for (const assertion of [await other.jag(visitor.username), used]) {
      assert.equal((await other.ask(assertion)).status, 200)
    }
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    await visitor.browser.ask('/account', { ...form?.fields, action: 'end' })
    const replace = async (before: string, id: string) => {
      assert.equal((await operator('DELETE', `issuers/${before}`)).status, 204)
      assert.equal((await operator('POST', 'issuers', { ...other.members, id })).status, 201)
    }
    const { id } = other.members
    for (const [before, after] of [
      [id, `${id}-new`],
      [`${id}-new`, id],
      [id, `${id}-third`],
    ] as const) {
      await replace(before, after)
      const said =
        'the resource owner or the operator has ended this access: one of them can allow it again'
      assertRefused(await other.ask(await other.jag(visitor.username)), 'invalid_grant', said)
      const replayed = 'the assertion was used before: get a new one for each request'
      assertRefused(await other.ask(used), 'invalid_grant', replayed)
      assert.equal((await other.ask(await other.jag(stays.username))).status, 200)
    }
    const issuers = await visitor.browser.go('/account/issuers')
    const allow = formsOf(issuers.text).find(({ action }) => action === '/account/issuers')
    assert.deepEqual(allow?.fields.issuer, [`${id}-third`])
    await visitor.browser.go('/account/issuers', allow?.fields)
    assert.equal((await other.ask(await other.jag(visitor.username))).status, 200)
  })

  test('is remembered by an issuer that gets its iss later', async () => {
    const [former, later] = [
      await openCompany(service, operator),
      await openCompany(service, operator),
    ]
    const visitor = await newVisitor(service)
    assert.equal((await former.ask(await former.jag(visitor.username))).status, 200)
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    await visitor.browser.ask('/account', { ...form?.fields, action: 'end' })
    await operator('DELETE', `issuers/${former.members.id}`)
    const { issuer, jwks } = former.members
    const path = `issuers/${later.members.id}`
    assert.equal((await operator('PATCH', path, { issuer, jwks })).status, 200)
    const { body } = await former.ask(await former.jag(visitor.username))
    assert.equal(body.error, 'invalid_grant')
  })
})
