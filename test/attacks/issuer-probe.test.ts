/** Whoever sends assertions without a right signature learns nothing of the issuers, and locks nobody out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { provenBy } from '../support/assertions.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { makeProver, type Prover } from '../support/dpop.ts'
import { type Company, jwtBearerType, openCompany } from '../support/issuers.ts'
import { type Answer, type Form, start, startBefore } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'

describe('a client under a stricter profile', () => {
  let company: Company
  let keys: KeyPair
  let prover: Prover
  let id: string
  let nonce: string
  const service = startBefore(
    () => start({ profile: 'fapi-2.0' }),
    async () => {
      const operator = await operatorOf(service)
      company = await openCompany(service, operator)
      keys = await newKeys('ES256', 'k-1')
      prover = await makeProver(service.now)
      const { body } = await operator('POST', 'clients', {
        grant_types: [jwtBearerType],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: keySetOf(keys),
      })
      id = body.client_id
      nonce = (await ask('x')).headers.get('dpop-nonce') ?? ''
    },
  )

  const ask = async (assertion: string): Promise<Answer> => {
    const dpop = await prover.prove('POST', `${service.issuer}/token`, { nonce })
    const form: Form = {
      ...(await provenBy(service, id, keys)),
      ...{ grant_type: jwtBearerType, assertion },
    }
    return service.ask('/token', { form, headers: { dpop } })
  }

  test('learns by no algorithm whether an issuer is trusted', async () => {
    const by = await newKeys('RS256', 'company-1')
    const said =
      'the profile fapi-2.0 takes no signature by RS256 or HS256: use PS256, ES256 or EdDSA'
    for (const iss of [company.members.issuer, 'https://nobody.example']) {
      const assertion = await company.jag('alice', { claims: { iss, client_id: id }, by })
      assertRefused(await ask(assertion), 'invalid_grant', said)
    }
  })
})

describe('refused assertions of a client', () => {
  let company: Company
  let keys: KeyPair
  let id: string
  const service = startBefore(start, async () => {
    const operator = await operatorOf(service)
    company = await openCompany(service, operator)
    keys = await newKeys('ES256', 'k-1')
    const { body } = await operator('POST', 'clients', {
      grant_types: [jwtBearerType, 'client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: keySetOf(keys),
      scope: 'photos:read',
    })
    id = body.client_id
  })
  /** More than a client may have refused in a minute. */
  const many = 310

  const post = async (form: Form): Promise<Answer> =>
    service.ask('/token', { form: { ...(await provenBy(service, id, keys)), ...form } })
  const ask = (assertion: string) => post({ grant_type: jwtBearerType, assertion })
  const open = async () => ask(await company.jag('alice', { claims: { client_id: id } }))

  test('with a right signature hold up nothing', async () => {
    const assertion = await company.jag('alice', { claims: { client_id: id, aud: 'other' } })
    for (let n = 0; n < many; n++) assert.equal((await ask(assertion)).status, 400)
    assert.equal((await open()).status, 200)
  })

  test('with a wrong one hold up its assertions, and not its authentication', async () => {
    const by = await newKeys('ES256', 'company-1')
    const assertion = await company.jag('alice', { claims: { client_id: id }, by })
    for (let n = 0; n < many; n++) await ask(assertion)
    const refused = await open()
    assert.deepEqual(
      [refused.status, refused.body],
      [
        429,
        {
          error: 'too_many_requests',
          error_description: 'too many refused assertions of this client: slow down',
        },
      ],
    )
    assert.equal((await post({ grant_type: 'client_credentials' })).status, 200)
    await service.advance(60)
    assert.equal((await open()).status, 200)
  })
})
