/** Extension grants (RFC 6749 section 4.5): grant types that a program adds to the service. */
import { narrowToResources } from '../access/resource-indicator.ts'
import { parseAsked } from '../access/scope.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Permissions } from '../model/resource.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Store } from '../store/store.ts'
import type { Grant } from './grant.ts'

/** The client that asks. The client is authenticated, enabled and registered for the grant type. */
export interface ExtensionClient {
  readonly id: string
  readonly name: string
}

/** One token request, as an extension grant sees it. */
export interface ExtensionRequest {
  readonly client: ExtensionClient
  /** The form. No parameter is repeated, and empty ones are absent. */
  readonly parameters: Parameters
  /** The IP address of the sender. */
  readonly address: string
  /** Now, in unix seconds. */
  readonly at: number
  /** The id of the request in the log. */
  readonly requestId: string | null
  /**
   * The permissions and words that `scope` and `resource` ask for, within the client's registration.
   * `client`: permissions alone, for a token of the client itself.
   *
   * @throws Refusal `invalid_scope` or `invalid_target`
   */
  readonly asked: (of?: 'owner' | 'client') => Permissions
}

/** An enabled owner, by the members that do not change with the store. */
export interface ExtensionOwner {
  readonly id: OwnerId
  readonly username: string
}

/** What the service does for an extension grant. */
export interface ExtensionServices {
  /** The enabled owner with this id, or null. */
  findOwner(id: string): Promise<ExtensionOwner | null>
  /** The enabled owner with this username in any case, or null. */
  findOwnerByName(username: string): Promise<ExtensionOwner | null>
}

/** What the service issues: tokens of the client itself, or tokens for an owner. */
export type ExtensionResult =
  | { readonly for: 'client'; readonly permissions: Permissions }
  | { readonly for: 'owner'; readonly ownerId: OwnerId; readonly permissions: Permissions }

/** A grant type of your own. A grant checks one kind of credential; the token endpoint does the rest. */
export interface ExtensionGrant {
  /** The value of `grant_type`: an absolute URI. */
  readonly type: string
  /** `confidential`: the client has proved who it is. `trusted`: the operator has marked it so. */
  readonly clients: 'any' | 'confidential' | 'trusted'
  /** Checks the credential. @throws Refusal, mostly `invalid_grant` */
  redeem(request: ExtensionRequest, services: ExtensionServices): Promise<ExtensionResult>
}

const showOwner = (owner: Owner | null): ExtensionOwner | null =>
  owner === null || owner.disabled ? null : { id: owner.id, username: owner.username }

const makeServices = (store: Store): ExtensionServices => ({
  findOwner: async (id) => showOwner(await store.findOwner(id as OwnerId)),
  findOwnerByName: async (username) => showOwner(await store.findOwnerByName(username)),
})

/** The same as a grant of the service. The wrapper hands on no record that a later version may change. */
export const extendGrant = ({ type, clients, ...grant }: ExtensionGrant): Grant => ({
  type,
  clients,
  open: ({ store, resources }) => {
    const services = makeServices(store)
    return async (request) => {
      const { parameters, address, trace } = request
      const { id, name } = request.client
      const { at, requestId } = trace
      const seen = {
        ...{ client: { id, name }, parameters, address, at, requestId },
        asked: (of: 'owner' | 'client' = 'owner') => parseAsked(request, of, resources).permissions,
      }
      const earned = await grant.redeem(seen, services)
      // Its permissions may come from elsewhere than `asked`, and `resource` holds for them, too.
      const given = { permissions: earned.permissions, details: [], audience: [] }
      const indicators = parameters.all('resource')
      const { permissions, audience } = narrowToResources(given, indicators, resources.latest.site)
      return { ...earned, permissions, terms: { audience } }
    }
  },
})
