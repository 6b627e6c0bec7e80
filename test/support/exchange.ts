/** Token exchange (RFC 8693): the helper of the demo, and whom it may act for. */
import assert from 'node:assert/strict'
import type { Operator } from '../flows/operator.ts'
import { helper } from './demo-clients.ts'
import type { Answer, Started } from './start.ts'
import { type Changes, type Credentials, withChanges } from './tokens.ts'

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** Exchanges an access token. */
export const exchange = (
  service: Pick<Started, 'post'>,
  token: string,
  client: Credentials = helper,
  changes: Changes = {},
): Promise<Answer> => {
  const form = {
    grant_type: exchangeGrant,
    subject_token: token,
    subject_token_type: accessTokenType,
  }
  return service.post('/token', withChanges(form, changes), client)
}

/** The new token of an exchange that has to succeed. */
export const exchanged = async (...given: Parameters<typeof exchange>): Promise<string> => {
  const { status, body, text } = await exchange(...given)
  assert.equal(status, 200, text)
  return body.access_token
}

/** The operator lets clients exchange the tokens of another one. */
export const letAct = async (
  operator: Operator,
  client: string,
  actors: readonly string[],
): Promise<void> => {
  const { status, text } = await operator('PATCH', `clients/${client}`, { may_act: actors })
  assert.equal(status, 200, text)
}

/** Further clients that exchange tokens, each for the one before it. */
export const addHelpers = async (
  operator: Operator,
  count: number,
): Promise<readonly Credentials[]> => {
  const added: Credentials[] = []
  for (let i = 0; i < count; i++) {
    const { status, body, text } = await operator('POST', 'clients', {
      client_name: `Helper ${i + 2}`,
      grant_types: [exchangeGrant, 'client_credentials'],
      response_types: [],
      scope: 'photos contacts calendar',
    })
    assert.equal(status, 201, text)
    await letAct(operator, added.at(-1)?.[0] ?? helper[0], [body.client_id])
    added.push([body.client_id, body.client_secret])
  }
  return added
}
