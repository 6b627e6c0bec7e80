/** The description of a presented token for an operator. */
import { formatScope } from '../access/permission.ts'
import type { Permissions } from '../model/resource.ts'

export type InspectedKind =
  | 'access_token'
  | 'refresh_token'
  | 'authorization_code'
  | 'id_token'
  | 'client_secret'
  | 'registration_token'
  | 'link'
  | 'operator_code'
  | 'unknown'

/** Why a token is refused, with the sentence that explains it. */
export const refusalsOfTokens = {
  unknown: 'This is nothing that the service has issued.',
  forged:
    'The seal does not fit. The token was changed or forged, or it was ended. A new password ends it, and so do "end tokens", a new secret and a change of the application.',
  expired: 'It has expired.',
  ended:
    'It has ended: the grant it belongs to was revoked or has expired, or its user or application was deleted.',
  disabled: 'Its user or its application is disabled. It works again once that is enabled.',
  paused: 'The user paused this application. It works again once that is resumed.',
  revoked: 'This one token was revoked.',
  used: 'It was used before. It works only once.',
  no_permissions:
    'None of its permissions is left: they were taken back, or their resources are gone.',
  no_access:
    'It opens no API. It is a secret all the same: whoever has seen it can use it, so replace it.',
} as const

export type InspectedRefusal = keyof typeof refusalsOfTokens

export interface InspectedToken {
  readonly kind: InspectedKind
  /** Null where it is accepted. */
  readonly refused: InspectedRefusal | null
  readonly clientId: string | null
  /** Null for a token of the client itself. */
  readonly owner: { readonly id: string; readonly username: string } | null
  readonly authorizationId: string | null
  readonly tokenId: string | null
  readonly permissions: Permissions
  readonly audience: readonly string[]
  /** Unix seconds. */
  readonly issuedAt: number | null
  /** Unix seconds; null = unlimited, or not known. */
  readonly expiresAt: number | null
}

export const nothingKnown = (kind: InspectedKind, refused: InspectedRefusal): InspectedToken => ({
  kind,
  refused,
  clientId: null,
  owner: null,
  authorizationId: null,
  tokenId: null,
  permissions: [],
  audience: [],
  issuedAt: null,
  expiresAt: null,
})

/** As the admin API and the command line write it. */
export const describeInspected = (inspected: InspectedToken) => ({
  kind: inspected.kind,
  active: inspected.refused === null,
  refused: inspected.refused,
  explanation: inspected.refused === null ? null : refusalsOfTokens[inspected.refused],
  client_id: inspected.clientId,
  username: inspected.owner?.username ?? null,
  owner_id: inspected.owner?.id ?? null,
  authorization_id: inspected.authorizationId,
  token_id: inspected.tokenId,
  scope: formatScope(inspected.permissions),
  audience: inspected.audience,
  issued_at: inspected.issuedAt,
  expires_at: inspected.expiresAt,
})
