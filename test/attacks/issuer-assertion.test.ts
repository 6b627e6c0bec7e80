/** Attacks on JWT bearer grants: assertions that were stolen, forged, widened, or made for somebody else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { type Company, jwtBearerType, openCompany, type Said } from '../support/issuers.ts'
import { newPerson, newVisitor } from '../support/people.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, use } from '../support/tokens.ts'

let company: Company
let username: string
const service = startBefore(start, async () => {
  company = await openCompany(service, operator)
  username = (await newPerson(service)).username
})
const site = openDocumentSiteBefore()
const operator: Operator = async (...asked) => (await operatorOf(service))(...asked)

const untrusted = 'the assertion is of no issuer that is trusted here, or its signature is wrong'
const nobody = 'the assertion names nobody here for whom it could open anything'

const assertInvalid = async (assertion: string, said: string, of = company): Promise<void> =>
  assertRefused(await of.ask(assertion), 'invalid_grant', said)

describe('a replayed assertion', () => {
  test('counts once, also among many at once', async () => {
    const assertion = await company.jag(username)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => company.ask(assertion, { scope: 'photos:read' })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const others = answers.filter(({ status }) => status !== 200)
    for (const { body } of others) assert.equal(body.error, 'invalid_grant')
    await assertInvalid(assertion, 'the assertion was used before: get a new one for each request')
  })

  test('of a forger uses up nothing', async () => {
    const by = { ...(await newKeys('ES256')), publicKey: company.keys.publicKey }
    const claims = { jti: 'precious' }
    await assertInvalid(await company.jag(username, { claims, by }), untrusted)
    assert.equal((await company.ask(await company.jag(username, { claims }))).status, 200)
  })
})

describe('an assertion that is not for this server', () => {
  const audiences: readonly (readonly [string, (issuer: string) => unknown])[] = [
    ['another server', () => 'https://other.example'],
    ['the token endpoint', (issuer) => `${issuer}/token`],
    ['this server and another', (issuer) => [issuer, 'https://other.example']],
    ['a longer name', (issuer) => `${issuer}/`],
    ['nobody', () => undefined],
    ['an empty list', () => []],
  ]
  for (const [name, aud] of audiences) {
    test(`but for ${name}`, async () => {
      const claims = { aud: aud(service.issuer) }
      const said = `aud of the assertion has to be ${service.issuer} alone`
      await assertInvalid(await company.jag(username, { claims }), said)
      await assertInvalid(await company.assertion(username, { claims }), said)
    })
  }
})

describe('an assertion of another client', () => {
  const said = 'client_id of the assertion has to be the client of the request'

  test('opens nothing', async () => {
    for (const client_id of ['photo-printer', undefined, '', [company.clientId]]) {
      await assertInvalid(await company.jag(username, { claims: { client_id } }), said)
    }
    await assertInvalid(await company.assertion(username, { claims: { client_id: 'other' } }), said)
    const other = await openCompany(service, operator)
    const stolen = await company.ask(await company.jag(username), {}, other.credentials)
    assertRefused(stolen, 'invalid_grant', said)
  })

  test('opens nothing outside clients of its issuer', async () => {
    const limited = await openCompany(service, operator, { clients: ['photo-printer'] })
    const unlisted = 'the issuer of the assertion is not trusted for this client'
    await assertInvalid(await limited.assertion(username), unlisted, limited)
    await assertInvalid(await limited.jag(username), unlisted, limited)
  })

  test('opens nothing for a client that registered itself, unless it is named', async () => {
    const { body } = await service.ask('/register', {
      json: { client_name: 'Stranger', grant_types: [jwtBearerType], response_types: [] },
    })
    const stranger: readonly [string, string] = [body.client_id, body.client_secret]
    const unlisted = 'the issuer of the assertion is not trusted for this client'
    const bare = await company.ask(await company.assertion(username), {}, stranger)
    assertRefused(bare, 'invalid_grant', unlisted)
    const claims = { client_id: body.client_id }
    const named = await company.jag(username, { claims })
    assert.equal((await company.ask(named, { scope: 'photos:read' }, stranger)).status, 200)
  })

  test('is nothing to a client without the grant type, or without a secret', async () => {
    const answer = await company.ask(await company.assertion(username), {}, photoPrinter)
    assertRefused(answer, 'unauthorized_client', 'the client may not use this grant_type')
    const made = await operator('POST', 'clients', {
      client_name: 'Open',
      grant_types: [jwtBearerType],
      token_endpoint_auth_method: 'none',
    })
    assert.equal(made.status, 400)
  })
})

describe('a forged assertion', () => {
  test('is refused in the same words, whatever is wrong', async () => {
    const forger = await newKeys('ES256', 'company-1')
    const other = await newKeys('ES256', 'another')
    const [header = '', claims = ''] = (await company.jag(username)).split('.')
    const none = Buffer.from('{"alg":"none","typ":"oauth-id-jag+jwt"}').toString('base64url')
    const said: readonly Said[] = [
      { by: forger },
      { by: other },
      { claims: { iss: 'https://nobody.example' } },
      { claims: { iss: `${company.members.issuer}/` } },
      { claims: { iss: undefined } },
      { header: { jwk: forger.publicKey }, by: forger },
    ]
    for (const one of said) await assertInvalid(await company.jag(username, one), untrusted)
    await assertInvalid(`${none}.${claims}.${Buffer.from('x').toString('base64url')}`, untrusted)
    await assertInvalid(`${header}.${claims}.AAAA`, untrusted)
    for (const text of ['lk_at_x', `${header}.${claims}`, 'a.b.c', 'x'.repeat(20_000)]) {
      await assertInvalid(text, 'assertion has to be a signed JWT')
    }
    await service.advance(60)
  })

  test('of another issuer cannot speak for this one', async () => {
    const other = await openCompany(service, operator)
    const by: KeyPair = other.keys
    const claims = { iss: company.members.issuer }
    await assertInvalid(await other.jag(username, { claims, by }), untrusted, other)
  })

  test('of a weaker algorithm is refused', async () => {
    const es384 = await newKeys('ES384', 'es384')
    const other = await openCompany(service, operator, { jwks: keySetOf(es384, company.keys) })
    await assertInvalid(await other.jag(username, { by: es384 }), untrusted, other)
  })
})

describe('a JWT that was made for something else', () => {
  test('opens nothing, and neither does a kind that is not in grants', async () => {
    const both = 'typ of the assertion has to be that of jwt-bearer or id-jag'
    for (const typ of ['at+jwt', 'client-authentication+jwt', 'dpop+jwt', 'logout+jwt', 7]) {
      await assertInvalid(await company.assertion(username, { header: { typ } }), both)
    }
    const alone = await openCompany(service, operator, { grants: ['jwt-bearer'] })
    const only = (kind: string) => `typ of the assertion has to be that of ${kind}`
    await assertInvalid(await alone.jag(username), only('jwt-bearer'), alone)
    const jag = await openCompany(service, operator, { grants: ['id-jag'] })
    await assertInvalid(await jag.assertion(username), only('id-jag'), jag)
    await assertInvalid(await jag.jag(username, { header: { typ: 'JWT' } }), only('id-jag'), jag)
    const typ = 'application/OAuth-ID-JAG+jwt'
    assert.equal((await jag.ask(await jag.jag(username, { header: { typ } }))).status, 200)
    await service.advance(60)
  })
})

describe('the times and members', () => {
  test('of an assertion that is too old, too long or too early', async () => {
    const now = service.now()
    const far = 'exp of the assertion has to be at most 3600 seconds ahead'
    const times = 'the assertion needs exp, and exp, nbf and iat have to be numbers'
    const faults: readonly (readonly [object, string])[] = [
      [{ exp: now }, 'the assertion has expired'],
      [{ exp: now + 3601 }, far],
      [{ exp: undefined }, times],
      [{ exp: '99999999999' }, times],
      [{ nbf: now + 61 }, 'the assertion is not valid yet'],
      [{ iat: now + 61 }, 'the assertion is not valid yet'],
      [{ sub: undefined }, 'the assertion needs sub'],
      [{ sub: '' }, 'the assertion needs sub'],
      [{ jti: undefined }, 'the assertion needs a jti, which is a text'],
      [{ jti: 7 }, 'the assertion needs a jti, which is a text'],
      [{ cnf: { kid: 'x' } }, 'cnf of the assertion has to be jkt or x5t#S256'],
      [{ scope: ['photos:read'] }, 'scope of the assertion has to be a text'],
      [
        { resource: 'https://other.example' },
        'resource of the assertion names no API that is known here',
      ],
      [{ resource: [] }, 'resource of the assertion names no API that is known here'],
    ]
    for (const [claims, said] of faults) {
      await assertInvalid(await company.jag(username, { claims: { ...claims } }), said)
    }
    const claims = { exp: now + 3600, iat: now + 60 }
    assert.equal((await company.ask(await company.jag(username, { claims }))).status, 200)
    await service.advance(60)
  })
})

describe('a widened scope', () => {
  test('opens nothing beyond issuer, client and assertion', async () => {
    const claims = { scope: 'photos:read' }
    const scope = 'photos contacts calendar clients:write issuers:write'
    const { body } = await company.ask(await company.jag(username, { claims }), { scope })
    assert.equal(body.scope, 'photos:read')
    const all = await company.ask(await company.assertion(username), { scope })
    assert.equal(all.body.scope, 'contacts:read photos:read photos:write')
    await operator('PATCH', `clients/${company.clientId}`, { scope: 'contacts:read' })
    const less = await company.ask(await company.assertion(username), { scope })
    assert.equal(less.body.scope, 'contacts:read')
    const nothing = await company.ask(await company.jag(username, { claims }))
    const said = 'the assertion opens nothing that its issuer and the client may have here'
    assertRefused(nothing, 'invalid_grant', said)
    const again = { scope: 'photos contacts calendar' }
    await operator('PATCH', `clients/${company.clientId}`, again)
  })
})

describe('a limit that is not known here', () => {
  const assertBoth = async (claims: Readonly<Record<string, unknown>>, said: string) => {
    await assertInvalid(await company.jag(username, { claims }), said)
    await assertInvalid(await company.assertion(username, { claims }), said)
  }

  test('is never left out: authorization_details', async () => {
    const said = 'authorization_details of the assertion cannot limit its access here: use scope'
    const authorization_details = [{ type: 'photos', actions: ['read'], identifier: '1' }]
    await assertBoth({ authorization_details }, said)
    await assertBoth({ authorization_details, scope: 'photos:read' }, said)
    await assertBoth({ authorization_details: [] }, said)
  })

  test('is never left out: a customer of the issuer, or of this server', async () => {
    const said =
      'the assertion names one of several customers of its issuer or of this server, and this server knows none'
    await assertBoth({ tenant: 'other' }, said)
    await assertBoth({ aud_tenant: 'other' }, said)
  })
})

describe('who is here', () => {
  test('is told to nobody: unknown and disabled people look the same', async () => {
    const { id, username: name } = await newPerson(service)
    await operator('PATCH', `owners/${id}`, { disabled: true })
    for (const sub of [name, 'nobody-at-all', '../alice', 'x'.repeat(5000)]) {
      await assertInvalid(await company.jag(sub), nobody)
    }
  })
})

describe('an ended approval', () => {
  test('is not brought back by assertions that were made before, or by others of the client', async () => {
    const visitor = await newVisitor(service)
    const before = await company.jag(visitor.username)
    const { body } = await company.ask(await company.jag(visitor.username))
    const [form] = accessFormsOn(await openAccess(visitor.browser))
    assert.ok(form)
    await visitor.browser.ask('/account', { ...form.fields, action: 'end' })
    const said =
      'the resource owner or the operator has ended this access: one of them can allow it again'
    await assertInvalid(before, said)
    await assertInvalid(await company.assertion(visitor.username), said)
    assert.equal(await use(service, body.access_token), 401)
    const fields = { client: company.clientId, issuer: company.members.id }
    const forged = await visitor.browser.ask('/account/issuers', fields)
    assert.equal(forged.status, 403)
    await assertInvalid(await company.jag(visitor.username), said)
  })
})

describe('a hostile key set', () => {
  test('is not read where it is private, redirects, is huge or holds private keys', async () => {
    const forger = await newKeys('ES256', 'company-1')
    const reply = (path: string, text: string): string =>
      site.answer(path, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
      })
    const good = reply('/good', JSON.stringify(keySetOf(forger)))
    const secret = { keys: [{ ...forger.publicKey, d: 'AQAB' }] }
    const uris = [
      'https://169.254.169.254/latest',
      reply('/secret', JSON.stringify(secret)),
      reply('/huge', JSON.stringify({ ...keySetOf(forger), x: 'x'.repeat(100_000) })),
      reply('/text', 'keys'),
      site.answer('/redirect', (_request, response) => {
        response.writeHead(302, { Location: good }).end()
      }),
    ]
    for (const jwks_uri of uris) {
      const hostile = await openCompany(service, operator, { jwks: undefined, jwks_uri })
      await assertInvalid(await hostile.jag(username, { by: forger }), untrusted, hostile)
    }
    const right = await openCompany(service, operator, { jwks: undefined, jwks_uri: good })
    assert.equal((await right.ask(await right.jag(username, { by: forger }))).status, 200)
  })
})
