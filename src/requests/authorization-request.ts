/** The authorization request: parameters -> typed request, or refusal (RFC 6749 sections 4.1.1 and 4.2.1). */

import { checkCarried, parseDetails } from '../access/details/parse.ts'
import { addNames } from '../access/permission.ts'
import { narrowToResources, narrowWithWords } from '../access/resource-indicator.ts'
import type { Resources } from '../access/resources.ts'
import {
  listAskableOfOwner,
  listAsked,
  listAskedBeside,
  listImplied,
  listLeftOut,
} from '../access/scope.ts'
import { requireCommandLine } from '../clients/command-line.ts'
import { findClient } from '../clients/find.ts'
import type { Settings } from '../config/settings.ts'
import { type Client, commandLineId, isPublic } from '../model/client.ts'
import type { Detail } from '../model/detail.ts'
import type { Digest, Given } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { type OtherTerms, readAskedTerms } from '../model/terms.ts'
import { type Parameters, refuseRepeated, refuseUnsupported } from '../protocol/parameters.ts'
import { checkRequestProfile, getProfile } from '../protocol/profile.ts'
import { invalidRequest, Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { type AskedGrant, parseGrant } from './asked-grant.ts'
import {
  type AskedClaims,
  type AskedLogin,
  type HintReader,
  parseClaims,
  parseLogin,
} from './asked-login.ts'
import { requestLimits } from './limits.ts'
import {
  disabledClient,
  missingClientId,
  missingRedirectUri,
  type RefusedRequest,
  repeatedParameter,
  unknownClient,
  unregisteredRedirectUri,
} from './mistakes.ts'
import { parseChallenge } from './pkce.ts'
import type { PromptEffect, PromptValue } from './prompts.ts'
import { matchLoopback } from './redirect-uri.ts'
import {
  type ChosenMode,
  filterModes,
  findMode,
  findResponseType,
  type KnownResponseType,
  listModes,
} from './response-type.ts'
import { unsupported } from './unsupported.ts'

export interface RequestParts extends Given {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly signer: HintReader
  readonly registries: {
    readonly responseTypes: readonly KnownResponseType[]
    readonly prompts: readonly PromptValue[]
  }
}

/** The client and its redirect URI, both proven: a refusal may go there, too. */
export interface Target extends ChosenMode {
  readonly client: Client
  readonly isCommandLine: boolean
  /** As it was given, or the only registered one. */
  readonly redirectUri: string
  /** Returned unchanged; null where it was absent, repeated, too long or cannot be returned so. */
  readonly state: string | null
}

export interface AuthorizationRequest {
  readonly responseType: string
  /** The requested permissions, as far as the client may have them. */
  readonly permissions: Permissions
  /** Names in the scope without effect: unknown ones, and those the client may not have. */
  readonly leftOut: readonly string[]
  readonly terms: Partial<OtherTerms>
  readonly challenge: Digest | null
  readonly prompt: readonly PromptEffect[]
  readonly grant?: AskedGrant
  readonly login: AskedLogin
}

const findRedirectUri = (
  asked: RefusedRequest,
  client: Client,
  responseType: KnownResponseType | undefined,
): string => {
  const given = asked.parameters.find('redirect_uri')
  const registered = client.redirectUris
  if (given !== null) {
    const isRegistered =
      registered.includes(given) || registered.some((uri) => matchLoopback(uri, given))
    if (isRegistered) return given
    throw unregisteredRedirectUri(client, given, asked)
  }
  const [only] = registered
  if (only !== undefined && registered.length === 1 && responseType?.namesRedirectUri === false) {
    return only
  }
  throw missingRedirectUri(client, asked)
}

/** Why a state cannot be returned unchanged; null where it can. */
const stateFault = (state: string, { mode, isSigned }: ChosenMode): Refusal | null => {
  if (state.length > requestLimits.stateCharacters) {
    const said = `state is longer than ${requestLimits.stateCharacters} characters`
    return invalidRequest('state_too_long', said)
  }
  // Browsers change a lone CR or LF in a form to CR LF.
  if (mode === 'form_post' && !isSigned && /[\r\n]/.test(state)) {
    return invalidRequest(
      'state_not_postable',
      'a form cannot return a state with line breaks unchanged',
    )
  }
  return null
}

/**
 * Proves client and redirect URI.
 *
 * @throws Refusal that has to be shown on a page, never redirected (RFC 6749 section 4.1.2.1)
 */
export const findTarget = async (parameters: Parameters, parts: RequestParts): Promise<Target> => {
  const asked: RefusedRequest = { parameters, issuer: parts.settings.issuer }
  for (const name of ['client_id', 'redirect_uri'] as const) {
    if (parameters.all(name).length > 1) throw repeatedParameter(name, asked)
  }
  const id = parameters.find('client_id')
  if (id === null) throw missingClientId(asked)
  const stored = await findClient(id, parts, 'disabled')
  const own = id === commandLineId ? requireCommandLine(stored, parts) : null
  const client = own ?? stored
  if (client === null) throw unknownClient(id, asked)
  if (client.disabled) throw disabledClient(client, asked)
  const type = findResponseType(
    parts.registries.responseTypes,
    parameters.find('response_type') ?? '',
  )
  const redirectUri = findRedirectUri(asked, client, type)
  const chosen = findMode(parameters.find('response_mode'), redirectUri, type)
  const [state = null, second] = parameters.all('state')
  const isReturned = state !== null && second === undefined && stateFault(state, chosen) === null
  return {
    client,
    isCommandLine: own !== null,
    redirectUri,
    ...chosen,
    state: isReturned ? state : null,
  }
}

const parseResponseType = (
  parameters: Parameters,
  { client, redirectUri }: Target,
  { settings, registries: { responseTypes: types } }: RequestParts,
): KnownResponseType => {
  const name = parameters.require('response_type')
  const type = findResponseType(types, name)
  if (type === undefined) {
    const said = `response_type has to be one of ${types.map((known) => known.type).join(', ')}`
    throw new Refusal('unsupported_response_type', 'unknown_response_type', said)
  }
  if (settings.profile !== 'spec' || client.openid.profile !== undefined) {
    const isOpen = type.exchanged && parameters.find('code_challenge') === null
    checkRequestProfile(type.type, isOpen, getProfile(client, settings))
  }
  if (!client.responseTypes.includes(type.type)) {
    const said = 'the client is not registered for this response_type'
    throw new Refusal('unauthorized_client', 'response_type_not_registered', said)
  }
  const mode = parameters.find('response_mode')
  const modes = filterModes(redirectUri, type.modes)
  if (mode !== null && !listModes(modes).includes(mode)) {
    const said = `response_mode has to be ${modes.join(' or ')} here, each also with .jwt, or jwt`
    throw invalidRequest('bad_response_mode', said)
  }
  return type
}

const parsePrompt = (
  parameters: Parameters,
  prompts: readonly PromptValue[],
  always: readonly PromptEffect[],
): readonly PromptEffect[] => {
  const words = (parameters.find('prompt') ?? '').split(' ').filter((word) => word !== '')
  const found = words.map((word) => prompts.find(({ value }) => value === word))
  const known = found.filter((prompt) => prompt !== undefined)
  if (known.length < found.length) {
    const values = prompts.map(({ value }) => value).join(', ')
    throw invalidRequest('bad_prompt', `prompt has to be of ${values}`)
  }
  const lonely = known.find(({ alone }) => alone)
  if (lonely !== undefined && known.length > 1) {
    throw invalidRequest('bad_prompt', `prompt ${lonely.value} stands alone`)
  }
  return [...known.map(({ does }) => does), ...always]
}

/** An ID token outside a token response needs both (OpenID Connect Core sections 3.2.2.1 and 3.3.2.11). */
const checkLoginAsked = (permissions: Permissions, { nonce }: Partial<OtherTerms>): void => {
  if (!permissions.includes('openid')) {
    const said = 'a response_type with id_token needs openid in the scope'
    throw new Refusal('invalid_scope', 'no_openid', said)
  }
  if (nonce === null) {
    throw invalidRequest('missing_nonce', 'a response_type with id_token needs the parameter nonce')
  }
}

/** What the request asks for. Words stay for a code, which earns several tokens, and for an ID token. */
export const parseAsked = (
  parameters: Parameters,
  client: Client,
  { exchanged, tellsLogin }: Pick<KnownResponseType, 'exchanged' | 'tellsLogin'>,
  claims: AskedClaims,
  details: readonly Detail[],
  parts: RequestParts,
): Pick<AuthorizationRequest, 'permissions' | 'leftOut' | 'terms'> => {
  const scope = parameters.find('scope')
  const allowed = listAskableOfOwner(client, parts.resources, exchanged)
  const indicators = parameters.all('resource')
  const implied = scope === null ? listImplied(client, allowed, indicators) : allowed
  const hasDetails = details.length > 0
  const named = hasDetails ? listAskedBeside(scope, allowed) : listAsked(scope, allowed, implied)
  // A claim asks for the whole row of its word, since the owner decides by rows.
  const { userinfo, idToken, words } = claims
  const all = words.length === 0 ? named : addNames(named, words)
  const asked = { permissions: all, details, audience: [] }
  const narrow = exchanged || tellsLogin ? narrowWithWords : narrowToResources
  const extent =
    indicators.length === 0 ? asked : narrow(asked, indicators, parts.resources.latest.site)
  if (hasDetails) checkCarried(details, extent)
  const { permissions, ...others } = extent
  const alone = words.filter((word) => !named.includes(word))
  const single = words.length === 0 ? null : { userinfo, idToken, alone, context: null }
  const terms = { ...readAskedTerms(parameters), ...others, claims: single }
  const { nonce = null } = terms
  if (nonce !== null && nonce.length > requestLimits.nonceCharacters) {
    const said = `nonce is longer than ${requestLimits.nonceCharacters} characters`
    throw invalidRequest('nonce_too_long', said)
  }
  const { confirmation = null } = terms
  if (confirmation !== null && !/^[\w-]{43}$/.test(confirmation.value)) {
    const said = 'dpop_jkt has to be the SHA-256 thumbprint of a key, in base64url'
    throw invalidRequest('bad_dpop_jkt', said)
  }
  if (tellsLogin) checkLoginAsked(permissions, terms)
  return { permissions, leftOut: listLeftOut(scope, permissions), terms }
}

/**
 * The typed request.
 *
 * @throws Refusal that goes back to the client by redirect
 */
export const parseAuthorizationRequest = async (
  parameters: Parameters,
  target: Target,
  parts: RequestParts,
): Promise<AuthorizationRequest> => {
  const { client } = target
  const { prompts } = parts.registries
  refuseRepeated(parameters)
  const state = parameters.find('state')
  const fault = state === null ? null : stateFault(state, target)
  if (fault !== null) throw fault
  refuseUnsupported(parameters, unsupported)
  const type = parseResponseType(parameters, target, parts)
  const claims = parseClaims(parameters, parts.resources.words)
  const written = parameters.find('authorization_details')
  const details = written === null ? [] : await parseDetails(written, client, parts.resources)
  const asksGrant = parameters.find('grant_management_action') ?? parameters.find('grant_id')
  return {
    responseType: type.type,
    ...parseAsked(parameters, client, type, claims, details, parts),
    challenge: type.exchanged ? parseChallenge(parameters, isPublic(client)) : null,
    // The owner decides about each change of a grant.
    prompt: parsePrompt(parameters, prompts, asksGrant === null ? [] : ['consent']),
    ...(asksGrant === null ? {} : { grant: await parseGrant(parameters, client, type, parts) }),
    login: await parseLogin(parameters, client, claims, parts),
  }
}
