/** A grant type of one's own (RFC 6749 section 4.5), by the documented example. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { badgeGrant } from '../../examples/badge-grant.ts'
import { extendGrant } from '../../src/grants/extension.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { assertPlaced } from '../support/placed.ts'
import { type Form, start, startBefore } from '../support/start.ts'

let client: readonly [string, string]

const service = startBefore(
  () => start({ grants: [extendGrant(badgeGrant)] }),
  async () => {
    const admin = await service.post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
    const created = await service.ask('/admin/api/clients', {
      headers: { authorization: `Bearer ${admin.body.access_token}` },
      json: { client_name: 'Door', grant_types: [badgeGrant.type, 'refresh_token'] },
    })
    assert.equal(created.status, 201, created.text)
    client = [created.body.client_id, created.body.client_secret]
  },
)

const redeem = (badge: string, more: Form = {}) => {
  const form = { grant_type: badgeGrant.type, badge, scope: 'photos:read', ...more }
  return service.post('/token', form, client)
}

test('the grant earns tokens for the owner, a refresh token among them', async () => {
  const answer = await redeem('04:a2:19:7c')
  assert.equal(answer.status, 200, answer.text)
  const { access_token: token, refresh_token: refresh, ...rest } = answer.body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token_timeout: 30 * 24 * 3600,
    scope: 'photos:read',
  })
  assert.match(refresh, /^lk_rt_/)
  const photos = await service.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })
  assert.equal(photos.body.items.length, 3)
})

test('its tokens are for the resource that was asked for, and for no other', async () => {
  const { issuer } = service
  const resource = `${issuer}/api/photos`
  const { body } = await redeem('04:a2:19:7c', { scope: 'photos:read contacts:read', resource })
  assert.equal(body.scope, 'photos:read')
  const headers = { authorization: `Bearer ${body.access_token}` }
  assert.equal((await service.ask('/api/photos', { headers })).status, 200)
  assert.equal((await service.ask('/api/contacts', { headers })).status, 401)
})

test('what the grant refuses is refused in the words of the RFC', async () => {
  const unknown = await redeem('00:00:00:00')
  assert.equal(unknown.status, 400)
  assert.deepEqual(unknown.body, {
    error: 'invalid_grant',
    error_description: 'nobody has this badge',
  })
  const missing = await service.post('/token', { grant_type: badgeGrant.type }, client)
  assert.deepEqual(missing.body, {
    error: 'invalid_request',
    error_description: 'parameter badge is missing',
  })
})

test('metadata name it', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  assert.ok(body.grant_types_supported.includes(badgeGrant.type))
})

test('the documentation shows the file that runs here', async () => {
  const file = await readFile(new URL('../../examples/badge-grant.ts', import.meta.url), 'utf8')
  const page = await readFile(new URL('../../docs/extension-grants.md', import.meta.url), 'utf8')
  const outside = file.replace('../src/index.ts', 'latchkey')
  assert.ok(page.includes(`\`\`\`ts badge-grant.ts\n${outside}\`\`\``))
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
