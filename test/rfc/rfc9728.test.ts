/** RFC 9728: protected resource metadata (RS-17). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dpopAlgorithms } from '../../src/resource/dpop-proof.ts'
import { startBefore } from '../support/start.ts'

const started = startBefore()

const wellKnown = '/.well-known/oauth-protected-resource'
const owners = ['calendar', 'contacts', 'photos']
/** What `/userinfo` takes; `offline_access` is no resource's. */
const words = ['address', 'email', 'groups', 'openid', 'phone', 'profile']
const everything = owners.flatMap((name) => [`${name}:read`, `${name}:write`])

describe('section 3: metadata stands at the well-known path of the resource', () => {
  const rows: [string, string, string, string[]][] = [
    ['', '', 'Latchkey', [...everything, ...words].sort()],
    ['/api', '/api', 'Latchkey API', everything],
    ['/api/photos', '/api/photos', 'Photos', ['photos:read', 'photos:write']],
  ]
  for (const [path, resource, name, scopes] of rows) {
    test(`of ${resource || 'the whole service'}`, async () => {
      const answer = await started.ask(wellKnown + path)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, {
        resource: started.issuer + resource,
        resource_name: name,
        authorization_servers: [started.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header', 'body', 'query'],
        dpop_signing_alg_values_supported: dpopAlgorithms,
        authorization_details_types_supported:
          path === '/api/photos' ? ['photos'] : ['photos', 'contacts', 'calendar'],
      })
    })
  }

  test('of the admin API, which is one resource and takes the token from the header alone', async () => {
    const answer = await started.ask(`${wellKnown}/admin/api`)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      resource: `${started.issuer}/admin/api`,
      resource_name: 'Latchkey admin API',
      authorization_servers: [started.issuer],
      scopes_supported: [
        'authorizations:read',
        'authorizations:write',
        'clients:read',
        'clients:write',
        'events:read',
        'groups:read',
        'groups:write',
        'issuers:read',
        'issuers:write',
        'keys:read',
        'keys:write',
        'owners:read',
        'owners:write',
        'resources:read',
        'resources:write',
        'streams:read',
        'streams:write',
      ],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: dpopAlgorithms,
    })
  })

  test('of nothing else', async () => {
    const answer = await started.ask(`${wellKnown}/api/cameras`)
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'])
    assert.equal((await started.ask(`${wellKnown}/elsewhere`)).status, 404)
  })
})

describe('section 5.1: every challenge says where', () => {
  const rows: [string, string][] = [
    ['/api/photos', '/api/photos'],
    ['/api/photos/1', '/api/photos'],
    ['/userinfo', ''],
    ['/admin/api/owners', '/admin/api'],
  ]
  for (const [path, resource] of rows) {
    test(`that of ${path}`, async () => {
      const challenge = (await started.ask(path)).headers.get('www-authenticate') ?? ''
      const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
      const { body } = await started.ask(url)
      assert.equal(body.resource, started.issuer + resource)
    })
  }
})
