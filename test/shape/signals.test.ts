/** The receiver of docs/signals.md, run as a program against a service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { houseApp, latchkeyAdmin, nightlyReport } from '../support/demo-clients.ts'
import { type Listening, listen } from '../support/listening.ts'
import { basic, formBody } from '../support/start.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen()
  examples = prepareExamples('docs/signals.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

const post = async (
  path: string,
  form: Readonly<Record<string, string>>,
  client: readonly [string, string],
) => {
  const headers = {
    authorization: basic(client),
    'content-type': 'application/x-www-form-urlencoded',
  }
  return fetch(service.issuer + path, { method: 'POST', headers, body: formBody(form) })
}

describe('the receiver of docs/signals.md', () => {
  it('hears of a token that ends', async () => {
    const admin = await post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
    const { access_token: token } = (await admin.json()) as { access_token: string }
    const changed = await fetch(`${service.issuer}/admin/api/resources/photos`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ introspection_clients: [nightlyReport[0]] }),
    })
    assert.equal(changed.status, 200)
    const example = await examples.start('receiver.ts')
    assert.equal(await example.line(), 'listening')
    const password = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const granted = await post('/token', { ...password, scope: 'photos:read' }, houseApp)
    const { refresh_token } = (await granted.json()) as { refresh_token: string }
    await post('/revoke', { token: refresh_token }, houseApp)
    assert.deepEqual(await example.rest(), ['session-revoked', 'acknowledged'])
  })
})
