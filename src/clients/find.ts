/** Finds clients by their ids. Nothing else looks for a client, so a further source reaches every request. */
import type { Client } from '../model/client.ts'
import { type ClientId, isClientId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'

interface SourceParts {
  readonly store: Pick<Store, 'findClient'>
}

/** A place where clients come from. */
export interface ClientSource {
  /** @param also `disabled`: also a client that the operator has disabled */
  find(id: ClientId, parts: SourceParts, also?: 'disabled'): Promise<Client | null>
}

const storedClients: ClientSource = {
  find: (id, { store }, also) => store.findClient(id, also),
}

/** Asks the sources in turn. The first one with the client answers. */
export const clientFinder =
  (sources: readonly ClientSource[]) =>
  /** @param text from a request, so it may be anything */
  async (text: string, parts: SourceParts, also?: 'disabled'): Promise<Client | null> => {
    if (!isClientId(text)) return null
    for (const source of sources) {
      const client = await source.find(text, parts, also)
      if (client !== null) return client
    }
    return null
  }

/** Null also for a disabled client, unless asked for. */
export const findClient = clientFinder([storedClients])
