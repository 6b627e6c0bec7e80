/** Subjects (OpenID Connect Core section 8): `public` and `pairwise`, and their sectors. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import {
  type Registered,
  register,
  subjectIn,
  tokensOf,
  tryRegister,
} from '../support/registered.ts'
import { startBefore } from '../support/start.ts'

const started = startBefore()
const site = openDocumentSiteBefore()

const pairwise = { subject_type: 'pairwise' }

/** A client of a host, with pairwise subjects. */
const clientAt = (host: string, metadata: object = {}): Promise<Registered> =>
  register(started, { redirect_uris: [`https://${host}/cb`], ...pairwise, ...metadata })

const subjectFor = async (client: Registered): Promise<string> =>
  subjectIn(await tokensOf(started, client))

const userinfo = async (accessToken: string) =>
  (await started.ask('/userinfo', { headers: { authorization: `Bearer ${accessToken}` } })).body

const introspect = async (token: string, client: readonly [string, string]) =>
  (await started.post('/introspect', { token }, client)).body

/** A token of the operator's client. */
const operatorToken = async (): Promise<string> => {
  const form = { grant_type: 'client_credentials' }
  return (await started.post('/token', form, latchkeyAdmin)).body.access_token
}

const administer = async (method: string, path: string, json: object) =>
  started.ask(`/admin/api/${path}`, {
    method,
    json,
    headers: { authorization: `Bearer ${await operatorToken()}` },
  })

describe('section 8: subject types', () => {
  test('public is the default: clients of different hosts are told the same', async () => {
    const one = await register(started, { redirect_uris: ['https://one.example/cb'] })
    const two = await register(started, {
      redirect_uris: ['https://two.example/cb'],
      subject_type: 'public',
    })
    assert.equal(one.body.subject_type, undefined)
    assert.equal(two.body.subject_type, 'public')
    assert.equal(await subjectFor(one), await subjectFor(two))
  })

  test('pairwise: clients of two hosts are told different ones, and neither the public one', async () => {
    const open = await register(started, {})
    const subjects = [
      await subjectFor(open),
      await subjectFor(await clientAt('one.example')),
      await subjectFor(await clientAt('two.example')),
    ]
    assert.equal(new Set(subjects).size, 3)
    for (const subject of subjects.slice(1)) assert.match(subject, /^[\w-]{43}$/)
  })

  test('the metadata names both', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    assert.deepEqual(body.subject_types_supported, ['public', 'pairwise'])
  })

  test('any other type is refused', async () => {
    const { status, body } = await tryRegister(started, { subject_type: 'private' })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      error: 'invalid_client_metadata',
      error_description: 'subject_type has to be public or pairwise',
    })
  })
})

describe('section 8.1: a pairwise client knows one subject of an owner, everywhere', () => {
  let client: Registered
  let tokens: { access_token: string; refresh_token: string; id_token: string }
  let subject: string

  before(async () => {
    client = await clientAt('shop.example', {
      grant_types: ['authorization_code', 'refresh_token'],
    })
    tokens = await tokensOf(started, client, { scope: 'openid photos:read' })
    subject = subjectIn(tokens)
  })

  test('in a further ID token, after a refresh and after another login', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refreshed = (await started.post('/token', form, client.credentials)).body
    tokens = { ...tokens, ...refreshed }
    assert.equal(subjectIn(refreshed), subject)
    assert.equal(await subjectFor(client), subject)
  })

  test('at /userinfo, without the name of the owner', async () => {
    assert.deepEqual(await userinfo(tokens.access_token), { sub: subject })
  })

  test('at /userinfo, with preferred_username where the owner allowed profile', async () => {
    const told = await tokensOf(started, client, { scope: 'openid profile' })
    const { sub, preferred_username: name } = await userinfo(told.access_token)
    assert.deepEqual([sub, name], [subject, 'alice'])
  })

  test('at introspection, for the client itself, without username', async () => {
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const told = await introspect(token, client.credentials)
      assert.equal(told.sub, subject)
      assert.equal('username' in told, false)
    }
  })

  test('at introspection, for a gateway', async () => {
    const metadata = { may_introspect: true, grant_types: ['client_credentials'] }
    const gateway = (await administer('POST', 'clients', { ...metadata, response_types: [] })).body
    const told = await introspect(tokens.access_token, [gateway.client_id, gateway.client_secret])
    assert.equal(told.sub, subject)
    assert.equal('username' in told, false)
  })

  test('at forward auth, without Remote-User', async () => {
    const resource = encodeURIComponent(`${started.issuer}/api/photos`)
    const { status, headers } = await started.ask(
      `/forward-auth?resource=${resource}&scope=photos:read`,
      { headers: { authorization: `Bearer ${tokens.access_token}` } },
    )
    assert.equal(status, 200)
    assert.equal(headers.get('remote-subject'), subject)
    assert.equal(headers.get('remote-user'), null)
  })

  test('after a restart', async () => {
    await started.restart()
    assert.equal(await subjectFor(client), subject)
  })
})

test('section 8.1: a JWT access token has the pairwise subject of the ID token', async () => {
  const service = await startWithJwts()
  const client = await register(service, pairwise)
  const asked = { scope: 'openid orders:read', resource: orders }
  const { access_token: token, id_token: idToken } = await tokensOf(service, client, asked)
  assert.equal(decodeJwt(token).sub, decodeJwt(idToken).sub)
  assert.match(String(decodeJwt(token).sub), /^[\w-]{43}$/)
  await service.close()
})

describe('section 8.1: sectors', () => {
  test('clients with one redirect host share their subjects', async () => {
    const one = await clientAt('family.example')
    const two = await register(started, {
      redirect_uris: ['https://family.example/other', 'https://family.example/third'],
      ...pairwise,
    })
    assert.equal(await subjectFor(one), await subjectFor(two))
  })

  test('applications on the machine of their user are each a sector of their own', async () => {
    const redirectUris = ['http://127.0.0.1:6750/callback']
    const one = await register(started, { redirect_uris: redirectUris, ...pairwise })
    const two = await register(started, { redirect_uris: redirectUris, ...pairwise })
    assert.notEqual(await subjectFor(one), await subjectFor(two))
  })

  test('redirect URIs of several hosts need sector_identifier_uri', async () => {
    for (const other of ['https://b.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']) {
      const { status, body } = await tryRegister(started, {
        redirect_uris: ['https://a.example/cb', other],
        application_type: 'native',
        ...pairwise,
      })
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, /one host, or a sector_identifier_uri/)
    }
  })
})

const serve = (path: string, list: unknown): string =>
  site.answer(path, (_request, response) => {
    const body = typeof list === 'string' ? list : JSON.stringify(list)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
  })

describe('Registration section 5: sector_identifier_uri', () => {
  const uris = ['https://a.example/cb', 'https://b.example/cb']

  test('clients with one sector document share their subjects', async () => {
    const sector = { ...pairwise, sector_identifier_uri: serve('/sector.json', uris) }
    const one = await register(started, { redirect_uris: [uris[0]], ...sector })
    const two = await register(started, { redirect_uris: [...uris].reverse(), ...sector })
    const subject = await subjectFor(one)
    assert.equal(await subjectFor(two), subject)
    assert.notEqual(await subjectFor(await clientAt('a.example')), subject)
  })

  const faults: readonly (readonly [what: string, list: unknown, said: RegExp])[] = [
    ['lacks a redirect URI', ['https://a.example/cb'], /its list lacks some of redirect_uris/],
    ['is no list', { uris }, /it is no JSON list/],
    ['is no JSON', 'https://a.example/cb', /it is no JSON list/],
    ['is larger than 64 KiB', [...uris, 'x'.repeat(70_000)], /it is larger than 64 KiB/],
  ]
  for (const [what, list, said] of faults) {
    test(`a document that ${what} is refused`, async () => {
      const { status, body } = await tryRegister(started, {
        redirect_uris: uris,
        sector_identifier_uri: serve('/faulty.json', list),
        ...pairwise,
      })
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_client_metadata')
      assert.match(body.error_description, said)
    })
  }

  test('it is fetched again for a redirect URI that is new to it, and only then', async () => {
    const path = '/growing.json'
    const sector = { ...pairwise, sector_identifier_uri: serve(path, uris) }
    const { body } = await register(started, { redirect_uris: uris, ...sector })
    const change = (redirectUris: readonly string[]) =>
      started.ask(`/register/${body.client_id}`, {
        method: 'PUT',
        json: { client_id: body.client_id, redirect_uris: redirectUris, ...sector },
        headers: { authorization: `Bearer ${body.registration_access_token}` },
      })
    assert.equal((await change([uris[1] ?? ''])).status, 200)
    assert.equal(site.asked(path), 1)
    const strange = await change([...uris, 'https://evil.example/cb'])
    assert.equal(strange.body.error, 'invalid_client_metadata')
    assert.equal(site.asked(path), 2)
  })

  test('a redirect URI that an operator adds is checked, too', async () => {
    const sector = { ...pairwise, sector_identifier_uri: serve('/operated.json', uris) }
    const { body } = await administer('POST', 'clients', { redirect_uris: uris, ...sector })
    const path = `clients/${body.client_id}`
    const added = { add_redirect_uris: ['https://c.example/cb'] }
    const refused = await administer('PATCH', path, added)
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /its list lacks some of redirect_uris/)
  })
})

describe('attack: two clients compare what they know of their owners', () => {
  test('neither sub nor sid nor any other claim of one login is the same', async () => {
    const browser = new Browser(started)
    const claims = []
    for (const host of ['left.example', 'right.example']) {
      const { id_token: idToken } = await tokensOf(started, await clientAt(host), {}, browser)
      const { sub, sid, at_hash: hash } = decodeJwt(idToken)
      claims.push([sub, sid, hash].map(String))
    }
    const [left = [], right = []] = claims
    for (const value of left) assert.equal(right.includes(value), false)
  })
})
