/** A client: a registered application (RFC 6749 section 2, RFC 7591 section 2). */
import type { FeatureClient } from '../features/client.ts'
import type { ClientId, Digest } from './ids.ts'
import type { ClientKey, JwsAlgorithm } from './key.ts'
import type { SecurityProfile } from './profile.ts'
import type { Permissions } from './resource.ts'

/** The `token_endpoint_auth_method` of public clients. All other methods prove who the client is. */
export const publicMethod = 'none'

/** The client of `latchkey login`. The service makes it, and no operator. */
export const commandLineId = 'latchkey-command-line' as ClientId

/** What is told about the client to people (RFC 7591 section 2); all of it claimed by the client. */
export interface ClientDisplay {
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly tos_uri?: string
  readonly policy_uri?: string
  readonly contacts?: readonly string[]
  /** The page of a login that others begin (OpenID Connect Core section 4). */
  readonly initiate_login_uri?: string
  /** RFC 9701 section 6. */
  readonly introspection_signed_response_alg?: JwsAlgorithm
  readonly software_id?: string
  readonly software_version?: string
  /** OpenID Connect Registration section 2; absent if the client said nothing. */
  readonly application_type?: 'native' | 'web'
  /** Why it cannot work without what it requires, in its own words, for the consent page. */
  readonly required_scope_reason?: string
}

/** A platform that proves a client: its issuer, and the `sub` and `aud` of its tokens. */
export interface FederatedCredential {
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  /** Absent where the discovery document of the issuer says it. */
  readonly jwks_uri?: string
}

/** How a client may prove itself besides, and who acts for it, by the names of the admin API. Operators alone say it. */
export interface ClientIdentity {
  /** Its assertions may name the token endpoint as their audience. */
  readonly accept_token_endpoint_audience?: boolean
  readonly federated_credentials?: readonly FederatedCredential[]
  /** The clients that may exchange its tokens (RFC 8693), by their ids. */
  readonly may_act?: readonly string[]
  /** Only owners in one of these groups may use it; absent: every owner. */
  readonly allowed_groups?: readonly string[]
  /** All groups that it may be told; absent: every group of the owner. */
  readonly told_groups?: readonly string[]
}

/** The secret before the current one, which a planned rotation keeps for a while. */
export interface OldSecret {
  readonly digest: Digest
  /** Where the secret itself is kept. */
  readonly sealed?: string
  /** Goes into the seal of the tokens that were got with it. */
  readonly salt: string
  /** Unix seconds: the secret ends, and all tokens that were got with it. */
  readonly expiresAt: number
}

/** A client as it is stored. */
export interface Client {
  readonly id: ClientId
  readonly name: string
  /** The name of a method of the registry, which may have gone since the client was registered. */
  readonly authenticationMethod: string
  /** Digest of the client secret; null where the method of the client needs none. */
  readonly secretDigest: Digest | null
  /** A client secret that is a key (`client_secret_jwt`), sealed under the root secret. Null where a digest is enough. */
  readonly sealedSecret: string | null
  readonly oldSecret: OldSecret | null
  readonly redirectUris: readonly string[]
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  /** What the client registered for: a limit, or the default of its requests. */
  readonly scope: Permissions
  /** Whether `scope` is all that the client may ever ask for. Otherwise its owners decide. */
  readonly scopeLimits: boolean
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
  /**
   * Members that the operator set after the client registered itself, by their names in RFC 7591.
   * Its registration token does not change them any more.
   */
  readonly setByOperator: readonly string[]
  readonly display: ClientDisplay
  readonly openid: ClientOpenid
  readonly identity: ClientIdentity
  /** Goes into the seal of the client's own tokens; random, never shown. */
  readonly salt: string
  /** Goes into the seal of what hangs on its authorizations, behind the salt of each; '' at first. */
  readonly familySalt: string
  /**
   * When the lifetime of access tokens was last shortened (unix seconds), and the longest life of
   * older tokens; null if never.
   */
  readonly shortened: { readonly at: number; readonly seconds: number } | null
  /** Whether any of the client's own tokens was revoked singly. */
  readonly hasEndings: boolean
  /** Unix seconds. */
  readonly createdAt: number
  /** How often it has changed itself since a moment (unix seconds), for a bound on that. */
  readonly ownChanges?: { readonly since: number; readonly times: number }
  /** Only if the client is a metadata document, whose URL is its id. */
  readonly document?: DocumentCopy
  /** The operator's: the document is not fetched, and the stored values hold. */
  readonly pinned?: boolean
}

/** What a registration settles: everything of a client but its identity and its secrets. */
export type Registration = Pick<
  Client,
  | 'name'
  | 'authenticationMethod'
  | 'redirectUris'
  | 'grantTypes'
  | 'responseTypes'
  | 'scope'
  | 'requiredScope'
  | 'accessTokenSeconds'
  | 'refreshTokenSeconds'
  | 'trusted'
  | 'mayIntrospect'
  | 'disabled'
  | 'display'
  | 'openid'
  | 'identity'
>

/** What may be changed of a client after its creation. */
export type ClientChange = Partial<
  Omit<
    Client,
    | 'id'
    | 'oldSecret'
    | 'salt'
    | 'familySalt'
    | 'shortened'
    | 'hasEndings'
    | 'registeredBy'
    | 'createdAt'
    | 'ownChanges'
    | 'document'
  >
> & {
  /** The salt from then on, where the change ends the client's own tokens. */
  readonly newSalt: string
  /** With a new secret: until when the old one goes on, with what is got with it; unix seconds. */
  readonly keepSecretUntil?: number
  /** Come to those that there are when the change is made. */
  readonly addedRedirectUris?: readonly string[]
}

type Decided = 'registeredBy' | 'setByOperator' | 'trusted' | 'mayIntrospect' | 'identity'

/**
 * Whether nobody but the client itself has decided anything about it. Once the operator has set a
 * member, or given it a right, the client is the operator's.
 */
export const isOnItsOwn = (
  client: Pick<Client, Decided | 'accessTokenSeconds' | 'pinned'>,
): boolean =>
  client.registeredBy === 'itself' &&
  client.pinned !== true &&
  client.setByOperator.length === 0 &&
  !client.trusted &&
  !client.mayIntrospect &&
  Object.keys(client.identity).length === 0 &&
  client.accessTokenSeconds !== null

/** All that the client may ever have; null if its owners decide. Words are never limited. */
export const getScopeLimit = (client: Pick<Client, 'scope' | 'scopeLimits'>): Permissions | null =>
  client.scopeLimits ? client.scope : null

/**
 * The types of details that the client may ask for: those it is registered for, or the resources of its
 * scope. Null if its owners decide.
 */
export const getDetailTypes = ({
  openid,
  ...scoped
}: Pick<Client, 'scope' | 'scopeLimits' | 'openid'>): readonly string[] | null =>
  openid.authorization_details_types ??
  getScopeLimit(scoped)?.map((name) => name.replace(/:[^:]*$/, '')) ??
  null

/** Whether the client proves nothing (RFC 6749 section 2.1). One that proves a key has no secret either. */
export const isPublic = ({ authenticationMethod }: Pick<Client, 'authenticationMethod'>): boolean =>
  authenticationMethod === publicMethod

/** The client as its old secret sees it: its tokens end with that secret. */
export const applyOldSecret = (client: Client, { salt }: OldSecret): Client => ({ ...client, salt })

/** When the client's own tokens end at the latest (unix seconds); null = by their lifetime alone. */
export const ownTokensEnd = ({ salt, oldSecret }: Client): number | null =>
  oldSecret !== null && salt === oldSecret.salt ? oldSecret.expiresAt : null

export const subjectTypes = ['public', 'pairwise'] as const

/**
 * What it registers for OpenID Connect, by its own names (OpenID Connect Registration section 2). Absent
 * where the client said nothing.
 */
export interface ClientOpenid extends FeatureClient {
  /** Absent means `public`: every client is told the same subject of an owner. */
  readonly subject_type?: 'public' | 'pairwise'
  readonly sector_identifier_uri?: string
  readonly id_token_signed_response_alg?: JwsAlgorithm
  /** The public keys of the client, or where they are. Never both. */
  readonly jwks?: { readonly keys: readonly ClientKey[] }
  readonly jwks_uri?: string
  /** Where request objects may be fetched (OpenID Connect Core section 6.2). */
  readonly request_uris?: readonly string[]
  /** The one algorithm of its assertions (RFC 7523); absent means any that the service takes. */
  readonly token_endpoint_auth_signing_alg?: string
  readonly request_object_signing_alg?: string
  readonly require_signed_request_object?: boolean
  /** Whether its requests have to be pushed (RFC 9126 section 6). */
  readonly require_pushed_authorization_requests?: boolean
  /** How authorization responses are signed for the modes that end in `jwt` (JARM section 3). */
  readonly authorization_signed_response_alg?: JwsAlgorithm
  readonly authorization_encrypted_response_alg?: string
  readonly authorization_encrypted_response_enc?: string
  /** How ID tokens are encrypted to the client; absent means not at all. */
  readonly id_token_encrypted_response_alg?: string
  readonly id_token_encrypted_response_enc?: string
  /** How `/userinfo` answers; absent means JSON. */
  readonly userinfo_signed_response_alg?: JwsAlgorithm
  readonly userinfo_encrypted_response_alg?: string
  readonly userinfo_encrypted_response_enc?: string
  /** Where the browser may go after a logout (RP-Initiated Logout section 3.1). */
  readonly post_logout_redirect_uris?: readonly string[]
  /** Takes logout tokens (Back-Channel Logout section 2.2). */
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required?: boolean
  /** Shown in a frame after a logout (Front-Channel Logout section 2). */
  readonly frontchannel_logout_uri?: string
  readonly frontchannel_logout_session_required?: boolean
  /** For requests without `max_age`. */
  readonly default_max_age?: number
  /** Every ID token has `auth_time`. */
  readonly require_auth_time?: boolean
  /** Stricter than that of the service; absent means that of the service. */
  readonly profile?: SecurityProfile
  /** Every token is bound to a key by DPoP (RFC 9449 section 5.2). */
  readonly dpop_bound_access_tokens?: boolean
  /** Every token is bound to the certificate of the connection (RFC 8705 section 3.4). */
  readonly tls_client_certificate_bound_access_tokens?: boolean
  /** The name in the certificate of a client of `tls_client_auth`: one of them (RFC 8705 section 2.1.2). */
  readonly tls_client_auth_subject_dn?: string
  readonly tls_client_auth_san_dns?: string
  readonly tls_client_auth_san_uri?: string
  readonly tls_client_auth_san_ip?: string
  readonly tls_client_auth_san_email?: string
  /** For requests without `acr_values`, the preferred first. */
  readonly default_acr_values?: readonly string[]
  /** The types of details that the client may ask for (RFC 9396 section 10). */
  readonly authorization_details_types?: readonly string[]
}

/** The copy of a metadata document that a client was made from. Times in unix seconds. */
export interface DocumentCopy {
  readonly etag: string | null
  readonly fetchedAt: number
  /** Until then it is not fetched again. */
  readonly freshUntil: number
  /** Until then it serves if the host does not answer. */
  readonly usableUntil: number
}

/** The host that vouches for a client by a document; null for every other client. */
export const findDocumentHost = (
  client: Pick<Client, 'registeredBy'> & { readonly id: string },
): string | null =>
  client.registeredBy === 'itself' && /^https?:\/\//.test(client.id)
    ? (URL.parse(client.id)?.host ?? null)
    : null
