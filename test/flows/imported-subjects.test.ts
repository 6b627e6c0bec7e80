/** An owner from another server keeps the subject that applications know. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { newName } from '../support/people.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { bearer, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const password = 'as at the former server'

/** The subjects of other servers have many forms. */
const forms = [
  'auth0|5f7c8ec7c33c6c004bbafe82',
  '9f1b2c3d-1111-4222-8333-444455556666',
  'kD0mUbQXyzZ1234567890abcdEfG',
  '42',
  'uid=alice,ou=people,dc=example,dc=com',
  'samlp|directory|a/b?c#d%20e',
  'x'.repeat(128),
]

for (const sub of forms) {
  it(`${sub.slice(0, 40)} reaches applications as it is`, async () => {
    const username = newName()
    const given = { username, sub, password, email: `${username}@example.com` }
    const { status, headers, body } = await operator('POST', 'owners', given)
    assert.deepEqual([status, body.id], [201, sub])
    const path = `owners/${encodeURIComponent(sub)}`
    assert.equal(headers.get('location'), `${service.issuer}/admin/api/${path}`)
    assert.equal((await operator('GET', path)).body.username, username)

    const browser = await enter(service, username, password)
    const request = { ...codeRequest, scope: 'openid email photos:read' }
    const consent = await browser.go(authorizePath(request))
    const { code = '' } = answerOf(await browser.submit(consent, { decision: 'allow' }))
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const tokens = (await service.post('/token', form, photoPrinter)).body
    assert.equal(decodeJwt(tokens.id_token).sub, sub)
    const user = await service.ask('/userinfo', bearer(tokens.access_token))
    assert.equal(user.body.sub, sub)
    const told = await service.post('/introspect', { token: tokens.access_token }, photoPrinter)
    assert.equal(told.body.sub, sub)

    const query = `owner=${encodeURIComponent(sub)}`
    assert.ok((await operator('GET', `events?${query}`)).body.items.length > 0)
    assert.equal((await operator('GET', `authorizations?${query}`)).body.items.length, 1)
    const link = await operator('POST', `${path}/links`, { purpose: 'reset' })
    const page = await new Browser(service).go(link.body.link)
    assert.equal(page.status, 200)
    assert.equal((await operator('DELETE', path)).status, 204)
    assert.equal((await operator('GET', path)).status, 404)
  })
}

describe('a subject is refused', () => {
  it('where it is taken', async () => {
    const { body } = await operator('POST', 'owners', { username: 'first', sub: 'S-1', password })
    for (const [sub, whose] of [
      ['S-1', 'the owner first'],
      [body.id, 'the owner first'],
      ['photo-printer', 'a client'],
    ]) {
      const answer = await operator('POST', 'owners', { username: newName(), sub, password })
      const detail = `this sub is the one of ${whose}`
      assert.deepEqual([answer.status, answer.body], [409, problem('conflict', 409, detail)])
    }
  })

  it('where it has a form that no id has', async () => {
    for (const sub of [
      '',
      ' ',
      '*)(uid=*',
      '-1',
      "a'b",
      'a b',
      'é',
      '..',
      'x'.repeat(129),
      'https://idp.example/a',
      1,
    ]) {
      const answer = await operator('POST', 'owners', { username: newName(), sub, password })
      assert.equal(answer.status, 400, String(sub))
    }
  })
})
