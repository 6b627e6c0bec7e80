/** Schema 45: the indexes of the lists that an operator filters. */
import { type Actor, operatorKey } from '../../model/actor.ts'
import { json, text } from '../sql/row.ts'
import { type Rows, type Step, sql } from '../sql/statement.ts'

/** The type of the actor of an event by an operator. */
export const operatorType = `case substr(operator, 1, 4) when 'cli:' then 'cli' else 'operator' end`

/** A pause is JSON or an empty text, so its first letter is what an index needs of it. */
export const pauseMark = 'substr(paused, 1, 1)'

export const listIndexes = [
  `create index events_by_operator_type on events ((${operatorType}), id) where operator > ''`,
  `create index authorizations_paused on authorizations (${pauseMark}, id) where paused > ''`,
]

const rowsTogether = 500

/** Events from before the column `operator` get their value. */
export function* nameOperators(): Step<void> {
  for (let after = ''; ; ) {
    const events: Rows = yield sql`select id, actor from events
      where id > ${after} and operator = '' and (actor like '{"type":"operator"%'
        or actor like '{"type":"cli"%')
      order by id limit ${rowsTogether}`
    for (const { id = null, actor } of events) {
      const operator = operatorKey(json(actor) as Actor)
      yield sql`update events set operator = ${operator} where id = ${id}`
    }
    if (events.length < rowsTogether) return
    after = text(events.at(-1)?.id)
  }
}
