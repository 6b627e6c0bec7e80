/** A login at an upstream, as far as the operator trusts the upstream. */
import type { OidcSettings } from '../config/upstreams.ts'
import type { JsonObject } from '../model/json.ts'
import { type AuthenticationMethodReference, authenticationMethods } from '../model/session.ts'
import type { UpstreamPerson } from './upstream.ts'

/** Values of `acr` that say that there were two factors: our own, and those of REFEDS and of OpenID. */
const strongContexts: readonly unknown[] = [
  '2',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/** Other names for what a session knows (RFC 8176 section 2). */
const also: Readonly<Record<string, AuthenticationMethodReference>> = {
  hwk: 'pop',
  pin: 'user',
  fpt: 'user',
  face: 'user',
}

const methodOf = (name: unknown): AuthenticationMethodReference | null => {
  if (typeof name !== 'string') return null
  const known = authenticationMethods.find((method) => method === name)
  return known ?? (Object.hasOwn(also, name) ? (also[name] ?? null) : null)
}

type TrustedLogin = Pick<UpstreamPerson, 'methods' | 'isStrong' | 'authTime'>

export const trustedLogin = (
  { acr, amr, auth_time: authTime }: JsonObject,
  at: number,
  { trustAcr }: Pick<OidcSettings, 'trustAcr'>,
): TrustedLogin => {
  if (!trustAcr) return { methods: [], isStrong: false, authTime: null }
  const said = Array.isArray(amr) ? amr.map(methodOf).filter((one) => one !== null) : []
  const isStrong = said.includes('mfa') || strongContexts.includes(acr)
  const methods = new Set(isStrong ? [...said, 'mfa' as const] : said)
  const isTime = typeof authTime === 'number' && Number.isInteger(authTime) && authTime > 0
  return {
    methods: authenticationMethods.filter((one) => methods.has(one)),
    isStrong,
    authTime: isTime ? Math.min(authTime, at) : null,
  }
}
