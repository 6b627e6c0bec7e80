/** The latest time that a node has been at, so that a clock that was set back is noticed after a restart. */
import { first, integer } from './row.ts'
import { type Read, type Step, wholeStatement } from './statement.ts'

/** Unix seconds; null where no service has run yet. */
export const latestTime = async (read: Read): Promise<number | null> => {
  const row = first(await read("select turn from pings where id = 'time'", []))
  return row && integer(row.turn)
}

/** Unless a later one is known; the latest is the outcome. */
export function* noteTime(at: number): Step<number> {
  const row = first(
    yield wholeStatement(
      `insert into pings (id, turn) values ('time', ?) on conflict (id) do update set turn =
         case when pings.turn < excluded.turn then excluded.turn else pings.turn end
       returning turn`,
      at,
    ),
  )
  return integer(row?.turn)
}
