/** One presented token, described or revoked. The token comes in the body, never in a URL, and is kept nowhere. */
import { limits } from '../config/limits.ts'
import { parseMembers } from '../protocol/members.ts'
import { schemaOf } from '../protocol/schema.ts'
import { inspectToken as inspect } from '../tokens/inspect.ts'
import { describeInspected, refusalsOfTokens } from '../tokens/inspected.ts'
import { revokeToken as revoke } from '../tokens/revoke.ts'
import { formOf, operation } from './operation.ts'

const tokenForm = schemaOf((z) =>
  z.strictObject({
    token: z.string().min(1).max(limits.jsonBytes).describe('the text of a token'),
  }),
)

const body = {
  form: formOf('PresentedToken', tokenForm),
  example: { token: 'lk_at_example' },
}

const parseToken = (given: Readonly<Record<string, unknown>>): string =>
  parseMembers(tokenForm(), given, () => 'invalid_request').token

const refusals = Object.keys(refusalsOfTokens) as readonly (keyof typeof refusalsOfTokens)[]

const inspectToken = operation({
  id: 'inspectToken',
  method: 'POST',
  path: '/admin/api/tokens/inspect',
  permission: 'authorizations:read',
  says: 'Describe a token, and why it is refused',
  body,
  answers: {
    200: formOf('InspectedToken', (z) =>
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
      }),
    ),
  },
  run: async ({ given, exchange: { at } }, parts) =>
    describeInspected(await inspect(parseToken(given), at, parts)),
})

/** An access token alone, or a refresh token with all tokens of its grant. */
const revokeToken = operation({
  id: 'revokeToken',
  method: 'POST',
  path: '/admin/api/tokens/revoke',
  permission: 'authorizations:write',
  says: 'Revoke a token; a refresh token ends all tokens of its grant',
  body,
  answers: {
    200: formOf('RevokedToken', (z) =>
      z.strictObject({ revoked: z.enum(['access_token', 'refresh_token']).nullable() }),
    ),
  },
  async run({ given, trace }, parts) {
    const revoked = await revoke(parseToken(given).trim(), 'operator', trace(), parts)
    if (revoked !== null) parts.meter.countRevoked(revoked)
    return { revoked }
  },
})

export const tokenOperations = [inspectToken, revokeToken]
