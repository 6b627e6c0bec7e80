/** A client: a registered application (RFC 6749 section 2, RFC 7591 section 2). */
import type { ClientId, Digest } from './ids.ts'
import type { Permissions } from './resource.ts'

export type AuthenticationMethod = 'client_secret_basic' | 'client_secret_post' | 'none'

/** What is told about the client to people (RFC 7591 section 2); all of it claimed by the client. */
export interface ClientDisplay {
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly tos_uri?: string
  readonly policy_uri?: string
  readonly contacts?: readonly string[]
  readonly software_id?: string
  readonly software_version?: string
  /** Why it cannot work without what it requires, in its own words, for the consent page. */
  readonly required_scope_reason?: string
}

export interface Client {
  readonly id: ClientId
  readonly name: string
  readonly authenticationMethod: AuthenticationMethod
  /** Digest of the client secret; null for a public client. */
  readonly secretDigest: Digest | null
  readonly redirectUris: readonly string[]
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  /** All that the client may ever ask for. */
  readonly scope: Permissions
  /** What the client cannot work without; the owner cannot untick it. */
  readonly requiredScope: Permissions
  /** Lifetime of an access token; null = unlimited. */
  readonly accessTokenSeconds: number | null
  /** How long a refresh token may lie unused. */
  readonly refreshTokenSeconds: number
  /** May use the password grant. */
  readonly trusted: boolean
  /** Is a resource server, so it may introspect the tokens of all clients. */
  readonly mayIntrospect: boolean
  readonly disabled: boolean
  /** Who registered it: the operator, or the client itself over `/register`. */
  readonly registeredBy: 'operator' | 'itself'
  /** Digest of the registration access token (RFC 7592 section 3); null where there is none. */
  readonly registrationDigest: Digest | null
  readonly display: ClientDisplay
  /** Goes into the seal of the client's own tokens; random, never shown. */
  readonly salt: string
  /** Whether any of the client's own tokens was revoked singly. */
  readonly hasEndings: boolean
  /** Unix seconds. */
  readonly createdAt: number
}

/** What may be changed of a client after its creation. */
export type ClientChange = Partial<
  Omit<Client, 'id' | 'salt' | 'hasEndings' | 'registeredBy' | 'createdAt'>
> & {
  /** Come to those that there are when the change is made. */
  readonly addedRedirectUris?: readonly string[]
}

/** A client that keeps no secret (RFC 6749 section 2.1). */
export const isPublic = (client: Client): boolean => client.authenticationMethod === 'none'
