/** The routes about one presented token. */

import type { Z } from '../../protocol/schema.ts'
import { refusalsOfTokens } from '../../tokens/inspected.ts'
import { tokenForm } from '../token-form.ts'
import type { Forms, Operations } from './operation.ts'

const refusals = Object.keys(refusalsOfTokens) as readonly (keyof typeof refusalsOfTokens)[]

const inspected = (z: Z) =>
  z.strictObject({
    kind: z.string(),
    active: z.boolean(),
    refused: z.enum(refusals).nullable(),
    explanation: z.string().nullable(),
    client_id: z.string().nullable(),
    username: z.string().nullable(),
    owner_id: z.string().nullable(),
    authorization_id: z.string().nullable(),
    token_id: z.string().nullable(),
    scope: z.string(),
    audience: z.array(z.string()),
    issued_at: z.int().nullable(),
    expires_at: z.int().nullable(),
  })

export const tokenSchemas: Forms = {
  PresentedToken: () => tokenForm(),
  InspectedToken: inspected,
  RevokedToken: (z) =>
    z.strictObject({ revoked: z.enum(['access_token', 'refresh_token']).nullable() }),
}

const body = { form: 'PresentedToken', example: { token: 'lk_at_example' } }

export const tokenOperations: Operations = {
  'POST /admin/api/tokens/inspect': {
    id: 'inspectToken',
    summary: 'Describe a token, and why it is refused',
    scope: 'authorizations:read',
    body,
    answers: { 200: 'InspectedToken' },
  },
  'POST /admin/api/tokens/revoke': {
    id: 'revokeToken',
    summary: 'Revoke a token; a refresh token ends all tokens of its grant',
    scope: 'authorizations:write',
    body,
    answers: { 200: 'RevokedToken' },
  },
}
