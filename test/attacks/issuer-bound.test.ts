/** A stolen assertion that is bound to a key or a certificate opens nothing without that. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashCertificate } from '../../src/crypto/certificate.ts'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { makeProver, postProven } from '../support/dpop.ts'
import { type Company, jwtBearerType, openCompany } from '../support/issuers.ts'
import { clientCertificate, otherCertificate, proxied, shown } from '../support/mutual-tls.ts'
import { newPerson } from '../support/people.ts'
import { basic, start, startBefore } from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'

let company: Company
let username: string
const service = startBefore(
  () => start(proxied),
  async () => {
    company = await openCompany(service, operator)
    username = (await newPerson(service)).username
  },
)
const operator: Operator = async (...asked) => (await operatorOf(service))(...asked)

const makeForm = async (cnf: object) => ({
  grant_type: jwtBearerType,
  assertion: await company.jag(username, { claims: { cnf } }),
  scope: 'photos:read',
})

describe('an ID-JAG that is bound to a key', () => {
  const unproven = 'the assertion is bound to a key: the request has to prove that key by DPoP'

  test('is refused without a proof, and with one by another key', async () => {
    const [own, thief] = [await makeProver(service.now), await makeProver(service.now, 'EdDSA')]
    const cnf = { jkt: own.jkt }
    const bare = await service.post('/token', await makeForm(cnf), company.credentials)
    assertRefused(bare, 'invalid_grant', unproven)
    const by = async (prover: typeof own) => {
      const proof = await prover.prove('POST', `${service.issuer}/token`)
      return postProven(service, await makeForm(cnf), company.credentials, proof)
    }
    assertRefused(await by(thief), 'invalid_grant', unproven)
    assert.equal((await by(own)).body.token_type, 'DPoP')
  })
})

describe('an assertion that is bound to a certificate', () => {
  const cnf = { 'x5t#S256': hashCertificate(clientCertificate.der) }
  const unproven =
    'the assertion is bound to a certificate: show it in TLS, with a client that has tls_client_certificate_bound_access_tokens'

  const ask = async (leaf?: typeof clientCertificate) => {
    const headers = {
      authorization: basic(company.credentials),
      ...(leaf === undefined ? {} : shown(leaf)),
    }
    return service.ask('/token', { form: await makeForm(cnf), headers })
  }

  test('is refused without it, and where the tokens of the client are not bound to it', async () => {
    assertRefused(await ask(), 'invalid_grant', unproven)
    assertRefused(await ask(clientCertificate), 'invalid_grant', unproven)
  })

  test('is refused with another one, and opens access with the right one', async () => {
    const bound = { tls_client_certificate_bound_access_tokens: true }
    const changed = await operator('PATCH', `clients/${company.clientId}`, bound)
    assert.equal(changed.status, 200, changed.text)
    assertRefused(await ask(otherCertificate), 'invalid_grant', unproven)
    const { status, body } = await ask(clientCertificate)
    assert.deepEqual([status, body.scope], [200, 'photos:read'])
  })
})
