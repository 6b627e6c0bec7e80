/** Tokens that are bound to a key by DPoP (RFC 9449), from the token endpoint to the APIs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { askProven, digestToken, makeProver, type Prover, postProven } from '../support/dpop.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { callback, codeRequest, obtainCode } from '../support/printing.ts'
import { registerPublic } from '../support/registered.ts'
import { type Answer, basic, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh } from '../support/tokens.ts'

let prover: Prover
let other: Prover
let tokenUrl: string

const service = startBefore(undefined, async () => {
  tokenUrl = `${service.issuer}/token`
  prover = await makeProver(service.now)
  other = await makeProver(service.now, 'EdDSA')
})

const own = { grant_type: 'client_credentials' }
const nonceForm = /^[\w-]{60,160}$/

const proveToken = (by = prover, claims = {}): Promise<string> => by.prove('POST', tokenUrl, claims)

const obtainOwn = async (by = prover): Promise<string> =>
  (await postProven(service, own, nightlyReport, await proveToken(by))).body.access_token

const obtainOwners = async (): Promise<Answer> => {
  const code = await obtainCode(service, { ...codeRequest, scope: 'openid photos' })
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return postProven(service, form, photoPrinter, await proveToken())
}

const refusedAs = ({ status, body, headers }: Answer) => [
  status,
  body.error,
  headers.get('www-authenticate')?.replace(/^(\S+) realm="latchkey", error="(\w+)".*$/, '$1 $2'),
]

describe('at the token endpoint', () => {
  test('a proof binds the access token, and introspection names the key', async () => {
    const answer = await postProven(service, own, nightlyReport, await proveToken())
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.token_type, 'DPoP')
    assert.match(answer.headers.get('dpop-nonce') ?? '', nonceForm)
    const told = await introspect(service, answer.body.access_token, nightlyReport)
    assert.equal(told.token_type, 'DPoP')
    assert.deepEqual(told.cnf, { jkt: prover.jkt })
  })

  test('without a proof tokens are Bearer as before, and no nonce is offered', async () => {
    const answer = await service.post('/token', own, nightlyReport)
    assert.equal(answer.body.token_type, 'Bearer')
    assert.equal(answer.headers.get('dpop-nonce'), null)
    assert.equal(
      'cnf' in (await introspect(service, answer.body.access_token, nightlyReport)),
      false,
    )
  })

  for (const algorithm of ['ES256', 'EdDSA', 'Ed25519', 'PS256', 'RS256']) {
    test(`${algorithm} is taken`, async () => {
      const token = await obtainOwn(await makeProver(service.now, algorithm))
      assert.match(token, /^lk_at_/)
    })
  }

  test('a confidential client refreshes with another key, and without one', async () => {
    const { refresh_token } = (await obtainOwners()).body
    const form = { grant_type: 'refresh_token', refresh_token }
    const next = await postProven(service, form, photoPrinter, await proveToken(other))
    assert.equal(next.body.token_type, 'DPoP')
    const told = await introspect(service, next.body.access_token)
    assert.deepEqual(told.cnf, { jkt: other.jkt })
    const last = await refresh(service, next.body.refresh_token)
    assert.equal(last.body.token_type, 'Bearer')
  })

  test('dpop_jkt binds the code to the key', async () => {
    const asked = { ...codeRequest, dpop_jkt: prover.jkt }
    const code = await obtainCode(service, asked)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const bare = await redeem(service, code)
    assert.deepEqual([bare.status, bare.body.error], [400, 'invalid_dpop_proof'])
    const wrong = await postProven(service, form, photoPrinter, await proveToken(other))
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_dpop_proof'])
    const right = await postProven(service, form, photoPrinter, await proveToken())
    assert.equal(right.body.token_type, 'DPoP')
  })

  test('a dpop_jkt that is no thumbprint is refused', async () => {
    const page = await service.ask(
      `/authorize?${new URLSearchParams({ ...codeRequest, dpop_jkt: 'short' })}`,
    )
    const back = new URL(page.headers.get('location') ?? '')
    assert.equal(back.searchParams.get('error'), 'invalid_request')
  })

  test('a client with dpop_bound_access_tokens gets no token without a proof', async () => {
    const { body } = await service.ask('/register', {
      json: {
        redirect_uris: [callback],
        grant_types: ['client_credentials'],
        response_types: [],
        scope: 'photos:read',
        dpop_bound_access_tokens: true,
      },
    })
    assert.equal(body.dpop_bound_access_tokens, true)
    const client = [body.client_id, body.client_secret] as const
    const bare = await service.post('/token', own, client)
    assert.deepEqual([bare.status, bare.body.error], [400, 'invalid_dpop_proof'])
    const proven = await postProven(service, own, client, await proveToken())
    assert.equal(proven.body.token_type, 'DPoP')
  })

  test('metadata names the algorithms', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.deepEqual(body.dpop_signing_alg_values_supported, ['ES256', 'EdDSA', 'PS256', 'RS256'])
  })
})

describe('a public client', () => {
  test('keeps the key for the whole family, and needs it to refresh', async () => {
    const client_id = await registerPublic(service)
    const code = await obtainCode(service, { ...codeRequest, ...challenge, client_id })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const first = await postProven(
      service,
      { ...form, client_id, code_verifier: verifier },
      null,
      await proveToken(),
    )
    assert.equal(first.status, 200, first.text)
    const again = (token: string) => ({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id,
    })
    const { refresh_token } = first.body
    const bare = await service.post('/token', again(refresh_token))
    assert.deepEqual([bare.status, bare.body.error], [400, 'invalid_dpop_proof'])
    const wrong = await postProven(service, again(refresh_token), null, await proveToken(other))
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_dpop_proof'])
    const right = await postProven(service, again(refresh_token), null, await proveToken())
    assert.equal(right.body.token_type, 'DPoP')
    const last = await postProven(
      service,
      again(right.body.refresh_token),
      null,
      await proveToken(),
    )
    assert.equal(last.status, 200)
  })

  test('a wrong code uses up no proof: strangers make the service write nothing', async () => {
    const client_id = await registerPublic(service)
    const proof = await proveToken()
    const form = {
      grant_type: 'authorization_code',
      code: 'lk_ac_wrong',
      redirect_uri: callback,
      client_id,
    }
    assert.equal((await postProven(service, form, null, proof)).body.error, 'invalid_grant')
    const taken = await postProven(service, own, nightlyReport, proof)
    assert.equal(taken.status, 200)
  })
})

describe('at the APIs', () => {
  test('a bound token works with a proof: items, userinfo, the admin API', async () => {
    const { access_token } = (await obtainOwners()).body
    assert.equal((await askProven(service, '/api/photos', access_token, prover)).status, 200)
    const userinfo = await askProven(service, '/userinfo', access_token, prover)
    assert.equal(userinfo.status, 200)
    assert.match(userinfo.headers.get('dpop-nonce') ?? '', nonceForm)
    const admin = await postProven(service, own, latchkeyAdmin, await proveToken())
    const listed = await askProven(service, '/admin/api/clients', admin.body.access_token, prover)
    assert.equal(listed.status, 200)
  })

  test('the query of a request is no part of htu', async () => {
    const token = (await obtainOwners()).body.access_token
    const url = `${service.issuer}/api/photos`
    const proof = await prover.prove('GET', url, { ath: digestToken(token) })
    const headers = { authorization: `DPoP ${token}`, dpop: proof }
    assert.equal((await service.ask('/api/photos?limit=1', { headers })).status, 200)
  })

  test('as Bearer it is refused everywhere', async () => {
    const { access_token } = (await obtainOwners()).body
    const headers = { authorization: `Bearer ${access_token}` }
    for (const path of ['/api/photos', '/userinfo', '/admin/api/clients']) {
      const answer = await service.ask(path, { headers })
      assert.equal(answer.status, 401)
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^DPoP realm="latchkey", error="invalid_token".*, algs="ES256 EdDSA PS256 RS256"/,
      )
    }
  })

  test('the proof of another key is refused', async () => {
    const { access_token } = (await obtainOwners()).body
    const answer = await askProven(service, '/api/photos', access_token, other)
    assert.deepEqual(refusedAs(answer), [401, 'invalid_token', 'DPoP invalid_token'])
  })

  test('a token that is bound to no key is refused under DPoP', async () => {
    const { access_token } = (await service.post('/token', own, nightlyReport)).body
    const answer = await askProven(service, '/api/photos', access_token, prover)
    assert.deepEqual(refusedAs(answer), [401, 'invalid_token', 'DPoP invalid_token'])
  })

  test('a bound token that lacks a permission is challenged as DPoP', async () => {
    const form = { ...own, scope: 'photos:read' }
    const { body } = await postProven(service, form, nightlyReport, await proveToken())
    const answer = await askProven(service, '/api/calendar', body.access_token, prover)
    assert.deepEqual(refusedAs(answer), [403, 'insufficient_scope', 'DPoP insufficient_scope'])
  })

  test('a proof without ath, or for another token, is refused', async () => {
    const { access_token } = (await obtainOwners()).body
    for (const ath of [undefined, 'x'.repeat(43)]) {
      const answer = await askProven(service, '/api/photos', access_token, prover, {
        claims: { ath },
      })
      assert.deepEqual(refusedAs(answer), [401, 'invalid_dpop_proof', 'DPoP invalid_dpop_proof'])
    }
  })
})

describe('at /par', () => {
  const push = async (form: Readonly<Record<string, string>>, by = prover): Promise<Answer> => {
    const proof = await by.prove('POST', `${service.issuer}/par`)
    const headers = { authorization: basic(photoPrinter), dpop: proof }
    return service.ask('/par', { form: { ...codeRequest, ...form }, headers })
  }

  test('a proof binds the code to its key, as dpop_jkt does', async () => {
    const { status, body } = await push({})
    assert.equal(status, 201)
    const { client_id } = codeRequest
    const code = await obtainCode(service, {
      client_id: client_id ?? '',
      request_uri: body.request_uri,
    })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const wrong = await postProven(service, form, photoPrinter, await proveToken(other))
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_dpop_proof'])
    const right = await postProven(service, form, photoPrinter, await proveToken())
    assert.equal(right.body.token_type, 'DPoP')
  })

  test('a proof and dpop_jkt have to agree', async () => {
    assert.equal((await push({ dpop_jkt: prover.jkt })).status, 201)
    const { status, body } = await push({ dpop_jkt: other.jkt })
    assert.deepEqual([status, body.error], [400, 'invalid_dpop_proof'])
  })

  test('a proof counts once there, too', async () => {
    const proof = await prover.prove('POST', `${service.issuer}/par`)
    const headers = { authorization: basic(photoPrinter), dpop: proof }
    const send = () => service.ask('/par', { form: codeRequest, headers })
    assert.equal((await send()).status, 201)
    assert.deepEqual((await send()).body.error, 'invalid_dpop_proof')
  })
})
