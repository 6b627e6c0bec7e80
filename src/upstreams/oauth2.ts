/** OAuth 2.0 providers that tell the person by an endpoint of their own, such as GitHub. */
import type { Oauth2Settings } from '../config/oauth2-upstream.ts'
import type { Outbound } from '../http/outbound.ts'
import { isObject, type JsonObject, type JsonValue } from '../model/json.ts'
import {
  askUserinfo,
  askWithToken,
  formatError,
  makeAuthorizationUrl,
  redeemUpstreamCode,
} from './code-flow.ts'
import { upstreamLimits } from './limits.ts'
import { noRights } from './mapped.ts'
import { mapClaims, type RedirectUpstream, type UpstreamClaims, UpstreamFault } from './upstream.ts'

/** @param path names of members with dots between them; a number names an element of a list */
const findValue = (said: JsonObject, path: string): JsonValue => {
  let value: JsonValue = said
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as JsonObject)[name] ?? null
  }
  return value
}

/** A number that is not exact would stand for several accounts. */
const parseSubject = (value: JsonValue): string | null => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  const isText = typeof value === 'string' && value !== ''
  return isText && value.length <= upstreamLimits.subjectCharacters ? value : null
}

/** The same in the words of OpenID Connect. */
const convertClaims = (said: JsonObject, { members }: Oauth2Settings): JsonObject => ({
  preferred_username: findValue(said, members.username),
  name: findValue(said, members.name),
  email: findValue(said, members.email),
  email_verified: findValue(said, members.emailVerified),
  picture: findValue(said, members.picture),
})

/** The verified address of GitHub's list, the primary one first; empty without one. */
const findEmail = (list: JsonValue): JsonObject => {
  const entries = Array.isArray(list) ? list.filter(isObject) : []
  const verified = entries.filter((entry) => entry.verified === true)
  const found = verified.find(({ primary }) => primary === true) ?? verified[0]
  return typeof found?.email === 'string' ? { email: found.email, email_verified: true } : {}
}

/** Asks for the list of addresses, too, where there is one. */
const addEmails = async (
  claims: JsonObject,
  accessToken: unknown,
  { emailsEndpoint }: Oauth2Settings,
  outbound: Outbound,
): Promise<UpstreamClaims> => {
  if (emailsEndpoint === null) return mapClaims(claims)
  const list = await askWithToken('emails', emailsEndpoint, accessToken, outbound)
  return mapClaims({ ...claims, ...(list instanceof UpstreamFault ? {} : findEmail(list)) })
}

/** Some providers tell an error with status 200, and some tokens need more than a header. */
const findFault = (tokens: JsonObject): UpstreamFault | null => {
  const error = formatError(tokens)
  if (error !== '') return new UpstreamFault('wrong', `token:${error}`)
  const { token_type: type = 'bearer' } = tokens
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer'
  return isBearer ? null : new UpstreamFault('wrong', 'token: token_type')
}

export const openOauth2 = (settings: Oauth2Settings, outbound: Outbound): RedirectUpstream => {
  const { userinfoEndpoint, members } = settings
  return {
    by: 'redirect',
    asksAgain: false,
    async begin(trip) {
      return makeAuthorizationUrl(settings.authorizationEndpoint, settings, trip, {})
    },
    async finish(answer, trip) {
      if (trip.isFresh) return new UpstreamFault('stale', 'cannot ask again')
      const provider = { ...settings, saysIssuer: false }
      const tokens = await redeemUpstreamCode(answer, trip, settings, provider, outbound)
      if (tokens instanceof UpstreamFault) return tokens
      const fault = findFault(tokens)
      if (fault !== null) return fault
      const { access_token: accessToken } = tokens
      const said = await askUserinfo(userinfoEndpoint, accessToken, outbound)
      if (said instanceof UpstreamFault) return said
      const subject = parseSubject(findValue(said, members.id))
      if (subject === null) return new UpstreamFault('wrong', `userinfo: no id at ${members.id}`)
      const claims = convertClaims(said, settings)
      return {
        account: { upstream: settings.id, issuer: settings.issuer ?? userinfoEndpoint, subject },
        methods: [],
        isStrong: false,
        authTime: null,
        isFresh: false,
        picture: mapClaims(claims).picture,
        mapped: noRights,
        findClaims: () => addEmails(claims, accessToken, settings, outbound),
      }
    },
  }
}
