/** No owner can grant the operator's permissions, whatever a client is registered for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { authorizePath } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

let client: readonly [string, string]

const service = startBefore(start, async () => {
  const admin = await service.post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
  const { body } = await service.ask('/admin/api/clients', {
    headers: { authorization: `Bearer ${admin.body.access_token}` },
    json: {
      grant_types: ['authorization_code', 'password'],
      redirect_uris: ['https://app.example/cb'],
      scope: 'photos:read clients:read clients:write',
      trusted: true,
    },
  })
  client = [body.client_id, body.client_secret]
})

const password = (scope: string) =>
  service.post(
    '/token',
    { grant_type: 'password', username: 'alice', password: 'wonderland', scope },
    client,
  )

test('the password grant leaves them out', async () => {
  assert.equal((await password('photos:read clients:read')).body.scope, 'photos:read')
  const only = await password('clients:read')
  assert.deepEqual([only.status, only.body.error], [400, 'invalid_scope'])
})

test('the consent page does not ask for them', async () => {
  const browser = new Browser(service)
  const request = {
    response_type: 'code',
    client_id: client[0],
    redirect_uri: 'https://app.example/cb',
  }
  const login = await browser.go(authorizePath(request))
  const consent = await browser.logIn(login, 'bob', 'builder')
  const asked = [...consent.text.matchAll(/value="(\w+:\w+)"/g)].map(([, permission]) => permission)
  assert.deepEqual(asked, ['photos:read'])
})
