/** The authorization code grant: every parameter of its token request, and what ends a code. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { challenge, galleryRequest, redeemPublicly, verifier } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import { assertGranted, assertRefused, introspect, redeem, use } from '../support/tokens.ts'
import { deadCode, everything, unknownTarget } from '../support/told.ts'
import { bearer, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const assertDead = (answer: Answer): void => assertRefused(answer, 'invalid_grant', deadCode)

describe('the whole way', () => {
  test('code and state by redirect, tokens for the code, photos for the token', async () => {
    const page = await walk(service)
    assert.equal(page.status, 302)
    const { code = '', ...rest } = answerOf(page)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    assert.match(code, /^lk_ac_[\w-]{60,}$/)
    const answer = await redeem(service, code)
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
    const photos = await service.ask('/api/photos', bearer(answer.body.access_token))
    assert.deepEqual([photos.status, photos.body.items.length, photos.body.next], [200, 3, null])
  })

  test('the token says who, for whom and for what', async () => {
    const { body } = await redeem(service, await obtainCode(service))
    const { sub, jti, ...said } = await introspect(service, body.access_token)
    assert.deepEqual(said, {
      active: true,
      scope: everything,
      client_id: 'photo-printer',
      username: 'alice',
      token_type: 'Bearer',
      exp: service.now() + 3600,
      iat: service.now(),
      auth_time: service.now(),
      acr: '1',
      aud: ['calendar', 'contacts', 'photos'].map((name) => `${service.issuer}/api/${name}`),
      iss: service.issuer,
    })
    assert.match(sub, /^[0-9a-z]{26}$/)
    assert.match(jti, /^[0-9a-z]{26}\.0$/)
  })

  test('what the owner unticks is in no token', async () => {
    const asked = { ...codeRequest, prompt: 'consent' }
    const code = await obtainCode(service, asked, { permission: ['photos:read', 'contacts:read'] })
    const { body } = await redeem(service, code)
    assert.equal(body.scope, 'contacts:read photos:read')
    assert.equal(await use(service, body.access_token), 200)
    const write = await service.ask('/api/photos', {
      ...bearer(body.access_token),
      json: { title: 'x' },
    })
    assert.equal(write.status, 403)
  })

  test('scope comes separated by commas, spaces or both, and is answered with spaces', async () => {
    const scopes = [
      'photos:read,contacts',
      'contacts photos:read',
      ' contacts , photos:read attic,',
    ]
    for (const scope of scopes) {
      const code = await obtainCode(service, { ...codeRequest, scope })
      const { body } = await redeem(service, code)
      assert.equal(body.scope, 'contacts:read contacts:write photos:read')
    }
  })

  test('resource narrows what the code was granted, and refuses before anything is used up', async () => {
    const code = await obtainCode(service)
    const wrong = await redeem(service, code, photoPrinter, { resource: 'https://else.example' })
    assertRefused(wrong, 'invalid_target', unknownTarget(service.issuer))
    const answer = await redeem(service, code, photoPrinter, {
      resource: `${service.issuer}/api/photos`,
    })
    const scope = 'photos:read photos:write'
    assertGranted(answer, { scope, expires_in: 3600, refreshable: true })
  })
})

describe('the parameters of the token request', () => {
  for (const name of ['grant_type', 'code', 'redirect_uri']) {
    test(`${name} is required`, async () => {
      const code = await obtainCode(service)
      const answer = await redeem(service, code, photoPrinter, { [name]: undefined })
      assertRefused(answer, 'invalid_request', `parameter ${name} is missing`)
      const empty = await redeem(service, code, photoPrinter, { [name]: '' })
      assertRefused(empty, 'invalid_request', `parameter ${name} is missing`)
      assert.equal((await redeem(service, code)).status, 200)
    })
  }

  test('client_id is required where no header says who asks', async () => {
    const code = await obtainCode(service, galleryRequest)
    const answer = await redeemPublicly(service, code, { client_id: undefined })
    const said = 'parameter client_id is missing, and there is no Authorization header'
    assertRefused(answer, 'invalid_client', said)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  test('client_id has to be the one of the authorization request', async () => {
    const code = await obtainCode(service)
    assertDead(await redeemPublicly(service, code, { redirect_uri: callback }))
    const inBody = { client_id: photoPrinter[0], client_secret: photoPrinter[1] }
    assert.equal((await redeem(service, code, null, inBody)).status, 200)
  })

  test('R-09: redirect_uri has to be identical, character by character', async () => {
    const code = await obtainCode(service)
    const others = [
      // Registered all the same, since a loopback URI matches on any port.
      'http://127.0.0.1:6751/callback',
      `${callback}?`,
      `${callback}#`,
      'http://127.0.0.1:6750/Callback',
      'HTTP://127.0.0.1:6750/callback',
      'http://localhost:6750/callback',
    ]
    for (const uri of others) {
      assertDead(await redeem(service, code, photoPrinter, { redirect_uri: uri }))
    }
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('a loopback redirect_uri on another port has to be repeated as it was', async () => {
    const redirect_uri = 'http://127.0.0.1:51004/callback'
    const code = await obtainCode(service, { ...codeRequest, redirect_uri })
    assertDead(await redeem(service, code))
    assert.equal((await redeem(service, code, photoPrinter, { redirect_uri })).status, 200)
  })

  test('code_verifier goes with code_challenge', async () => {
    const code = await obtainCode(service, { ...codeRequest, ...challenge })
    const answer = await redeem(service, code, photoPrinter, { code_verifier: verifier })
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
  })
})

describe('AC-06: a code lives for a minute', () => {
  test('to the last second', async () => {
    const code = await obtainCode(service)
    await service.advance(defaultLimits.codeSeconds - 1)
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('and no longer, however right the rest is', async () => {
    assert.ok(defaultLimits.codeSeconds <= 60)
    const code = await obtainCode(service)
    await service.advance(defaultLimits.codeSeconds)
    assertDead(await redeem(service, code))
  })
})

describe('AC-08: a request that fails before it proved whose code it is uses nothing up', () => {
  const failures: Readonly<Record<string, (code: string) => Promise<Answer>>> = {
    'wrong secret': (code) => redeem(service, code, ['photo-printer', 'wrong']),
    'another client': (code) => redeemPublicly(service, code),
    'wrong redirect_uri': (code) => redeem(service, code, photoPrinter, { redirect_uri: 'x' }),
    'no verifier': (code) => redeem(service, code, photoPrinter, { code_verifier: undefined }),
    'no redirect_uri': (code) => redeem(service, code, photoPrinter, { redirect_uri: undefined }),
  }
  for (const [name, fail] of Object.entries(failures)) {
    test(name, async () => {
      const code = await obtainCode(service, { ...codeRequest, ...challenge })
      assert.notEqual((await fail(code)).status, 200)
      const right = await redeem(service, code, photoPrinter, { code_verifier: verifier })
      assert.equal(right.status, 200)
    })
  }
})

describe('AC-13: what takes the approval back takes its codes with it', () => {
  /** The authorization of alice that a client made for one test has. */
  const findAuthorization = async (clientId: string): Promise<string> => {
    const { body } = await operator('GET', `authorizations?client=${clientId}`)
    assert.equal(body.items.length, 1)
    return body.items[0].id
  }

  /** A client and an owner of this test's own, and a code that was just issued to them. */
  const prepare = async (changes: Readonly<Record<string, string>> = {}) => {
    const { body: client } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
    })
    const username = `owner of ${client.client_id}`
    const { body: owner } = await operator('POST', 'owners', { username, password: 'a long one' })
    const browser = new Browser(service)
    const login = await browser.go(authorizePath({ ...codeRequest, client_id: client.client_id }))
    const consent = await browser.logIn(login, username, 'a long one')
    const { code = '' } = answerOf(await browser.submit(consent, { decision: 'allow', ...changes }))
    const credentials = [client.client_id, client.client_secret] as const
    return { client, owner, browser, redeem: () => redeem(service, code, credentials) }
  }

  test('(the preparation earns a token where nothing happens)', async () => {
    const prepared = await prepare()
    assert.equal((await prepared.redeem()).status, 200)
  })

  test('the authorization is ended', async () => {
    const prepared = await prepare()
    const id = await findAuthorization(prepared.client.client_id)
    assert.equal((await operator('DELETE', `authorizations/${id}`)).status, 204)
    assertDead(await prepared.redeem())
  })

  test('the authorization is narrowed: the code earns only what is left', async () => {
    const prepared = await prepare()
    const id = await findAuthorization(prepared.client.client_id)
    await operator('PATCH', `authorizations/${id}`, { permissions: ['photos:read'] })
    assert.equal((await prepared.redeem()).body.scope, 'photos:read')
  })

  test('the owner is disabled', async () => {
    const prepared = await prepare()
    await operator('PATCH', `owners/${prepared.owner.id}`, { disabled: true })
    assertDead(await prepared.redeem())
  })

  test('the owner is deleted', async () => {
    const prepared = await prepare()
    await operator('DELETE', `owners/${prepared.owner.id}`)
    assertDead(await prepared.redeem())
  })

  test('the password is changed', async () => {
    const prepared = await prepare()
    const path = `owners/${prepared.owner.id}/set-password`
    assert.equal((await operator('POST', path, { password: 'another one' })).status, 200)
    assertDead(await prepared.redeem())
  })

  test('the client is disabled', async () => {
    const prepared = await prepare()
    const path = `clients/${prepared.client.client_id}`
    await operator('PATCH', path, { disabled: true })
    assert.equal((await prepared.redeem()).body.error, 'invalid_client')
    await operator('PATCH', path, { disabled: false })
    assert.equal((await prepared.redeem()).status, 200)
  })

  test('the client may ask for nothing of it any more', async () => {
    const prepared = await prepare({ permission: 'photos:read' })
    const path = `clients/${prepared.client.client_id}`
    await operator('PATCH', path, { scope: 'contacts:read' })
    assertDead(await prepared.redeem())
  })

  test('the owner logs out, where the approval was for the visit', async () => {
    const [visit, lasting] = [await prepare({ duration: 'session' }), await prepare()]
    for (const { browser } of [visit, lasting]) {
      await browser.submit(await browser.go('/logout'))
    }
    assertDead(await visit.redeem())
    assert.equal((await lasting.redeem()).status, 200)
  })
})
