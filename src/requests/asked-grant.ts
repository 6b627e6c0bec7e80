/**
 * What a request asks of a grant (Grant Management section 5.2). The grant is the authorization: the
 * request begins another one, or changes the one that it names.
 */
import type { Authorization } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import { type AuthorizationId, type ClientId, type Clock, isId } from '../model/ids.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import type { KnownResponseType } from './response-type.ts'

/** `merge` is the name of `update` in later drafts. */
export const grantActions = ['create', 'update', 'merge', 'replace'] as const

/** The effect on the named grant. Nobody has to name a new one. */
export type AskedGrant =
  | { readonly action: 'create' }
  | { readonly action: 'update' | 'replace'; readonly id: AuthorizationId }

/** The grant of somebody else is refused as an invented one is. */
export const unknownGrant = (): Refusal =>
  new Refusal(
    'invalid_grant_id',
    'unknown_grant_id',
    'grant_id is unknown, has ended, or is a grant of another client or person',
  )

/** Whether its owner approved it for the client. Delegations, and those by an issuer, are no grants. */
export const isGrantOf = (
  clientId: ClientId,
  { clientId: of, parentId, allowedBy }: Authorization,
): boolean => of === clientId && parentId === null && allowedBy === null

/** @throws Refusal `invalid_request`, `unauthorized_client`, `invalid_grant_id` */
const readGrant = (parameters: Parameters, client: Client): AskedGrant => {
  const given = parameters.find('grant_management_action')
  const id = parameters.find('grant_id')
  if (given === null) {
    const said = 'grant_id needs a grant_management_action beside it: update or replace'
    throw invalidRequest('missing_grant_action', said)
  }
  const action = grantActions.find((known) => known === given)
  if (action === undefined) {
    const said = `grant_management_action has to be one of ${grantActions.join(', ')}`
    throw invalidRequest('bad_grant_management_action', said)
  }
  if (isPublic(client)) {
    const said = 'grants are managed by clients that authenticate'
    throw new Refusal('unauthorized_client', 'grant_of_public_client', said)
  }
  if (action === 'create') {
    if (id === null) return { action }
    const said = 'grant_management_action=create begins a new grant: leave grant_id out'
    throw invalidRequest('grant_id_to_create', said)
  }
  const named = parameters.require('grant_id')
  if (!isId(named)) throw unknownGrant()
  return { action: action === 'replace' ? action : 'update', id: named as AuthorizationId }
}

/**
 * What a request asks of a grant of its client. The owner of the grant is compared after the login.
 *
 * @throws Refusal `invalid_request`, `unauthorized_client`, `invalid_grant_id`
 */
export const parseGrant = async (
  parameters: Parameters,
  client: Client,
  { exchanged }: Pick<KnownResponseType, 'exchanged'>,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<AskedGrant> => {
  // The token response names the grant. Redirects lead through the browser.
  if (!exchanged) {
    const said = 'grant_management_action needs a response_type with code'
    throw invalidRequest('grant_without_code', said)
  }
  const grant = readGrant(parameters, client)
  if (grant.action === 'create') return grant
  const found = await store.findAuthorization(grant.id, Math.floor(clock() / 1000))
  if (found === null || !isGrantOf(client.id, found)) throw unknownGrant()
  return grant
}
