/**
 * Terms reach the token response and introspection. An added token format or response member works
 * everywhere, or the service does not start.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parseAsked } from '../../src/access/scope.ts'
import { hashText } from '../../src/crypto/digest.ts'
import type { Grant } from '../../src/grants/grant.ts'
import type { AccessToken } from '../../src/model/token.ts'
import type { Registries } from '../../src/registries.ts'
import { readCode } from '../../src/tokens/code.ts'
import type { TokenFormat } from '../../src/tokens/formats/format.ts'
import { readAccessToken } from '../../src/tokens/formats/opaque.ts'
import type { TokenResponseMember } from '../../src/tokens/members.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { codeRequest, obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

/** Members that show some of the terms. */
const told: readonly TokenResponseMember[] = [
  { name: 'auth_time', write: ({ terms }) => terms.authTime ?? undefined },
  { name: 'amr', write: ({ terms }) => terms.methods },
  { name: 'nonce', write: async ({ terms }) => terms.nonce ?? undefined },
]

/** Access tokens to contacts as plain JSON. The digest of the salt stands for a signature. */
const bare: TokenFormat = {
  name: 'bare',
  open: () => ({
    takes: ({ terms }) => terms.permissions.includes('contacts:read'),
    write: (token, { salt }) =>
      `bare.${Buffer.from(JSON.stringify(token)).toString('base64url')}.${hashText(salt)}`,
    read(text) {
      const [prefix, body = '', tag] = text.split('.')
      if (prefix !== 'bare') return null
      const says = JSON.parse(Buffer.from(body, 'base64url').toString()) as AccessToken
      return { says, learnKey: async () => {}, verify: (_, salt) => tag === hashText(salt) }
    },
  }),
}

/** Asks nothing, and adds a member. */
const stamped: Grant = {
  type: 'urn:example:stamped',
  clients: 'confidential',
  members: ['stamp'],
  open:
    ({ resources }) =>
    async (request) => ({
      for: 'client',
      permissions: parseAsked(request, 'owner', resources).permissions,
      terms: { methods: ['swk'] },
      members: { [request.parameters.require('member')]: 'of-today' },
    }),
}

let operator: Operator

const service = startBefore(
  () => start({ responseMembers: told, tokenFormats: [bare], grants: [stamped] }),
  async () => {
    operator = await operatorOf(service)
  },
)

const gallery = { client_id: 'gallery', redirect_uri: 'http://127.0.0.1:6750/gallery' }
const photos = { ...codeRequest, scope: 'photos:read' }

describe('what the terms hold', () => {
  test('travels from the authorization request to the token response', async () => {
    const at = service.now()
    const nonce = '~ä~字~\u{1f511} \\"~'
    const code = await obtainCode(service, { ...photos, nonce })
    await service.advance(30)
    const { body } = await redeem(service, code)
    const { access_token, refresh_token, ...rest } = body
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token_timeout: 30 * 24 * 3600,
      scope: 'photos:read',
      auth_time: at,
      amr: ['pwd'],
      nonce,
    })
  })

  test('lasts over refreshes, but for the nonce', async () => {
    const at = service.now()
    let { refresh_token } = (
      await redeem(service, await obtainCode(service, { ...photos, nonce: 'n' }))
    ).body
    for (let round = 1; round <= 2; round++) {
      await service.advance(1000)
      const { body } = await refresh(service, refresh_token)
      refresh_token = body.refresh_token
      assert.deepEqual([body.auth_time, body.amr, body.nonce], [at, ['pwd'], undefined])
      assert.equal((await introspect(service, body.access_token)).auth_time, at)
    }
  })

  test('comes with an implicit response too', async () => {
    const at = service.now()
    const request = { ...gallery, scope: 'photos:read', response_type: 'token', nonce: 'n' }
    const { auth_time, nonce } = answerOf(await walk(service, request))
    assert.deepEqual([auth_time, nonce], [String(at), 'n'])
  })

  test('is the time of the login, however much later the approval', async () => {
    const browser = new Browser(service)
    await walk(service, photos, {}, browser)
    const at = service.now()
    await service.advance(600)
    const { code = '' } = answerOf(await walk(service, photos, {}, browser))
    assert.equal((await redeem(service, code)).body.auth_time, at)
  })

  test('is nothing where nobody logged in', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const house = (await service.post('/token', { ...form, scope: 'photos:read' }, houseApp)).body
    const report = await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)
    for (const [body, client] of [
      [house, houseApp],
      [report.body, nightlyReport],
    ] as const) {
      assert.equal('auth_time' in body, false)
      assert.equal('auth_time' in (await introspect(service, body.access_token, client)), false)
    }
  })

  test('names the login session to each client by another name', async () => {
    const browser = new Browser(service)
    const challenge = {
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }
    const sessionIn = async (changes: Readonly<Record<string, string>>) => {
      const request = { ...photos, ...challenge, ...changes }
      const { code = '' } = answerOf(await walk(service, request, {}, browser))
      return readCode(code)?.says.terms.session
    }
    const ofPrinter = await sessionIn({})
    const ofGallery = await sessionIn(gallery)
    assert.match(ofPrinter ?? '', /^[\w-]{22}$/)
    assert.match(ofGallery ?? '', /^[\w-]{22}$/)
    assert.notEqual(ofPrinter, ofGallery)
    assert.equal(await sessionIn({}), ofPrinter)
    const { access_token } = await obtainTokens(service, photos)
    assert.equal(readAccessToken(access_token)?.says.terms.session, null)
  })

  test('is refused to the client where the nonce is too long', async () => {
    const fits = await walk(service, { ...photos, nonce: 'n'.repeat(2048) })
    assert.ok(answerOf(fits).code)
    assert.deepEqual(answerOf(await walk(service, { ...photos, nonce: 'n'.repeat(2049) })), {
      error: 'invalid_request',
      error_description: 'nonce is longer than 2048 characters',
      iss: service.issuer,
      state: 'xyz',
    })
  })
})

describe('a further token format', () => {
  const contacts = { ...codeRequest, scope: 'contacts:read photos:read' }

  test('writes the tokens that it takes, and no other ones', async () => {
    assert.match((await obtainTokens(service, photos)).access_token, /^lk_at_/)
    const tokens = await obtainTokens(service, contacts)
    assert.match(tokens.access_token, /^bare\./)
    assert.match(tokens.refresh_token, /^lk_rt_/)
  })

  test('is read by APIs, introspection and revocation, and no forged one is', async () => {
    const { access_token: token } = await obtainTokens(service, contacts)
    assert.equal(await use(service, token), 200)
    assert.equal((await introspect(service, token)).scope, 'contacts:read photos:read')
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${hashText('another salt')}`
    assert.equal(await use(service, forged), 401)
    assert.deepEqual(await introspect(service, forged), { active: false })
    assert.equal((await service.post('/revoke', { token }, photoPrinter)).status, 200)
    assert.equal(await use(service, token), 401)
    assert.deepEqual(await introspect(service, token), { active: false })
  })
})

describe('a member that a grant adds', () => {
  let client: readonly [string, string]

  before(async () => {
    const json = { client_name: 'Stamp', grant_types: [stamped.type] }
    const { body } = await operator('POST', 'clients', json)
    client = [body.client_id, body.client_secret]
  })
  const ask = (member: string) =>
    service.post('/token', { grant_type: stamped.type, scope: 'photos:read', member }, client)

  test('is in its responses', async () => {
    const { status, body, text } = await ask('stamp')
    assert.equal(status, 200, text)
    const { access_token, ...rest } = body
    assert.deepEqual(rest, {
      stamp: 'of-today',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'photos:read',
      amr: ['swk'],
    })
    assert.deepEqual(readAccessToken(access_token)?.says.terms.methods, ['swk'])
  })

  test('has to be declared: otherwise nothing is issued', async () => {
    for (const member of ['seal', 'scope', 'toString']) {
      const { status, body } = await ask(member)
      assert.deepEqual([status, body.error], [500, 'server_error'])
    }
  })
})

describe('the service does not start', () => {
  const member = (name: string): TokenResponseMember => ({ name, write: () => 'x' })
  const faulty: readonly (readonly [string, Partial<Registries>, string])[] = [
    [
      'with a built-in member of the token response once more',
      { responseMembers: [member('scope')] },
      'there are two entries for the member of the token response "scope"',
    ],
    [
      'with a member twice',
      { responseMembers: [member('stamp'), member('stamp')] },
      'there are two entries for the member of the token response "stamp"',
    ],
    [
      'with a grant that adds a member of every response',
      { grants: [{ ...stamped, members: ['refresh_token'] }] },
      'there are two entries for the member of the token response "refresh_token"',
    ],
    [
      'with a built-in token format once more',
      { tokenFormats: [{ ...bare, name: 'opaque' }] },
      'there are two entries for the token format "opaque"',
    ],
    [
      'with a token format twice',
      { tokenFormats: [bare, bare] },
      'there are two entries for the token format "bare"',
    ],
  ]
  for (const [name, added, message] of faulty) {
    test(name, async () => {
      await assert.rejects(start(added), { name: 'RegistryFault', message })
    })
  }
})
