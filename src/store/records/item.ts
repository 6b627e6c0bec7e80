/** Items of the built-in resource server. */

import type { Holder } from '../../model/ids.ts'
import type { Condition, Item } from '../../model/item.ts'
import { getItemsKey } from '../cache/things.ts'
import type { ItemSteps, PutItem } from '../contract/resource.ts'
import { defineTable } from '../sql/columns.ts'
import { pageOf } from '../sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { findFirst, integer, text } from '../sql/row.ts'
import { findOne, type Piece, type Step, sql, touches } from '../sql/statement.ts'

const items = defineTable<Item>(
  'items',
  {
    holder: 'beside text',
    resource: 'beside text',
    id: 'text',
    version: 'text',
    fields: 'json',
  },
  { key: 'holder resource id', restored: 'all' },
)

const itemCounts = defineTable(
  'item_counts',
  { holder: 'text', resource: 'text', items: 'small' },
  { key: 'holder resource', restored: 'all' },
)

const isOneOf = (version: string | null, versions: readonly string[] | '*'): boolean =>
  version !== null && (versions === '*' || versions.includes(version))

/** @param version of the item as it stands, null where there is none */
const isMet = ({ ifMatch, ifNoneMatch }: Condition, version: string | null): boolean =>
  (ifMatch === undefined || isOneOf(version, ifMatch)) &&
  (ifNoneMatch === undefined || !isOneOf(version, ifNoneMatch))

const listItems: Reads['listItems'] = async (read, holder, resource, after, limit) => {
  const query = `select id, fields, version from items
    where holder = ? and resource = ? and id > ? order by id limit ?`
  const rows = await read(query, [holder, resource, after ?? '', limit + 1])
  return pageOf(rows, limit, items.decode, (item) => item.id)
}

const countItems: Reads['countItems'] = async (read, holder) => {
  const query = 'select resource, items from item_counts where holder = ? and items > 0'
  const rows = await read(query, [holder])
  return new Map(rows.map((row) => [text(row.resource), integer(row.items)]))
}

const findItem: Reads['findItem'] = async (read, holder, resource, id) => {
  const query = 'select id, fields, version from items where holder = ? and resource = ? and id = ?'
  const row = findFirst(await read(query, [holder, resource, id]))
  return row && items.decode(row)
}

type ItemPlace = Pick<PutItem, 'holder' | 'resource' | 'id'>

const matchPlace = ({ holder, resource, id }: ItemPlace): Piece =>
  sql`holder = ${holder} and resource = ${resource} and id = ${id}`

function* findVersion(place: ItemPlace): Step<string | null> {
  const row = yield* findOne(sql`select version from items where ${matchPlace(place)}`)
  return row && text(row.version)
}

/** @returns null where somebody else created the item meanwhile */
function* createItem(put: PutItem): Step<'created' | 'full' | null> {
  const created = yield sql`insert into items (holder, resource, id, version, fields)
    values (${put.holder}, ${put.resource}, ${put.id}, ${put.version},
      ${JSON.stringify(put.fields)})
    on conflict (holder, resource, id) do nothing returning id`
  if (created.length === 0) return null
  // Items are counted in a row of their own: counting them anew would grow slower with each one.
  const claimed = sql`insert into item_counts (holder, resource, items)
    values (${put.holder}, ${put.resource}, 1)
    on conflict (holder, resource) do update set items = item_counts.items + 1
    where item_counts.items < ${put.mostItems} returning items`
  if (put.mostItems > 0 && (yield* touches(claimed))) return 'created'
  yield sql`delete from items where ${matchPlace(put)}`
  return 'full'
}

const putItem: Steps['putItem'] = function* (put) {
  for (;;) {
    const version = yield* findVersion(put)
    if (!isMet(put.condition, version)) return 'precondition_failed'
    if (version === null) {
      const outcome = yield* createItem(put)
      if (outcome !== null) return outcome
    } else {
      if (put.createOnly) return 'precondition_failed'
      const { version: next, fields } = put
      // Somebody else may have changed the item meanwhile.
      const replaced = sql`update items set ${items.set({ version: next, fields })}
        where ${matchPlace(put)} and version = ${version} returning id`
      if (yield* touches(replaced)) return 'replaced'
    }
  }
}

const deleteItem: Steps['deleteItem'] = function* (holder, resource, id, condition) {
  for (;;) {
    const place = { holder, resource, id }
    const version = yield* findVersion(place)
    if (version === null) return 'unknown'
    if (!isMet(condition, version)) return 'precondition_failed'
    const deleted = sql`delete from items where ${matchPlace(place)} and version = ${version} returning id`
    if (!(yield* touches(deleted))) continue
    yield sql`update item_counts set items = items - 1
      where holder = ${holder} and resource = ${resource}`
    return 'deleted'
  }
}

/** A piece of what an owner or a client kept. */
export function* deleteItemsOf(holder: Holder, most: number): Step<number> {
  const went = (yield sql`delete from items
    where holder = ${holder} and (resource, id) in (select resource, id from items
      where holder = ${holder} order by resource, id limit ${most}) returning id`).length
  if (went < most) yield sql`delete from item_counts where holder = ${holder}`
  return went
}

export const itemRecord: StoreRecord<ItemSteps> = {
  tables: [items, itemCounts],
  reads: { listItems, countItems, findItem },
  steps: { putItem, deleteItem },
  invalidates: {
    putItem: ({ holder, resource }) => [getItemsKey(holder, resource)],
    deleteItem: (holder, resource) => [getItemsKey(holder, resource)],
  },
}
