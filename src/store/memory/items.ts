/** Remembered items and pages of them. */
import { limits } from '../../config/limits.ts'
import type { Item } from '../../model/item.ts'
import type { ItemSteps } from '../item-steps.ts'
import type { Page } from '../trace.ts'
import type { Marks } from './marks.ts'
import { Remembered } from './remembered.ts'
import { theItems, theKept } from './things.ts'

type ItemReads = Pick<ItemSteps, 'listItems' | 'findItem'>

export const rememberItems = (store: ItemReads, marks: Marks): ItemReads => {
  const pages = new Remembered<Page<Item>>(marks, limits.remembered.itemBytes)
  const items = new Remembered<Item>(marks, limits.remembered.itemBytes)
  return {
    listItems(holder, resource, after, limit) {
      const id = `${resource}/${limit}/${after ?? ''}/${holder}`
      const page = pages.find(id)
      if (page !== undefined) return Promise.resolve(page)
      return marks.read(
        () => store.listItems(holder, resource, after, limit),
        (read) => {
          if (pages.expects(id)) pages.keep(id, read, [theItems(holder, resource), theKept(holder)])
        },
      )
    },
    findItem(holder, resource, itemId) {
      const id = `${resource}/${itemId}/${holder}`
      const item = items.find(id)
      if (item !== undefined) return Promise.resolve(item)
      return marks.read(
        () => store.findItem(holder, resource, itemId),
        (read) => {
          if (items.expects(id)) items.keep(id, read, [theItems(holder, resource), theKept(holder)])
        },
      )
    },
  }
}
