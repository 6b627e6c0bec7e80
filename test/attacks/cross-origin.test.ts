/** Which answers a page of another origin may read (Fetch, CORS protocol): every route, by its path. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { listRows } from '../support/rows.ts'
import { startBefore } from '../support/start.ts'

// The address of the password page leads a browser there, and security.txt is for people.
const readable =
  /^\/(par|device_authorization|token|revoke|register|api|userinfo|jwks|\.well-known(?!\/change-password|\/security\.txt))(\/|$)/

const headers = { origin: 'https://evil.example' }
const allowed = 'access-control-allow-origin'

describe('a page of another origin', () => {
  const service = startBefore()
  let token: string
  before(async () => {
    const form = { grant_type: 'client_credentials' }
    token = (await service.post('/token', form, latchkeyAdmin)).body.access_token
  })

  const all = listRows()
  const paths = [...new Set(all.map(({ path }) => path))].sort()

  test('is looked at for every route', () => {
    assert.ok(paths.filter((path) => path.startsWith('/admin/api/')).length > 8)
    assert.ok(paths.filter((path) => readable.test(path)).length > 8)
  })

  for (const path of paths) {
    const isReadable = readable.test(path)
    test(`${isReadable ? 'reads' : 'does not read'} ${path}`, async () => {
      const url = path.replaceAll(/:[a-z_]+/g, 'x')
      const preflight = await service.ask(url, { method: 'OPTIONS', headers })
      const expected = isReadable ? headers.origin : null
      assert.equal(preflight.headers.get(allowed), expected)
      const answer = await service.ask(url, {
        headers: { ...headers, authorization: `Bearer ${token}` },
      })
      assert.equal(answer.headers.get(allowed), expected)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    })
  }
})
