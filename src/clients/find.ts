/** Finds clients by their ids. */
import type { Client } from '../model/client.ts'
import { isClientId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'

/**
 * Null also for a disabled client, unless asked for.
 *
 * @param text from a request, so it may be anything: what cannot be an id does not reach the store
 */
export const findClient = async (
  text: string,
  { store }: { readonly store: Pick<Store, 'findClient'> },
  also?: 'disabled',
): Promise<Client | null> => (isClientId(text) ? store.findClient(text, also) : null)
