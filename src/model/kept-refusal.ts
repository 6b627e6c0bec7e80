/** A refused request as it is kept for whoever asks why. The record holds no secret. */
import type { ClientId, OwnerId } from './ids.ts'

/** A parameter or header of the request. In place of a secret stands its kind and its length. */
export interface ReceivedValue {
  readonly name: string
  readonly value: string
}

/** One refused request. */
export interface KeptRefusal {
  /** The id of the request: shown on the page, sent in the answer, and part of the log. */
  readonly reference: string
  /** Unix seconds. */
  readonly at: number
  readonly method: string
  /** The path as the table of routes writes it. */
  readonly route: string
  readonly status: number
  /** The error code that was sent; null for a page with a form. */
  readonly code: string | null
  /** The rule, by its id. */
  readonly reason: string
  /** What the caller was told. */
  readonly description: string
  readonly received: readonly ReceivedValue[]
  /** Values that would have done. */
  readonly expected: readonly string[]
  /** How the received value differs from the nearest expected one, or what is wrong with it. */
  readonly difference: string | null
  /** The client behind it. A request may name one without a proof. */
  readonly clientId: ClientId | null
  /** Whether that client has authenticated, or its access token was accepted. */
  readonly isClientProven: boolean
  readonly ownerId: OwnerId | null
  readonly network: string
}

/**
 * Whose share of the rows a refusal takes. A client counts only where it has proved to be one:
 * a stranger could name any.
 */
export const shareOf = ({
  clientId,
  isClientProven,
  network,
}: Pick<KeptRefusal, 'clientId' | 'isClientProven' | 'network'>): string =>
  isClientProven ? `client ${clientId}` : `network ${network}`
