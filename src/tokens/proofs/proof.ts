/** Proofs of possession: ways of a client to show the key that its tokens are bound to (RFC 7800). */
import type { Settings } from '../../config/settings.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { UsedUp } from '../../events/used-up.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Client } from '../../model/client.ts'
import type { ClientId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Meter } from '../../model/metric.ts'
import type { Confirmation } from '../../model/terms.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { Scheme } from '../../resource/proof.ts'
import type { Store } from '../../store/store.ts'

export interface ProofParts {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
  readonly usedUp: UsedUp
  readonly meter: Pick<Meter, 'countLax'>
}

/** A request at an API: its access token, and what a proof there was made for. */
export interface ProvenUse extends Pick<Exchange, 'request' | 'peer' | 'at'> {
  readonly token: string
  readonly scheme: Scheme
  /** The request that a proxy asks about, if it is another one. */
  readonly about?: { readonly method: string; readonly url: URL }
}

/** The key that a request has proved to have. */
export interface ProvenKey {
  readonly confirmation: Confirmation
  /**
   * Uses the proof up. A stranger can prove keys of its own. So the grant does this after the credential is found
   * right, and before it is used. Only for clients of the operator that have proved themselves it comes first.
   *
   * @throws Refusal for a proof that came before, and for too many of a self-registered client
   */
  claim(): Promise<void>
}

export interface OpenProof {
  /**
   * The key that a request of this client for tokens proves; null without a proof.
   *
   * @throws Refusal for a wrong proof
   */
  prove(exchange: Exchange, client: Client): Promise<ProvenKey | null>
  /** @throws Refusal unless the request proves to have the key that its token is bound to */
  hold(confirmation: Confirmation, use: ProvenUse, clientId: ClientId): Promise<void>
  /** Headers of each answer to a request; null for none. */
  offer?(exchange: Exchange): Readonly<Record<string, string>> | null
}

export interface ProofOfPossession {
  /** The member of `cnf` that names its keys (RFC 7800 section 3.1). */
  readonly method: string
  /** The member of a registration that demands it for every token. */
  readonly member: 'dpop_bound_access_tokens' | 'tls_client_certificate_bound_access_tokens'
  /** The request header with the proof, in lower case. */
  readonly header: string
  /** The refusal of a request that lacks such a proof. */
  missing(): Refusal
  /** The refusal of a request that proves another key than that of its code or refresh token. */
  other(): Refusal
  /** Members of the metadata of the service. */
  describe(settings: Settings): JsonObject
  open(parts: ProofParts): OpenProof
}
