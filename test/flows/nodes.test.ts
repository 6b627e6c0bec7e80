/** Several nodes over one PostgreSQL database: every step of a flow goes to another node than the last. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openKeys } from '../../src/store/placed-id.ts'
import { findCluster } from '../citus/cluster.ts'
import { trace } from '../store/moments.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { sampleApproval } from '../store/sample.ts'
import { approveIn } from '../store/settle.ts'
import { enter } from '../support/authorization.ts'
import { askBackchannel, decideAnew, pollBackchannel } from '../support/backchannel.ts'
import { answerOf, Browser, type Reachable } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { approveDevice, askForDevice, poll as pollDevice } from '../support/devices.ts'
import { eventsOf, poll } from '../support/feed.ts'
import { registerManaging } from '../support/grants.ts'
import { jwtBearerType, openCompany } from '../support/issuers.ts'
import { authorizePath, codeRequest, obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { goPushed, push, pushedPath } from '../support/pushing.ts'
import { register, requestOf } from '../support/registered.ts'
import { openStream, pollStream } from '../support/signals.ts'
import { type Started, start } from '../support/start.ts'
import {
  assertGranted,
  assertRefused,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { deadCode, deadRefreshToken, everything } from '../support/told.ts'
import { bearer, operatorOf } from './operator.ts'

const secret = 'a-root-secret-that-all-nodes-share'
const day = 24 * 3600

/** A service whose every request goes to the next node. */
const hopping = (nodes: readonly Started[]): Reachable => {
  let turn = 0
  const next = (): Started => {
    const node = nodes[turn++ % nodes.length]
    if (node === undefined) throw new Error('no node')
    return node
  }
  return {
    issuer: next().issuer,
    ask: (path, init) => next().ask(path, init),
    post: (path, form, client) => next().post(path, form, client),
  }
}

const testNodes = (count: number, server: { newDatabase(): Promise<string> }): void => {
  const nodes: Started[] = []
  let service: Reachable
  before(async () => {
    const store = await server.newDatabase()
    const all = await Promise.all(Array.from({ length: count }, () => start({ store, secret })))
    nodes.push(...all)
    service = hopping(nodes)
  })
  after(() => Promise.all(nodes.map((node) => node.close())))

  const everywhere = <Answer>(look: (node: Started) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(nodes.map(look))
  const onEach = <Value>(value: Value): Value[] => nodes.map(() => value)
  /** Each node with the one after it. */
  const pairs = (): readonly (readonly [Started, Started])[] =>
    nodes.map((node, i) => [node, nodes[(i + 1) % count] ?? node])

  test('login, consent, code, exchange, use and refresh, each step on another node', async () => {
    const code = await obtainCode(service)
    const first = await redeem(service, code)
    assertGranted(first, { scope: everything, expires_in: 3600, refreshable: true })
    assert.deepEqual(await everywhere((node) => use(node, first.body.access_token)), onEach(200))
    const second = await refresh(service, first.body.refresh_token)
    assertGranted(second, { scope: everything, expires_in: 3600, refreshable: true })
    const actives = await everywhere((node) => introspect(node, second.body.access_token))
    for (const told of actives) assert.deepEqual(told, actives[0])
    assert.equal(actives[0]?.active, true)
  })

  test('a grant begins on one node, changes on another, and ends on all at once', async () => {
    const client = await registerManaging(service)
    const { grant_id, access_token } = await client.obtain({ grant_management_action: 'create' })
    const more = { scope: 'contacts:read', grant_management_action: 'update', grant_id }
    const changed = await client.obtain(more)
    assert.deepEqual([changed.grant_id, changed.scope], [grant_id, 'contacts:read photos:read'])
    assert.deepEqual(await everywhere((node) => use(node, access_token)), onEach(401))
    const now = changed.access_token
    assert.deepEqual(await everywhere((node) => use(node, now)), onEach(200))
    assert.equal((await client.revoke(grant_id)).status, 204)
    assert.deepEqual(await everywhere((node) => use(node, now)), onEach(401))
  })

  test('a stream of signals is read on any node, and acknowledged for all', async () => {
    const operator = await operatorOf(service)
    const resource = { introspection_clients: [nightlyReport[0]] }
    assert.equal((await operator('PATCH', 'resources/photos', resource)).status, 200)
    await Promise.all(nodes.map((node) => node.server().operated.resources.learn()))
    const stream = await openStream(service)
    const asked = { ...codeRequest, scope: 'photos:read', prompt: 'consent' }
    const { body } = await redeem(service, await obtainCode(service, asked))
    await service.post('/revoke', { token: body.access_token }, photoPrinter)
    const sets = await everywhere(async (node) => (await pollStream(node, stream)).body.sets)
    const [jti = ''] = Object.keys(sets[0] ?? {})
    assert.notEqual(jti, '')
    assert.deepEqual(
      sets.map((each) => Object.keys(each)),
      onEach([jti]),
    )
    await pollStream(service, stream, { ack: [jti], maxEvents: 0 })
    const left = await everywhere(async (node) => (await pollStream(node, stream)).body.sets)
    assert.deepEqual(left, onEach({}))
  })

  test('AC-01 a code that was used on one node ends on another what it earned', async () => {
    for (const [one, other] of pairs()) {
      const code = await obtainCode(service)
      const { body } = await redeem(one, code)
      assertRefused(await redeem(other, code), 'invalid_grant', deadCode)
      assert.deepEqual(await everywhere((node) => use(node, body.access_token)), onEach(401))
    }
  })

  test('RC-01 of twenty who present one code to all nodes at once, one is answered', async () => {
    for (let round = 0; round < 5; round++) {
      const code = await obtainCode(service)
      const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(service, code)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      for (const { status, body } of answers) {
        if (status !== 200) assert.equal(body.error, 'invalid_grant')
        else assert.equal(await use(service, body.access_token), 401)
      }
    }
  })

  test('RFC 9126: a request that was pushed to one node is answered on another, once on all', async () => {
    for (const [one, other] of pairs()) {
      const uri = await push(one, { ...codeRequest, prompt: 'consent' })
      const page = await goPushed(new Browser(service), uri)
      assert.match(page.url, /\/login/)
      const browsers = await Promise.all([one, other].map((node) => enter(node)))
      const open = await Promise.all(browsers.map((browser) => goPushed(browser, uri)))
      const done = await Promise.all(
        browsers.flatMap((browser, i) => {
          const consent = open[i]
          return consent === undefined ? [] : [browser.submit(consent, { decision: 'allow' })]
        }),
      )
      const sent = done.filter((last) => last.headers.get('location') !== null)
      assert.equal(sent.length, 1)
      const used = await everywhere((node) => new Browser(node).ask(pushedPath(uri)))
      assert.deepEqual(
        used.map(({ status }) => status),
        onEach(400),
      )
    }
  })

  test('RC-06 a device is decided on one node, and redeemed once on all', async () => {
    for (const [one, other] of pairs()) {
      const codes = await askForDevice(one)
      const pendingOn = await everywhere((node) => pollDevice(node, codes))
      assert.deepEqual(
        pendingOn.map(({ body }) => body.error),
        onEach('authorization_pending'),
      )
      assert.match((await approveDevice(service, codes)).text, /Your device goes on/)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => pollDevice(i % 2 === 0 ? one : other, codes)),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.equal(won.length, 1)
      const { access_token } = won[0]?.body ?? {}
      assert.deepEqual(await everywhere((node) => use(node, access_token)), onEach(200))
    }
  })

  test('an assertion of a trusted issuer counts once on all, and an end holds on each', async () => {
    const [first] = nodes
    assert.ok(first)
    const operator = await operatorOf(first)
    const company = await openCompany(first, operator)
    const assertion = await company.jag('bob')
    const form = { grant_type: jwtBearerType, assertion, scope: 'photos:read' }
    const ask = (node: Started) => node.post('/token', form, company.credentials)
    const answers = (await Promise.all([1, 2, 3, 4].map(() => everywhere(ask)))).flat()
    const granted = answers.filter(({ status }) => status === 200)
    assert.equal(granted.length, 1)
    const said = 'the assertion was used before: get a new one for each request'
    for (const answer of await everywhere(ask)) assertRefused(answer, 'invalid_grant', said)
    const { body } = await operator('GET', `authorizations?client=${company.clientId}`)
    await operator('DELETE', `authorizations/${body.items[0].id}`)
    const ended =
      'the resource owner or the operator has ended this access: one of them can allow it again'
    for (const node of nodes) {
      assert.equal(await use(node, granted[0]?.body.access_token), 401)
      const again = { ...form, assertion: await company.jag('bob') }
      const answer = await node.post('/token', again, company.credentials)
      assertRefused(answer, 'invalid_grant', ended)
    }
  })

  test('RC-06 a backchannel request is decided on one node, and redeemed once on all', async () => {
    for (const [one, other] of pairs()) {
      const codes = await askBackchannel(one)
      const pendingOn = await everywhere((node) => pollBackchannel(node, codes))
      assert.deepEqual(
        pendingOn.map(({ body }) => body.error),
        onEach('authorization_pending'),
      )
      await decideAnew(other, codes)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => pollBackchannel(i % 2 === 0 ? one : other, codes)),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.equal(won.length, 1)
      const { access_token } = won[0]?.body ?? {}
      assert.deepEqual(await everywhere((node) => use(node, access_token)), onEach(200))
    }
  })

  test('RF-06 a refresh token that was used on one node is reuse on another', async () => {
    for (const [one, other] of pairs()) {
      const { refresh_token } = await obtainTokens(service)
      const second = (await refresh(one, refresh_token)).body
      const third = (await refresh(other, second.refresh_token)).body
      assertRefused(await refresh(one, refresh_token), 'invalid_grant', deadRefreshToken)
      assertRefused(await refresh(other, third.refresh_token), 'invalid_grant', deadRefreshToken)
      assert.deepEqual(await everywhere((node) => use(node, third.access_token)), onEach(401))
    }
  })

  test('I3 what one node has revoked, every other refuses on the next request', async () => {
    for (const [one, other] of pairs()) {
      const { access_token, refresh_token } = await obtainTokens(service)
      assert.equal(await use(other, access_token), 200)
      assert.equal((await one.post('/revoke', { token: access_token }, photoPrinter)).status, 200)
      assert.equal(await use(other, access_token), 401)
      assert.deepEqual(await introspect(other, access_token), { active: false })
      const renewed = (await refresh(other, refresh_token)).body
      await one.post('/revoke', { token: renewed.refresh_token }, photoPrinter)
      assert.equal(await use(other, renewed.access_token), 401)
      assertRefused(await refresh(other, renewed.refresh_token), 'invalid_grant', deadRefreshToken)
    }
  })

  test('a resource of one node is known to another before it is refused', async () => {
    const [one, other] = nodes
    assert.ok(one && other)
    const words = { title: 'Orders', read: 'See', write: 'Place' }
    const operator = await operatorOf(one)
    // Within one second a node looks up unknown names only once.
    await everywhere((node) => node.advance(10))
    assert.equal((await operator('POST', 'resources', { name: 'orders', ...words })).status, 201)
    assert.equal((await other.ask('/api/orders')).status, 401)
    await everywhere((node) => node.advance(10))
    const uri = 'https://bills.example'
    await operator('POST', 'resources', { name: 'bills', ...words, uri })
    const client = {
      client_id: 'clerk',
      grant_types: ['client_credentials'],
      scope: 'orders bills',
    }
    const { body: made } = await (await operatorOf(other))('POST', 'clients', client)
    const clerk = ['clerk', made.client_secret] as const
    const { body } = await other.post('/token', { grant_type: 'client_credentials' }, clerk)
    assert.equal(body.scope, 'bills:read bills:write orders:read orders:write')
    const seen = await everywhere((node) => introspect(node, body.access_token, clerk))
    assert.deepEqual(
      seen.map(({ scope }) => scope),
      onEach(body.scope),
    )

    await operator('DELETE', 'resources/orders')
    await operator('DELETE', 'resources/bills')
    assert.equal((await introspect(one, body.access_token, clerk)).scope, '')
    await everywhere((node) => node.advance(4))
    const after = await everywhere((node) => introspect(node, body.access_token, clerk))
    assert.deepEqual(
      after.map(({ scope }) => scope),
      onEach(''),
    )
    assert.deepEqual(
      (await everywhere((node) => node.ask('/api/orders'))).map(({ status }) => status),
      onEach(404),
    )
  })

  test('a login on one node is one on all, and so is a logout', async () => {
    const browser = new Browser(service)
    const page = await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    assert.equal(page.status, 200)
    for (const _ of nodes) assert.match((await browser.go('/account')).url, /\/account$/)
    await browser.submit(await browser.go('/logout'))
    for (const _ of nodes) assert.match((await browser.go('/account')).url, /\/login/)
  })

  test('what is approved on one node is remembered on all', async () => {
    const browser = new Browser(service)
    let page = await browser.go(authorizePath(codeRequest))
    page = await browser.logIn(page, 'bob', 'builder')
    await browser.submit(page, { decision: 'allow', duration: 'forever' })
    for (const _ of nodes) {
      const { code } = answerOf(await browser.go(authorizePath(codeRequest)))
      assert.match(code ?? '', /^lk_ac_/)
    }
  })

  test('LG-07 wrong passwords are counted over all nodes', async () => {
    const browsers = nodes.map((node) => new Browser(node))
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) {
      const browser = browsers[i % count] ?? new Browser(service)
      statuses.push((await browser.logIn(await browser.go('/login'), 'carol', 'wrong')).status)
    }
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 403, 429, 429])
    for (const node of nodes) await node.advance(3600)
  })

  test('what an operator changes on one node holds on all from the next request on', async () => {
    for (const [one, other] of pairs()) {
      const [atOne, atOther] = [await operatorOf(one), await operatorOf(other)]
      const { body: made } = await atOne('POST', 'clients', {
        client_name: 'Nightly',
        grant_types: ['client_credentials'],
        scope: 'clients:read',
      })
      const client = [made.client_id, made.client_secret] as const
      const form = { grant_type: 'client_credentials' }
      const { body } = await other.post('/token', form, client)
      assert.equal((await introspect(one, body.access_token, client)).active, true)
      const path = `clients/${made.client_id}`
      assert.equal((await atOther('PATCH', path, { disabled: true })).status, 200)
      assert.equal((await one.post('/token', form, client)).status, 401)
      assert.equal((await atOne('PATCH', path, { disabled: false })).status, 200)
      const { body: turned } = await atOther('POST', `${path}/rotate-secret`)
      assert.equal((await one.post('/token', form, client)).status, 401)
      const renewed = [made.client_id, turned.client_secret] as const
      assert.equal((await one.post('/token', form, renewed)).status, 200)
      assert.equal((await atOne('DELETE', path)).status, 204)
      assert.equal((await other.post('/token', form, renewed)).status, 401)
    }
  })

  test('each node tells the same of an owner, before a change and at once after it', async () => {
    const claims = { id_token: { name: null, email: null } }
    const asked = { ...codeRequest, scope: 'openid profile email photos', prompt: 'consent' }
    const { body: tokens } = await redeem(
      service,
      await obtainCode(service, { ...asked, claims: JSON.stringify(claims) }),
    )
    let { refresh_token } = tokens
    const about = async () => {
      const told = await everywhere(async (node) => {
        const operator = await operatorOf(node)
        const { sub = '' } = decodeJwt(tokens.id_token)
        return {
          userinfo: (await node.ask('/userinfo', bearer(tokens.access_token))).body,
          introspected: await introspect(node, tokens.access_token),
          listed: (await operator('GET', `owners/${sub}`)).body,
        }
      })
      const idTokens = []
      for (const node of nodes) {
        const { body } = await refresh(node, refresh_token)
        refresh_token = body.refresh_token
        idTokens.push(decodeJwt(body.id_token))
      }
      for (const one of told) assert.deepEqual(one, told[0])
      for (const { name, email } of idTokens) {
        assert.deepEqual([name, email], [told[0]?.userinfo.name, told[0]?.userinfo.email])
      }
      return told[0]
    }
    const before = await about()
    assert.ok(before)
    for (const [index, node] of nodes.entries()) {
      const name = `Alice of node ${index}`
      const change = { name, email: `alice-${index}@example.com`, email_verified: true }
      const operator = await operatorOf(node)
      const path = `owners/${decodeJwt(tokens.id_token).sub}`
      assert.equal((await operator('PATCH', path, change)).status, 200)
      const after = await about()
      assert.deepEqual([after?.userinfo.name, after?.userinfo.email], [name, change.email])
    }
    // The lists of events agree as well, once nothing more happens.
    const operators = await everywhere((node) => operatorOf(node))
    const lists = await Promise.all(operators.map((operator) => operator('GET', 'events?limit=50')))
    for (const { status, body } of lists) {
      assert.equal(status, 200)
      assert.deepEqual(body, lists[0]?.body)
    }
    const back = { name: before.listed.name, email: before.listed.email, email_verified: true }
    await operators[0]?.('PATCH', `owners/${before.userinfo.sub}`, back)
  })

  test('each node tells the same of items, and of a narrowed authorization, at once', async () => {
    const { access_token } = await obtainTokens(service)
    const own = bearer(access_token)
    const path = '/api/photos/of-all-nodes'
    const about = async () => {
      let told: unknown
      // A second read of a node comes from its cache.
      for (let turn = 0; turn < 3; turn++) {
        const all = await everywhere(async (node) => {
          const [one, list] = [await node.ask(path, own), await node.ask('/api/photos', own)]
          return [one.status, one.headers.get('etag'), one.body, list.status, list.body]
        })
        for (const one of all) assert.deepEqual(one, all[0])
        told = all[0]
      }
      return JSON.stringify(told)
    }
    const seen = new Set([await about()])
    for (const [index, node] of nodes.entries()) {
      const put = { ...own, method: 'PUT', json: { title: `Of node ${index}` } }
      assert.ok([200, 201].includes((await node.ask(path, put)).status))
      seen.add(await about())
    }
    assert.equal(seen.size, count + 1)
    assert.equal((await nodes[0]?.ask(path, { ...own, method: 'DELETE' }))?.status, 204)
    assert.match(await about(), /^\[404,/)

    for (const [one, other] of pairs()) {
      const { access_token: token } = await obtainTokens(service)
      const before = await everywhere((node) => introspect(node, token))
      const operator = await operatorOf(one)
      const query = `owner=${before[0]?.sub}&client=${photoPrinter[0]}`
      const { body } = await (await operatorOf(other))('GET', `authorizations?${query}`)
      const [{ id }] = body.items
      const narrowed = await operator('PATCH', `authorizations/${id}`, { scope: 'photos:read' })
      assert.equal(narrowed.status, 200, narrowed.text)
      const after = await everywhere((node) => introspect(node, token))
      assert.deepEqual(
        after.map(({ scope }) => scope),
        onEach('photos:read'),
      )
      const { body: items } = await operator('GET', `authorizations?${query}`)
      for (const found of await everywhere(async (node) =>
        (await operatorOf(node))('GET', `authorizations?${query}`),
      )) {
        assert.deepEqual(found.body, items)
      }
      await operator('DELETE', `authorizations/${id}`)
    }
  })

  test('the first signature of an algorithm makes one key, which each node publishes', async () => {
    const lattice = async (node: Started) => {
      const { keys } = (await node.ask('/jwks')).body
      return keys.filter(({ kty }: { kty: string }) => kty === 'AKP')
    }
    assert.deepEqual(await everywhere(lattice), onEach([]))
    const members = { id_token_signed_response_alg: 'ML-DSA-44' }
    const client = await register(nodes[0] ?? assert.fail('no node'), members)
    const codes: string[] = []
    for (const _ of nodes) codes.push(answerOf(await walk(service, requestOf(client))).code ?? '')
    const changes = { redirect_uri: client.redirectUri }
    const logins = await Promise.all(
      nodes.map((node, i) => redeem(node, codes[i] ?? '', client.credentials, changes)),
    )
    assert.deepEqual(
      logins.map(({ status, text }) => (status === 200 ? 200 : text)),
      onEach(200),
    )
    const kids = logins.map(({ body }) => decodeProtectedHeader(body.id_token).kid)
    assert.deepEqual(kids, onEach(kids[0]))
    for (const node of nodes) node.pass(1)
    for (const found of await everywhere(lattice)) {
      assert.deepEqual(
        found.map(({ kid }: { kid: string }) => kid),
        [kids[0]],
      )
    }
  })

  test('keys rotate for all nodes, and one that is behind learns a key as it meets it', async () => {
    const [first, ...others] = nodes
    assert.ok(first)
    await first.advance(31 * day)
    await first.advance(day)
    for (const node of others) node.pass(32 * day)
    const form = { grant_type: 'client_credentials' }
    const { body } = await first.post('/token', form, nightlyReport)
    const actives = await everywhere((node) => introspect(node, body.access_token, nightlyReport))
    assert.deepEqual(
      actives.map(({ active }) => active),
      onEach(true),
    )
    const code = await obtainCode(service)
    assert.equal((await redeem(service, code)).status, 200)
    const store = first.server().store
    const sealing = async () => (await store.listKeys()).filter(({ use }) => use === 'sealing')
    assert.equal((await sealing()).length, 2)
    for (const node of others) await node.advance(60)
    assert.equal((await sealing()).length, 2)
  })

  test('an API of a new resource reads the feed of another node, and misses nothing', async () => {
    const [one, other] = nodes
    assert.ok(one && other)
    const operator = await operatorOf(one)
    const reader = { client_id: 'reader', grant_types: ['client_credentials'], scope: 'photos' }
    const { body } = await operator('POST', 'clients', reader)
    const api = ['reader', body.client_secret] as const
    const add = (name: string) =>
      operator('POST', 'resources', {
        ...{ name, title: name, read: 'See', write: 'Add', uri: `https://${name}.example` },
        ...{ access_token_format: 'jwt', introspection_clients: ['reader'] },
      })
    await everywhere((node) => node.advance(10))
    assert.equal((await poll(other, api)).status, 403)
    await everywhere((node) => node.advance(1))
    assert.equal((await add('notes')).status, 201)
    const { next } = (await poll(other, api)).body
    assert.equal((await add('memos')).status, 201)
    const { store } = one.server()
    const [owner, client] = await Promise.all([
      store.findOwnerByName('alice'),
      store.findClient(photoPrinter[0] as never),
    ])
    assert.ok(owner && client)
    const asked = { permissions: ['memos:read'], duration: 'day' } as const
    const at = trace(one.now())
    const approval = sampleApproval({ owner, client }, asked)
    const id = (await openKeys(store, random)).place(approval.id, owner.id)
    const allowed = await approveIn(store, { ...approval, id }, at)
    assert.ok(allowed)
    await store.endAuthorization(allowed.id, null, trace(one.now()))
    const news = await poll(other, api, { after: next })
    assert.deepEqual(await eventsOf(other, news, 'reader'), [['authorization', allowed.id, true]])
    for (const name of ['notes', 'memos']) await operator('DELETE', `resources/${name}`)
    await operator('DELETE', 'clients/reader')
  })
}

const testOne = (postgres: Postgres): void => {
  test('without a root secret it says once that the database alone is enough to forge', async () => {
    const store = await postgres.newDatabase()
    const open = await start({ store })
    const warnings = open.notices.filter(({ level }) => level === 'warn')
    assert.deepEqual(
      warnings.map(({ message }) => message),
      [
        'the sealing keys and the secrets of one-time codes are in the database in clear. A reader of it can forge both, and so can one of the secrets with which clients sign. Set LATCHKEY_SECRET, the same on every node',
      ],
    )
    await open.close()
    const closed = await start({ store: await postgres.newDatabase(), secret })
    assert.deepEqual(
      closed.notices.filter(({ level }) => level === 'warn'),
      [],
    )
    const other = start({ store: closed.server().settings.store, secret: secret.toUpperCase() })
    await assert.rejects(other, /^Error: the root secret does not open the sealing keys/)
    await closed.close()
  })

  const { crash } = postgres
  if (crash === null) return
  test('F-09 while the database is gone everything is 503, and it heals by itself', async () => {
    const node = await start({ store: await postgres.newDatabase(), secret })
    const { access_token } = await obtainTokens(node)
    const form = { grant_type: 'client_credentials' }
    await crash.end()
    for (let i = 0; i < 50; i++) {
      const answer = await node.post('/token', form, nightlyReport)
      assert.equal(answer.status, 503)
      assert.equal(answer.body.error, 'temporarily_unavailable')
      assert.equal(await use(node, access_token), 503)
      assert.equal((await node.post('/revoke', { token: access_token }, photoPrinter)).status, 503)
      assert.equal((await node.ask('/authorize?client_id=photo-printer')).status, 503)
    }
    await crash.start()
    while ((await node.post('/token', form, nightlyReport)).status !== 200) {
      await new Promise(setImmediate)
    }
    assert.equal(await use(node, access_token), 200)
    await node.close()
  })
}

const cluster = await findCluster()
if (cluster !== null) {
  after(() => cluster.close())
  describe('2 nodes over one cluster of Citus', () =>
    testNodes(2, { newDatabase: () => cluster.newDatabase() }))
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): nodes are left out')
} else {
  after(() => postgres.stop())
  for (const count of [2, 3]) describe(`${count} nodes`, () => testNodes(count, postgres))
  describe('a node', () => testOne(postgres))
}
