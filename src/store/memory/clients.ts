/** Remembered clients. That there is none of an id is not remembered. */
import { limits } from '../../config/limits.ts'
import type { Client } from '../../model/client.ts'
import type { ClientSteps } from '../client-steps.ts'
import type { Marks } from './marks.ts'
import { Remembered } from './remembered.ts'
import { theClient, theEndings } from './things.ts'

type ClientReads = Pick<ClientSteps, 'findClient'>

export const rememberClients = (store: ClientReads, marks: Marks): ClientReads => {
  const clients = new Remembered<Client>(marks, limits.remembered.clientBytes)
  const remember = (client: Client): void => {
    const { id } = client
    if (!clients.expects(id)) return
    const things = client.hasEndings ? [theClient(id)] : [theClient(id), theEndings(id)]
    clients.keep(id, client, things)
  }
  return {
    findClient(id, also) {
      const client = clients.find(id)
      if (client === undefined) return marks.read(() => store.findClient(id, also), remember)
      return Promise.resolve(client.disabled && also === undefined ? null : client)
    },
  }
}
