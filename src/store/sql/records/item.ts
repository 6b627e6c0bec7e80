/** Items of the built-in resource server. */
import type { ItemSteps } from '../../item-steps.ts'
import { theItems } from '../../memory/things.ts'
import * as items from '../items.ts'
import type { StoreRecord } from '../record.ts'
import { table } from '../table.ts'

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
