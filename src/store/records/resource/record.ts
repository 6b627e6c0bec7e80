/** Resources, and the URIs that are taken. */
import type { ResourceSteps } from '../../contract/resource.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as resources from './resources.ts'

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
