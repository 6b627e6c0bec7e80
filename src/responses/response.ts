/** What a response type is: one way to answer an authorization request (RFC 6749 section 3.1.1). */

import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import type { FamilyId } from '../model/ids.ts'
import type { Terms } from '../model/terms.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'
import type { KnownResponseType } from '../requests/response-type.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import type { Tokens } from '../tokens/tokens.ts'

export interface Approved {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly redirectUri: string
  readonly authorization: Authorization
  /** Its permissions are those that the owner left ticked. */
  readonly terms: Terms
  /** The id of this journey; what it earns is begun under this id, once. */
  readonly journeyId: FamilyId
  readonly trace: Trace
}

export interface ResponseParts {
  readonly store: Store
  readonly tokens: Pick<Tokens, 'issueAlone' | 'issueCode' | 'issueIdToken'>
}

/** The parameters of the answer, without `state` and `iss`. */
export type AnswerApproved = (approved: Approved) => Promise<Readonly<Record<string, string>>>

export interface ResponseType extends KnownResponseType {
  /** Prepares the response type, once at the start. */
  open(parts: ResponseParts): AnswerApproved
}
