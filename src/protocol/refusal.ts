/** A refusal: the answer to a request that is not granted (RFC 6749 sections 4.1.2.1 and 5.2). */
import type { Explanation } from './explanation.ts'

/** Error codes of the RFCs, with the HTTP status each one has unless a refusal says otherwise. */
export const statusOf = {
  // RFC 6749 section 5.2
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  // RFC 6749 section 4.1.2.1
  unsupported_response_type: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 503,
  // OpenID Connect Core section 3.1.2.6
  invalid_request_object: 400,
  invalid_request_uri: 400,
  // OpenID Connect Core section 3.1.2.6, for prompt=none
  login_required: 400,
  consent_required: 400,
  interaction_required: 400,
  // OpenID Connect Core Error Code unmet_authentication_requirements 1.0 section 2
  unmet_authentication_requirements: 400,
  // RFC 6750 section 3.1
  invalid_token: 401,
  insufficient_scope: 403,
  // RFC 9470 section 3
  insufficient_user_authentication: 401,
  // RFC 8628 section 3.5
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  // OpenID CIBA section 13
  unknown_user_id: 400,
  invalid_binding_message: 400,
  // Grant Management section 5.3
  invalid_grant_id: 400,
  // RFC 9396 section 5
  invalid_authorization_details: 400,
  // RFC 9449 section 5
  invalid_dpop_proof: 400,
  // RFC 9449 section 8
  use_dpop_nonce: 400,
  // RFC 7009 section 2.2.1
  unsupported_token_type: 400,
  // RFC 7591 section 3.2.2
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  // RFC 8707 section 2
  invalid_target: 400,
  // Plain HTTP, for the doors that speak no OAuth.
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  too_many_requests: 429,
} as const

/** An error code of an RFC, or of plain HTTP. */
export type ErrorCode = keyof typeof statusOf

/** For the record of refusals alone (`latchkey explain`). The note is never part of the answer. */
export interface RefusalNote {
  /** The client that the request names, if there is such a client. */
  readonly clientId?: string
  /** The value that matched none of the registered ones. */
  readonly given?: string
  readonly registered?: readonly string[]
  /** The name of a parameter that came more than once. */
  readonly repeated?: string
  /** The permissions of an access token that lacks the one needed. */
  readonly granted?: readonly string[]
}

/** What a refusal says beside its code, reason and description. */
export interface RefusalDetails {
  /** HTTP status, where it differs from the one of the code. */
  readonly status?: number
  /** Further response headers, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The scheme of the challenge, where it is not Bearer: `DPoP` (RFC 9449 section 7.1). */
  readonly scheme?: 'DPoP'
  /** For `insufficient_scope`: the scope that would have been enough (RFC 6750 section 3). */
  readonly scope?: string
  /** For `insufficient_user_authentication`: the seconds since a login may be at most (RFC 9470 section 3). */
  readonly maxAge?: number
  /** For the same: values of `acr`, the preferred first, of which the login has to reach one. */
  readonly acrValues?: readonly string[]
  /** Shown in the demo, and to the operator. */
  readonly explanation?: Explanation
  /** The authorization request it is about, form-encoded as it came: a page about it is in its language. */
  readonly parameters?: string
  readonly recorded?: RefusalNote
  /** Whether it is the answer to a question that is asked again and again: neither counted nor kept. */
  readonly isRoutine?: true
}

/**
 * A refusal is a value. A refusal may be thrown anywhere and is rendered in one place
 * (`rooms/refused.ts`). `description` goes to the client. A refusal holds nothing of the request but
 * names of a scope, and their characters were checked. `reason` is a stable word for logs and
 * counters and is never sent.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly reason: string
  readonly description: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly scope: string | null
  readonly maxAge: number | null
  readonly scheme: 'Bearer' | 'DPoP'
  readonly acrValues: readonly string[]
  readonly explanation: Explanation | null
  readonly parameters: string | null
  readonly recorded: RefusalNote
  readonly isRoutine: boolean
  readonly #details: RefusalDetails

  constructor(code: ErrorCode, reason: string, description: string, details: RefusalDetails = {}) {
    super(description)
    this.code = code
    this.reason = reason
    this.description = description
    this.status = details.status ?? statusOf[code]
    this.headers = details.headers ?? {}
    this.scope = details.scope ?? null
    this.maxAge = details.maxAge ?? null
    this.scheme = details.scheme ?? 'Bearer'
    this.acrValues = details.acrValues ?? []
    this.explanation = details.explanation ?? null
    this.parameters = details.parameters ?? null
    this.recorded = details.recorded ?? {}
    this.isRoutine = details.isRoutine ?? false
    this.#details = details
  }

  /** The same refusal, with the request added by a caller that knows it. */
  about(parameters: string): Refusal {
    return new Refusal(this.code, this.reason, this.description, { ...this.#details, parameters })
  }

  /** The same refusal for a token that came under DPoP. Of an API a wrong proof has the status of a wrong token. */
  challengeDpop(): Refusal {
    const ofProof = ['invalid_dpop_proof', 'use_dpop_nonce'].includes(this.code)
    const status = ofProof ? 401 : this.status
    const details = { ...this.#details, status, scheme: 'DPoP' } as const
    return new Refusal(this.code, this.reason, this.description, details)
  }
}

/** The refusal of a malformed request, with the status of its code. */
export const invalidRequest = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

/** The refusal of a request that comes too often. @param seconds to wait */
export const refuseForNow = (reason: string, description: string, seconds: number): Refusal =>
  new Refusal('too_many_requests', reason, description, {
    headers: { 'Retry-After': String(seconds) },
  })

/** Whether it answers a request that carried no access token at all. */
export const isTokenMissing = ({ code, reason }: Refusal): boolean =>
  code === 'invalid_token' && reason === 'missing_token'

/**
 * What is told of a refusal (RFC 6749 section 5.2). A request without a token is told of no error: it
 * did not know that one is needed (RFC 6750 section 3.1).
 *
 * @param errorUri the base of `error_uri`; null without one
 * @param reference for an explanation later; null where nobody keeps one
 */
export const tellRefusal = (
  refusal: Refusal,
  errorUri: string | null,
  reference: string | null = null,
): Readonly<Record<string, string>> => {
  const { code, description } = refusal
  return {
    ...(isTokenMissing(refusal) ? {} : { error: code, error_description: description }),
    ...(errorUri === null || isTokenMissing(refusal) ? {} : { error_uri: errorUri + code }),
    // A routine answer is not kept, so nobody can explain it later.
    ...(reference === null || refusal.isRoutine ? {} : { [referenceMember]: reference }),
  }
}

/**
 * The member of a refusal with its reference. A member of our own has a prefix of our own
 * (RFC 6749 section 8.2).
 */
export const referenceMember = 'latchkey_reference'

/** The header with the same, also on answers without a body. */
export const referenceHeader = 'Latchkey-Reference'
