/**
 * Rules of security profiles beyond the specification (OAuth 2.1 draft; FAPI 2.0 Security Profile). A rule is one
 * row: the mildest profile that has the rule, and the words of the refusal.
 */
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { JwsAlgorithm } from '../model/key.ts'
import { isAsStrict, type SecurityProfile } from '../model/profile.ts'
import { type ErrorCode, Refusal } from './refusal.ts'

interface ProfileRule {
  readonly from: SecurityProfile
  readonly code: ErrorCode
  /** Follows the name of the profile in the refusal. */
  readonly said: string
}

const rules = {
  password_grant: {
    from: 'oauth-2.1',
    code: 'unsupported_grant_type',
    said: 'has no password grant: use the authorization code grant',
  },
  front_token: {
    from: 'oauth-2.1',
    code: 'unsupported_response_type',
    said: 'hands out no token in a redirect: ask for response_type code',
  },
  query_token: {
    from: 'oauth-2.1',
    code: 'invalid_request',
    said: 'takes no access token in a query: send it in the Authorization header',
  },
  missing_pkce: {
    from: 'oauth-2.1',
    code: 'invalid_request',
    said: 'needs a code_challenge for each code',
  },
  other_response: {
    from: 'fapi-2.0',
    code: 'unsupported_response_type',
    said: 'has response_type code alone',
  },
  unpushed_request: {
    from: 'fapi-2.0',
    code: 'invalid_request',
    said: 'needs each authorization request pushed to /par',
  },
  weak_client: {
    from: 'fapi-2.0',
    code: 'invalid_client',
    said: 'takes clients by private_key_jwt or a certificate alone',
  },
  weak_algorithm: {
    from: 'fapi-2.0',
    code: 'invalid_client',
    said: 'takes no signature by RS256 or HS256: use PS256, ES256 or EdDSA',
  },
  weak_proof: {
    from: 'fapi-2.0',
    code: 'invalid_dpop_proof',
    said: 'takes no DPoP proof by RS256: use PS256, ES256 or EdDSA',
  },
  missing_nonce: {
    from: 'fapi-2.0',
    code: 'use_dpop_nonce',
    said: 'needs a nonce in each DPoP proof: send that of the DPoP-Nonce header of this answer',
  },
  loose_object: {
    from: 'fapi-2.0',
    code: 'invalid_request_object',
    said: 'needs iss, aud and exp in a request object',
  },
  audience_list: {
    from: 'fapi-2.0',
    code: 'invalid_client',
    said: 'needs one string as aud of the client assertion: the issuer, or the audience of the platform',
  },
  unbound_token: {
    from: 'fapi-2.0',
    code: 'invalid_dpop_proof',
    said: 'binds each token to a key: send a DPoP proof, or use a certificate',
  },
} as const satisfies Readonly<Record<string, ProfileRule>>

export type ProfileRuleName = keyof typeof rules

const profileRuleNames = Object.keys(rules) as readonly ProfileRuleName[]

/** The rules that a profile has, and another one has not. */
export const listAddedRules = (
  profile: SecurityProfile,
  milder: SecurityProfile,
): readonly ProfileRuleName[] =>
  profileRuleNames.filter((rule) => isForbidden(rule, profile) && !isForbidden(rule, milder))

export const isForbidden = (rule: ProfileRuleName, profile: SecurityProfile): boolean =>
  isAsStrict(profile, rules[rule].from)

/** The words of a refusal, with the name of the profile. */
export const sayForbidden = (rule: ProfileRuleName, profile: SecurityProfile): string =>
  `the profile ${profile} ${rules[rule].said}`

/** Whether the profiles leave a client alone: nobody could set up anything in the demo otherwise. */
export const isExempt = ({ id }: Pick<Client, 'id'>, { demo }: Pick<Settings, 'demo'>): boolean =>
  demo && id === 'latchkey-admin'

const refuseByProfile = (rule: ProfileRuleName, profile: SecurityProfile): Refusal =>
  new Refusal(rules[rule].code, `profile_${rule}`, sayForbidden(rule, profile))

/** @throws Refusal that names the profile */
export const checkProfile = (rule: ProfileRuleName, profile: SecurityProfile): void => {
  if (isForbidden(rule, profile)) throw refuseByProfile(rule, profile)
}

export type ProfileSettings = Pick<Settings, 'demo' | 'profile'>

/** The stricter of two: the profile of the client, and that of the service. */
export const getProfile = (
  client: Pick<Client, 'id' | 'openid'>,
  settings: ProfileSettings,
): SecurityProfile => {
  const own = client.openid.profile ?? 'spec'
  const { profile } = settings
  if (isExempt(client, settings)) return 'spec'
  return isAsStrict(own, profile) ? own : profile
}

const isFront = (responseType: string): boolean => responseType.split(' ').includes('token')

/**
 * What an authorization request does that some profile forbids.
 *
 * @param isOpen whether a code comes of the request without PKCE
 */
export const listRequestRules = (
  responseType: string,
  isOpen: boolean,
): readonly ProfileRuleName[] => [
  ...(isFront(responseType) ? (['front_token'] as const) : []),
  ...(responseType === 'code' ? [] : (['other_response'] as const)),
  ...(isOpen ? (['missing_pkce'] as const) : []),
]

/** The rule against a response type; null where the profile has none. */
export const findResponseRule = (
  responseType: string,
  profile: SecurityProfile,
): ProfileRuleName | null =>
  listRequestRules(responseType, false).find((rule) => isForbidden(rule, profile)) ?? null

/** @throws Refusal with the name of the profile */
export const checkRequestProfile = (
  responseType: string,
  isOpen: boolean,
  profile: SecurityProfile,
): void => {
  for (const rule of listRequestRules(responseType, isOpen)) checkProfile(rule, profile)
}

/** What a token request of a grant type breaks. */
export const grantRules: ReadonlyMap<string, ProfileRuleName> = new Map([
  ['password', 'password_grant'],
])

/** The rule against a grant type; null where the profile has none. */
export const findGrantRule = (
  grantType: string,
  profile: SecurityProfile,
): ProfileRuleName | null => {
  const rule = grantRules.get(grantType)
  return rule !== undefined && isForbidden(rule, profile) ? rule : null
}

/** Whether FAPI 2.0 allows a signature by it. ML-DSA is no weaker than what FAPI 2.0 names. */
export const isStrongAlgorithm = (name: string): boolean => name !== 'RS256' && name !== 'HS256'

/**
 * The algorithm of a signature of the service. RS256 is the default of OpenID Connect Registration section 2, JARM
 * section 3, RFC 9068 section 4 and RFC 9701 section 6. FAPI 2.0 forbids it, also where it was chosen.
 */
export const pickAlgorithm = (
  chosen: JwsAlgorithm | undefined,
  profile: SecurityProfile,
): JwsAlgorithm => {
  const algorithm = chosen ?? 'RS256'
  const isWeak = !isStrongAlgorithm(algorithm)
  return isWeak && isForbidden('weak_algorithm', profile) ? 'ES256' : algorithm
}
