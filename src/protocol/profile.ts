/**
 * What a profile forbids beyond the specification. A rule is one row. It begins with a profile, and holds for
 * every stricter one (OAuth 2.1 draft; FAPI 2.0 Security Profile).
 */
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { JwsAlgorithm } from '../model/key.ts'
import { isAsStrict, type Profile } from '../model/profile.ts'
import { type ErrorCode, Refusal } from './refusal.ts'

interface ProfileRule {
  readonly from: Profile
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
  audience_list: {
    from: 'fapi-2.0',
    code: 'invalid_client',
    said: 'needs the issuer as aud of the client assertion, as a string',
  },
  unbound_token: {
    from: 'fapi-2.0',
    code: 'invalid_dpop_proof',
    said: 'binds each token to a key: send a DPoP proof, or use a certificate',
  },
} as const satisfies Readonly<Record<string, ProfileRule>>

export type ProfileRuleName = keyof typeof rules

export const isForbidden = (rule: ProfileRuleName, profile: Profile): boolean =>
  isAsStrict(profile, rules[rule].from)

/** The words of a refusal. They name the profile. */
export const sayForbidden = (rule: ProfileRuleName, profile: Profile): string =>
  `the profile ${profile} ${rules[rule].said}`

export const refuseByProfile = (rule: ProfileRuleName, profile: Profile): Refusal =>
  new Refusal(rules[rule].code, `profile_${rule}`, sayForbidden(rule, profile))

/** @throws Refusal that names the profile */
export const checkProfile = (rule: ProfileRuleName, profile: Profile): void => {
  if (isForbidden(rule, profile)) throw refuseByProfile(rule, profile)
}

export type ProfileSettings = Pick<Settings, 'demo' | 'profile'>

/** The profile of a client: its own, or that of the service, whichever is stricter. */
export const getProfile = (
  { id, openid }: Pick<Client, 'id' | 'openid'>,
  { demo, profile }: ProfileSettings,
): Profile => {
  const own = openid.profile ?? 'spec'
  // Nobody could set up anything in the demo otherwise.
  if (demo && id === 'latchkey-admin') return 'spec'
  return isAsStrict(own, profile) ? own : profile
}

const isFront = (responseType: string): boolean => responseType.split(' ').includes('token')

/** The rule against a response type; null where the profile has none. */
export const findResponseRule = (
  responseType: string,
  profile: Profile,
): ProfileRuleName | null => {
  if (isFront(responseType) && isForbidden('front_token', profile)) return 'front_token'
  return responseType !== 'code' && isForbidden('other_response', profile) ? 'other_response' : null
}

/** The rule against a grant type; null where the profile has none. */
export const findGrantRule = (grantType: string, profile: Profile): ProfileRuleName | null =>
  grantType === 'password' && isForbidden('password_grant', profile) ? 'password_grant' : null

/** Signatures that FAPI 2.0 allows, and those of ML-DSA, which are no weaker. */
export const isStrongAlgorithm = (name: string): boolean => name !== 'RS256' && name !== 'HS256'

/**
 * How the service signs for a client: as it registered, or by the default of OpenID Connect Registration section 2
 * and of JARM section 3, which FAPI 2.0 forbids.
 */
export const pickAlgorithm = (
  client: Pick<Client, 'id' | 'openid'>,
  member: 'id_token_signed_response_alg' | 'authorization_signed_response_alg',
  settings: ProfileSettings,
): JwsAlgorithm => {
  const registered = client.openid[member] ?? 'RS256'
  const isWeak = !isStrongAlgorithm(registered)
  return isWeak && isForbidden('weak_algorithm', getProfile(client, settings))
    ? 'ES256'
    : registered
}
