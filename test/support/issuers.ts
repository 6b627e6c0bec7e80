/** A company that decides for its people: a trusted issuer, and a client of the company. */
import assert from 'node:assert/strict'
import type { Operator } from '../flows/operator.ts'
import { type KeyPair, keySetOf, newKeys, sign } from './client-keys.ts'
import type { Answer, Form, Started } from './start.ts'

export const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const jagType = 'oauth-id-jag+jwt'

type Members = Readonly<Record<string, unknown>>

export interface Said {
  readonly claims?: Members
  readonly header?: Members
  readonly by?: KeyPair
}

let companies = 0

/** @param change members of the issuer other than usual */
export const openCompany = async (
  service: Pick<Started, 'issuer' | 'now' | 'post'>,
  operator: Operator,
  change: Members = {},
) => {
  const keys = await newKeys('ES256', 'company-1')
  const number = ++companies
  const members = {
    id: `acme-${number}`,
    issuer: `https://login-${number}.acme.example`,
    title: `Acme ${number}`,
    jwks: keySetOf(keys),
    owner: 'username',
    grants: ['jwt-bearer', 'id-jag'],
    scope: 'photos contacts:read',
    ...change,
  }
  const made = await operator('POST', 'issuers', members)
  assert.equal(made.status, 201, made.text)
  const client = await operator('POST', 'clients', {
    client_name: `Notes ${number}`,
    grant_types: [jwtBearerType, 'client_credentials'],
  })
  assert.equal(client.status, 201, client.text)
  const { client_id: clientId, client_secret: secret } = client.body
  const credentials: readonly [string, string] = [clientId, secret]
  let count = 0

  const make = (usual: Members, { claims = {}, header, by = keys }: Said): Promise<string> => {
    const now = service.now()
    const common = { iss: members.issuer, aud: service.issuer, iat: now, exp: now + 300 }
    const all = Object.entries({ ...common, ...usual, ...claims })
    return sign(Object.fromEntries(all.filter(([, value]) => value !== undefined)), by, header)
  }

  return {
    members,
    made: made.body,
    keys,
    clientId: String(clientId),
    credentials,
    /** Claims of value undefined are left out. */
    assertion: (sub: string, said: Said = {}) => make({ sub }, said),
    jag: (sub: string, said: Said = {}) =>
      make(
        { sub, client_id: clientId, jti: `jag-${number}-${++count}` },
        { ...said, header: { typ: jagType, ...said.header } },
      ),
    ask: (assertion: string, form: Form = {}, as = credentials): Promise<Answer> =>
      service.post('/token', { grant_type: jwtBearerType, assertion, ...form }, as),
  }
}

export type Company = Awaited<ReturnType<typeof openCompany>>
