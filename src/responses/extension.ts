/** Response types that a program adds to the service. */
import type { OwnerId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { ResponseType } from './response.ts'

/** A request that its owner has approved. */
export interface ExtensionApproval {
  /** The `client_id` of a client that is registered for the response type. */
  readonly clientId: string
  readonly ownerId: OwnerId
  /** The permissions that the owner left of those requested. */
  readonly permissions: Permissions
  /** Now, in unix seconds. */
  readonly at: number
}

/** A response type of your own, without a code and without a token of the service. */
export interface ExtensionResponseType {
  /** The value of `response_type`: words separated by single spaces. */
  readonly type: string
  /** The grant types that clients register together with it (RFC 7591 section 2.1); mostly one of its own. */
  readonly grantTypes: readonly string[]
  /** The parameters of the answer. The parameters are sent in the fragment, or posted, with `state` and `iss`. */
  answer(approval: ExtensionApproval): Promise<Readonly<Record<string, string>>>
}

/** The same as a response type of the service. The wrapper hands on no record that a later version may change. */
export const extendResponseType = ({
  type,
  grantTypes,
  ...own
}: ExtensionResponseType): ResponseType => ({
  type,
  grantTypes,
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: false,
  tellsLogin: false,
  open:
    () =>
    ({ client, authorization, terms, trace }) =>
      own.answer({
        clientId: client.id,
        ownerId: authorization.ownerId,
        permissions: terms.permissions,
        at: trace.at,
      }),
})
