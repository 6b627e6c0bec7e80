/** What the members of a client's registration have to be to one another (RFC 7591 sections 2 and 2.1). */
import {
  type Askable,
  addNames,
  limitScope,
  listAllPermissions,
  listOwnerPermissions,
  listRegistrable,
} from '../access/permission.ts'
import { listNames, parseScope, selectNamed, tellNames } from '../access/scope.ts'
import { featureChecks } from '../features/members.ts'
import { type Client, isPublic, publicMethod, type Registration } from '../model/client.ts'
import type { Permissions } from '../model/resource.ts'
import { sortWords } from '../model/scope-word.ts'
import {
  findGrantRule,
  findResponseRule,
  isForbidden,
  isStrongAlgorithm,
  sayForbidden,
} from '../protocol/profile.ts'
import { Refusal } from '../protocol/refusal.ts'
import { findUriFault, quoteUri, redirectUriFaults } from '../requests/redirect-uri.ts'
import { checkApplicationType } from './describe.ts'
import { checkGrants, checkTypes, joinOr, listBeginning, type Registrable } from './grant-types.ts'
import { invalidMetadata } from './invalid.ts'
import type { ClientMetadata, Registrar } from './metadata.ts'
import type { ClientMethod } from './methods/method.ts'
import { checkKeys } from './openid-metadata.ts'
import { checkSector } from './sector.ts'

const parseNames = (member: string, text: string): readonly string[] => {
  try {
    return parseScope(text)
  } catch (fault) {
    throw fault instanceof Refusal
      ? invalidMetadata(fault.reason, `${member}: ${fault.description}`)
      : fault
  }
}

export const pickScope = (text: string, by: Registrar, askable: Askable): Permissions => {
  // A client that registers itself may have no default.
  if (text === '' && by === 'itself') return []
  const names = parseNames('scope', text)
  // The operator's own resources are for clients of an operator only.
  const registrable = by === 'operator' ? listAllPermissions(askable) : listRegistrable(askable)
  const scope = selectNamed(names, registrable)
  if (scope.length > 0) return scope
  const there = listNames(listOwnerPermissions(askable.list()))
  const said = `scope names nothing that can be registered for${tellNames(names)}`
  throw invalidMetadata('unknown_scope', `${said}; there are ${there}`)
}

/** The names of resources. Unknown ones of a client that registers itself are dropped. */
export const pickDetailTypes = (
  { authorization_details_types: types, ...metadata }: ClientMetadata,
  by: Registrar,
  askable: Askable,
): ClientMetadata => {
  if (types === undefined) return metadata
  if (types === null) return { ...metadata, authorization_details_types: null }
  const there = askable.list().map(({ name }) => name)
  const known = types.filter((type) => there.includes(type))
  if (by === 'operator' && known.length < types.length) {
    const said = `authorization_details_types has to be of ${listNames(there)}`
    throw invalidMetadata('unknown_details_type', said)
  }
  return { ...metadata, authorization_details_types: known }
}

/**
 * Unlike in `scope`, an unknown name is a fault here: an owner could untick what the client needs. Words
 * need not be in the scope, since every client may ask for them.
 */
export const parseRequiredScope = (
  text: string,
  scope: Permissions,
  { words }: Pick<Askable, 'words'>,
): Permissions => {
  const names = text === '' ? [] : parseNames('required_scope', text)
  const askable = addNames(scope, sortWords(words))
  if (names.some((name) => selectNamed([name], askable).length === 0)) {
    throw invalidMetadata('required_scope_outside', 'required_scope has to lie within scope')
  }
  return selectNamed(names, askable)
}

/** @throws Refusal `invalid_client_metadata` */
export const findMethod = (
  name: string,
  { clientMethods }: Pick<Registrable, 'clientMethods'>,
): ClientMethod => {
  const method = clientMethods.find((known) => known.name === name)
  if (method !== undefined) return method
  const names = joinOr(clientMethods.map((known) => known.name))
  const said = `token_endpoint_auth_method has to be ${names}`
  const received = /^[A-Za-z0-9_.-]{1,64}$/.test(name) ? `, not ${name}` : ''
  throw invalidMetadata('bad_token_endpoint_auth_method', said + received)
}

const checkMethod = (registration: Registration, known: Registrable): void => {
  const { name, lacks, signingAlgorithms } = findMethod(registration.authenticationMethod, known)
  const lacking = lacks(registration)
  if (lacking !== null) {
    throw invalidMetadata('method_lacks', `token_endpoint_auth_method ${name} needs ${lacking}`)
  }
  const { token_endpoint_auth_signing_alg: algorithm } = registration.openid
  if (algorithm !== undefined && signingAlgorithms?.includes(algorithm) === false) {
    const names = joinOr(signingAlgorithms)
    const said = `token_endpoint_auth_signing_alg has to be ${names} for ${name}`
    throw invalidMetadata('bad_token_endpoint_auth_signing_alg', said)
  }
  if (isPublic(registration) && registration.identity.federated_credentials !== undefined) {
    const said = `federated_credentials are for clients with another token_endpoint_auth_method than ${name}`
    throw invalidMetadata('platform_of_public_client', said)
  }
}

/** @param member that names them @throws Refusal `invalid_redirect_uri` */
export const checkUris = (uris: readonly string[], member: string): void => {
  for (const [index, uri] of uris.entries()) {
    const fault = findUriFault(uri)
    if (fault === null) continue
    const told = `${member}[${index}] ${quoteUri(uri)} ${redirectUriFaults[fault]}`
    throw new Refusal('invalid_redirect_uri', 'bad_redirect_uri', told)
  }
}

const badLogoutUri = (
  member: 'backchannel_logout_uri' | 'frontchannel_logout_uri',
  uri: string,
  fault: string,
): Refusal => invalidMetadata(`bad_${member}`, `${member} ${quoteUri(uri)} ${fault}`)

const isWeb = (uri: string): boolean => /^https?:\/\//.test(uri) && findUriFault(uri) === null

/** Http leads to this machine only, and only the demo sends anything there. */
const checkBackChannel = (uri: string, isDemo: boolean): void => {
  if (isWeb(uri) && (isDemo || uri.startsWith('https:'))) return
  const fault = isDemo
    ? 'has to be https without a fragment, or http on a loopback address'
    : 'has to be https without a fragment'
  throw badLogoutUri('backchannel_logout_uri', uri, fault)
}

/** An origin as a content security policy can name it: a `;` in a host would end its directive. */
const plainOrigin = /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/

const parseOrigin = (uri: string): string | null => {
  const origin = isWeb(uri) ? new URL(uri).origin : ''
  return plainOrigin.test(origin) ? origin : null
}

/** Otherwise our page would show a frame of a site that the client has nothing to do with. */
const checkFrontChannel = (uri: string, redirectUris: readonly string[]): void => {
  const origin = parseOrigin(uri)
  if (origin !== null && redirectUris.some((one) => parseOrigin(one) === origin)) return
  const fault = 'needs the scheme, host and port of one of the redirect_uris, and no fragment'
  throw badLogoutUri('frontchannel_logout_uri', uri, fault)
}

/** Where clients are told of logouts (Back-Channel Logout 1.0 section 2.2, Front-Channel Logout 1.0 section 2). */
const checkLogoutUris = (
  { redirectUris, openid }: Pick<Client, 'redirectUris' | 'openid'>,
  isDemo: boolean,
): void => {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = openid
  if (back !== undefined) checkBackChannel(back, isDemo)
  if (front !== undefined) checkFrontChannel(front, redirectUris)
}

/** The algorithms that a client registers for its own signatures and for those of the service. */
const listAlgorithms = ({ openid, display }: Registration): readonly (string | undefined)[] => [
  openid.id_token_signed_response_alg,
  openid.authorization_signed_response_alg,
  openid.userinfo_signed_response_alg,
  openid.token_endpoint_auth_signing_alg,
  openid.request_object_signing_alg,
  display.introspection_signed_response_alg,
]

/** A client registers nothing that its profile forbids. @throws Refusal `invalid_client_metadata` */
const checkRegisteredProfile = (registration: Registration, known: Registrable): void => {
  const { profile } = registration.openid
  if (profile === undefined) return
  const { issues, name } = findMethod(registration.authenticationMethod, known)
  const isWeak = issues !== 'nothing' || name === publicMethod
  const signsWeakly = listAlgorithms(registration).some(
    (name) => name !== undefined && !isStrongAlgorithm(name),
  )
  const rules = [
    ...registration.grantTypes.map((type) => findGrantRule(type, profile)),
    ...registration.responseTypes.map((type) => findResponseRule(type, profile)),
    isWeak && isForbidden('weak_client', profile) ? ('weak_client' as const) : null,
    signsWeakly && isForbidden('weak_algorithm', profile) ? ('weak_algorithm' as const) : null,
  ]
  const rule = rules.find((one) => one !== null)
  if (rule != null) throw invalidMetadata(`profile_${rule}`, sayForbidden(rule, profile))
}

/** Members that bind every token of a client to a key (RFC 9449 section 5.2, RFC 8705 section 3.4). */
const bindings = ['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens'] as const

/** No request proves two keys, or any where the authorization endpoint hands out a token (RFC 9449 section 4). */
const checkBinding = ({ openid, responseTypes }: Registration): void => {
  const [bound, second] = bindings.filter((name) => openid[name] === true)
  if (second !== undefined) {
    throw invalidMetadata('two_bindings', `${bound} and ${second} exclude each other`)
  }
  const front = responseTypes.find((type) => type.split(' ').includes('token'))
  if (bound === undefined || front === undefined) return
  throw invalidMetadata('bound_token_in_redirect', `${bound} excludes response_types with token`)
}

const checkRedirectUris = (
  { grantTypes, redirectUris }: Registration,
  known: Registrable,
): void => {
  checkUris(redirectUris, 'redirect_uris')
  const needing = listBeginning(known).find((grant) => grantTypes.includes(grant))
  if (needing !== undefined && redirectUris.length === 0) {
    throw new Refusal(
      'invalid_redirect_uri',
      'missing_redirect_uri',
      `redirect_uris has to name at least one URI for grant type ${needing}`,
    )
  }
}

/**
 * Checks a registration as a whole, so that no chain of allowed changes leads to a forbidden one.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const checkRegistration = (
  registration: Registration,
  by: Registrar,
  known: Registrable,
  isDemo: boolean,
): Registration => {
  checkMethod(registration, known)
  checkTypes(registration, known)
  checkGrants(registration, by, known)
  checkRedirectUris(registration, known)
  checkApplicationType(registration)
  checkUris(registration.openid.post_logout_redirect_uris ?? [], 'post_logout_redirect_uris')
  checkLogoutUris(registration, isDemo)
  checkSector(registration)
  checkKeys(registration)
  checkBinding(registration)
  for (const check of featureChecks) check(registration, isDemo)
  checkRegisteredProfile(registration, known)
  const { scope, requiredScope } = registration
  if (limitScope(requiredScope, scope).length < requiredScope.length) {
    throw invalidMetadata('required_scope_outside', 'required_scope has to lie within scope')
  }
  return registration
}
