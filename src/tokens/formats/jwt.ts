/**
 * JWT access tokens (RFC 9068). An API verifies the signature by itself. This service also opens the
 * seal inside, so each row that a token hangs on counts here as it does for an opaque token.
 */
import {
  audienceOfName,
  audiencesOf,
  permissionsFor,
  siteOf,
  uriOf,
  userinfoUri,
} from '../../access/audience.ts'
import { formatScope } from '../../access/permission.ts'
import type { JsonObject } from '../../model/json.ts'
import { contextOf } from '../../model/session.ts'
import type { Terms } from '../../model/terms.ts'
import { type AccessToken, tokenIdOf } from '../../model/token.ts'
import { subjectOf } from '../../owners/subject.ts'
import { recordLimits } from '../../store/limits.ts'
import { earlier } from '../end.ts'
import { readJwtContent, sealJwtContent } from '../seals.ts'
import type { TokenFormat, TokenHolder, WritingParts } from './format.ts'
import { claimOf } from './opaque.ts'

/** The lifetime where the client's own has no end: nobody could call such a token back for good. */
const unlimitedSeconds = 3600

/** Every resource server has to know it (RFC 9068 section 4). */
const algorithm = 'RS256'

const audienceOf = ({ terms }: AccessToken, parts: WritingParts): readonly string[] => {
  const site = siteOf(parts)
  return audiencesOf(permissionsFor(terms, site), site)
}

/** `/userinfo` takes tokens of any format, so it decides nothing. */
const isForJwtOnly = (token: AccessToken, parts: WritingParts): boolean => {
  const { issuer } = parts.settings
  const uris = parts.resources
    .list()
    .filter((resource) => resource.accessTokenFormat === 'jwt')
    .map((resource) => uriOf(resource, issuer))
  if (uris.length === 0) return false
  const site = siteOf(parts)
  let isForOne = false
  for (const name of permissionsFor(token.terms, site)) {
    const uri = audienceOfName(name, site)
    if (uri === null || uri === userinfoUri(issuer)) continue
    if (!uris.includes(uri)) return false
    isForOne = true
  }
  return isForOne
}

/** The end of the login session behind an approval for a visit; null without one. */
const visitEnd = async (
  { authorization }: TokenHolder,
  { store, clock }: WritingParts,
): Promise<number | null> => {
  if (authorization === null || authorization.sessionId === null) return null
  const now = Math.floor(clock() / 1000)
  return (await store.findSession(authorization.sessionId, now))?.session.expiresAt ?? now
}

const loginClaims = ({ authTime, methods }: Terms): JsonObject =>
  authTime === null ? {} : { auth_time: authTime, acr: contextOf({ methods }), amr: methods }

const claimsOf = async (
  token: AccessToken,
  { client, authorization, salt }: TokenHolder,
  parts: WritingParts,
): Promise<JsonObject> => {
  const [first = '', ...further] = audienceOf(token, parts)
  return {
    iss: parts.settings.issuer,
    sub: authorization === null ? client.id : await subjectOf(client, authorization.ownerId, parts),
    aud: further.length === 0 ? first : [first, ...further],
    exp: token.expiresAt,
    iat: token.issuedAt,
    jti: tokenIdOf(token),
    client_id: client.id,
    scope: formatScope(permissionsFor(token.terms, siteOf(parts))),
    ...loginClaims(token.terms),
    // What the feed of revocations speaks of.
    ...(authorization === null ? {} : { lk_authorization: authorization.id }),
    lk_seal: sealJwtContent(parts, salt, token),
  }
}

export const jwt: TokenFormat = {
  name: 'jwt',
  takes: isForJwtOnly,
  async endOf({ issuedAt, expiresAt }, holder, parts) {
    const own = expiresAt ?? issuedAt + unlimitedSeconds
    return earlier(Math.min(own, issuedAt + recordLimits.jwtSeconds), await visitEnd(holder, parts))
  },
  write: async (token, holder, parts) =>
    parts.signer.sign(await claimsOf(token, holder, parts), algorithm, 'at+jwt'),
  async read(text, { signer }) {
    const claims = await signer.read(text, 'at+jwt')
    return typeof claims?.lk_seal === 'string' ? claimOf(readJwtContent(claims.lk_seal)) : null
  },
}
