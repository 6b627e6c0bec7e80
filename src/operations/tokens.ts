/** One presented token, described or revoked. The token comes in the body, never in a URL, and is kept nowhere. */
import { formatScope } from '../access/permission.ts'
import { httpLimits } from '../http/limits.ts'
import { parseMembers } from '../protocol/members.ts'
import { makeSchema } from '../protocol/schema.ts'
import { type InspectedToken, refusalsOfTokens } from '../tokens/inspect.ts'
import {
  allowNull,
  defineRow,
  flag,
  makeForm,
  mapAnswer,
  objects,
  text,
  texts,
  whole,
} from './operation.ts'
import { type JsonRow, renderRows, renderTime, show } from './surface/said.ts'

const tokenForm = makeSchema((z) =>
  z.strictObject({
    token: z.string().min(1).max(httpLimits.jsonBytes).describe('the text of a token'),
  }),
)

const body = {
  form: makeForm('PresentedToken', tokenForm),
  example: { token: 'lk_at_example' },
}

const parseToken = (given: Readonly<Record<string, unknown>>): string =>
  parseMembers(tokenForm(), given, () => 'invalid_request').token

const refusals = Object.keys(refusalsOfTokens) as readonly (keyof typeof refusalsOfTokens)[]

const inspected = mapAnswer<InspectedToken>({
  kind: [text, 'kind'],
  active: [flag, ({ refused }) => refused === null],
  refused: [(z) => z.enum(refusals).nullable(), 'refused'],
  explanation: [allowNull(text), ({ refused }) => refused && refusalsOfTokens[refused]],
  client_id: [allowNull(text), 'clientId'],
  username: [allowNull(text), ({ owner }) => owner?.username ?? null],
  owner_id: [allowNull(text), ({ owner }) => owner?.id ?? null],
  authorization_id: [allowNull(text), 'authorizationId'],
  token_id: [allowNull(text), 'tokenId'],
  scope: [text, ({ permissions }) => formatScope(permissions)],
  authorization_details: [objects, 'details'],
  audience: [texts, 'audience'],
  issued_at: [allowNull(whole), 'issuedAt'],
  expires_at: [allowNull(whole), 'expiresAt'],
})

const timeOf = (value: unknown): string => (typeof value === 'number' ? renderTime(value) : '')

const formatWords = (value: unknown): string => show(value).replaceAll('_', ' ')

const sayInspected = (told: JsonRow): string => {
  const owner = show(told.username)
  const ofClient = told.client_id === null ? '' : 'the client itself'
  const rows: readonly (readonly [string, string])[] = [
    ['kind', formatWords(told.kind)],
    ['state', told.active === true ? 'accepted now' : `refused: ${formatWords(told.refused)}`],
    ['why', show(told.explanation)],
    ['client', show(told.client_id)],
    ['of', owner === '' ? ofClient : owner],
    ['scope', show(told.scope)],
    ['audience', show(told.audience)],
    ['issued', timeOf(told.issued_at)],
    ['expires', timeOf(told.expires_at)],
    ['authorization', show(told.authorization_id)],
  ]
  return renderRows(rows.filter(([, value]) => value !== ''))
}

const sayRevoked = (revoked: unknown): string => {
  if (revoked === null) return 'Nothing to revoke: the token is unknown, or has ended already.'
  return revoked === 'refresh_token'
    ? 'The refresh token has ended, with all tokens of its grant.'
    : 'The access token has ended. A refresh token of the same grant still works.'
}

export const inspectToken = defineRow({
  route: 'POST /admin/api/tokens/inspect',
  permission: 'authorizations:read',
  says: 'Describe a token, and why it is refused',
  commands: {
    usage: 'token inspect',
    does: 'describe the token on standard input: its kind, client, owner, and the reason of a refusal',
    examples: ['latchkey token inspect < token.txt', 'pbpaste | latchkey token inspect --json'],
    reads: 'token',
    body: ({ presented }) => ({ token: presented }),
    text: ({ json }) => sayInspected(json),
  },
  body,
  answers: {
    200: makeForm('InspectedToken', (z) => z.strictObject(inspected.shape(z))),
  },
  run: async ({ given, exchange: { at } }, parts) =>
    inspected.describe(await parts.tokens.inspect(parseToken(given), at)),
})

/** An access token alone, or a refresh token with all tokens of its grant. */
const revokeToken = defineRow({
  route: 'POST /admin/api/tokens/revoke',
  permission: 'authorizations:write',
  says: 'Revoke a token; a refresh token ends all tokens of its grant',
  commands: {
    usage: 'token revoke',
    does: 'revoke the token on standard input; a refresh token ends all tokens of its grant',
    examples: ['latchkey token revoke < token.txt'],
    reads: 'token',
    body: ({ presented }) => ({ token: presented }),
    text: ({ json }) => sayRevoked(json.revoked),
  },
  body,
  answers: {
    200: makeForm('RevokedToken', (z) =>
      z.strictObject({ revoked: z.enum(['access_token', 'refresh_token']).nullable() }),
    ),
  },
  async run({ given, trace }, parts) {
    const revoked = await parts.tokens.revoke(parseToken(given).trim(), 'operator', trace())
    if (revoked !== null) parts.meter.countRevoked(revoked)
    return { revoked }
  },
})

export const tokenOperations = { inspectToken, revokeToken }
