/** Whoever sends assertions without a right signature learns nothing of the issuers, and locks nobody out. */
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
