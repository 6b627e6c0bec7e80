/** RFC 8707: resource indicators of what is built in. `test/flows/audience.test.ts` has resources elsewhere. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askFor, sentTo } from '../support/authorization.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { galleryCallback } from '../support/gallery.ts'
import { callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh } from '../support/tokens.ts'
import { everything, unknownTarget } from '../support/told.ts'

const service = startBefore()

const at = (name: string): string => `${service.issuer}/api/${name}`

const unreached = (...uris: readonly string[]): string =>
  `the scope has no permission on what resource names: it is for ${uris.join(', ')}`

const beyond = (...uris: readonly string[]): string =>
  `resource asks for more than was approved: approved is only ${uris.join(', ')}`

const use = async (token: string, name: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await service.ask(`/api/${name}`, { headers })).status
}

const audienceOf = async (token: string): Promise<unknown> => (await introspect(service, token)).aud

const photosOnly = 'photos:read photos:write'

describe('section 2: what names a resource', () => {
  test('the service, its API, or one resource of it', async () => {
    const { issuer } = service
    const reached = [
      [issuer, everything],
      [`${issuer}/`, everything],
      [`${issuer}/api`, everything],
      [at('photos'), photosOnly],
      [[at('photos'), at('calendar')], 'calendar:read calendar:write photos:read photos:write'],
      [[at('photos'), at('photos')], photosOnly],
      [[at('photos'), issuer], everything],
    ] as const
    for (const [resource, scope] of reached) {
      const form = { grant_type: 'client_credentials', resource }
      assert.equal((await service.post('/token', form, nightlyReport)).body.scope, scope)
    }
  })

  const strangers = [
    'photos',
    '/api/photos',
    'https://else.example/api/photos',
    'http://127.0.0.1:6749.evil.example/api/photos',
    'http://127.0.0.1:6749@evil.example/api/photos',
    'http://127.0.0.1:6749/api/attic',
    'http://127.0.0.1:6749/api/photos/',
    'http://127.0.0.1:6749/api/photos/1',
    'http://127.0.0.1:6749/api/photos?x',
    // RFC 8707 section 2: no fragment.
    'http://127.0.0.1:6749/api/photos#',
    'http://127.0.0.1:6749/API/photos',
    'http://127.0.0.1:6749/api/',
    'http://127.0.0.1:6749/api/clients',
    'http://127.0.0.1:6749/admin/api/',
    'http://127.0.0.1:6749/admin/api/clients',
    'http://localhost:6749/api/photos',
    'HTTPS://127.0.0.1:6749/api/photos',
  ]
  for (const resource of strangers) {
    test(`SC-11: nothing else: ${resource}`, async () => {
      const form = { grant_type: 'client_credentials', resource }
      const token = await service.post('/token', form, nightlyReport)
      assertRefused(token, 'invalid_target', unknownTarget(service.issuer))
      const mixed = await service.post(
        '/token',
        { ...form, resource: [at('photos'), resource] },
        nightlyReport,
      )
      assertRefused(mixed, 'invalid_target', unknownTarget(service.issuer))
      const page = await askFor(service, { resource })
      assert.deepEqual(sentTo(page, `${callback}?`), {
        error: 'invalid_target',
        error_description: unknownTarget(service.issuer),
        state: 'xyz',
        iss: service.issuer,
      })
    })
  }

  test('the admin API is one audience, which `{base_url}/api` does not contain', async () => {
    const admin = `${service.issuer}/admin/api`
    const ask = (resource: string, client: readonly [string, string]) =>
      service.post('/token', { grant_type: 'client_credentials', resource }, client)
    const { body } = await ask(admin, latchkeyAdmin)
    assert.match(body.scope, /^authorizations:read .* streams:write$/)
    const { aud } = await introspect(service, body.access_token, latchkeyAdmin)
    assert.deepEqual(aud, [admin])
    const ofOwners = unreached(at('calendar'), at('contacts'), at('photos'))
    assertRefused(await ask(admin, nightlyReport), 'invalid_target', ofOwners)
    const api = await ask(`${service.issuer}/api`, latchkeyAdmin)
    assertRefused(api, 'invalid_target', unreached(admin))
  })

  test('a resource that the scope does not reach is refused', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos', resource: at('contacts') }
    assertRefused(
      await service.post('/token', form, nightlyReport),
      'invalid_target',
      unreached(at('photos')),
    )
    const page = await askFor(service, { scope: 'photos', resource: at('contacts') })
    assert.equal(sentTo(page, `${callback}?`).error, 'invalid_target')
  })
})

describe('section 2.1: the authorization request', () => {
  test('SC-11: asks the owner for that resource alone, and earns no more', async () => {
    const asked = { ...codeRequest, prompt: 'consent', resource: at('photos') }
    const { body } = await redeem(service, await obtainCode(service, asked))
    assert.equal(body.scope, photosOnly)
    assert.deepEqual(await audienceOf(body.access_token), [at('photos')])
    assert.equal(await use(body.access_token, 'photos'), 200)
    assert.equal(await use(body.access_token, 'contacts'), 401)
  })

  test('SC-11: a code for one resource is refused for another, and not used up', async () => {
    const code = await obtainCode(service, { ...codeRequest, resource: at('photos') })
    const other = await redeem(service, code, photoPrinter, { resource: at('contacts') })
    assertRefused(other, 'invalid_target', beyond(at('photos')))
    const { body } = await redeem(service, code, photoPrinter, { resource: at('photos') })
    assert.equal(body.scope, photosOnly)
  })

  test('SC-11: a refresh keeps it, and cannot leave it', async () => {
    const code = await obtainCode(service, { ...codeRequest, resource: at('photos') })
    const first = (await redeem(service, code)).body
    const other = await refresh(service, first.refresh_token, photoPrinter, {
      resource: at('contacts'),
    })
    assertRefused(other, 'invalid_target', beyond(at('photos')))
    const wider = await refresh(service, first.refresh_token, photoPrinter, { scope: 'contacts' })
    assert.equal(wider.body.error, 'invalid_scope')
    const { body } = await refresh(service, first.refresh_token)
    assert.equal(body.scope, photosOnly)
    assert.deepEqual(await audienceOf(body.access_token), [at('photos')])
    assert.equal(await use(body.access_token, 'contacts'), 401)
  })

  test('an implicit token too', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: galleryCallback,
      resource: at('calendar'),
    }
    const answer = sentTo(await walk(service, request), `${galleryCallback}#`)
    assert.equal(answer.scope, 'calendar:read calendar:write')
    assert.equal(await use(answer.access_token ?? '', 'photos'), 401)
    assert.equal(await use(answer.access_token ?? '', 'calendar'), 200)
  })
})

describe('section 2.2: the token request', () => {
  test('takes a part of what was granted; the next one may take another', async () => {
    const code = await obtainCode(service)
    const photos = await redeem(service, code, photoPrinter, { resource: at('photos') })
    assert.equal(photos.body.scope, photosOnly)
    assert.deepEqual(await audienceOf(photos.body.access_token), [at('photos')])
    assert.equal(await use(photos.body.access_token, 'contacts'), 401)
    const contacts = await refresh(service, photos.body.refresh_token, photoPrinter, {
      resource: at('contacts'),
    })
    assert.equal(contacts.body.scope, 'contacts:read contacts:write')
    assert.equal(await use(contacts.body.access_token, 'photos'), 401)
    assert.equal(await use(contacts.body.access_token, 'contacts'), 200)
  })

  test('of the password grant', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const { body } = await service.post('/token', { ...form, resource: at('photos') }, houseApp)
    assert.equal(body.scope, photosOnly)
    const wrong = await service.post('/token', { ...form, resource: 'x' }, houseApp)
    assertRefused(wrong, 'invalid_target', unknownTarget(service.issuer))
  })
})
