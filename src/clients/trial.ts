/**
 * Trials of a log-in from the console. A temporary client stands in for the real one, so that this one
 * gets no further redirect URI and nobody needs its secret.
 */

import { formatScope } from '../access/permission.ts'
import type { Settings } from '../config/settings.ts'
import { digest, equalTexts } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { findClient } from './find.ts'

/** A trial of a log-in: its tokens, and its client if nobody comes back; seconds. */
const trialsTogether = 50
const trialTokenSeconds = 60
const trialSeconds = 3600
const trialNameCharacters = 200

/** Tells the clients of trials from all others, together with their redirect URI. */
const software = 'latchkey-trial'
const prefix = 'Trial of '

/** The page of the console to which the code comes. */
export const trialCallback = (issuer: string): string => `${issuer}/admin/trial`

const isTrial = ({ display, registeredBy, redirectUris }: Client, issuer: string): boolean =>
  registeredBy === 'operator' &&
  display.software_id === software &&
  redirectUris.length === 1 &&
  redirectUris[0] === trialCallback(issuer)

/** The metadata of the client that stands in. Its tokens live shortly, if anything keeps them. */
export const trialMetadata = (client: Client, issuer: string) => ({
  client_name: `${prefix}${client.name}`.slice(0, trialNameCharacters),
  redirect_uris: [trialCallback(issuer)],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  access_token_seconds: trialTokenSeconds,
  software_id: software,
  ...(client.scope.length === 0 ? {} : { scope: formatScope(client.scope) }),
  ...(client.requiredScope.length === 0
    ? {}
    : { required_scope: formatScope(client.requiredScope) }),
})

/** Only the login of the operator can say it. */
const secretOf = (use: 'state' | 'verifier', id: string, csrf: string): string =>
  digest(`trial ${use}\n${csrf}\n${id}`)

export const trialState = (id: string, csrf: string): string =>
  `${id}.${secretOf('state', id, csrf)}`

/** The PKCE verifier (RFC 7636 section 4.1). */
export const trialVerifier = (id: string, csrf: string): string => secretOf('verifier', id, csrf)

/** The client of a trial that this login began; null for any other state. */
export const findTrial = async (
  state: string,
  csrf: string,
  { store, settings }: { readonly store: Store; readonly settings: Settings },
): Promise<Client | null> => {
  const [id = ''] = state.split('.', 1)
  if (!equalTexts(state, trialState(id, csrf))) return null
  const client = await findClient(id, { store })
  return client !== null && isTrial(client, settings.issuer) ? client : null
}

export const removeOldTrials = async (
  trace: () => Trace,
  { store, settings }: { readonly store: Store; readonly settings: Settings },
): Promise<void> => {
  const { rows } = await store.listClientsBy({ by: 'name', prefix }, null, trialsTogether)
  for (const client of rows) {
    const isOld = client.createdAt + trialSeconds <= trace().at
    if (isOld && isTrial(client, settings.issuer)) await store.deleteClient(client.id, trace())
  }
}
