/**
 * The members of a registration about OpenID Connect (OpenID Connect Registration section 2): subjects, keys,
 * request objects, encrypted answers and logouts.
 */

import { isLoopback } from '../config/issuer.ts'
import { resourceLimits } from '../config/resource-words.ts'
import { readGivenKeys } from '../crypto/client-jws.ts'
import { featureMembers } from '../features/members.ts'
import { type Client, subjectTypes } from '../model/client.ts'
import {
  type ClientKey,
  contentEncryptions,
  jwsAlgorithms,
  keyEncryptions,
  secretAssertionAlgorithm,
  signatureAlgorithms,
} from '../model/key.ts'
import { keySetWords } from '../model/key-set.ts'
import { profiles } from '../model/profile.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import type { Z } from '../protocol/schema.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import { requestLimits } from '../requests/limits.ts'
import { storeLimits } from '../store/limits.ts'
import { type CertificateMember, certificateNames } from './certificate-names.ts'
import { invalidMetadata } from './invalid.ts'
import { clientKeyLimits, clientLimits } from './limits.ts'

/** Plain http reaches this machine alone, and only in the demo. */
export const isFetchable = (text: string): boolean => {
  const url = /^[^\s\p{Cc}\p{Cs}]+$/u.test(text) ? parseWebUri(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url.hostname)
}

/** Text that an operator takes back with `null`. */
export const boundedText = (
  z: Z,
  what: string,
  isRight: (text: string) => boolean,
  most: number = parameterLimits.textCharacters,
) =>
  z.string().max(most).refine(isRight).nullish().describe(`${what} of at most ${most} characters`)

export const fetchable = (z: Z) => boundedText(z, 'an https URL', isFetchable)

export const uris = (z: Z) =>
  z
    .array(z.string())
    .max(storeLimits.redirectUris)
    .transform((list) => [...new Set(list)])

export const urisForm = `a list of at most ${storeLimits.redirectUris} URIs`

export const oneOf = <Name extends string>(z: Z, names: readonly Name[]) =>
  z.enum(names).nullish().describe(names.join(', '))

const keySet = (z: Z) =>
  z
    .custom<{ readonly keys: readonly ClientKey[] }>()
    .transform((given, context) => {
      const keys = readGivenKeys(given)
      if (keys === null) context.addIssue(keySetWords)
      return keys === null || keys.length === 0 ? null : { keys }
    })
    .nullish()
    .describe(`${keySetWords}; the numbers of each have to make a key`)

/** Each of them needs a key of the client. */
const needingKeys = [
  'authorization_encrypted_response_alg',
  'id_token_encrypted_response_alg',
  'userinfo_encrypted_response_alg',
  'require_signed_request_object',
] as const

/** An empty set counts as absent later. Beside a URL it is a mistake. @throws Refusal `invalid_client_metadata` */
export const refuseTwoKeySets = ({
  jwks,
  jwks_uri: uri,
}: {
  readonly jwks?: unknown
  readonly jwks_uri?: unknown
}): void => {
  if ((jwks ?? null) === null || (uri ?? null) === null) return
  throw invalidMetadata('two_key_sets', 'jwks and jwks_uri exclude each other')
}

/** @throws Refusal `invalid_client_metadata` */
export const checkKeys = ({ openid }: Pick<Client, 'openid'>): void => {
  const { jwks, jwks_uri: uri } = openid
  refuseTwoKeySets(openid)
  for (const what of ['authorization', 'id_token', 'userinfo'] as const) {
    const [alg, enc] = [`${what}_encrypted_response_alg`, `${what}_encrypted_response_enc`] as const
    if (openid[enc] === undefined || openid[alg] !== undefined) continue
    throw invalidMetadata('encryption_without_alg', `${enc} needs ${alg}`)
  }
  if (jwks !== undefined || uri !== undefined) return
  const needing = needingKeys.find((name) => (openid[name] ?? false) !== false)
  if (needing === undefined) return
  throw invalidMetadata('missing_keys', `${needing} needs the keys of the client: jwks or jwks_uri`)
}

/** `checkRegistration` says the rest. */
const logoutUri = (z: Z) => boundedText(z, 'a URL', () => true, requestLimits.redirectUriCharacters)

const flag = (z: Z) => z.boolean().nullish().describe('true or false')

const certificateName = (z: Z, member: CertificateMember) => {
  const { what = '', isRight = () => false } =
    certificateNames.find((name) => name.member === member) ?? {}
  return boundedText(z, what, isRight)
}

type FeatureMembers = {
  readonly [Name in keyof typeof featureMembers]: ReturnType<(typeof featureMembers)[Name]>
}

const makeFeatureMembers = (z: Z): FeatureMembers => {
  const made = Object.entries(featureMembers).map(([name, make]) => [name, make(z)])
  return Object.fromEntries(made) as FeatureMembers
}

/** An operator takes one back with `null`. */
export const openidMembers = (z: Z) => ({
  id_token_signed_response_alg: oneOf(z, jwsAlgorithms),
  post_logout_redirect_uris: uris(z).nullish().describe(urisForm),
  backchannel_logout_uri: logoutUri(z),
  backchannel_logout_session_required: flag(z),
  frontchannel_logout_uri: logoutUri(z),
  frontchannel_logout_session_required: flag(z),
  subject_type: z.enum(subjectTypes).nullish().describe(subjectTypes.join(' or ')),
  sector_identifier_uri: fetchable(z),
  jwks: keySet(z),
  jwks_uri: fetchable(z),
  request_uris: z
    .array(fetchable(z).unwrap().unwrap())
    .max(clientKeyLimits.requestUris)
    .nullish()
    .describe(`a list of at most ${clientKeyLimits.requestUris} https URLs`),
  token_endpoint_auth_signing_alg: oneOf(z, [...signatureAlgorithms, secretAssertionAlgorithm]),
  request_object_signing_alg: oneOf(z, signatureAlgorithms),
  require_signed_request_object: flag(z),
  require_pushed_authorization_requests: flag(z),
  authorization_signed_response_alg: oneOf(z, jwsAlgorithms),
  authorization_encrypted_response_alg: oneOf(z, keyEncryptions),
  authorization_encrypted_response_enc: oneOf(z, contentEncryptions),
  id_token_encrypted_response_alg: oneOf(z, keyEncryptions),
  id_token_encrypted_response_enc: oneOf(z, contentEncryptions),
  userinfo_signed_response_alg: oneOf(z, jwsAlgorithms),
  userinfo_encrypted_response_alg: oneOf(z, keyEncryptions),
  userinfo_encrypted_response_enc: oneOf(z, contentEncryptions),
  default_max_age: z
    .int()
    .min(0)
    .max(clientLimits.lifetimeSeconds)
    .nullish()
    .describe(`a whole number of seconds up to ${clientLimits.lifetimeSeconds}`),
  require_auth_time: flag(z),
  profile: oneOf(z, profiles),
  dpop_bound_access_tokens: flag(z),
  tls_client_certificate_bound_access_tokens: flag(z),
  tls_client_auth_subject_dn: certificateName(z, 'tls_client_auth_subject_dn'),
  tls_client_auth_san_dns: certificateName(z, 'tls_client_auth_san_dns'),
  tls_client_auth_san_uri: certificateName(z, 'tls_client_auth_san_uri'),
  tls_client_auth_san_ip: certificateName(z, 'tls_client_auth_san_ip'),
  tls_client_auth_san_email: certificateName(z, 'tls_client_auth_san_email'),
  default_acr_values: z
    .array(z.string().regex(/^[\x21-\x7e]{1,200}$/))
    .max(requestLimits.contexts)
    .nullish()
    .describe(`a list of at most ${requestLimits.contexts} words`),
  authorization_details_types: z
    .array(z.string().max(resourceLimits.nameCharacters))
    .max(resourceLimits.resources)
    .transform((list) => [...new Set(list)])
    .nullish()
    .describe('a list of names of resources'),
  ...makeFeatureMembers(z),
})
