/** The specification and section of each member of a JWT, and of each claim about an owner. */
import type { claimWords } from '../words/claims.ts'
import type { Section } from './sections.ts'

const idToken: Section = ['OIDC', '2']
const standardClaims: Section = ['OIDC', '5.1']

/** Null where no specification has it. */
export const claimSections: Readonly<Record<keyof ReturnType<typeof claimWords>, Section | null>> =
  {
    alg: ['RFC 7515', '4.1.1'],
    kid: ['RFC 7515', '4.1.4'],
    typ: ['RFC 7515', '4.1.9'],
    iss: ['RFC 7519', '4.1.1'],
    sub: ['RFC 7519', '4.1.2'],
    aud: ['RFC 7519', '4.1.3'],
    azp: idToken,
    exp: ['RFC 7519', '4.1.4'],
    iat: ['RFC 7519', '4.1.6'],
    jti: ['RFC 7519', '4.1.7'],
    nonce: idToken,
    auth_time: idToken,
    acr: idToken,
    amr: idToken,
    sid: ['OIDC Back-Channel Logout', '2.4'],
    at_hash: ['OIDC', '3.1.3.6'],
    c_hash: ['OIDC', '3.3.2.11'],
    client_id: ['RFC 9068', '2.2'],
    scope: ['RFC 9068', '2.2.3'],
    events: ['RFC 8417', '2.2'],
    toe: ['RFC 8417', '2.2'],
    lk_seal: null,
    lk_authorization: null,
    name: standardClaims,
    given_name: standardClaims,
    family_name: standardClaims,
    middle_name: standardClaims,
    nickname: standardClaims,
    preferred_username: standardClaims,
    profile: standardClaims,
    picture: standardClaims,
    website: standardClaims,
    gender: standardClaims,
    birthdate: standardClaims,
    zoneinfo: standardClaims,
    locale: standardClaims,
    updated_at: standardClaims,
    email: standardClaims,
    email_verified: standardClaims,
    address: ['OIDC', '5.1.1'],
    phone_number: standardClaims,
    phone_number_verified: standardClaims,
    error: ['RFC 6750', '3.1'],
    error_description: ['RFC 6750', '3.1'],
    'www-authenticate': ['RFC 6750', '3'],
    'cache-control': ['RFC 9111', '5.2'],
    latchkey_reference: null,
  }
