/** OAuth 2.0 providers that tell the person by an endpoint of their own, such as GitHub. */
import type { Oauth2Settings } from '../config/oauth2-upstream.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { codeIn as errorIn, isObject } from './ask.ts'
import { claimsIn } from './claims.ts'
import {
  askUserinfo,
  askWithToken,
  authorizationUrl,
  codeIn,
  redeemUpstreamCode,
} from './code-flow.ts'
import { upstreamLimits } from './limits.ts'
import {
  type RedirectUpstream,
  type UpstreamClaims,
  UpstreamFault,
  type UpstreamParts,
} from './upstream.ts'

/** @param path names of members with dots between them; a number names an element of a list */
const valueAt = (said: JsonObject, path: string): JsonValue => {
  let value: JsonValue = said
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as JsonObject)[name] ?? null
  }
  return value
}

/** A number that is not exact would stand for several accounts. */
const subjectIn = (value: JsonValue): string | null => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  const isText = typeof value === 'string' && value !== ''
  return isText && value.length <= upstreamLimits.subjectCharacters ? value : null
}

/** The same in the words of OpenID Connect. */
const claimsOf = (said: JsonObject, { members }: Oauth2Settings): JsonObject => ({
  preferred_username: valueAt(said, members.username),
  name: valueAt(said, members.name),
  email: valueAt(said, members.email),
  email_verified: valueAt(said, members.emailVerified),
  picture: valueAt(said, members.picture),
})

/** The verified address of GitHub's list, the primary one first; empty without one. */
const emailIn = (list: JsonValue): JsonObject => {
  const entries = Array.isArray(list) ? list.filter(isObject) : []
  const verified = entries.filter((entry) => entry.verified === true)
  const found = verified.find(({ primary }) => primary === true) ?? verified[0]
  return typeof found?.email === 'string' ? { email: found.email, email_verified: true } : {}
}

/** Asks for the list of addresses, too, where there is one. */
const withEmails = async (
  claims: JsonObject,
  accessToken: unknown,
  { emailsEndpoint }: Oauth2Settings,
  parts: UpstreamParts,
): Promise<UpstreamClaims> => {
  if (emailsEndpoint === null) return claimsIn(claims)
  const list = await askWithToken('emails', emailsEndpoint, accessToken, parts)
  return claimsIn({ ...claims, ...(list instanceof UpstreamFault ? {} : emailIn(list)) })
}

/** The code, unless the answer is one of another provider (RFC 9207 section 2.4). */
const codeOf = (answer: Parameters, { issuer }: Oauth2Settings): string | UpstreamFault => {
  const iss = answer.find('iss')
  const isOthers = issuer !== null && iss !== null && iss !== issuer
  return isOthers ? new UpstreamFault('wrong', 'iss') : codeIn(answer)
}

/** Some providers tell an error with status 200, and some tokens need more than a header. */
const faultIn = (tokens: JsonObject): UpstreamFault | null => {
  const error = errorIn(tokens)
  if (error !== '') return new UpstreamFault('wrong', `token:${error}`)
  const { token_type: type = 'bearer' } = tokens
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  return isBearer ? null : new UpstreamFault('wrong', 'token: token_type')
}

export const openOauth2 = (settings: Oauth2Settings, parts: UpstreamParts): RedirectUpstream => {
  const { id, authorizationEndpoint, tokenEndpoint, userinfoEndpoint, members } = settings
  const { isBasicKnown } = settings
  return {
    by: 'redirect',
    asksAgain: false,
    async begin(trip) {
      return authorizationUrl(authorizationEndpoint, settings, trip, {})
    },
    async finish(answer, trip) {
      if (trip.isFresh) return new UpstreamFault('stale', 'cannot ask again')
      const code = codeOf(answer, settings)
      if (code instanceof UpstreamFault) return code
      const endpoint = { url: tokenEndpoint, isBasicKnown }
      const tokens = await redeemUpstreamCode(code, trip, settings, endpoint, parts)
      if (tokens instanceof UpstreamFault) return tokens
      const fault = faultIn(tokens)
      if (fault !== null) return fault
      const { access_token: accessToken } = tokens
      const said = await askUserinfo(userinfoEndpoint, accessToken, parts)
      if (said instanceof UpstreamFault) return said
      const subject = subjectIn(valueAt(said, members.id))
      if (subject === null) return new UpstreamFault('wrong', `userinfo: no id at ${members.id}`)
      const claims = claimsOf(said, settings)
      return {
        account: { upstream: id, issuer: settings.issuer ?? userinfoEndpoint, subject },
        methods: [],
        isStrong: false,
        authTime: null,
        isFresh: false,
        findClaims: () => withEmails(claims, accessToken, settings, parts),
      }
    },
  }
}
