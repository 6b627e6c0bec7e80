/** The URLs of the console about users, their access, and events. */
import { type FormerRow, page } from '../../../route.ts'
import { endConsoleAuthorization, showAuthorizations } from '../events/authorizations.ts'
import { showConsoleEvents } from '../events/events.ts'
import { actOnOwner, showOwner } from './owner.ts'
import { inviteOwner, showOwners } from './owners.ts'

export const ownerRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/admin/owners', handler: showOwners },
  { ...page, method: 'POST', path: '/admin/owners', handler: inviteOwner },
  { ...page, method: 'GET', path: '/admin/owners/:id', handler: showOwner },
  { ...page, method: 'POST', path: '/admin/owners/:id', handler: actOnOwner },
  { ...page, method: 'GET', path: '/admin/authorizations', handler: showAuthorizations },
  { ...page, method: 'POST', path: '/admin/authorizations', handler: endConsoleAuthorization },
  { ...page, method: 'GET', path: '/admin/events', handler: showConsoleEvents },
]
