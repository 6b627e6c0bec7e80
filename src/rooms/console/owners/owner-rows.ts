/** The URLs of the console about users, their access, and events. */
import type { RouteRow } from '../../enter.ts'
import { endConsoleAuthorization, showAuthorizations } from '../events/authorizations.ts'
import { showConsoleEvents } from '../events/events.ts'
import { actOnOwner, showOwner } from './owner.ts'
import { inviteOwner, showOwners } from './owners.ts'

export const ownerRows: readonly RouteRow[] = [
  ['GET', '/admin/owners', showOwners, 'page', 'closed'],
  ['POST', '/admin/owners', inviteOwner, 'page', 'closed'],
  ['GET', '/admin/owners/:id', showOwner, 'page', 'closed'],
  ['POST', '/admin/owners/:id', actOnOwner, 'page', 'closed'],
  ['GET', '/admin/authorizations', showAuthorizations, 'page', 'closed'],
  ['POST', '/admin/authorizations', endConsoleAuthorization, 'page', 'closed'],
  ['GET', '/admin/events', showConsoleEvents, 'page', 'closed'],
]
