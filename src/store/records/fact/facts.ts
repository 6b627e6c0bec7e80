/** What a store notes about itself: single texts by name, changed by compare-and-set. */

import { first, text } from '../../sql/row.ts'
import { type Read, type Step, statement } from '../../sql/statement.ts'
import type { FactId } from '../../store.ts'

export const findFact = async (read: Read, id: FactId): Promise<string | null> => {
  const row = first(await read('select value from facts where id = ?', [id]))
  return row && text(row.value)
}

/** @param from what the fact says until now; null = it is not there */
export function* setFact(id: FactId, from: string | null, to: string): Step<boolean> {
  const set =
    from === null
      ? statement(
          'insert into facts (id, value) values (?, ?) on conflict (id) do nothing returning id',
          id,
          to,
        )
      : statement(
          'update facts set value = ? where id = ? and value = ? returning id',
          to,
          id,
          from,
        )
  return (yield set).length > 0
}
