/** The URLs of the console about the service. Each form can be reached by GET, too: the proof of an operator leads back there. */
import type { RouteRow } from '../../enter.ts'
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

export const serviceRows: readonly RouteRow[] = [
  ['GET', '/admin/resources', showResources, 'page', 'closed'],
  ['GET', '/admin/new-resource', showNewResource, 'page', 'closed'],
  ['POST', '/admin/new-resource', createConsoleResource, 'page', 'closed'],
  ['GET', one, showResource, 'page', 'closed'],
  ['POST', one, deleteConsoleResource, 'page', 'closed'],
  ['GET', `${one}/edit`, showResourceForm, 'page', 'closed'],
  ['POST', `${one}/edit`, changeConsoleResource, 'page', 'closed'],
  ['GET', '/admin/upstreams', showUpstreams, 'page', 'closed'],
  ['POST', '/admin/upstreams', checkUpstream, 'page', 'closed'],
  ['GET', '/admin/keys', showKeys, 'page', 'closed'],
  ['POST', '/admin/keys', changeConsoleKeys, 'page', 'closed'],
  ['GET', '/admin/settings', showSettings, 'page', 'closed'],
]
