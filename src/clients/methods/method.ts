/** A client authentication method: one way of a client to prove its identity (RFC 6749 section 2.3). */
import type { Settings } from '../../config/settings.ts'
import type { Vault } from '../../crypto/wrap.ts'
import type { RefusalCounter } from '../../events/refusal-counter.ts'
import type { UsedUp } from '../../events/used-up.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Client, Registration } from '../../model/client.ts'
import type { Meter } from '../../model/metric.ts'
import type { Tell } from '../../model/notice.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { ClientKeys } from '../keys.ts'
import type { PlatformKeys } from '../platform-keys.ts'

/** RFC 9110 asks every 401 for a challenge; Basic is what any client can answer. */
const challenge = { 'WWW-Authenticate': 'Basic realm="latchkey", charset="UTF-8"' }

/** All failures share one description, so that nobody learns which client ids exist. */
export const invalidClient = (
  reason: string,
  description = 'client authentication failed',
): Refusal => new Refusal('invalid_client', reason, description, { headers: challenge })

export const missingClientId = (): Refusal =>
  invalidClient(
    'missing_client_id',
    'parameter client_id is missing, and there is no Authorization header',
  )

/** The request that presents credentials. */
export type Presenter = Pick<Exchange, 'at' | 'address'>

/** The parts that check credentials. */
export interface ProvingParts {
  readonly store: Store
  readonly settings: Pick<Settings, 'issuer' | 'clientCa' | 'demo' | 'profile'>
  readonly clientKeys: ClientKeys
  readonly platformKeys: PlatformKeys
  readonly refusedAssertions: RefusalCounter
  readonly usedUp: UsedUp
  readonly vault: Vault
  readonly tell: Tell
  readonly meter: Pick<Meter, 'countLax'>
}

export interface PresentedCredentials {
  readonly id: string
  /**
   * Checks the credentials of an enabled client. Tokens are issued for the client that is returned:
   * after an old secret it has the salt of that secret.
   */
  verify(
    client: Client,
    by: Presenter,
    parts: ProvingParts,
  ): Promise<Client | Refusal> | Client | Refusal
}

export interface ClientMethod {
  /** The value of `token_endpoint_auth_method` (RFC 7591 section 2). */
  readonly name: string
  /**
   * Where a request carries the credentials, in words for a refusal. Several methods may share one
   * place: then the registration of the client decides.
   */
  readonly place: string
  /** Other methods whose clients may use this one: most methods have none. */
  readonly alsoFor: readonly string[]
  /** Whether a client of any other method may use this one, too. */
  isAlsoFor?(client: Client): boolean
  /** Whether it reads the connection: then it counts only where the request has no credentials of its own. */
  readonly isOfConnection?: true
  /** Whether the settings allow it; absent where they always do. */
  isOffered?(settings: Pick<Settings, 'trustedProxies' | 'clientCa'>): boolean
  /** Registration issues a client secret and keeps its digest, or also the secret itself, sealed; or it issues nothing. */
  readonly issues: 'secret' | 'sealed secret' | 'nothing'
  /** The algorithms of its assertions, by their names in a JWS. Absent where it has none. */
  readonly signingAlgorithms?: readonly string[]
  /** The member of a registration that is missing for this method; null if there is none. */
  lacks(registration: Registration): string | null
  /** Null if the request does not use this method; a refusal if it uses it wrongly. */
  read(request: HttpRequest, parameters: Parameters): PresentedCredentials | Refusal | null
}
