/** The built-in resources, `/userinfo`, and what proxies and clients ask about both. */

import { bearer, type FormerRow, monitored, published } from '../../route.ts'
import { forwardAuth } from './forward-auth.ts'
import { protectedResourceMetadata, resourcesMetadata } from './resource-metadata.ts'
import {
  createItem,
  deleteItem,
  listItems,
  putItem,
  readItem,
  readItemByForm,
} from './resources.ts'
import { userinfo, userinfoMetadata } from './userinfo.ts'

/** The metadata of resources (RFC 9728 section 3). */
const ofResource = '/.well-known/oauth-protected-resource'

export const apiRows: readonly FormerRow[] = [
  { ...bearer, method: 'GET', path: '/api/:resource', handler: listItems },
  { ...bearer, method: 'POST', path: '/api/:resource', handler: createItem },
  { ...bearer, method: 'GET', path: '/api/:resource/:id', handler: readItem },
  { ...bearer, method: 'POST', path: '/api/:resource/:id', handler: readItemByForm },
  { ...bearer, method: 'PUT', path: '/api/:resource/:id', handler: putItem },
  { ...bearer, method: 'DELETE', path: '/api/:resource/:id', handler: deleteItem },
  { ...bearer, method: 'GET', path: '/userinfo', handler: userinfo, metadata: userinfoMetadata },
  { ...bearer, method: 'POST', path: '/userinfo', handler: userinfo },
  { ...monitored, path: '/forward-auth', handler: forwardAuth },
  {
    ...published,
    path: ofResource,
    handler: protectedResourceMetadata,
    metadata: resourcesMetadata,
  },
  { ...published, path: `${ofResource}/api`, handler: protectedResourceMetadata },
  { ...published, path: `${ofResource}/api/:resource`, handler: protectedResourceMetadata },
  { ...published, path: `${ofResource}/admin/api`, handler: protectedResourceMetadata },
]
