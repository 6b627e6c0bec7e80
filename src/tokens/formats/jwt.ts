/**
 * JWT access tokens (RFC 9068). An API verifies the signature by itself. This service also opens the
 * seal inside, so each row that a token hangs on counts here as it does for an opaque token.
 */

import {
  type Allowed,
  type AudienceSite,
  filterByAudience,
  filterDetails,
  getUserinfoUri,
  listAudiences,
} from '../../access/audience.ts'
import { formatScope } from '../../access/permission.ts'
import { defineStatement } from '../../crypto/seal.ts'
import type { ClientId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { JwsAlgorithm } from '../../model/key.ts'
import { type ExchangedToken, getContext, type Terms } from '../../model/terms.ts'
import {
  type AccessToken,
  accessTokenType,
  getTokenId,
  makeTokenId,
  pickEnd,
} from '../../model/token.ts'
import { getSub } from '../../owners/pairwise-secret.ts'
import { getProfile, pickAlgorithm } from '../../protocol/profile.ts'
import { writeConfirmation } from '../../resource/proof.ts'
import { recordLimits } from '../../store/limits.ts'
import { describeActors, isHiddenAbove } from '../exchanged.ts'
import type { FormatParts, TokenFormat, TokenHolder } from './format.ts'
import { claimOf } from './opaque.ts'

/** The lifetime where the client's own has no end: nobody could call such a token back for good. */
const unlimitedSeconds = 3600

/** The content of a token. Its seal makes the token end with the row that it is about. */
const { seal, read } = defineStatement('jwt', accessTokenType)

/** The end of the login session behind an approval for a visit; null without one. */
const visitEnd = async (
  { authorization }: TokenHolder,
  { store, clock }: FormatParts,
): Promise<number | null> => {
  if (authorization === null || authorization.sessionId === null) return null
  const now = Math.floor(clock() / 1000)
  return (await store.findSession(authorization.sessionId, now))?.session.expiresAt ?? now
}

/** RFC 9470 section 6.1. */
const getLoginClaims = (terms: Terms): JsonObject => {
  const { authTime, methods } = terms
  return authTime === null ? {} : { auth_time: authTime, acr: getContext(terms), amr: methods }
}

/** The part of the terms that counts in their audience. */
const filterTerms = (terms: Terms, site: AudienceSite): Allowed => ({
  permissions: filterByAudience(terms, site),
  details: filterDetails(terms, site),
})

/** Who acts, and the tokens above: a revocation of any of them concerns this one. */
const describeExchanged = (
  clientId: ClientId,
  exchanged: readonly ExchangedToken[],
): JsonObject => ({
  act: describeActors(clientId, exchanged),
  lk_exchanged: exchanged.map((one) => ({
    jti: makeTokenId(one),
    client_id: one.clientId,
    lk_authorization: one.authorizationId,
  })),
})

const makeClaims = async (
  token: AccessToken,
  { client, authorization, salt }: TokenHolder,
  parts: FormatParts,
): Promise<JsonObject> => {
  const site = parts.resources.latest.site
  const { confirmation, exchanged } = token.terms
  const { permissions, details } = filterTerms(token.terms, site)
  const [first = '', ...further] = listAudiences({ permissions, details }, site)
  const isHidden = exchanged.length > 0 && (await isHiddenAbove(exchanged, parts))
  return {
    iss: site.issuer,
    sub:
      authorization === null
        ? client.id
        : await getSub(client, authorization.ownerId, parts, isHidden),
    aud: further.length === 0 ? first : [first, ...further],
    exp: token.expiresAt,
    iat: token.issuedAt,
    jti: getTokenId(token),
    client_id: client.id,
    scope: formatScope(permissions),
    // RFC 9396 section 9.1
    ...(details.length === 0 ? {} : { authorization_details: details }),
    ...getLoginClaims(token.terms),
    ...(confirmation === null ? {} : writeConfirmation(confirmation)),
    // What the feed of revocations speaks of.
    ...(authorization === null ? {} : { lk_authorization: authorization.id }),
    ...(exchanged.length === 0 ? {} : describeExchanged(client.id, exchanged)),
    lk_seal: seal(parts.keyring, salt, token),
  }
}

/**
 * How a token for these resources is signed; null where one of them takes no JWTs, or two want different
 * signatures. `/userinfo` takes tokens of any format, so it decides nothing.
 */
const findAlgorithm = (terms: Terms, { resources }: FormatParts): JwsAlgorithm | null => {
  const { jwtAlgorithms, site } = resources.latest
  const asked = listAudiences(filterTerms(terms, site), site).filter(
    (uri) => uri !== getUserinfoUri(site.issuer),
  )
  const [first, ...others] = new Set(asked.map((uri) => jwtAlgorithms.get(uri) ?? null))
  return others.length === 0 ? (first ?? null) : null
}

export const jwt: TokenFormat = {
  name: 'jwt',
  open: (parts) => ({
    takes: ({ terms }) =>
      parts.resources.latest.jwtAlgorithms.size > 0 && findAlgorithm(terms, parts) !== null,
    async endOf({ issuedAt, expiresAt }, holder) {
      const own = expiresAt ?? issuedAt + unlimitedSeconds
      return pickEnd(
        Math.min(own, issuedAt + recordLimits.jwtSeconds),
        await visitEnd(holder, parts),
      )
    },
    async write(token, holder) {
      // A resource may have changed since the format was chosen.
      const asked = findAlgorithm(token.terms, parts) ?? undefined
      const algorithm = pickAlgorithm(asked, getProfile(holder.client, parts.settings))
      return parts.signer.sign(await makeClaims(token, holder, parts), algorithm, 'at+jwt')
    },
    async read(text) {
      const claims = await parts.signer.read(text, 'at+jwt')
      return typeof claims?.lk_seal === 'string' ? claimOf(read(claims.lk_seal)) : null
    },
  }),
}
