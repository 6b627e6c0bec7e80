/** A client with an https URL as its id, through every endpoint and command with client ids. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findCommand } from '../../src/cli/admin/work.ts'
import { clientIdCharacters } from '../../src/model/ids.ts'
import { askFor, assertOnPage, enter } from '../support/authorization.ts'
import { answerOf } from '../support/browser.ts'
import { apiOf } from '../support/commands.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { basic, type Started, start } from '../support/start.ts'
import { redeem, refresh, use } from '../support/tokens.ts'
import { bearer, type Operator, operatorOf, problem } from './operator.ts'

const longest = 'https://app.example/'.padEnd(clientIdCharacters.url, '~:%2F')

const ids = {
  'a URL': 'https://app.example/client.json',
  'a URL with all that has a meaning elsewhere':
    "https://app.example:8443/~me/a:b/%7E%2F%25/it's?x=1&y=~;a,b+c*(d)",
  'the longest URL': longest,
}

let service: Started
let operator: Operator
before(async () => {
  // Else an unknown URL is the document of a client.
  service = await start({ registration: 'off' })
  operator = await operatorOf(service)
})
after(() => service.close())

const adminPath = (id: string): string => `clients/${encodeURIComponent(id)}`

for (const [what, id] of Object.entries(ids)) {
  describe(what, () => {
    let client: readonly [string, string]
    let tokens: { access_token: string; refresh_token: string }
    const request = { ...codeRequest, client_id: id, scope: 'photos' }

    const askOf = async (path: string) => (await operator('GET', path)).body

    test('is chosen by the operator, and found by its encoded path', async () => {
      const created = await operator('POST', 'clients', {
        client_id: id,
        client_name: 'App',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        scope: 'photos contacts:read',
      })
      assert.equal(created.status, 201, created.text)
      assert.equal(created.body.client_id, id)
      client = [id, created.body.client_secret]
      const location = `${service.issuer}/admin/api/${adminPath(id)}`
      assert.equal(created.headers.get('location'), location)
      const read = await operator('GET', adminPath(id))
      assert.deepEqual([read.status, read.body.client_id], [200, id])
      const again = { client_id: id, redirect_uris: [callback] }
      assert.equal((await operator('POST', 'clients', again)).status, 409)
    })

    test('asks, is allowed, and exchanges its code', async () => {
      const page = await walk(service, request)
      const { code = '', ...rest } = answerOf(page)
      assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
      const stolen = await redeem(service, code)
      assert.equal(stolen.body.error, 'invalid_grant')
      const granted = await redeem(service, code, client)
      assert.equal(granted.status, 200, granted.text)
      assert.equal(granted.body.scope, 'photos:read photos:write')
      tokens = granted.body
      assert.equal(await use(service, tokens.access_token), 200)
    })

    test('authenticates in the body, too, and refreshes', async () => {
      const refreshed = await refresh(service, tokens.refresh_token, null, {
        client_id: id,
        client_secret: client[1],
      })
      assert.equal(refreshed.status, 200, refreshed.text)
      tokens = refreshed.body
    })

    test('introspects its own tokens, which name it', async () => {
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        const { body } = await service.post('/introspect', { token }, client)
        assert.deepEqual([body.active, body.client_id], [true, id])
        assert.notEqual(body.sub, id)
      }
    })

    test('has tokens and items of its own, apart from those of its owners', async () => {
      const form = { grant_type: 'client_credentials', scope: 'photos' }
      const { body: own } = await service.post('/token', form, client)
      const { body } = await service.post('/introspect', { token: own.access_token }, client)
      assert.deepEqual([body.active, body.client_id, body.sub], [true, id, id])
      const put = { ...bearer(own.access_token), method: 'PUT', json: { title: 'mine' } }
      assert.equal((await service.ask('/api/photos/mine', put)).status, 201)
      const listOf = async (token: string) =>
        (await service.ask('/api/photos', bearer(token))).body.items.map(
          (item: { id: string }) => item.id,
        )
      assert.deepEqual(await listOf(own.access_token), ['mine'])
      assert.equal((await listOf(tokens.access_token)).includes('mine'), false)
      assert.deepEqual(
        (await service.post('/revoke', { token: own.access_token }, client)).body,
        {},
      )
      assert.equal(await use(service, own.access_token), 401)
    })

    test('is named in the access log of its owner, as an API that asks, too', async () => {
      assert.equal((await operator('PATCH', adminPath(id), { may_introspect: true })).status, 200)
      const { access_token: token } = tokens
      assert.equal((await service.post('/introspect', { token }, client)).body.active, true)
      const [{ id: authorization }] = (
        await askOf(`authorizations?client=${encodeURIComponent(id)}`)
      ).items
      const browser = await enter(service)
      const path = `/account/ledger.json?authorization=${authorization}`
      const { body } = await browser.ask(path)
      assert.equal(body.client_id, id)
      const asked = body.entries.find(({ action }: { action: string }) => action === 'check')
      assert.equal(asked.api, id.slice(0, clientIdCharacters.word))
      const page = await browser.ask(`/account/ledger?authorization=${authorization}`)
      assert.equal(page.status, 200)
      const events = await browser.ask('/account/events')
      assert.match(events.text, /App/)
    })

    test('is a filter of the lists, and a page of them goes on behind it', async () => {
      const filter = encodeURIComponent(id)
      const { items } = await askOf(`authorizations?client=${filter}`)
      assert.deepEqual(
        items.map(({ client_id }: { client_id: string }) => client_id),
        [id],
      )
      const events = await askOf(`events?client=${filter}`)
      const told = events.items as { client_id: string; type: string }[]
      assert.deepEqual([...new Set(told.map(({ client_id }) => client_id))], [id])
      assert.equal(
        told.some(({ type }) => type === 'client.registered'),
        true,
      )
      const listed = await askOf(`clients?after=${Buffer.from(id).toString('base64url')}`)
      assert.equal(
        listed.items.some((one: { client_id: string }) => one.client_id <= id),
        false,
      )
    })

    test('revokes its token, and no other client does', async () => {
      const { access_token: token } = tokens
      const foreign = await service.post('/revoke', { token }, [
        'photo-printer',
        'photo-printer-secret',
      ])
      assert.equal(foreign.body.error, 'unauthorized_client')
      assert.deepEqual((await service.post('/revoke', { token }, client)).body, {})
      assert.equal(await use(service, token), 401)
    })

    test('is ended by its owner on the account page', async () => {
      const browser = await enter(service)
      const [{ id: authorization }] = (
        await askOf(`authorizations?client=${encodeURIComponent(id)}`)
      ).items
      const account = await browser.go('/account')
      const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
      const done = await browser.go('/account', { csrf, authorization, action: 'end' })
      assert.match(done.text, /App/)
      assert.equal(
        (await refresh(service, tokens.refresh_token, client)).body.error,
        'invalid_grant',
      )
    })

    test('is not managed by a registration token of another', async () => {
      const { body } = await service.ask('/register', { json: { redirect_uris: [callback] } })
      const path = `/register/${encodeURIComponent(id)}`
      const refused = await service.ask(path, bearer(body.registration_access_token))
      assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_token'])
    })

    test('is changed and rotated by programs and on the command line', async () => {
      const { body } = await operator('PATCH', adminPath(id), { client_name: 'Renamed' })
      assert.deepEqual([body.client_id, body.client_name], [id, 'Renamed'])
      const rotated = await operator('POST', `${adminPath(id)}/rotate-secret`)
      assert.equal(rotated.body.client_id, id)
      const api = apiOf(service)
      const { text } = await findCommand('client rotate-secret').work(api, {}, [id])
      const secret = /^client_secret +(\S+)$/m.exec(text)?.[1] ?? ''
      assert.ok(text.includes(id))
      assert.match(
        (await findCommand('client list').work(api, {}, [])).text,
        /^https:\/\/app\.example/m,
      )
      client = [id, secret]
      const form = { grant_type: 'client_credentials' }
      assert.equal((await service.post('/token', form, client)).status, 200)
    })

    test('is deleted, and is unknown then', async () => {
      assert.equal((await operator('DELETE', adminPath(id))).status, 204)
      const gone = await operator('GET', adminPath(id))
      assert.deepEqual(gone.body, problem('not_found', 404, 'there is no such client'))
      const page = await askFor(service, request)
      assertOnPage(page, 'client_id names no client of this service')
      await findCommand('client add').work(apiOf(service), { id, redirect: [callback] }, [])
      assert.equal((await operator('GET', adminPath(id))).status, 200)
      assert.equal((await operator('DELETE', adminPath(id))).status, 204)
    })
  })
}

test('a longer id is no id anywhere', async () => {
  const id = `${longest}x`
  const metadata = { client_id: id, redirect_uris: [callback] }
  const created = await operator('POST', 'clients', metadata)
  assert.deepEqual([created.status, created.body.title], [400, 'invalid_client_metadata'])
  assert.equal((await operator('GET', adminPath(id))).status, 404)
  const page = await askFor(service, { client_id: id })
  assertOnPage(page, 'client_id names no client of this service')
  const answer = await service.ask('/token', {
    form: { grant_type: 'client_credentials' },
    headers: { authorization: basic([id, 'x']) },
  })
  assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
  assert.equal((await operator('GET', `events?client=${encodeURIComponent(id)}`)).status, 400)
})
