/** Clients that a stricter profile would break: their acts are counted by rule, and those of strangers are not. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findStricter } from '../../src/cli/doctor/profiles.ts'
import { addTraces } from '../../src/cli/store.ts'
import { provenBy } from '../support/assertions.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { type KeyPair, keySetOf, newKeys, sign } from '../support/client-keys.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { makeProver } from '../support/dpop.ts'
import { named } from '../support/factors.ts'
import { authorizePath, callback, codeRequest, obtainTokens, walk } from '../support/printing.ts'
import { type Started, start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const day = 86_400

/** The rules that each client broke, by profile. */
const brokenAt = async (service: Started) => {
  const told = await findStricter(addTraces(service.server().operated, 'tester'))
  return Object.fromEntries(
    told.map(({ profile, clients }) => [
      profile,
      Object.fromEntries(
        clients.map(({ client_id: id, breaks }) => [id, breaks.map(({ rule }) => rule)]),
      ),
    ]),
  )
}

const own = { grant_type: 'client_credentials' }

describe('at a service of spec', () => {
  let keys: KeyPair
  let operator: Operator
  const service = startBefore(start, async () => {
    keys = await newKeys('RS256', 'k-1')
    operator = await operatorOf(service)
  })
  const register = async (metadata: object): Promise<string> => {
    const { status, body, text } = await operator('POST', 'clients', metadata)
    assert.equal(status, 201, text)
    return body.client_id
  }
  const readByQuery = (token: string) =>
    service.ask(`/api/photos?access_token=${token}`, { headers: { 'cache-control': 'no-store' } })
  const rulesOf = async (id: string) => {
    const told = await brokenAt(service)
    return [told['oauth-2.1']?.[id], told['fapi-2.0']?.[id]]
  }

  test('a client that did nothing is none', async () => {
    assert.deepEqual(await brokenAt(service), { 'oauth-2.1': {}, 'fapi-2.0': {} })
  })

  test('strangers in the name of a client cause no count', async () => {
    await new Browser(service).ask(authorizePath(codeRequest))
    await service.post('/token', own, ['nightly-report', 'wrong'])
    await service.post('/token', { grant_type: 'password' }, ['house-app', 'wrong'])
    const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: callback }
    await service.post('/token', { ...code, client_id: 'gallery' })
    assert.deepEqual(await brokenAt(service), { 'oauth-2.1': {}, 'fapi-2.0': {} })
  })

  test('a secret, and a token without a key', async () => {
    await service.post('/token', own, nightlyReport)
    await service.post('/token', own, nightlyReport)
    assert.deepEqual(await rulesOf('nightly-report'), [undefined, ['weak_client', 'unbound_token']])
  })

  test('the password grant', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    assert.equal((await service.post('/token', form, houseApp)).status, 200)
    assert.deepEqual(await rulesOf('house-app'), [
      ['password_grant'],
      ['password_grant', 'weak_client', 'unbound_token'],
    ])
  })

  test('a code without PKCE, and an access token in a query', async () => {
    const { access_token } = await obtainTokens(service)
    assert.equal((await readByQuery(access_token)).status, 200)
    assert.deepEqual(await rulesOf('photo-printer'), [
      ['query_token', 'missing_pkce'],
      ['query_token', 'missing_pkce', 'unpushed_request', 'weak_client', 'unbound_token'],
    ])
  })

  test('a token in a redirect', async () => {
    const id = await register({
      redirect_uris: [callback],
      grant_types: ['implicit'],
      response_types: ['token'],
      token_endpoint_auth_method: 'none',
      scope: 'photos',
    })
    const page = await walk(service, { ...codeRequest, client_id: id, response_type: 'token' })
    assert.ok(answerOf(page).access_token?.startsWith('lk_at_'))
    assert.deepEqual(await rulesOf(id), [
      ['front_token'],
      ['front_token', 'other_response', 'unpushed_request'],
    ])
  })

  test('weak signatures, a list as aud, a loose request object', async () => {
    const id = await register({
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'photos:read',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(keys),
    })
    const weak = await makeProver(service.now, 'RS256')
    const dpop = await weak.prove('POST', `${service.issuer}/token`)
    const assertion = await provenBy(service, id, keys, { aud: [service.issuer] })
    const answer = await service.ask('/token', {
      form: { ...own, ...assertion },
      headers: { dpop },
    })
    assert.equal(answer.status, 200, answer.text)
    const request = await sign({ response_type: 'code', redirect_uri: callback }, keys)
    const pushed = await service.post('/par', { request, ...(await provenBy(service, id, keys)) })
    assert.equal(pushed.status, 201, pushed.text)
    assert.deepEqual(await rulesOf(id), [
      undefined,
      ['weak_algorithm', 'weak_proof', 'loose_object', 'audience_list'],
    ])
  })

  test('a client of a stricter profile of its own is broken by the next one alone', async () => {
    await operator('PATCH', 'clients/photo-printer', { profile: 'oauth-2.1' })
    assert.deepEqual(await rulesOf('photo-printer'), [
      undefined,
      ['unpushed_request', 'weak_client', 'unbound_token'],
    ])
  })

  test('a token in a query of a client of oauth-2.1 is refused', async () => {
    await operator('PATCH', 'clients/photo-printer', { profile: null })
    const { access_token } = await obtainTokens(service)
    await operator('PATCH', 'clients/photo-printer', { profile: 'oauth-2.1' })
    const { status, body } = await readByQuery(access_token)
    assert.deepEqual(
      [status, body.error, body.error_description],
      [
        400,
        'invalid_request',
        'the profile oauth-2.1 takes no access token in a query: send it in the Authorization header',
      ],
    )
  })

  test('clients that are disabled or gone, and old counts, are left out', async () => {
    await operator('PATCH', 'clients/house-app', { disabled: true })
    await operator('DELETE', 'clients/nightly-report')
    const told = await brokenAt(service)
    assert.deepEqual(
      [told['fapi-2.0']?.['house-app'], told['fapi-2.0']?.['nightly-report']],
      [undefined, undefined],
    )
    await service.advance(31 * day)
    assert.deepEqual(await brokenAt(service), { 'oauth-2.1': {}, 'fapi-2.0': {} })
  })
})

describe('at a stricter service', () => {
  test('only what is stricter still is told, and latchkey-admin of the demo breaks nothing', async () => {
    const service = await start({ profile: 'oauth-2.1' })
    await operatorOf(service)
    await service.post('/token', own, nightlyReport)
    assert.deepEqual(await brokenAt(service), {
      'fapi-2.0': { 'nightly-report': ['weak_client', 'unbound_token'] },
    })
    await service.close()
    const strictest = await start({ profile: 'fapi-2.0' })
    assert.deepEqual(await brokenAt(strictest), {})
    await strictest.close()
  })
})

describe('what is told', () => {
  let service: Started
  before(async () => {
    service = await start()
  })

  test('names rule, reason and day, also after a restart', async () => {
    await service.post('/token', own, nightlyReport)
    await service.restart()
    const told = await findStricter(addTraces(service.server().operated, 'tester'))
    const last = new Date(service.now() * 1000).toISOString().slice(0, 10)
    assert.deepEqual(told, [
      { profile: 'oauth-2.1', clients: [] },
      {
        profile: 'fapi-2.0',
        clients: [
          {
            client_id: 'nightly-report',
            client_name: 'Nightly Report',
            breaks: [
              {
                rule: 'weak_client',
                said: 'the profile fapi-2.0 takes clients by private_key_jwt or a certificate alone',
                last,
              },
              {
                rule: 'unbound_token',
                said: 'the profile fapi-2.0 binds each token to a key: send a DPoP proof, or use a certificate',
                last,
              },
            ],
          },
        ],
      },
    ])
    await service.close()
  })
})

describe('the console', () => {
  const service = startBefore(() => start(named))

  test('shows the profile of an application, and what a stricter one would refuse', async () => {
    const operator = await operatorOf(service)
    const olga = await newConsoleVisitor(service)
    await obtainTokens(service)
    await service.advance(60)
    const facts = async (): Promise<readonly string[]> => {
      const { text } = await olga.browser.go('/admin/clients/photo-printer')
      return [
        ...text.matchAll(/<dt>(Security profile|Done in 30 days, [^<]*)<\/dt><dd>(.*?)<\/dd>/g),
      ].map(([, name, value = '']) => `${name}: ${value.replaceAll(/<[^>]*>/g, '').trim()}`)
    }
    assert.deepEqual(await facts(), [
      'Security profile: spec',
      'Done in 30 days, refused by oauth-2.1: missing_pkce',
      'Done in 30 days, refused by fapi-2.0: missing_pkce unpushed_request weak_client unbound_token',
    ])
    await operator('PATCH', 'clients/photo-printer', { profile: 'oauth-2.1' })
    assert.deepEqual(await facts(), [
      'Security profile: oauth-2.1',
      'Done in 30 days, refused by fapi-2.0: unpushed_request weak_client unbound_token',
    ])
    const form = await olga.browser.go('/admin/clients/photo-printer/edit')
    assert.match(
      form.text,
      /name="profile"[^>]*value="oauth-2\.1"|value="oauth-2\.1"[^>]*name="profile"/,
    )
    const settings = await olga.browser.go('/admin/settings')
    assert.match(settings.text, /LATCHKEY_PROFILE[\s\S]{0,80}<code>spec<\/code>/)
  })
})
