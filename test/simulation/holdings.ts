/** Codes and tokens that clients hold, each with its line and its content. */
import { getTokenId } from '../../src/model/token.ts'
import { readCode } from '../../src/tokens/code.ts'
import { readAccessToken } from '../../src/tokens/formats/opaque.ts'
import { readRefreshToken } from '../../src/tokens/verify.ts'
import { listActions } from './details.ts'
import type { Line } from './history.ts'
import type { SimulatedClient } from './people.ts'

export interface HeldAccess {
  readonly text: string
  /** As it is revoked by. */
  readonly id: string
  readonly expiresAt: number | null
  /** Its actions in detail. */
  readonly actions: readonly string[]
  /** Its permissions. */
  readonly scope: readonly string[]
}

export interface HeldRefresh {
  readonly text: string
  readonly generation: number
  readonly expiresAt: number
}

/** A line as its client knows it. */
export interface Holding {
  readonly line: Line
  readonly client: SimulatedClient
  readonly code: string
  readonly codeEnd: number | null
  /** Of a polled code: when that may be at the earliest. */
  readonly codeEndsFrom?: number
  /** What it asked for, with single actions in detail. */
  readonly asked: readonly string[]
  readonly access: HeldAccess[]
  /** In the order in which they came. */
  readonly refresh: HeldRefresh[]
}

/** How long a code lives. */
const codeSeconds = 60

export const codeSays = (code: string) => {
  const presented = readCode(code)
  if (presented === null) throw new Error('what came is no code')
  const { familyId, authorizationId, issuedAt } = presented.says
  return { line: familyId, authorization: authorizationId, endsAt: issuedAt + codeSeconds }
}

/** The members of a token response. */
export interface TokenBody {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly scope?: string
  readonly authorization_details?: Parameters<typeof listActions>[0]
}

/** Names of a scope that somebody ticks. */
export const listTicked = (scope = ''): readonly string[] =>
  scope.split(' ').filter((name) => name !== '' && name !== 'offline_access')

/** Keeps the tokens of an answer, and says their generation and all that they allow. */
export const keep = (holding: Holding, body: TokenBody) => {
  const { access_token = '', refresh_token } = body
  const access = readAccessToken(access_token)
  const refresh = refresh_token === undefined ? null : readRefreshToken(refresh_token)
  if (access === null || (refresh_token !== undefined && refresh === null)) {
    throw new Error('what came are no tokens')
  }
  const { says } = access
  const actions = listActions(body.authorization_details)
  const scope = listTicked(body.scope)
  if (!holding.access.some(({ text }) => text === access_token)) {
    const id = getTokenId(says)
    holding.access.push({ text: access_token, id, expiresAt: says.expiresAt, actions, scope })
  }
  const told = [...scope, ...actions]
  if (refresh_token === undefined || refresh === null) return { brought: 0, told }
  const { generation, expiresAt } = refresh.says
  if (!holding.refresh.some(({ text }) => text === refresh_token)) {
    holding.refresh.push({ text: refresh_token, generation, expiresAt })
  }
  return { brought: generation, told }
}
