/** The contract about clients (RFC 7591). */
import type { Client, ClientChange } from '../model/client.ts'
import type { ClientLogo } from '../model/client-logo.ts'
import type { ClientId, Digest } from '../model/ids.ts'
import type { Page, Trace } from './trace.ts'

export type OwnChange =
  | { readonly outcome: 'changed'; readonly client: Client }
  /** The client is gone or disabled, or its registration token has ended. */
  | { readonly outcome: 'gone' }
  /** The operator has set these members (RFC 7591). */
  | { readonly outcome: 'held'; readonly members: readonly string[] }
  /** It has changed itself too often: again in so many seconds. */
  | { readonly outcome: 'too_often'; readonly seconds: number }

export interface ClientSteps {
  findClient(id: ClientId, also?: 'disabled'): Promise<Client | null>
  listClients(after: string | null, limit: number): Promise<Page<Client>>
  createClient(client: Client, trace: Trace): Promise<'created' | 'taken'>
  /**
   * Atomic: two changes of different fields at once both hold, and so do redirect URIs that are
   * added; where there would be too many of them, nothing is changed. Answers the client as it is
   * after that. Notes what the operator has set of a client that registered itself. Another secret or
   * method, disabling and a shorter lifetime of access tokens end the client's own tokens, by the new
   * salt. Tells `client.changed`, `client.secret_rotated` or `client.registration_revoked`.
   */
  changeClient(id: ClientId, change: ClientChange, trace: Trace): Promise<Client | null>
  /**
   * Ends the client's own tokens, and all codes and tokens of its owners, by new salts. What owners
   * approved stays. Tells `client.tokens_ended`.
   */
  endClientTokens(
    id: ClientId,
    salts: { readonly own: string; readonly family: string },
    trace: Trace,
  ): Promise<Client | null>
  /**
   * A change by the client itself, so often in a day and no more. Tells `client.changed_itself` where
   * approvals that it has got hold no more.
   *
   * @param registration the digest of its registration token, which has to be in force
   */
  changeOwnClient(
    id: ClientId,
    registration: Digest,
    change: ClientChange,
    trace: Trace,
  ): Promise<OwnChange>
  findClientLogo(clientId: ClientId): Promise<ClientLogo | null>
  /** Takes the place of the one before. False where there is no such client. */
  keepClientLogo(logo: ClientLogo): Promise<boolean>
  /** Also ends every authorization for it and deletes its items. */
  deleteClient(id: ClientId, trace: Trace): Promise<boolean>
}
