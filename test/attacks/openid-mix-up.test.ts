/**
 * Mix-up of providers (RFC 9207, OpenID Connect Core section 3.1.3.7): every answer and every ID token
 * names its issuer, with each response type that the metadata offers.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

let offered: readonly string[]
let request: Readonly<Record<string, string>>

const service = startBefore(start, async () => {
  const metadata = (await service.ask('/.well-known/openid-configuration')).body
  offered = metadata.response_types_supported
  const json = {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'implicit'],
    response_types: offered,
  }
  const { body } = await service.ask('/register', { json })
  assert.deepEqual(body.response_types, offered)
  request = { ...codeRequest, client_id: body.client_id, scope: 'openid', nonce: 'n-1' }
})

const assertOurs = (page: Page): Readonly<Record<string, string>> => {
  const answer = answerOf(page)
  assert.equal(answer.iss, service.issuer)
  if (answer.id_token !== undefined) assert.equal(decodeJwt(answer.id_token).iss, service.issuer)
  return answer
}

describe('iss is in the answer', () => {
  test('of each response type', async () => {
    assert.ok(offered.length >= 2)
    for (const type of offered) {
      const answer = assertOurs(await walk(service, { ...request, response_type: type }))
      assert.equal(answer.error, undefined, type)
    }
  })

  test('of each error that the client hears', async () => {
    for (const type of offered) {
      const asked = { ...request, response_type: type }
      const shown = { ...asked, prompt: 'consent' }
      const denied = assertOurs(await walk(service, shown, { decision: 'deny' }))
      assert.equal(denied.error, 'access_denied')
      const wrong = assertOurs(await walk(service, { ...asked, max_age: 'never' }))
      assert.equal(wrong.error, 'invalid_request')
    }
  })

  test('and a request cannot choose it', async () => {
    for (const type of offered) {
      const asked = { ...request, response_type: type, iss: 'https://attacker.example' }
      assertOurs(await walk(service, asked, {}, new Browser(service)))
    }
  })
})
