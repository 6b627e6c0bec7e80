/** Remembered items and pages of them. */
import type { Item } from '../../model/item.ts'
import type { ItemSteps } from '../contract/resource.ts'
import type { Page } from '../contract/trace.ts'
import type { CacheBytes } from './bytes.ts'
import type { Marks } from './marks.ts'
import type { Recall } from './recall.ts'
import { Remembered } from './remembered.ts'
import { theItems, theKept } from './things.ts'

type ItemReads = Pick<ItemSteps, 'listItems' | 'findItem'>

const idOfPage = (
  ...[holder, resource, after, limit]: Parameters<ItemReads['listItems']>
): string => `${resource}/${limit}/${after ?? ''}/${holder}`

const idOfItem = (...[holder, resource, itemId]: Parameters<ItemReads['findItem']>): string =>
  `${resource}/${itemId}/${holder}`

export const rememberItems = (
  store: ItemReads,
  marks: Marks,
  bytes: CacheBytes,
  recall: Recall,
): ItemReads => {
  const pages = new Remembered<Page<Item>>(marks, bytes.pages)
  const items = new Remembered<Item>(marks, bytes.items)
  return {
    listItems: recall<Parameters<ItemReads['listItems']>, Page<Item>>(
      (...args) => pages.find(idOfPage(...args)),
      (holder, resource, after, limit) =>
        marks.read(
          () => store.listItems(holder, resource, after, limit),
          (read) => {
            const id = idOfPage(holder, resource, after, limit)
            if (pages.expects(id))
              pages.keep(id, read, [theItems(holder, resource), theKept(holder)])
          },
        ),
    ),
    findItem: recall<Parameters<ItemReads['findItem']>, Item | null>(
      (...args) => items.find(idOfItem(...args)),
      (holder, resource, itemId) =>
        marks.read(
          () => store.findItem(holder, resource, itemId),
          (read) => {
            const id = idOfItem(holder, resource, itemId)
            if (items.expects(id))
              items.keep(id, read, [theItems(holder, resource), theKept(holder)])
          },
        ),
    ),
  }
}
