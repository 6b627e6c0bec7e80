/** `latchkey token ...`: one token that somebody has. */
import { renderTime } from '../counts.ts'
import { type JsonRow, renderRows, shown } from '../said.ts'
import type { ApiWork } from '../tree.ts'

const timeOf = (value: unknown): string => (typeof value === 'number' ? renderTime(value) : '')

const words = (value: unknown): string => shown(value).replaceAll('_', ' ')

const render = (told: JsonRow): string => {
  const owner = shown(told.username)
  const ofClient = told.client_id === null ? '' : 'the client itself'
  const rows: readonly (readonly [string, string])[] = [
    ['kind', words(told.kind)],
    ['state', told.active === true ? 'accepted now' : `refused: ${words(told.refused)}`],
    ['why', shown(told.explanation)],
    ['client', shown(told.client_id)],
    ['of', owner === '' ? ofClient : owner],
    ['scope', shown(told.scope)],
    ['audience', shown(told.audience)],
    ['issued', timeOf(told.issued_at)],
    ['expires', timeOf(told.expires_at)],
    ['authorization', shown(told.authorization_id)],
  ]
  return renderRows(rows.filter(([, value]) => value !== ''))
}

export const inspectToken: ApiWork = async (api, { presented: token }) => {
  const json = await api.ask('POST', 'tokens/inspect', { token })
  return { json, text: render(json) }
}

const sayRevoked = (revoked: unknown): string => {
  if (revoked === null) return 'Nothing to revoke: the token is unknown, or has ended already.'
  return revoked === 'refresh_token'
    ? 'The refresh token has ended, with all tokens of its grant.'
    : 'The access token has ended. A refresh token of the same grant still works.'
}

export const revokeToken: ApiWork = async (api, { presented: token }) => {
  const json = await api.ask('POST', 'tokens/revoke', { token })
  return { json, text: sayRevoked(json.revoked) }
}
