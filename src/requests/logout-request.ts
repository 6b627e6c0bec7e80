/** The request to log out (OpenID Connect RP-Initiated Logout 1.0 section 2). */

import { findClient } from '../clients/find.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject } from '../model/json.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../protocol/refusal.ts'
import type { RequestParts } from './authorization-request.ts'
import { requestLimits } from './limits.ts'

export type LogoutRequest = Awaited<ReturnType<typeof readLogoutRequest>>

const once = [
  'id_token_hint',
  'logout_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
] as const

/** Whether an application sent this. A form of our own has none of these parameters. */
export const isLogoutRequest = (parameters: Parameters): boolean =>
  once.some((name) => name !== 'ui_locales' && parameters.find(name) !== null)

const refuseRepeated = (parameters: Parameters): void => {
  const name = once.find((one) => parameters.all(one).length > 1)
  if (name !== undefined) throw invalidRequest('repeated_parameter', `parameter ${name} came twice`)
}

type LogoutParts = Pick<RequestParts, 'settings' | 'store' | 'signer'>

/** The claims of an ID token of this service, expired or not. One that cannot be read says nothing. */
const readHint = async (
  hint: string | null,
  { settings, signer }: LogoutParts,
): Promise<JsonObject> => {
  if (hint === null || hint.length > requestLimits.hintCharacters) return {}
  const claims = await signer.read(hint, 'JWT')
  // Only ID tokens name an authorized party.
  return claims?.iss === settings.issuer && claims.azp !== undefined ? claims : {}
}

const readClientId = (parameters: Parameters, { aud }: JsonObject): string | null => {
  const given = parameters.find('client_id')
  if (typeof aud !== 'string') return given
  if (given === null || given === aud) return aud
  throw invalidRequest('hint_of_other_client', 'client_id is not the audience of id_token_hint')
}

const stateOf = (parameters: Parameters): string | null => {
  const state = parameters.find('state')
  if (state === null || state.length <= requestLimits.stateCharacters) return state
  throw invalidRequest(
    'state_too_long',
    `state is longer than ${requestLimits.stateCharacters} characters`,
  )
}

/** Only a registered address, character by character. Without a client, none is. */
const returnOf = (client: Client | null, parameters: Parameters): string | null => {
  const uri = parameters.find('post_logout_redirect_uri')
  if (uri === null || client === null) return null
  const { post_logout_redirect_uris: registered = [] } = client.openid
  if (!registered.includes(uri)) {
    throw new Refusal(
      'invalid_request',
      'unregistered_post_logout_redirect_uri',
      'post_logout_redirect_uri is not registered for this client',
      { recorded: { clientId: client.id, given: uri, registered } },
    )
  }
  const state = stateOf(parameters)
  if (state === null) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

const writeCarried = (client: Client | null, parameters: Parameters): string => {
  if (client === null) return ''
  const kept = new URLSearchParams({ client_id: client.id })
  for (const name of ['post_logout_redirect_uri', 'state'] as const) {
    const value = parameters.find(name)
    if (value !== null) kept.set(name, value)
  }
  return kept.toString()
}

/** @throws Refusal `invalid_request`, for a page */
export const readLogoutRequest = async (parameters: Parameters, parts: LogoutParts) => {
  refuseRepeated(parameters)
  const hint = await readHint(parameters.find('id_token_hint'), parts)
  const id = readClientId(parameters, hint)
  const client = id === null ? null : await findClient(id, parts)
  if (client === null && parameters.find('client_id') !== null) {
    throw invalidRequest('unknown_client', 'client_id names no client of this service')
  }
  return {
    /** The application that asks; null if nothing proves it. */
    client,
    session: typeof hint.sid === 'string' ? hint.sid : null,
    /** The address after the logout, with `state`; null to stay here. */
    returnTo: returnOf(client, parameters),
    /** Whether the operator or an ID token vouches for the client: anybody may register one. */
    isVouchedFor: client?.registeredBy === 'operator' || typeof hint.aud === 'string',
    /** The request as the form of the question carries it: without the hint, form-encoded. */
    carried: writeCarried(client, parameters),
  }
}

/** The same from the field of our own form. */
export const readCarried = (carried: string | null, parts: LogoutParts): Promise<LogoutRequest> =>
  readLogoutRequest(parseParameters(carried ?? ''), parts)
