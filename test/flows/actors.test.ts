/** Who acted: told by events, by the owner's page and by the lines of the request log. */
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { describe, test } from 'node:test'
import { addTraces, getSystemUser } from '../../src/cli/store.ts'
import { findSudoUser } from '../../src/config/person.ts'
import { openAccess } from '../support/accesses.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { codeAt, firstStep, setUpCodes, submitWith } from '../support/factors.ts'
import { newVisitor, type Person, password, type Visitor } from '../support/people.ts'
import { callback, obtainTokens, walk } from '../support/printing.ts'
import { basic, start, startBefore } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

const service = startBefore(() => start({ trustedProxies: ['127.0.0.1'] }))

/** Where the operator sits, as a proxy tells it. */
const office = { 'x-forwarded-for': '198.51.100.7' }

const adminToken = async (): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)).body
    .access_token

/** Asks the admin API from the office. */
const fromOffice = (token: string, method: string, path: string, json?: unknown) =>
  service.ask(`/admin/api/${path}`, {
    headers: { ...office, authorization: `Bearer ${token}` },
    method,
    ...(json === undefined ? {} : { json }),
  })

interface Told {
  readonly type: string
  readonly actor: unknown
}

const toldOf = async (query: string): Promise<readonly Told[]> => {
  const operator = await operatorOf(service)
  const { body } = await operator('GET', `events?${query}&limit=100`)
  return body.items
}

/** Who is told to have caused the latest event of a type. */
const actorOf = async (query: string, type: string): Promise<unknown> =>
  (await toldOf(query)).find((event) => event.type === type)?.actor

const allow = async ({ browser }: Visitor): Promise<void> => {
  await walk(service, { ...request, prompt: 'consent' }, {}, browser)
  await service.advance(1)
}
const request = {
  response_type: 'code',
  client_id: 'photo-printer',
  redirect_uri: callback,
  scope: 'photos',
}

const change = async ({ browser }: Visitor, path: string, changes: Record<string, string>) => {
  const page = path === '/account' ? await openAccess(browser) : await browser.go(path)
  const form = formsOf(page.text).find(({ action }) => action === path)
  assert.ok(form)
  await browser.submitForm(page, form, changes)
  await service.advance(1)
}

/** The lines of the events page: a sentence, and below it the actor and the network. */
const attributions = async ({ browser }: Visitor): Promise<readonly string[]> => {
  const { text } = await browser.go('/account/events')
  return [...text.matchAll(/<div><p>(.*?)<\/div>/g)].map(([, said = '']) =>
    said.replaceAll('</p><p class="says">', ' ').replaceAll(/<[^>]*>/g, ''),
  )
}

describe('an event says who acted', () => {
  test('an operator: the client, an id of the token that opens nothing, and the network', async () => {
    const token = await adminToken()
    const { jti } = await introspect(service, token, latchkeyAdmin)
    const { body } = await fromOffice(token, 'POST', 'owners', { username: 'told-of', password })
    const actor = await actorOf(`owner=${body.id}`, 'owner.created')
    assert.deepEqual(actor, {
      type: 'operator',
      door: 'api',
      client_id: 'latchkey-admin',
      token_id: jti,
      network: '198.51.100.*',
    })
    assert.equal(token.includes(jti), false)
    assert.equal((await service.ask('/admin/api/owners', bearer(jti))).status, 401)
  })

  test('an owner, at the account page and on the consent page', async () => {
    const visitor = await newVisitor(service)
    await allow(visitor)
    await change(visitor, '/account', { action: 'end' })
    const owner = { type: 'owner', owner_id: visitor.id, network: '127.0.0.*' }
    for (const type of ['login.succeeded', 'authorization.approved', 'authorization.ended']) {
      assert.deepEqual(await actorOf(`owner=${visitor.id}`, type), owner, type)
    }
  })

  test('a client, by its secret or by its registration token', async () => {
    const tokens = await obtainTokens(service)
    await service.post('/revoke', { token: tokens.refresh_token }, photoPrinter)
    assert.deepEqual(await actorOf('client=photo-printer', 'family.revoked'), {
      type: 'client',
      client_id: 'photo-printer',
      network: '127.0.0.*',
    })
    const { body } = await service.ask('/register', { json: { redirect_uris: [callback] } })
    const { client_id: id, registration_access_token: token } = body
    const json = { client_id: id, client_name: 'Other', redirect_uris: [callback] }
    const changed = await service.ask(`/register/${id}`, { ...bearer(token), method: 'PUT', json })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await actorOf(`client=${id}`, 'client.changed_itself'), {
      type: 'client',
      client_id: id,
      network: '127.0.0.*',
    })
  })

  test('anyone, where nobody has proved anything', async () => {
    const { body } = await service.ask('/register', {
      json: { redirect_uris: [callback] },
      headers: office,
    })
    const anyone = { type: 'anyone', network: '198.51.100.*' }
    assert.deepEqual(await actorOf(`client=${body.client_id}`, 'client.registered'), anyone)
    const visitor = await newVisitor(service)
    const stranger = new Browser(service)
    await stranger.logIn(await stranger.go('/login'), visitor.username, 'a guess')
    assert.deepEqual(await actorOf(`owner=${visitor.id}`, 'login.failed'), {
      type: 'anyone',
      network: '127.0.0.*',
    })
  })

  test('anyone, too, who knows the password of an owner and shows a used code beside it', async () => {
    const visitor = await newVisitor(service)
    const secret = await setUpCodes(visitor.browser, service.now())
    await service.advance(30)
    const code = codeAt(secret, service.now())
    const first = await firstStep(service, visitor.username, password)
    await submitWith(first.browser, first.page, 'code', { code })
    const thief = await firstStep(service, visitor.username, password)
    await submitWith(thief.browser, thief.page, 'code', { code })
    assert.deepEqual(await actorOf(`owner=${visitor.id}`, 'login.second_factor_failed'), {
      type: 'anyone',
      network: '127.0.0.*',
    })
  })

  test('the service itself, at the first start', async () => {
    assert.deepEqual(await actorOf('client=photo-printer', 'client.registered'), {
      type: 'service',
    })
  })

  test('the person who called sudo, as a plain name', () => {
    const { username } = userInfo()
    assert.equal(getSystemUser(findSudoUser({ SUDO_USER: 'olga@example.com' })), 'olga@example.com')
    for (const SUDO_USER of ['', 'a b', 'olga\nroot', '\u001b[2J', 'ölga', 'o'.repeat(101)]) {
      assert.equal(getSystemUser(findSudoUser({ SUDO_USER })), username, JSON.stringify(SUDO_USER))
    }
  })

  test('the command line, with the name of whoever typed', async () => {
    const own = await start()
    try {
      await own.advance(1)
      const { operated } = own.server()
      const { store, trace } = addTraces(operated, getSystemUser(''))
      const change = { newSalt: 'salt', name: 'Renamed' }
      await store.changeClient('gallery' as never, change, trace())
      const { rows } = await store.listEvents({ clientId: 'gallery' as never }, null, 1)
      assert.deepEqual(rows[0]?.actor, { type: 'cli', user: userInfo().username })
    } finally {
      await own.close()
    }
  })
})

describe('the page of events tells its owner', () => {
  test('operator, application and oneself apart, and where one was oneself', async () => {
    const visitor = await newVisitor(service)
    const { id, username } = visitor as Person
    await service.advance(1)
    await allow(visitor)
    await change(visitor, '/account', { action: 'end' })
    await allow(visitor)
    const token = await adminToken()
    const { body } = await fromOffice(token, 'GET', `authorizations?owner=${id}`)
    await fromOffice(token, 'DELETE', `authorizations/${body.items[0].id}`)
    await service.advance(1)
    const form = { grant_type: 'password', username, password, scope: 'photos' }
    assert.equal((await service.post('/token', form, houseApp)).status, 200)
    assert.deepEqual((await attributions(visitor)).slice(0, 5), [
      'House App was allowed access: Photos (see, change). by House App',
      'The operator ended the access of Photo Printer.',
      'You allowed Photo Printer: Photos (see, change). 127.0.0.*',
      'You ended the access of Photo Printer. 127.0.0.*',
      'You allowed Photo Printer: Photos (see, change). 127.0.0.*',
    ])
    const { text } = await visitor.browser.go('/account/events')
    assert.equal(text.includes('198.51.100'), false)
    assert.equal(text.includes('latchkey-admin'), false)
  })
})

describe('a line of the request log', () => {
  const lineOf = async (act: () => Promise<unknown>) => {
    const from = service.notices.length
    await act()
    const line = service.notices.slice(from).find(({ message }) => message === 'request')
    return { clientId: line?.clientId, network: line?.network }
  }
  const ask = (path: string, init: object) => () =>
    service.ask(path, { ...init, headers: { ...office, ...Reflect.get(init, 'headers') } })
  const form = { grant_type: 'client_credentials' }

  test('has the network, and the client that has proved to be one', async () => {
    const network = '198.51.100.*'
    const { access_token: owners } = await obtainTokens(service)
    const { body } = await service.post('/token', form, nightlyReport)
    const rows: readonly (readonly [string, object, string | null])[] = [
      ['/token', { form, headers: { authorization: basic(nightlyReport) } }, 'nightly-report'],
      ['/api/photos', bearer(body.access_token), 'nightly-report'],
      ['/api/photos', bearer(owners), 'photo-printer'],
      ['/admin/api/owners', bearer(await adminToken()), 'latchkey-admin'],
      ['/admin/api/owners', bearer(owners), 'photo-printer'],
      ['/token', { form, headers: { authorization: basic(['nightly-report', 'x']) } }, null],
      ['/token', { form: { ...form, client_id: 'nightly-report' } }, null],
      ['/api/photos', bearer('lk_at_x'), null],
      ['/authorize?client_id=photo-printer', {}, null],
      ['/health/live', {}, null],
    ]
    for (const [path, init, clientId] of rows) {
      assert.deepEqual(await lineOf(ask(path, init)), { clientId, network }, path)
    }
  })

  test('names the client also where its request is refused', async () => {
    const wrong = { grant_type: 'refresh_token', refresh_token: 'lk_rt_x' }
    const headers = { authorization: basic(photoPrinter) }
    const line = await lineOf(ask('/token', { form: wrong, headers }))
    assert.equal(line.clientId, 'photo-printer')
  })
})
