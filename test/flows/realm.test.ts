/** `latchkey import realm`: clients, groups and people of Keycloak come along, and nothing here changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeCommands } from '../../src/cli/commands.ts'
import { importRealm } from '../../src/cli/realm/import.ts'
import { addTraces } from '../../src/cli/store.ts'
import { encodeBase32 } from '../../src/crypto/one-time-code.ts'
import { Browser } from '../support/browser.ts'
import { apiOf } from '../support/commands.ts'
import { codeAt, isInside, submitWith } from '../support/factors.ts'
import { hashesFromElsewhere } from '../support/password-hashes.ts'
import { startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()

const run = (realm: object, dryRun = false, withGroups = true) =>
  importRealm(
    realm as Readonly<Record<string, unknown>>,
    { dryRun, withGroups },
    {
      useApi: (work) => work(apiOf(service)),
      useStore: (work) =>
        work((name, flags) =>
          storeCommands[name](flags, addTraces(service.server().operated, 'root')),
        ),
    },
  )

const secret = 'Kc0Kc1Kc2Kc3Kc4Kc5Kc6Kc7Kc8Kc9Ab'
const seed = 'abcdefghij0123456789'
const keycloak = hashesFromElsewhere.find(({ from }) => from.startsWith('Keycloak'))
const password = keycloak?.password ?? ''
const credential = (type: string, secretData: unknown, credentialData: unknown) => ({
  type,
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
})
const totp = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
const hash = keycloak?.given as object

const realm = {
  realm: 'shop',
  groups: [{ name: 'Staff', subGroups: [{ name: 'Sales', subGroups: [] }] }, { name: 'a\u202eb' }],
  roles: { realm: [{ name: 'boss\u001b[2J' }] },
  identityProviders: [{ alias: 'google' }],
  clients: [
    {
      clientId: 'shop',
      name: 'Shop',
      secret,
      rootUrl: 'https://shop.example',
      redirectUris: ['/callback', 'https://shop.example/*'],
      attributes: { 'post.logout.redirect.uris': '+', 'pkce.code.challenge.method': 'S256' },
      defaultClientScopes: ['profile', 'roles', 'clients:write', 'ours'],
    },
    { clientId: 'phone', publicClient: true, redirectUris: ['com.shop.app:/back'] },
    { clientId: 'masked', secret: '*'.repeat(40), redirectUris: ['https://m.example/cb'] },
    // The file is foreign: neither its redirect URI nor its secret may come to our client.
    { clientId: 'latchkey-admin', secret, redirectUris: ['https://evil.example/cb'] },
    { clientId: 'metadata', protocol: 'saml' },
    { clientId: 'admin-cli', publicClient: true, redirectUris: ['https://k.example/cb'] },
  ],
  users: [
    {
      id: 'kc-ada',
      username: 'ada',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@shop.example',
      emailVerified: true,
      enabled: true,
      createdTimestamp: 1_600_000_000_000,
      attributes: { locale: ['de'], phoneNumber: ['+49 1'], team: ['maths'] },
      groups: ['/Staff/Sales', '/nowhere'],
      realmRoles: ['boss', 'default-roles-shop'],
      credentials: [{ type: 'password', ...hash }, credential('otp', { value: seed }, totp)],
    },
    {
      id: 'kc-bea',
      username: 'bea',
      credentials: [credential('otp', { value: seed }, { ...totp, digits: 8 })],
    },
    {
      id: 'kc-alice',
      username: 'alice',
      groups: ['/Staff'],
      credentials: [{ type: 'password', ...hash }],
    },
    { username: 'service-account-shop', serviceAccountClientId: 'shop' },
  ],
}

test('a realm comes along once, and the list says what does not', async () => {
  const operator = await operatorOf(service)
  const before = await operator('GET', 'clients/latchkey-admin')
  const dry = await run(realm, true)
  assert.equal((await operator('GET', 'groups/Staff')).status, 404)
  const counts = {
    groups: { created: 2, existing: 0, refused: 0 },
    clients: { created: 3, existing: 1, refused: 0 },
    people: { created: 2, existing: 0, refused: 1 },
  }
  const left = [
    ['groups: no such name is possible here', ['a\u202eb']],
    ['redirect_uris: a wildcard', ['shop: https://shop.example/*']],
    ['client scopes', ['shop: clients:write', 'shop: ours']],
    [
      'secrets: masked, or easy to guess. latchkey client rotate-secret makes another one',
      ['masked'],
    ],
    ['clients of another protocol than OpenID Connect', ['metadata']],
    ['clients of Keycloak itself', ['admin-cli']],
    ['roles of people', ['ada']],
    ['groups that the file does not have', ['ada: nowhere']],
    ['second factors of another kind: their people log in without one', ['bea']],
    ['roles', ['boss\u001b[2J']],
    ['identity providers: the setting upstreams has them here', ['google']],
    ['clients that are here already: they stay as they are', ['latchkey-admin']],
    ['people: there is an owner alice with another sub', ['alice']],
  ].map(([reason, names]) => ({ reason, names }))
  const told = {
    left,
    joins: [{ name: 'Staff/Sales', people: 1, clients: [] }],
    ended: null,
  }
  assert.deepEqual(dry.json, { ...counts, ...told, dry_run: true })
  const first = await run(realm)
  assert.deepEqual([first.json, first.exitCode], [{ ...counts, ...told, dry_run: false }, 1])
  for (const wrong of ['\u001b', '\u202e', secret]) assert.ok(!first.text.includes(wrong))

  assert.match(
    first.text,
    /\n {2}New clients \(3\)\n {4}shop {2}https:\/\/shop\.example\/callback\n/,
  )

  const again = await run(realm)
  const { groups, clients, people } = again.json as typeof counts
  assert.deepEqual(
    [groups, clients, people].map(({ created }) => created),
    [0, 0, 0],
  )
  const after = await operator('GET', 'clients/latchkey-admin')
  assert.deepEqual({ ...after.body, acts: null }, { ...before.body, acts: null })
  const { body: shop } = await operator('GET', 'clients/shop')
  assert.deepEqual(
    [shop.redirect_uris, shop.post_logout_redirect_uris, shop.scope, shop.profile],
    [
      ['https://shop.example/callback'],
      ['https://shop.example/callback'],
      'openid profile',
      'oauth-2.1',
    ],
  )
  const { body: ada } = await operator('GET', 'owners/kc-ada')
  assert.deepEqual(
    [ada.claims, ada.attributes, ada.roles, ada.created_at],
    [
      { given_name: 'Ada', family_name: 'Lovelace', locale: 'de', phone_number: '+49 1' },
      { team: 'maths' },
      [],
      1_600_000_000,
    ],
  )
  const { body: of } = await operator('GET', 'owners/kc-ada/groups')
  assert.deepEqual(
    of.groups.map(({ name }: { name: string }) => name),
    ['Staff/Sales'],
  )
  const alice = (await operator('GET', 'owners?search=alice')).body.items[0]
  assert.deepEqual((await operator('GET', `owners/${alice.id}/groups`)).body, { groups: [] })
})

test('who had a second factor at Keycloak needs it here as well', async () => {
  const browser = new Browser(service)
  const page = await browser.go('/login')
  const asked = await submitWith(browser, page, 'password', { username: 'ada', password })
  assert.equal(await isInside(browser), false)
  const code = codeAt(encodeBase32(Buffer.from(seed)), service.now())
  await submitWith(browser, asked, 'code', { code })
  assert.equal(await isInside(browser), true)
  const shop = await service.post('/token', { grant_type: 'client_credentials' }, ['shop', secret])
  assert.equal(shop.body.error, 'unauthorized_client')
})

test('a secret of the file is one of others: nobody gains rights by it unseen', async () => {
  const operator = await operatorOf(service)
  const asked = await operator('PATCH', 'clients/shop', { scope: 'owners:write' })
  assert.equal(asked.status, 409)
  assert.match(asked.body.detail, /what stays: secret:\w+$/)
  // The command line is trusted elsewhere. This secret it only carried.
  await assert.rejects(apiOf(service).ask('PATCH', 'clients/shop', { scope: 'owners:write' }), {
    status: 409,
  })
  const role = await operator('PATCH', 'owners/kc-ada', { roles: ['operator'] })
  assert.equal(role.status, 409)
  assert.match(role.body.detail, /what stays: .*password:\d+/)
})

test('nobody of the file takes the login by the address of somebody here', async () => {
  const operator = await operatorOf(service)
  const [email, own] = ['victim@corp.example', 'correct horse battery 9']
  const victim = { username: 'victim', password: own, email, email_verified: true }
  assert.equal((await operator('POST', 'owners', victim)).status, 201)
  const shadow = { username: 'Victim@corp.example', credentials: [{ type: 'password', ...hash }] }
  for (const dryRun of [true, false]) {
    const { json } = await run({ realm: 'r', users: [shadow] }, dryRun)
    const { people, left } = json as { people: object; left: object }
    assert.deepEqual(people, { created: 0, existing: 0, refused: 1 })
    const reason = 'people: another owner logs in by this username, a confirmed email address'
    assert.deepEqual(left, [{ reason, names: [shadow.username] }])
  }
  const browser = new Browser(service)
  const page = await browser.go('/login')
  await submitWith(browser, page, 'password', { username: email, password: own })
  assert.equal(await isInside(browser), true)
})

test('people come into groups by a flag alone, and the list says what these open', async () => {
  const operator = await operatorOf(service)
  assert.equal((await operator('POST', 'groups', { name: 'Payroll' })).status, 201)
  const given = { redirect_uris: ['https://p.example/cb'], scope: 'photos:read' }
  const pay = { client_id: 'pay', ...given, allowed_groups: ['Payroll'] }
  assert.equal((await operator('POST', 'clients', pay)).status, 201)
  assert.equal((await operator('DELETE', 'groups/Payroll')).status, 204)
  const joining = (username: string) => ({
    realm: 'r',
    groups: [{ name: 'Payroll' }],
    users: [{ id: `kc-${username}`, username, groups: ['/Payroll'] }],
  })
  for (const [username, withGroups] of [
    ['outside', false],
    ['inside', true],
  ] as const) {
    const { json, text } = await run(joining(username), false, withGroups)
    const { joins } = json as { joins: object }
    assert.deepEqual(joins, [{ name: 'Payroll', people: 1, clients: ['pay'] }])
    assert.match(text, /\n {2}Payroll: 1 person; clients that name it: pay$/m)
    const { body } = await operator('GET', `owners/kc-${username}/groups`)
    assert.equal(body.groups.length, withGroups ? 1 : 0)
  }
})

test('a dry run finds what comes twice, and what no form takes; a lost factor is no success', async () => {
  const client = { clientId: 'twice', redirectUris: ['https://d.example/cb'], publicClient: true }
  const twice = {
    realm: 'r',
    clients: [client, client, { ...client, clientId: 'named', name: 'x\u0007y' }],
    users: [{ username: 'tina' }, { username: 'TINA' }],
  }
  const [dry, real] = [await run(twice, true), await run(twice)]
  const { clients, people } = dry.json as Record<string, object>
  assert.deepEqual(clients, { created: 1, existing: 0, refused: 2 })
  assert.deepEqual(people, { created: 1, existing: 0, refused: 1 })
  assert.deepEqual({ ...(real.json as object), dry_run: true }, dry.json)
  const weaker = { realm: 'r', users: [{ username: 'wanda', credentials: [{ type: 'webauthn' }] }] }
  assert.equal((await run(weaker)).exitCode, 1)
})

test('a command that ends in the middle says what it made', async () => {
  const partly = { realm: 'r', groups: [{ name: 'Early' }], users: [{ username: 'late' }] }
  const { json, text, exitCode } = await importRealm(
    partly,
    { dryRun: false, withGroups: false },
    {
      useApi: (work) => work(apiOf(service)),
      useStore: () => Promise.reject(new Error('the disk is full')),
    },
  )
  const { groups, ended } = json as { groups: object; ended: string }
  assert.deepEqual(
    [groups, ended, exitCode],
    [{ created: 1, existing: 0, refused: 0 }, 'the disk is full', 1],
  )
  assert.match(text, /It ended early: the disk is full\nRun it again, and it goes on\.$/)
})
