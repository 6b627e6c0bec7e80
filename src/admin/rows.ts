/** Every URL of the admin API. */
import { problem, type RouteRow } from '../route.ts'
import * as approvals from './authorizations.ts'
import * as clients from './clients.ts'
import * as events from './events.ts'
import * as keys from './keys.ts'
import { openapi } from './openapi.ts'
import * as ownerAccess from './owner-access.ts'
import * as owners from './owners.ts'
import * as refusals from './refusals.ts'
import * as adminResources from './resources.ts'
import * as tokens from './tokens.ts'

const oneClient = '/admin/api/clients/:client_id'

export const adminRows: readonly RouteRow[] = [
  { ...problem, method: 'GET', path: '/admin/api/clients', handler: clients.listClients },
  { ...problem, method: 'POST', path: '/admin/api/clients', handler: clients.createClient },
  { ...problem, method: 'GET', path: '/admin/api/clients/:client_id', handler: clients.readClient },
  {
    ...problem,
    method: 'PATCH',
    path: '/admin/api/clients/:client_id',
    handler: clients.changeClient,
  },
  {
    ...problem,
    method: 'DELETE',
    path: '/admin/api/clients/:client_id',
    handler: clients.deleteClient,
  },
  { ...problem, method: 'POST', path: `${oneClient}/rotate-secret`, handler: clients.rotateSecret },
  { ...problem, method: 'POST', path: `${oneClient}/end-tokens`, handler: clients.endTokens },
  {
    ...problem,
    method: 'POST',
    path: `${oneClient}/revoke-registration`,
    handler: clients.endRegistration,
  },
  { ...problem, method: 'GET', path: '/admin/api/owners', handler: owners.listOwners },
  { ...problem, method: 'POST', path: '/admin/api/owners', handler: owners.createOwner },
  { ...problem, method: 'GET', path: '/admin/api/owners/:id', handler: owners.readOwner },
  { ...problem, method: 'PATCH', path: '/admin/api/owners/:id', handler: owners.changeOwner },
  { ...problem, method: 'DELETE', path: '/admin/api/owners/:id', handler: owners.deleteOwner },
  {
    ...problem,
    method: 'POST',
    path: '/admin/api/owners/:id/set-password',
    handler: owners.setPassword,
  },
  { ...problem, method: 'POST', path: '/admin/api/owners/:id/links', handler: owners.createLink },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/owners/:id/sessions',
    handler: ownerAccess.listSessions,
  },
  {
    ...problem,
    method: 'POST',
    path: '/admin/api/owners/:id/end-sessions',
    handler: ownerAccess.endSessions,
  },
  {
    ...problem,
    method: 'POST',
    path: '/admin/api/owners/:id/end-access',
    handler: ownerAccess.endAccess,
  },
  {
    ...problem,
    method: 'DELETE',
    path: '/admin/api/owners/:id/factors',
    handler: owners.resetFactors,
  },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/resources',
    handler: adminResources.listResources,
  },
  {
    ...problem,
    method: 'POST',
    path: '/admin/api/resources',
    handler: adminResources.createResource,
  },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/resources/:name',
    handler: adminResources.readResource,
  },
  {
    ...problem,
    method: 'PATCH',
    path: '/admin/api/resources/:name',
    handler: adminResources.changeResource,
  },
  {
    ...problem,
    method: 'DELETE',
    path: '/admin/api/resources/:name',
    handler: adminResources.deleteResource,
  },
  { ...problem, method: 'GET', path: '/admin/api/keys', handler: keys.listKeys },
  { ...problem, method: 'POST', path: '/admin/api/keys', handler: keys.rotateKeys },
  { ...problem, method: 'DELETE', path: '/admin/api/keys/:id', handler: keys.withdrawKey },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/authorizations',
    handler: approvals.listAuthorizations,
  },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/authorizations/:id',
    handler: approvals.readAuthorization,
  },
  {
    ...problem,
    method: 'PATCH',
    path: '/admin/api/authorizations/:id',
    handler: approvals.changeAuthorization,
  },
  {
    ...problem,
    method: 'DELETE',
    path: '/admin/api/authorizations/:id',
    handler: approvals.endAuthorization,
  },
  { ...problem, method: 'POST', path: '/admin/api/tokens/inspect', handler: tokens.inspect },
  { ...problem, method: 'POST', path: '/admin/api/tokens/revoke', handler: tokens.revoke },
  { ...problem, method: 'GET', path: '/admin/api/events', handler: events.listEvents },
  { ...problem, method: 'GET', path: '/admin/api/openapi.json', handler: openapi },
  { ...problem, method: 'GET', path: '/admin/api/refusals', handler: refusals.listRefusals },
  {
    ...problem,
    method: 'GET',
    path: '/admin/api/refusals/:reference',
    handler: refusals.readRefusal,
  },
]
