/** What a grant is: one way to prove that something may be issued (RFC 6749 section 1.3). */

import type { Resources } from '../access/resources.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { Settings } from '../config/settings.ts'
import type { Passwords } from '../crypto/password.ts'
import type { RefusalCounter } from '../events/refusal-counter.ts'
import type { UsedUp } from '../events/used-up.ts'
import type { Caller } from '../model/actor.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject } from '../model/json.ts'
import type { Tell } from '../model/notice.ts'
import type { Tries } from '../owners/tries.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { OwnedGiven } from '../store/placed-id.ts'
import type { Store } from '../store/store.ts'
import type { Earned } from '../tokens/issue.ts'
import type { ProvenKey } from '../tokens/proofs/proof.ts'
import type { Tokens } from '../tokens/tokens.ts'

export interface GrantRequest {
  /** Authenticated, not disabled, and registered for this grant type. Its scope names what exists. */
  readonly client: Client
  /** The form; no parameter repeated, empty ones absent. */
  readonly parameters: Parameters
  /** Whose request it is, for limits on guessing. */
  readonly address: string
  /** The key that the request proves to have, as in a DPoP proof; null without one. */
  readonly key: ProvenKey | null
  /** Who is behind the request. The grant notes the owner whose password it tries. */
  readonly caller: Caller
  /** When and in which request; `trace.at` is now, in unix seconds. */
  readonly trace: Trace
}

export interface GrantParts extends OwnedGiven {
  readonly settings: Settings
  readonly store: Store
  readonly passwords: Passwords
  readonly tries: Tries
  readonly clientKeys: ClientKeys
  readonly refusedAssertions: RefusalCounter
  readonly usedUp: UsedUp
  readonly resources: Resources
  readonly tell: Tell
  readonly tokens: Pick<
    Tokens,
    'redeemCode' | 'verifyRefresh' | 'verifyAccess' | 'readChain' | 'findFormatEnd'
  >
}

/** @throws Refusal where nothing is earned */
export type Redeem = (request: GrantRequest) => Promise<Earned>

/**
 * A grant only proves its credential. A grant speaks no HTTP, authenticates no client and mints nothing:
 * once opened, it says what was earned.
 */
export interface Grant {
  /** The value of `grant_type`; an absolute URI for an extension (RFC 6749 section 4.5). */
  readonly type: string
  /**
   * The clients that may use it: `confidential` ones authenticate, and the operator chose the
   * `trusted` ones.
   */
  readonly clients: 'any' | 'confidential' | 'trusted'
  /** Whether it reads `authorization_details`; otherwise a request with it is refused. */
  readonly takesDetails?: true
  /** Whether its clients ask again and again: then a proof is used up only where something is earned. */
  readonly isPolled?: true
  /** Whether it reads `audience`, which means the same as `resource` (RFC 8693 section 2.1). */
  readonly takesAudience?: true
  /** Names of members that it adds to the token response, beside those of every response. */
  readonly members?: readonly string[]
  /** Members of the metadata of the service, beside the name of the grant type. */
  readonly metadata?: JsonObject
  /** Prepares the grant, once at the start. */
  open(parts: GrantParts): Redeem
}
