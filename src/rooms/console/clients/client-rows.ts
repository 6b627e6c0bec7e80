/** The URLs of the console about applications. Each form can be reached by GET, too: the proof of an operator leads back there. */
import type { RouteRow } from '../../enter.ts'
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

export const clientRows: readonly RouteRow[] = [
  ['GET', '/admin/clients', showClients, 'page', 'closed'],
  ['GET', '/admin/new-client', showNewClient, 'page', 'closed'],
  ['POST', '/admin/new-client', createConsoleClient, 'page', 'closed'],
  ['GET', of, showClient, 'page', 'closed'],
  ['POST', of, actOnClient, 'page', 'closed'],
  ['GET', `${of}/test`, showClient, 'page', 'closed'],
  ['POST', `${of}/test`, testClientUri, 'page', 'closed'],
  ['GET', `${of}/try`, showTrial, 'page', 'closed'],
  ['POST', `${of}/try`, beginTrial, 'page', 'closed'],
  ['GET', '/admin/trial', finishTrial, 'page', 'closed'],
  ['GET', `${of}/edit`, showClientForm, 'page', 'closed'],
  ['POST', `${of}/edit`, changeConsoleClient, 'page', 'closed'],
]
