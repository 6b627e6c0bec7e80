/**
 * The chain of an exchanged token (RFC 8693): the subject token, and the tokens above that. The chain is read at
 * each use, and only for exchanged tokens (decision 104).
 */
import { keepDetailsInForce } from '../access/details/narrow.ts'
import { intersect, limitScope } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import type { Standing } from '../model/authorization.ts'
import type { Detail } from '../model/detail.ts'
import type { ClientId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import type { Permissions } from '../model/resource.ts'
import { isPairwise } from '../model/sector.ts'
import type { ExchangedToken } from '../model/terms.ts'
import { makeTokenId, type OwnerAccess, pickEnd } from '../model/token.ts'
import type { Store } from '../store/store.ts'

/** The clients that act one for the other, in one token. */
export const mostActors = 4

/** The chain of an exchanged token, as it stands at this moment. */
export interface Chain {
  readonly standings: readonly Standing[]
  /** The salts of all authorizations above: a new one anywhere ends the token. */
  readonly salt: string
  /** The earliest end of the tokens above (unix seconds); null = none. */
  readonly expiresAt: number | null
  /** The earliest end of the authorizations above. */
  readonly authorizationEnd: number | null
  readonly isPaused: boolean
}

interface ChainReader {
  /** Null where it has ended, or cannot be used now. */
  findStanding(familyId: ExchangedToken['familyId']): Promise<Standing | null>
  /** The end of a token, after its client's lifetimes may have been shortened. */
  getEnd(token: ExchangedToken, shortened: Standing['clientShortened']): number | null
  isEnded(tokenId: string): Promise<boolean>
}

/** @returns null where a token above has ended, or its authorization, client or owner */
export const readChain = async (
  exchanged: readonly ExchangedToken[],
  at: number,
  { findStanding, getEnd, isEnded }: ChainReader,
): Promise<Chain | null> => {
  const standings: Standing[] = []
  let expiresAt: number | null = null
  let authorizationEnd: number | null = null
  for (const token of exchanged) {
    const standing = await findStanding(token.familyId)
    if (standing === null) return null
    const { family, authorization, clientShortened } = standing
    const end = getEnd(token, clientShortened)
    if (end !== null && end <= at) return null
    if (family.hasEndings && (await isEnded(makeTokenId(token)))) return null
    expiresAt = pickEnd(expiresAt, end)
    authorizationEnd = pickEnd(authorizationEnd, authorization.expiresAt)
    standings.push(standing)
  }
  return {
    standings,
    salt: standings.map(({ authorization }) => authorization.salt).join(''),
    expiresAt,
    authorizationEnd,
    isPaused: standings.some(({ authorization }) => authorization.paused !== null),
  }
}

/** The part of some permissions that everything above still allows. */
const limitByChain = (permissions: Permissions, { standings }: Chain): Permissions =>
  standings.reduce(
    (left, { authorization, clientScope }) =>
      limitScope(intersect(left, authorization.permissions), clientScope),
    permissions,
  )

/** The same of details. */
const limitDetailsByChain = (
  details: readonly Detail[],
  { standings }: Chain,
  resources: Pick<Resources, 'latest'>,
): readonly Detail[] =>
  standings.reduce(
    (left, { authorization, clientDetailTypes }) =>
      keepDetailsInForce(left, authorization.details, clientDetailTypes, resources),
    details,
  )

/** The access of an exchanged token, as far as all above it allows it. */
export const limitAccess = (
  access: OwnerAccess,
  chain: Chain,
  resources: Resources,
): OwnerAccess => ({
  ...access,
  permissions: limitByChain(access.permissions, chain),
  details: limitDetailsByChain(access.details, chain, resources),
  authorizationEnd: pickEnd(access.authorizationEnd, chain.authorizationEnd),
  expiresAt: pickEnd(access.expiresAt, chain.expiresAt),
  isPaused: access.isPaused || chain.isPaused,
})

/**
 * Whether a client above has pairwise subjects: then no client below learns the public one. A client that is gone
 * counts as one.
 */
export const isHiddenAbove = async (
  exchanged: readonly ExchangedToken[],
  { store }: { readonly store: Pick<Store, 'findClient'> },
): Promise<boolean> => {
  for (const { clientId } of exchanged) {
    const client = await findClient(clientId, { store }, 'disabled')
    if (client === null || isPairwise(client)) return true
  }
  return false
}

/**
 * The claim `act` (RFC 8693 section 4.1): the client of the token, and in it the one that it got the token
 * from. The client of the last token above acts for nobody: its owner approved it.
 */
export const describeActors = (
  clientId: ClientId,
  exchanged: readonly ExchangedToken[],
): JsonObject => {
  const [next, ...others] = exchanged
  const act = { sub: clientId, client_id: clientId }
  return next === undefined || others.length === 0
    ? act
    : { ...act, act: describeActors(next.clientId, others) }
}
