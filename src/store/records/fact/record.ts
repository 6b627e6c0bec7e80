/** What a store notes about itself. */
import { defineTable } from '../../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../../sql/record.ts'
import { first, text } from '../../sql/row.ts'
import { sql } from '../../sql/statement.ts'
import type { FactId, FactSteps } from '../../store.ts'

const findFact: Reads['findFact'] = async (read, id) => {
  const row = first(await read('select value from facts where id = ?', [id]))
  return row && text(row.value)
}

/** @param from what the fact says until now; null = it is not there */
export const setFact: Steps['setFact'] = function* (id, from, to) {
  const set =
    from === null
      ? sql`insert into facts (id, value)
        values (${id}, ${to})
        on conflict (id) do nothing returning id`
      : sql`update facts set value = ${to} where id = ${id} and value = ${from} returning id`
  return (yield set).length > 0
}

/** Another root secret may follow. That it was a demo stays true, and clients keep the subjects they know. */
const kept: readonly FactId[] = ['demo', 'pairwise secret']

const facts = defineTable(
  'facts',
  { id: 'text', value: 'text' },
  {
    key: 'id',
    restored: (rows) => rows.filter(([id]) => kept.some((known) => known === id)),
    isTrace: true,
  },
)

export const factRecord: StoreRecord<FactSteps> = {
  tables: [facts],
  reads: { findFact },
  steps: { setFact },
  invalidates: 'nothing',
}
