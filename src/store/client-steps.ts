/** The contract about clients (RFC 7591). */
import type { Client, ClientChange } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import type { Page, Trace } from './trace.ts'

export interface ClientSteps {
  findClient(id: ClientId, also?: 'disabled'): Promise<Client | null>
  listClients(after: string | null, limit: number): Promise<Page<Client>>
  createClient(client: Client, trace: Trace): Promise<'created' | 'taken'>
  /**
   * Atomic: two changes of different fields at once both hold, and so do redirect URIs that are
   * added; where there would be too many of them, nothing is changed. Answers the client as it is
   * after that. Tells `client.changed` or `client.secret_rotated`.
   */
  changeClient(id: ClientId, change: ClientChange, trace: Trace): Promise<Client | null>
  /** Also ends every authorization for it and deletes its items. */
  deleteClient(id: ClientId, trace: Trace): Promise<boolean>
}
