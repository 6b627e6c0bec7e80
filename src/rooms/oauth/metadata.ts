/** Authorization server metadata (RFC 8414), made from what is really switched on, and the public keys (RFC 7517). */

import { listGrantable } from '../../access/permission.ts'
import type { Settings } from '../../config/settings.ts'
import { answerPublicJson } from '../../http/answer.ts'
import { publicMethod, subjectTypes } from '../../model/client.ts'
import { contentEncryptions, jwsAlgorithms, keyEncryptions } from '../../model/key.ts'
import type { SecurityProfile } from '../../model/profile.ts'
import {
  findGrantRule,
  findResponseRule,
  isForbidden,
  isStrongAlgorithm,
} from '../../protocol/profile.ts'
import type { ServiceParts } from '../../registries.ts'
import {
  type Handler,
  type MetadataFragment,
  type MetadataParts,
  published,
  type RouteRow,
} from '../../route.ts'
import type { StoredKey } from '../../store/contract/key.ts'

const getServiceMetadata: MetadataFragment = ({ settings, resources }) => ({
  issuer: settings.issuer,
  scopes_supported: listGrantable(resources),
  // RFC 9396 section 10
  authorization_details_types_supported: resources.list().map(({ name }) => name),
})

/** What OpenID Connect Discovery section 3 requires beside the members of RFC 8414. */
const describeOpenid: MetadataFragment = () => ({
  subject_types_supported: subjectTypes,
  id_token_signing_alg_values_supported: jwsAlgorithms,
  id_token_encryption_alg_values_supported: keyEncryptions,
  id_token_encryption_enc_values_supported: contentEncryptions,
  claim_types_supported: ['normal'],
})

/** The endpoints to which clients show certificates, as far as there are such endpoints (RFC 8705 section 5). */
const aliased = [
  'token',
  'revocation',
  'introspection',
  'pushed_authorization_request',
  'device_authorization',
  'backchannel_authentication',
  'userinfo',
].map((name) => `${name}_endpoint`)

/** The same endpoints under the URL of the setting, in place of the issuer. */
const describeAliases = (
  document: ReadonlyMap<string, unknown>,
  { issuer, mtlsUrl }: Settings,
): Readonly<Record<string, unknown>> => {
  if (mtlsUrl === null) return {}
  const aliases = aliased.flatMap((member) => {
    const url = document.get(member)
    return typeof url === 'string' ? [[member, mtlsUrl + url.slice(issuer.length)]] : []
  })
  return { mtls_endpoint_aliases: Object.fromEntries(aliases) }
}

const isOffered = (
  profile: SecurityProfile,
): Readonly<Record<string, (value: string) => boolean>> => {
  const isStrict = isForbidden('weak_algorithm', profile)
  const isStrong = (name: string): boolean => !isStrict || isStrongAlgorithm(name)
  return {
    response_types_supported: (type) => findResponseRule(type, profile) === null,
    grant_types_supported: (type) =>
      findGrantRule(type, profile) === null &&
      !(type === 'implicit' && isForbidden('front_token', profile)),
    auth_methods_supported: (name) =>
      !isForbidden('weak_client', profile) || !(name === publicMethod || /secret/.test(name)),
    signing_alg_values_supported: isStrong,
  }
}

/** The document without what the profile forbids. */
const narrowMetadata = (
  document: Readonly<Record<string, unknown>>,
  profile: SecurityProfile,
): Readonly<Record<string, unknown>> => {
  if (profile === 'spec') return document
  const tests = Object.entries(isOffered(profile))
  const narrowed = Object.entries(document).map(([member, value]): [string, unknown] => {
    const test = tests.find(([end]) => member === end || member.endsWith(`_${end}`))?.[1]
    const isList = test !== undefined && Array.isArray(value)
    return [member, isList ? value.filter((one) => test(String(one))) : value]
  })
  const isPushed = isForbidden('unpushed_request', profile)
  const demands = isPushed ? { require_pushed_authorization_requests: true } : {}
  return { ...Object.fromEntries(narrowed), ...demands }
}

/**
 * The whole document.
 *
 * @throws Error where two fragments have the same member
 */
export const collectMetadata = (
  fragments: readonly MetadataFragment[],
  given: MetadataParts,
): Readonly<Record<string, unknown>> => {
  const document = new Map<string, unknown>()
  for (const fragment of fragments) {
    for (const [member, value] of Object.entries(fragment(given))) {
      if (document.has(member)) throw new Error(`two endpoints set the metadata member ${member}`)
      document.set(member, value)
    }
  }
  const { settings } = given
  const aliases = describeAliases(document, settings)
  return { ...narrowMetadata(Object.fromEntries(document), settings.profile), ...aliases }
}

/** @param rows all others with members of the metadata (RFC 8414, OpenID Connect Discovery) */
export const openMetadata = (
  rows: readonly RouteRow[],
  needs: MetadataParts,
): readonly RouteRow[] => {
  const own = [getServiceMetadata, describeOpenid]
  const fragments = [...own, ...rows.flatMap(({ metadata }) => metadata ?? [])]
  const write = () => ({
    resources: needs.resources.list(),
    answer: answerPublicJson(collectMetadata(fragments, needs)),
  })
  // Written once for each list of resources: nothing else in it changes.
  let written = write()
  const handler: Handler = () => {
    if (written.resources !== needs.resources.list()) written = write()
    return written.answer
  }
  return [
    {
      ...published,
      path: '/.well-known/oauth-authorization-server',
      handler,
      metadata: getServiceMetadata,
    },
    { ...published, path: '/.well-known/openid-configuration', handler, metadata: describeOpenid },
  ]
}

const describeJwk = ({ id, algorithm, publicKey }: StoredKey) => {
  // Tokens name this algorithm `EdDSA` or `Ed25519`. Libraries compare with the key, where it says one.
  const alg = algorithm === 'EdDSA' ? {} : { alg: algorithm }
  return publicKey === null ? [] : [{ ...publicKey, kid: id, use: 'sig', ...alg }]
}

const getJwksMetadata: MetadataFragment = ({ settings }) => ({
  jwks_uri: `${settings.issuer}/jwks`,
})

/** The public halves of signing keys, also of those that are not used yet. */
export const openJwks = ({ signer }: ServiceParts): readonly RouteRow[] => {
  const jwks: Handler = async () =>
    answerPublicJson({ keys: (await signer.published()).flatMap(describeJwk) })
  return [{ ...published, path: '/jwks', handler: jwks, metadata: getJwksMetadata }]
}
