/** Names of the things that steps change and cached answers depend on. */
import type { Authorization } from '../../model/authorization.ts'
import {
  type AuthorizationId,
  type ClientId,
  type FamilyId,
  type Holder,
  holderOfOwner,
  makeClientHolder,
  type OwnerId,
} from '../../model/ids.ts'

export const getClientKey = (id: ClientId): string => `client:${id}`

/**
 * Whether any single token of the client itself, or of the family, was ended. An ending never goes back,
 * so only the answer "no" depends on it.
 */
export const getEndingsKey = (id: ClientId | FamilyId): string => `endings:${id}`

export const getOwnerKey = (id: OwnerId): string => `owner:${id}`

export const getAuthorizationKey = (id: AuthorizationId): string => `authorization:${id}`

/** The delegations under an authorization. */
export const getBranchesKey = (id: AuthorizationId): string => `branches:${id}`

export const getFamilyKey = (id: FamilyId): string => `family:${id}`

/** What a holder keeps in all resources together. */
export const getKeptKey = (holder: Holder): string => `kept:${holder}`

/** What a holder keeps in one resource. */
export const getItemsKey = (holder: Holder, resource: string): string =>
  `items:${resource}:${holder}`

/** All that goes with a client, or with an owner. */
export const listClientKeys = (id: ClientId): readonly string[] => [
  getClientKey(id),
  getKeptKey(makeClientHolder(id)),
]
export const listOwnerKeys = (id: OwnerId): readonly string[] => [
  getOwnerKey(id),
  getKeptKey(holderOfOwner(id)),
]

/** Groups as a whole: the members of a deleted group, and the clients that name it, have no bound. */
export const groupsKey = 'groups'

/** What an authorization and its being in force rest on. */
export const listAuthorizationKeys = (authorization: Authorization): readonly string[] => {
  const { id, clientId, ownerId, parentId } = authorization
  const keys = [getAuthorizationKey(id), getClientKey(clientId), getOwnerKey(ownerId), groupsKey]
  return parentId === null ? keys : [...keys, getBranchesKey(parentId)]
}
