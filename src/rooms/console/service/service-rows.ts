/** The URLs of the console about the service. Each form can be reached by GET, too: the proof of an operator leads back there. */
import { type FormerRow, page } from '../../../route.ts'
import { changeConsoleKeys, showKeys } from './keys.ts'
import {
  changeConsoleResource,
  createConsoleResource,
  deleteConsoleResource,
  showNewResource,
  showResource,
  showResourceForm,
  showResources,
} from './resources.ts'
import { showSettings } from './settings.ts'
import { checkUpstream, showUpstreams } from './upstreams.ts'

const one = '/admin/resources/:name'

export const serviceRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/admin/resources', handler: showResources },
  { ...page, method: 'GET', path: '/admin/new-resource', handler: showNewResource },
  { ...page, method: 'POST', path: '/admin/new-resource', handler: createConsoleResource },
  { ...page, method: 'GET', path: one, handler: showResource },
  { ...page, method: 'POST', path: one, handler: deleteConsoleResource },
  { ...page, method: 'GET', path: `${one}/edit`, handler: showResourceForm },
  { ...page, method: 'POST', path: `${one}/edit`, handler: changeConsoleResource },
  { ...page, method: 'GET', path: '/admin/upstreams', handler: showUpstreams },
  { ...page, method: 'POST', path: '/admin/upstreams', handler: checkUpstream },
  { ...page, method: 'GET', path: '/admin/keys', handler: showKeys },
  { ...page, method: 'POST', path: '/admin/keys', handler: changeConsoleKeys },
  { ...page, method: 'GET', path: '/admin/settings', handler: showSettings },
]
