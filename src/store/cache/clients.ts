/** Remembered clients. That there is none of an id is not remembered. */
import type { Client } from '../../model/client.ts'
import type { ClientSteps } from '../contract/client.ts'
import type { CacheBytes } from './bytes.ts'
import type { Marks } from './marks.ts'
import type { Recall } from './recall.ts'
import { Remembered } from './remembered.ts'
import { theClient, theEndings } from './things.ts'

type ClientReads = Pick<ClientSteps, 'findClient'>

export const rememberClients = (
  store: ClientReads,
  marks: Marks,
  { clients: bytes }: CacheBytes,
  recall: Recall,
): ClientReads => {
  const clients = new Remembered<Client>(marks, bytes)
  const remember = (client: Client): void => {
    const { id } = client
    if (!clients.expects(id)) return
    const things = client.hasEndings ? [theClient(id)] : [theClient(id), theEndings(id)]
    clients.keep(id, client, things)
  }
  return {
    findClient: recall<Parameters<ClientReads['findClient']>, Client | null>(
      (id, also) => {
        const client = clients.find(id)
        return client?.disabled && also === undefined ? null : client
      },
      (id, also) => marks.read(() => store.findClient(id, also), remember),
    ),
  }
}
