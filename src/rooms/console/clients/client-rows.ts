/** The URLs of the console about applications. Each form can be reached by GET, too: the proof of an operator leads back there. */
import { type FormerRow, page } from '../../../route.ts'
import { actOnClient, showClient, testClientUri } from './client.ts'
import {
  changeConsoleClient,
  createConsoleClient,
  showClientForm,
  showNewClient,
} from './client-form.ts'
import { showClients } from './clients.ts'
import { beginTrial, finishTrial, showTrial } from './trial.ts'

const of = '/admin/clients/:client_id'

export const clientRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/admin/clients', handler: showClients },
  { ...page, method: 'GET', path: '/admin/new-client', handler: showNewClient },
  { ...page, method: 'POST', path: '/admin/new-client', handler: createConsoleClient },
  { ...page, method: 'GET', path: of, handler: showClient },
  { ...page, method: 'POST', path: of, handler: actOnClient },
  { ...page, method: 'GET', path: `${of}/test`, handler: showClient },
  { ...page, method: 'POST', path: `${of}/test`, handler: testClientUri },
  { ...page, method: 'GET', path: `${of}/try`, handler: showTrial },
  { ...page, method: 'POST', path: `${of}/try`, handler: beginTrial },
  { ...page, method: 'GET', path: '/admin/trial', handler: finishTrial },
  { ...page, method: 'GET', path: `${of}/edit`, handler: showClientForm },
  { ...page, method: 'POST', path: `${of}/edit`, handler: changeConsoleClient },
]
