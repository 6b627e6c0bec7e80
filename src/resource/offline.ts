/** Verifies JWT access tokens (RFC 9068 section 4) without asking the issuer about each of them. */
import { readClaimedHeader } from '../crypto/jose.ts'
import type { JsonObject } from '../model/json.ts'
import { createDoubts } from './doubts.ts'
import { createFeedClient, createFollower } from './follow.ts'
import {
  type Introspect,
  type Introspected,
  readAudience,
  readDetails,
  readPermissions,
} from './introspection.ts'
import type { Discovery } from './issuer.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { CompleteOptions } from './options.ts'
import { readConfirmation } from './proof.ts'

/** Opaque tokens hold no dot. */
export const isJwt = (token: string): boolean => token.split('.').length === 3

/** The key of an access token; null for every other JWT. */
const findKid = (token: string): string | null => {
  const { typ, kid } = readClaimedHeader(token) ?? {}
  const isAccessToken =
    typeof typ === 'string' && /^(application\/)?at\+jwt$/i.test(typ) && typeof kid === 'string'
  return isAccessToken ? kid : null
}

const read = (claims: JsonObject, issuer: string, now: number): Introspected | null => {
  const { iss, sub, exp, iat, jti, client_id: clientId, auth_time: authTime, acr } = claims
  const isWhole =
    iss === issuer &&
    typeof sub === 'string' &&
    typeof clientId === 'string' &&
    typeof jti === 'string' &&
    typeof iat === 'number' &&
    typeof exp === 'number'
  if (!isWhole || exp <= now) return null
  return {
    access: {
      subject: sub,
      username: null,
      clientId,
      permissions: readPermissions(claims),
      expiresAt: exp,
      ...readDetails(claims),
    },
    audience: readAudience(claims),
    authenticatedAt: typeof authTime === 'number' ? authTime : null,
    confirmation: readConfirmation(claims),
    context: typeof acr === 'string' ? acr : null,
  }
}

/** @param introspect asks about a token that was issued before something changed */
export const createOffline = (
  options: CompleteOptions,
  discovery: Discovery,
  introspect: Introspect,
) => {
  const { issuer, clock, fetch: send } = options
  const now = () => Math.floor(clock() / 1000)
  const doubts = createDoubts(now)
  const keys = createIssuerKeys(async () => (await discovery.find()).keys, send, clock)
  const findFeed = async () => (await discovery.find()).feed
  const follower = createFollower(createFeedClient(findFeed, keys, options), doubts, keys, options)
  return {
    /** Null for a JWT that counts for nothing. @throws IssuerFault */
    async verify(token: string, target: string): Promise<Introspected | null> {
      const kid = findKid(token)
      if (kid === null) return null
      await follower.ready()
      const claims = await keys.verify(token, kid)
      const said = claims && read(claims, issuer, now())
      if (claims === null || said === null) return null
      const judgement = doubts.judge(claims)
      if (judgement === 'ask') return introspect(token, target)
      return judgement === 'good' ? said : null
    },
    close: follower.close,
  }
}
