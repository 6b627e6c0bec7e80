/** `/par` refuses a request exactly if `/authorize` does, with the same error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Browser } from '../../support/browser.ts'
import { authorizePath, callback } from '../../support/printing.ts'
import { pushedPath, tryPush } from '../../support/pushing.ts'
import { startBefore } from '../../support/start.ts'

const started = startBefore()

const oneOf = (...values: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(values[0] ?? '') }, fc.constantFrom(...values, ''))

const verifier = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbGJSstw-cM0'

/** The first value of each is a good one, and '' leaves the parameter out. */
const requests = fc.record(
  {
    response_type: oneOf('code', 'token', 'code id_token', 'x'),
    redirect_uri: oneOf(callback, 'http://127.0.0.1:51000/callback', 'https://evil.example/'),
    scope: oneOf('photos:read', 'openid profile', 'attic', 'photos:read attic'),
    state: oneOf('xyz', 'a\nb', 's'.repeat(4097), '☃'),
    response_mode: oneOf('', 'query', 'jwt', 'form_post', 'fragment.jwt', 'web_message'),
    prompt: oneOf('', 'login', 'none', 'none login', 'x'),
    max_age: oneOf('', '600', '-1', 'x'),
    nonce: oneOf('', 'n-1', 'n'.repeat(2049)),
    claims: oneOf('', '{"userinfo":{"email":null}}', '[]', '{'),
    resource: oneOf('', 'http://127.0.0.1:6749/api/photos', 'https://evil.example/'),
    code_challenge: oneOf('', verifier, 'short'),
    code_challenge_method: oneOf('', 'S256', 'plain'),
    id_token_hint: oneOf('', 'x'),
    dpop_jkt: oneOf('', verifier),
  },
  { noNullPrototype: true },
)

/** Errors that depend on the login: `/authorize` alone tells them. */
const ofLogin = ['login_required', 'consent_required', 'interaction_required']

/** The error of a request by a browser without a login: null if it leads on. */
const errorAt = async (path: string): Promise<string | null> => {
  const page = await new Browser(started).ask(path)
  const location = page.headers.get('location')
  if (page.status === 400) return 'page'
  if (location === null) return /name="error" value="([^"]*)"/.exec(page.text)?.[1] ?? 'signed'
  const { searchParams, hash } = new URL(location, started.issuer)
  const answer = searchParams.size > 0 ? searchParams : new URLSearchParams(hash.slice(1))
  const jwt = answer.get('response')
  const payload = jwt === null ? null : Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()
  return payload === null ? answer.get('error') : JSON.parse(payload).error
}

test('a pushed request is refused as the same one at /authorize is', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const at = authorizePath({ ...request, client_id: 'photo-printer' })
      const found = await errorAt(at)
      const asked = found !== null && ofLogin.includes(found) ? null : found
      const { status, body } = await tryPush(started, request)
      assert.equal(status, asked === null ? 201 : 400, JSON.stringify([asked, body]))
      if (asked === null) {
        assert.equal(await errorAt(pushedPath(body.request_uri)), found)
      } else if (asked !== 'page' && asked !== 'signed') assert.equal(body.error, asked)
    }),
    { numRuns: 150 },
  )
})
