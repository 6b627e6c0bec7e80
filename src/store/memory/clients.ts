/** Remembered clients, and which step changes what about them. */
import { limits } from '../../config/limits.ts'
import type { Client } from '../../model/client.ts'
import type { ClientSteps } from '../client-steps.ts'
import type { Marks } from './marks.ts'
import { Remembered } from './remembered.ts'
import { theClient, theEndings, theKept } from './things.ts'

export const rememberClients = (store: ClientSteps, marks: Marks): ClientSteps => {
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
    listClients: store.listClients,
    findClientLogo: store.findClientLogo,
    keepClientLogo: store.keepClientLogo,

    /** That there was none before is not remembered. */
    createClient: store.createClient,
    registerClient: store.registerClient,
    noteClientUse: store.noteClientUse,
    listDueRegistrations: store.listDueRegistrations,
    postponeRegistration: store.postponeRegistration,
    changeClient: (id, change, trace) =>
      marks.change([theClient(id)], () => store.changeClient(id, change, trace)),
    endClientTokens: (id, salts, trace) =>
      marks.change([theClient(id)], () => store.endClientTokens(id, salts, trace)),
    changeOwnClient: (id, ...args) =>
      marks.change([theClient(id)], () => store.changeOwnClient(id, ...args)),
    deleteClient: (id, trace) =>
      marks.change([theClient(id), theKept(`client:${id}`)], () => store.deleteClient(id, trace)),
    deleteOwnClient: (id, ...args) =>
      marks.change([theClient(id), theKept(`client:${id}`)], () =>
        store.deleteOwnClient(id, ...args),
      ),
    removeIdleClient: (id, trace) =>
      marks.change([theClient(id), theKept(`client:${id}`)], () =>
        store.removeIdleClient(id, trace),
      ),
  }
}
