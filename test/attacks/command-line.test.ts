/** Attacks on `latchkey login`: a token that outlives its reason, and a client in place of the command line. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCommandLine } from '../../src/clients/command-line.ts'
import { drawRandom } from '../../src/crypto/digest.ts'
import { openInMemory } from '../faults/folder.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import { trace } from '../store/moments.ts'
import { answerOf } from '../support/browser.ts'
import {
  type Commander,
  commandLine,
  makeRequest,
  redeem,
  takeToken,
} from '../support/command-line.ts'
import { giveRoles, newConsoleVisitor } from '../support/console.ts'
import { houseApp } from '../support/demo-clients.ts'
import { setUpCodes } from '../support/factors.ts'
import { newVisitor, password } from '../support/people.ts'
import { start, startBefore } from '../support/start.ts'

const service = startBefore(() => start({ demo: true }))
const path = `clients/${commandLine}`

const statusOf = async (token: string): Promise<number> =>
  (await service.ask('/admin/api/clients', bearer(token))).status

const change = async ({ operator, id }: Commander, method: string, part: string, json?: object) => {
  const { status, text } = await operator(method, `owners/${id}${part}`, json)
  assert.ok(status < 300, text)
}

/** Each takes a factor away that the login was proved by. */
const losses: readonly (readonly [string, (person: Commander) => Promise<unknown>])[] = [
  [
    'the owner takes a factor away',
    async ({ browser }) => {
      const { text } = await browser.go('/account')
      const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
      await browser.go('/account/security', { csrf, action: 'remove_codes' })
    },
  ],
  ['the owner replaces the codes', ({ browser }) => setUpCodes(browser, service.now())],
  ['an operator takes the factors away', (person) => change(person, 'DELETE', '/factors')],
]

/** What ends the login of a command, each with its next request. The last of a person changes the account. */
const endings: readonly (readonly [string, (person: Commander) => Promise<unknown>])[][] = [
  [
    ['all logins end', (person) => change(person, 'POST', '/end-sessions')],
    ['all access ends', (person) => change(person, 'POST', '/end-access')],
    ['the tokens end', ({ operator }) => operator('POST', `${path}/end-tokens`)],
    [
      'the owner ends it on the account page',
      async ({ browser }) => {
        const list = await browser.go('/account')
        assert.match(list.text, /Act as you at the command line, as operator/)
        const [, id = ''] = /\/account\/access\/([\w-]+)/.exec(list.text) ?? []
        const page = await browser.go(`/account/access/${id}`)
        assert.match(page.text, /Act as you at the command line, as operator/)
        assert.doesNotMatch(page.text, /name="until"/)
        await browser.submit(page, { action: 'end' })
      },
    ],
    [
      'another end, which only a forged form sets',
      async ({ browser }) => {
        const list = await browser.go('/account')
        const [, id = ''] = /\/account\/access\/([\w-]+)/.exec(list.text) ?? []
        const page = await browser.go(`/account/access/${id}`)
        await browser.submit(page, { action: 'until', until: 'forever' })
      },
    ],
    ['another role', (person) => giveRoles(person, ['auditor'])],
    [
      'a new password',
      (person) => change(person, 'POST', '/set-password', { password: 'battery horse staple' }),
    ],
  ],
  ...losses.map((loss) => [loss]),
  [['the account is disabled', (person) => change(person, 'PATCH', '', { disabled: true })]],
]

test('the token of a command ends with the next request, whatever ended its login', async () => {
  for (const acts of endings) {
    const person = await newConsoleVisitor(service)
    for (const [what, act] of acts) {
      const token = await takeToken(service, person)
      assert.equal(await statusOf(token), 200, what)
      await act(person)
      assert.equal(await statusOf(token), 401, what)
    }
  }
})

test('a page that was open while a factor went earns no code', async () => {
  for (const [what, act] of losses) {
    const person = await newConsoleVisitor(service)
    const page = await person.logIn(await person.browser.go(makeRequest(service)))
    assert.match(page.url, /\/consent/, what)
    await act(person)
    const after = await person.browser.submit(page, { decision: 'allow' })
    assert.match(after.url, /\/login/, what)
  }
})

describe('nobody stands in for the command line', () => {
  test('another address, another path, or no PKCE earn no code, and strangers store nothing', async () => {
    const other = await start({ demo: true })
    const stranger = await newVisitor(other)
    for (const uri of [
      'https://evil.example/callback',
      'http://127.0.0.1:6751/other',
      'http://localhost:6751/callback',
    ]) {
      const page = await stranger.browser.ask(makeRequest(other, { redirect_uri: uri }))
      assert.deepEqual([page.status, page.headers.get('location')], [400, null], uri)
    }
    const open = { code_challenge: '', code_challenge_method: '' }
    const plain = await stranger.browser.go(makeRequest(other, open))
    assert.equal(answerOf(plain).error, 'invalid_request')
    const noRole = await newConsoleVisitor(other, [])
    const denied = await noRole.logIn(await noRole.browser.go(makeRequest(other)))
    assert.equal(answerOf(denied).error, 'access_denied')
    assert.equal((await stranger.operator('GET', path)).status, 404)
    await takeToken(other, await newConsoleVisitor(other))
    assert.equal((await stranger.operator('GET', path)).status, 200)
    await other.close()
  })

  test('a client of this id that an operator registered in an older version is refused', async () => {
    const opened = await openInMemory()
    const parts = { store: opened.store, clock: () => 0, random: drawRandom }
    const made = await findCommandLine(parts)
    await opened.store.createClient({ ...made, name: 'Terminal' }, trace())
    await opened.store.close()
    const other = await start({ store: `sqlite:${opened.path}` })
    const { status, headers } = await other.ask(makeRequest(other))
    assert.deepEqual([status, headers.get('location')], [400, null])
    assert.ok(other.notices.some(({ reason }) => reason === 'foreign_command_line'))
    await other.close()
    await opened.dispose()
  })

  test('a code that was sent to another port, or without its verifier, opens nothing', async () => {
    const person = await newConsoleVisitor(service)
    for (const changes of [
      { redirect_uri: 'http://127.0.0.1:6752/callback' },
      { code_verifier: 'w'.repeat(43) },
    ]) {
      const { status, body } = await redeem(service, person, changes)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
  })

  test('an approval is never silent, and each has a login of its own', async () => {
    const person = await newConsoleVisitor(service)
    await takeToken(service, person)
    const silent = await person.browser.go(makeRequest(service, { prompt: 'none' }))
    assert.equal(answerOf(silent).error, 'login_required')
    const again = await person.browser.go(makeRequest(service, { prompt: '' }))
    assert.match(again.url, /\/login/)
    assert.match((await person.logIn(again)).url, /\/consent/)
  })

  test('a password alone is not enough, and tokens of other clients stay outside', async () => {
    const { browser, ...person } = await newVisitor(service)
    await giveRoles(person, ['operator'])
    const login = await browser.go(makeRequest(service))
    const refused = await browser.logIn(login, person.username, password)
    assert.equal(answerOf(refused).error, 'unmet_authentication_requirements')
    const form = { username: person.username, password, scope: 'openid', resource: service.issuer }
    const { body } = await service.post('/token', { grant_type: 'password', ...form }, houseApp)
    const said = await service.ask('/admin/api/owners', bearer(body.access_token))
    assert.deepEqual([said.status, said.body.title], [403, 'insufficient_scope'])
  })

  test('a program that writes clients cannot make, change, enable or delete it', async () => {
    const other = await start({ demo: true })
    const [operator, writer] = [await operatorOf(other), await operatorOf(other, 'clients:write')]
    const uris = { redirect_uris: ['https://evil.example/callback'] }
    for (const [method, to, json] of [
      ['POST', 'clients', { client_id: commandLine, ...uris }],
      ['PATCH', path, uris],
      ['PATCH', path, { add_redirect_uris: uris.redirect_uris }],
      ['PATCH', path, { client_name: 'Photo Printer', disabled: false }],
    ] as const) {
      const { status, body } = await operator(method, to, json)
      assert.deepEqual([status, body.title], [400, 'invalid_client_metadata'])
    }
    // An operator may forbid it before anybody has used it.
    assert.equal((await writer('PATCH', path, { disabled: true })).status, 200)
    await other.restart()
    const person = await newConsoleVisitor(other)
    const page = await person.browser.ask(makeRequest(other))
    assert.deepEqual([page.status, page.headers.get('location')], [400, null])
    assert.equal((await writer('PATCH', path, { disabled: false })).status, 403)
    assert.equal((await writer('DELETE', path)).status, 403)
    // A login would make it again, enabled.
    const kept = await operator('DELETE', path)
    assert.deepEqual([kept.status, kept.body.title], [409, 'conflict'])
    assert.equal((await operator('PATCH', path, { disabled: false })).status, 200)
    await takeToken(other, person)
    assert.equal((await operator('DELETE', path)).status, 204)
    await takeToken(other, person)
    const { body } = await operator('GET', `events?client=${commandLine}&type=client.registered`)
    assert.equal(body.items[0].actor.owner_id, person.id)
    await other.close()
  })

  test('a person at the command line does not lock everybody out', async () => {
    const person = await newConsoleVisitor(service)
    const token = await takeToken(service, person)
    const act = (method: string, json?: object) =>
      service.ask(`/admin/api/owners/${person.id}`, {
        ...bearer(token),
        method,
        ...(json && { json }),
      })
    for (const said of [
      await act('PATCH', { roles: ['auditor'] }),
      await act('PATCH', { disabled: true }),
      await act('DELETE'),
    ]) {
      assert.deepEqual([said.status, said.body.title], [409, 'conflict'])
    }
    assert.equal((await act('PATCH', { name: 'Olga' })).status, 200)
  })
})
