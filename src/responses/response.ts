/** What a response type is: one way to answer an authorization request (RFC 6749 section 3.1.1). */
import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import type { FamilyId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'
import type { KnownResponseType } from '../requests/response-type.ts'
import type { Trace } from '../store/store.ts'

/** An authorization request that its owner has approved. */
export interface Approved {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly redirectUri: string
  readonly authorization: Authorization
  /** The permissions that the owner left ticked. */
  readonly permissions: Permissions
  /** The id of this journey; what it earns is begun under this id, once. */
  readonly journeyId: FamilyId
  readonly trace: Trace
}

export interface ResponseType extends KnownResponseType {
  /** The parameters of the answer, without `state` and `iss`. */
  answer(approved: Approved, parts: Parts): Promise<Readonly<Record<string, string>>>
}
