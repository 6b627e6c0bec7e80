/** Items of the built-in resource server. */

import { theItems } from '../../cache/things.ts'
import type { ItemSteps } from '../../contract/item.ts'
import { table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as items from './items.ts'

export const itemRecord: StoreRecord<ItemSteps> = {
  tables: [
    table('items', ['holder', 'resource', 'id'], ['version', 'fields'], 'all'),
    table('item_counts', ['holder', 'resource'], ['items'], 'all'),
  ],
  reads: { listItems: items.listItems, countItems: items.countItems, findItem: items.findItem },
  steps: { putItem: items.putItem, deleteItem: items.deleteItem },
  invalidates: {
    putItem: ({ holder, resource }) => [theItems(holder, resource)],
    deleteItem: (holder, resource) => [theItems(holder, resource)],
  },
}
