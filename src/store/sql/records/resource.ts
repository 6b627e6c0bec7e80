/** Resources, and the URIs that are taken. */
import type { ResourceSteps } from '../../resource-steps.ts'
import type { StoreRecord } from '../record.ts'
import * as resources from '../resources.ts'
import { traceTable } from '../table.ts'

export const resourceRecord: StoreRecord<ResourceSteps> = {
  tables: [
    traceTable(
      'resources',
      ['name'],
      ['position', 'uri', 'details', 'revision', 'deleted_at'],
      'all',
    ),
    traceTable('resource_uris', ['uri'], ['name'], 'all'),
  ],
  reads: { listResources: resources.listResources },
  steps: {
    createResource: resources.createResource,
    changeResource: resources.changeResource,
    deleteResource: resources.deleteResource,
  },
  invalidates: {
    createResource: 'nothing',
    changeResource: 'nothing',
    deleteResource: 'nothing',
  },
}
