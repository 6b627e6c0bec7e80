/** Steps in statements that each go to one machine. */
import { answerBy, type Rows, type Statement, type Step } from '../../sql/statement.ts'
import { changeApart, lockApart, parseChange, parseLock } from './changes.ts'
import { insertApart, parseInsert } from './inserts.ts'
import { rememberByText } from './keyed.ts'
import { changeNamed, parseNamed } from './names.ts'
import type { ReadKey } from './place.ts'

type Apart = (params: Statement['params'], readKey: ReadKey) => Step<Rows>

const findApart = rememberByText((sql: string): Apart | null => {
  const insert = parseInsert(sql)
  if (insert !== null) return (params, readKey) => insertApart(insert, params, readKey)
  const changed = parseNamed(sql)
  if (changed !== null) return (params) => changeNamed(changed, params)
  const lock = parseLock(sql)
  if (lock !== null) return (params) => lockApart(lock, params)
  const change = parseChange(sql)
  return change && ((params) => changeApart(change, params))
})

/**
 * The same step in statements that each go to one machine.
 *
 * @param mayStay whether a statement is left as it is
 */
export const takeApart = <Outcome>(
  step: Step<Outcome>,
  readKey: ReadKey,
  mayStay: (sql: string) => boolean = () => false,
): Step<Outcome> =>
  answerBy(step, function* (one) {
    const apart = mayStay(one.sql) ? null : findApart(one.sql)
    return apart === null ? yield one : yield* apart(one.params, readKey)
  })
