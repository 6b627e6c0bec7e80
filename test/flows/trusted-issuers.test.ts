/** JWT bearer grants (RFC 7523 section 2.1) and ID-JAG: a trusted issuer opens access for an owner. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessFormsOn, openAccess, readAccount } from '../support/accesses.ts'
import { formsOf } from '../support/browser.ts'
import { keySetOf, newKeys } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { type Company, openCompany } from '../support/issuers.ts'
import { newPerson, newVisitor, type Visitor } from '../support/people.ts'
import { assertPlaced } from '../support/placed.ts'
import { type Answer, start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, use } from '../support/tokens.ts'
import { type Operator, operatorOf, problem } from './operator.ts'

let company: Company
const service = startBefore(start, async () => {
  company = await openCompany(service, operator)
})
const site = openDocumentSiteBefore()

/** With a new token each time: the clock moves a lot here. */
const operator: Operator = async (...asked) => (await operatorOf(service))(...asked)

/** A granted answer, whole: never with a refresh token. */
const assertOpened = (answer: Answer, scope: string): string => {
  const { access_token: token, ...body } = answer.body
  assert.deepEqual(body, { token_type: 'Bearer', expires_in: 3600, scope })
  assert.match(token, /^lk_at_/)
  return token
}

const ended =
  'the resource owner or the operator has ended this access: one of them can allow it again'

describe('the metadata', () => {
  test('name the grant type and the profile', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.ok(body.grant_types_supported.includes('urn:ietf:params:oauth:grant-type:jwt-bearer'))
    assert.deepEqual(body.authorization_grant_profiles_supported, [
      'urn:ietf:params:oauth:grant-profile:id-jag',
    ])
  })
})

describe('an assertion', () => {
  test('opens all that its issuer may open, and may come again without a jti', async () => {
    const { username, id } = await newPerson(service)
    const assertion = await company.assertion(username)
    for (let n = 0; n < 2; n++) {
      const token = assertOpened(
        await company.ask(assertion),
        'contacts:read photos:read photos:write',
      )
      assert.equal(await use(service, token), 200)
      const told = await introspect(service, token, company.credentials)
      assert.deepEqual([told.active, told.sub, told.client_id], [true, id, company.clientId])
    }
  })

  test('opens no more than scope asks for, and leaves out what is beyond', async () => {
    const { username } = await newPerson(service)
    const assertion = await company.assertion(username, { header: { typ: 'JWT' } })
    const scope = 'photos:read contacts:write calendar'
    assertOpened(await company.ask(assertion, { scope }), 'photos:read')
    const answer = await company.ask(assertion, { scope: 'calendar' })
    assertRefused(
      answer,
      'invalid_scope',
      'scope names no permission that this client may ask for: calendar',
    )
  })

  test('with a jti counts once', async () => {
    const { username } = await newPerson(service)
    const assertion = await company.assertion(username, { claims: { jti: 'only-once' } })
    assertOpened(await company.ask(assertion, { scope: 'photos:read' }), 'photos:read')
    const said = 'the assertion was used before: get a new one for each request'
    assertRefused(await company.ask(assertion), 'invalid_grant', said)
    await service.restart()
    assertRefused(await company.ask(assertion), 'invalid_grant', said)
  })

  for (const algorithm of ['RS256', 'PS256', 'EdDSA', 'Ed25519']) {
    test(`signed with ${algorithm}, by keys at jwks_uri`, async () => {
      const by = await newKeys(algorithm, 'k')
      const jwks_uri = site.answer(`/keys-${algorithm}`, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(keySetOf(by)))
      })
      const other = await openCompany(service, operator, { jwks: undefined, jwks_uri })
      const { username } = await newPerson(service)
      const assertion = await other.assertion(username, { by })
      const scope = 'contacts:read photos:read photos:write'
      assertOpened(await other.ask(assertion), scope)
    })
  }

  test('names its owner as the operator chose: by email, or by sub', async () => {
    const { id, username } = await newPerson(service)
    const email = `${username}@example.com`
    const byEmail = await openCompany(service, operator, { owner: 'email' })
    const scope = 'contacts:read photos:read photos:write'
    const nobody = 'the assertion names nobody here for whom it could open anything'
    await operator('PATCH', `owners/${id}`, { email })
    assertRefused(await byEmail.ask(await byEmail.assertion(email)), 'invalid_grant', nobody)
    await operator('PATCH', `owners/${id}`, { email_verified: true })
    assertOpened(await byEmail.ask(await byEmail.assertion(email.toUpperCase())), scope)
    const claims = { email }
    assertOpened(await byEmail.ask(await byEmail.assertion('opaque', { claims })), scope)
    const unsure = { claims: { email, email_verified: false } }
    const assertion = await byEmail.assertion('opaque', unsure)
    assertRefused(await byEmail.ask(assertion), 'invalid_grant', nobody)
    const bySub = await openCompany(service, operator, { owner: 'sub' })
    assertOpened(await bySub.ask(await bySub.assertion(id)), scope)
    assertRefused(await bySub.ask(await bySub.assertion(username)), 'invalid_grant', nobody)
  })
})

describe('an ID-JAG', () => {
  test('opens what its scope says, for the resource that it names alone', async () => {
    const { username } = await newPerson(service)
    const resource = `${service.issuer}/api/photos`
    const claims = { scope: 'photos:read contacts:read calendar:read', resource }
    const token = assertOpened(
      await company.ask(await company.jag(username, { claims })),
      'photos:read',
    )
    const told = await introspect(service, token, company.credentials)
    assert.deepEqual([told.aud, told.scope], [[resource], 'photos:read'])
    const elsewhere = await company.ask(await company.jag(username, { claims }), {
      resource: `${service.issuer}/api/contacts`,
    })
    assertRefused(
      elsewhere,
      'invalid_target',
      `resource asks for more than was approved: approved is only ${resource}`,
    )
  })

  test('without a scope opens what its issuer and the client may have', async () => {
    const { username } = await newPerson(service)
    const answer = await company.ask(await company.jag(username), { scope: 'photos' })
    assertOpened(answer, 'photos:read photos:write')
  })

  test('brings no refresh token to a client that has the grant type', async () => {
    const { username } = await newPerson(service)
    const redirect = { redirect_uris: ['https://notes.example/callback'] }
    const grant_types = [
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'authorization_code',
      'refresh_token',
    ]
    await operator('PATCH', `clients/${company.clientId}`, { ...redirect, grant_types })
    const scope = 'photos:read offline_access'
    assertOpened(await company.ask(await company.jag(username), { scope }), 'photos:read')
  })
})

describe('what an issuer opened', () => {
  const page = async ({ browser }: Visitor) => (await openAccess(browser)).text

  test('is shown with its title, and in events, downloads and lists', async () => {
    const visitor = await newVisitor(service)
    const { title, issuer, id } = company.members
    assertOpened(
      await company.ask(await company.jag(visitor.username), { scope: 'photos:read' }),
      'photos:read',
    )
    assert.ok((await visitor.browser.go('/account')).text.includes(`Allowed by ${title}`))
    assert.ok((await page(visitor)).includes(`Allowed by ${title}`))
    const told = await visitor.browser.go('/account/events')
    assert.match(told.text, new RegExp(`${title}</bdi> allowed .*Notes.* access: Photos \\(see\\)`))
    const { body } = await operator('GET', `authorizations?owner=${visitor.id}`)
    const [{ allowed_by, duration, permissions }] = body.items
    assert.deepEqual(
      [allowed_by, duration, permissions],
      [{ id, issuer, title }, 'chosen', ['photos:read']],
    )
    const events = await operator('GET', `events?owner=${visitor.id}&type=authorization.approved`)
    const [{ actor, details }] = events.body.items
    assert.deepEqual(details, {
      permissions: 'photos:read',
      duration: 'chosen',
      issuerId: id,
      issuer,
      title,
    })
    assert.deepEqual([actor.type, actor.client_id], ['client', company.clientId])
  })

  test('stays narrowed, and is widened by what was never taken', async () => {
    const visitor = await newVisitor(service)
    const ask = async (scope: string) => company.ask(await company.jag(visitor.username), { scope })
    const before = assertOpened(await ask('photos'), 'photos:read photos:write')
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    assert.ok(form)
    const narrowed = { ...form.fields, action: 'narrow', permission: 'photos:read' }
    assert.equal((await visitor.browser.ask('/account', narrowed)).status, 303)
    assert.equal(await use(service, before), 200)
    assertOpened(await ask('photos'), 'photos:read')
    assertOpened(await ask('photos contacts:read'), 'contacts:read photos:read')
    const said = 'the resource owner has taken away all that the assertion asks for'
    assertRefused(await ask('photos:write'), 'invalid_grant', said)
  })

  test('once ended stays so, until its owner allows it again', async () => {
    const visitor = await newVisitor(service)
    const ask = async () =>
      company.ask(await company.jag(visitor.username), { scope: 'photos:read' })
    const token = assertOpened(await ask(), 'photos:read')
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    assert.ok(form)
    await visitor.browser.ask('/account', { ...form.fields, action: 'end' })
    assert.equal(await use(service, token), 401)
    assertRefused(await ask(), 'invalid_grant', ended)
    const past = await visitor.browser.go('/account/ended')
    assert.ok(past.text.includes(`Allowed by ${company.members.title}`))
    assert.match(past.text, /href="\/account\/issuers"/)
    const issuers = await visitor.browser.go('/account/issuers')
    const allow = formsOf(issuers.text).find(({ action }) => action === '/account/issuers')
    assert.ok(allow)
    const done = await visitor.browser.go('/account/issuers', allow.fields)
    assert.match(done.text, /The company may open this access again\./)
    assert.doesNotMatch(done.text, /Allow again/)
    assertOpened(await ask(), 'photos:read')
    const again = await visitor.browser.go('/account/issuers', allow.fields)
    assert.match(again.text, /Nothing was changed: this access has not ended\./)
    const events = await operator(
      'GET',
      `events?owner=${visitor.id}&type=authorization.allowed_again`,
    )
    assert.deepEqual(
      events.body.items.map((one: { actor: { type: string }; client_id: string }) => [
        one.actor.type,
        one.client_id,
      ]),
      [['owner', company.clientId]],
    )
  })

  test('once ended by an operator is allowed again by one', async () => {
    const { username, id } = await newPerson(service)
    const ask = async () => company.ask(await company.jag(username), { scope: 'photos:read' })
    const allow = () =>
      operator('POST', `issuers/${company.members.id}/allow`, {
        username,
        client_id: company.clientId,
      })
    const nothing = 'nothing that this issuer opened for such an owner and client has ended'
    assert.deepEqual((await allow()).body, problem('conflict', 409, nothing))
    assertOpened(await ask(), 'photos:read')
    assert.equal((await allow()).status, 409)
    const { body } = await operator('GET', `authorizations?owner=${id}`)
    await operator('DELETE', `authorizations/${body.items[0].id}`)
    assertRefused(await ask(), 'invalid_grant', ended)
    assert.equal((await allow()).status, 204)
    assertOpened(await ask(), 'photos:read')
  })

  test('stays ended although its row is gone', async () => {
    const visitor = await newVisitor(service)
    const ask = async () =>
      company.ask(await company.jag(visitor.username), { scope: 'photos:read' })
    assertOpened(await ask(), 'photos:read')
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    assert.ok(form)
    await visitor.browser.ask('/account', { ...form.fields, action: 'end' })
    for (let day = 0; day < 40; day++) await service.advance(24 * 3600)
    assertRefused(await ask(), 'invalid_grant', ended)
  })

  test('waits while the application is paused, and the assertion is not used up', async () => {
    const { username, id } = await newPerson(service)
    assertOpened(
      await company.ask(await company.jag(username), { scope: 'photos:read' }),
      'photos:read',
    )
    const { body } = await operator('GET', `authorizations?owner=${id}`)
    await operator('PATCH', `authorizations/${body.items[0].id}`, { paused: true })
    const assertion = await company.jag(username)
    const paused = await company.ask(assertion, { scope: 'photos:read' })
    assert.deepEqual([paused.status, paused.body.error], [503, 'temporarily_unavailable'])
    await operator('PATCH', `authorizations/${body.items[0].id}`, { paused: false })
    assertOpened(await company.ask(assertion, { scope: 'photos:read' }), 'photos:read')
  })

  test('ends with its issuer', async () => {
    const other = await openCompany(service, operator)
    const people = await Promise.all(Array.from({ length: 3 }, () => newPerson(service)))
    const tokens: string[] = []
    for (const { username } of people) {
      tokens.push(
        assertOpened(
          await other.ask(await other.jag(username), { scope: 'photos:read' }),
          'photos:read',
        ),
      )
    }
    assert.equal((await operator('DELETE', `issuers/${other.members.id}`)).status, 204)
    for (const token of tokens) assert.equal(await use(service, token), 401)
    const [first] = people
    assertRefused(
      await other.ask(await other.jag(first?.username ?? '')),
      'invalid_grant',
      'the assertion is of no issuer that is trusted here, or its signature is wrong',
    )
    assert.equal((await operator('DELETE', `issuers/${other.members.id}`)).status, 404)
    assert.equal((await readAccount((await newVisitor(service)).browser)).status, 200)
  })
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
