/** The authorization request: parameters -> typed request, or refusal (RFC 6749 sections 4.1.1 and 4.2.1). */

import { intersection, ownerPermissions } from '../access/permission.ts'
import { narrowToResources } from '../access/resource-indicator.ts'
import { askedPermissions } from '../access/scope.ts'
import { limits } from '../config/limits.ts'
import { type Client, isPublic } from '../model/client.ts'
import type { ClientId, Digest } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import { mayRepeat, type Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import {
  type Asked,
  disabledClient,
  missingClientId,
  missingRedirectUri,
  repeatedParameter,
  unknownClient,
  unregisteredRedirectUri,
} from './mistakes.ts'
import { parseChallenge } from './pkce.ts'
import { matchesRedirectUri } from './redirect-uri.ts'
import { refuseUnsupportedAtAuthorize } from './unsupported.ts'

/** Where the parameters of an answer go. */
export type ResponseMode = 'query' | 'fragment'

/** What this module has to know of a response type. */
export interface KnownResponseType {
  readonly type: string
  readonly mode: ResponseMode
  /** Whether a token could come in the query: never for a type that answers with one. */
  readonly modes: readonly ResponseMode[]
  /** Whether the request has to name its redirect URI even if only one is registered. */
  readonly namesRedirectUri: boolean
  /** Whether PKCE applies: a code that is exchanged later. */
  readonly exchanged: boolean
}

/** Who is answered and where: proven, so that a refusal may go there too. */
export interface Target {
  readonly client: Client
  /** As it was given, or the only registered one. */
  readonly redirectUri: string
  readonly mode: ResponseMode
  /** Returned unchanged; null where it was absent, repeated or too long. */
  readonly state: string | null
}

export interface AuthorizationRequest {
  readonly responseType: string
  /** What is asked for, within what the client may ever have. */
  readonly permissions: Permissions
  readonly challenge: Digest | null
  readonly prompt: readonly string[]
  /** The login may be at most so many seconds old; null = any. */
  readonly maxAgeSeconds: number | null
}

const findRedirectUri = (
  asked: Asked,
  client: Client,
  responseType: KnownResponseType | undefined,
): string => {
  const given = asked.parameters.find('redirect_uri')
  const registered = client.redirectUris
  if (given !== null) {
    if (registered.some((uri) => matchesRedirectUri(uri, given))) return given
    throw unregisteredRedirectUri(client, given, asked)
  }
  const [only] = registered
  if (only !== undefined && registered.length === 1 && responseType?.namesRedirectUri === false) {
    return only
  }
  throw missingRedirectUri(client, asked)
}

/** @throws Refusal also where the operator has disabled it */
const findClient = async (asked: Asked, { store }: Pick<Parts, 'store'>): Promise<Client> => {
  const id = asked.parameters.find('client_id')
  if (id === null) throw missingClientId(asked)
  const client =
    id.length > limits.clientIdCharacters
      ? null
      : await store.findClient(id as ClientId, 'disabled')
  if (client === null) throw unknownClient(id, asked)
  if (client.disabled) throw disabledClient(client, asked)
  return client
}

/** The mode that is asked for where the response type has it: refusals go the same way as answers. */
const findMode = (parameters: Parameters, type: KnownResponseType | undefined): ResponseMode => {
  const asked = parameters.find('response_mode')
  return type?.modes.find((mode) => mode === asked) ?? type?.mode ?? 'query'
}

/**
 * Proves client and redirect URI.
 *
 * @throws Refusal that has to be shown on a page, never redirected (RFC 6749 section 4.1.2.1)
 */
export const findTarget = async (
  parameters: Parameters,
  types: readonly KnownResponseType[],
  parts: Pick<Parts, 'store' | 'settings'>,
): Promise<Target> => {
  const asked: Asked = { parameters, issuer: parts.settings.issuer }
  for (const name of ['client_id', 'redirect_uri'] as const) {
    if (parameters.all(name).length > 1) throw repeatedParameter(name, asked)
  }
  const client = await findClient(asked, parts)
  const type = types.find(({ type }) => type === parameters.find('response_type'))
  const states = parameters.all('state')
  const state = states.length === 1 ? (states[0] ?? null) : null
  return {
    client,
    redirectUri: findRedirectUri(asked, client, type),
    mode: findMode(parameters, type),
    state: state !== null && state.length <= limits.stateCharacters ? state : null,
  }
}

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

const parseResponseType = (
  parameters: Parameters,
  client: Client,
  types: readonly KnownResponseType[],
): KnownResponseType => {
  const name = parameters.require('response_type')
  const type = types.find((candidate) => candidate.type === name)
  if (type === undefined) {
    throw new Refusal(
      'unsupported_response_type',
      'unknown_response_type',
      `response_type has to be one of ${types.map((known) => known.type).join(', ')}`,
    )
  }
  if (!client.responseTypes.includes(name)) {
    throw new Refusal(
      'unauthorized_client',
      'response_type_not_registered',
      'the client is not registered for this response_type',
    )
  }
  const mode = parameters.find('response_mode')
  if (mode !== null && !type.modes.some((known) => known === mode)) {
    throw invalid('bad_response_mode', `response_mode has to be ${type.modes.join(' or ')} here`)
  }
  return type
}

const parsePrompt = (parameters: Parameters): readonly string[] => {
  const prompt = (parameters.find('prompt') ?? '').split(' ').filter((word) => word !== '')
  const known = ['none', 'login', 'consent', 'select_account']
  if (!prompt.every((word) => known.includes(word))) {
    throw invalid('bad_prompt', `prompt has to be of ${known.join(', ')}`)
  }
  if (prompt.includes('none') && prompt.length > 1) {
    throw invalid('bad_prompt', 'prompt none stands alone')
  }
  return prompt
}

const parseMaxAge = (parameters: Parameters): number | null => {
  const text = parameters.find('max_age')
  if (text === null) return null
  if (!/^\d{1,9}$/.test(text)) throw invalid('bad_max_age', 'max_age has to be a number of seconds')
  return Number(text)
}

/**
 * The typed request.
 *
 * @throws Refusal that goes back to the client by redirect
 */
export const parseAuthorizationRequest = (
  parameters: Parameters,
  { client }: Target,
  types: readonly KnownResponseType[],
  { settings }: Pick<Parts, 'settings'>,
): AuthorizationRequest => {
  const repeated = parameters.repeated(mayRepeat)
  if (repeated !== null) {
    throw invalid('repeated_parameter', 'a parameter came more than once')
  }
  const state = parameters.find('state')
  if (state !== null && state.length > limits.stateCharacters) {
    throw invalid('state_too_long', `state is longer than ${limits.stateCharacters} characters`)
  }
  refuseUnsupportedAtAuthorize(parameters)
  const type = parseResponseType(parameters, client, types)
  const grantable = intersection(client.scope, ownerPermissions(settings.resources))
  const asked = askedPermissions(parameters.find('scope'), grantable)
  return {
    responseType: type.type,
    permissions: narrowToResources(asked, parameters.all('resource'), settings),
    challenge: type.exchanged ? parseChallenge(parameters, isPublic(client)) : null,
    prompt: parsePrompt(parameters),
    maxAgeSeconds: parseMaxAge(parameters),
  }
}
