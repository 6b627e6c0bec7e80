/** The words of a statement as PostgreSQL takes them: numbered parameters, values as they are stored. */
import type { CustomTypesConfig } from 'pg'
import { withPlaces } from '../../records/event/places.ts'
import type { Value } from '../../sql/statement.ts'

/** A statement text that PostgreSQL prepares once on each connection, under its name. */
export interface Prepared {
  readonly name: string
  readonly text: string
}

const known = new Map<string, Prepared>()

/** Texts are constants, or one of a few forms of one, so there are only so many. */
export const prepared = (sql: string): Prepared => {
  let one = known.get(sql)
  if (one === undefined) {
    let parameters = 0
    one = {
      name: `s${known.size}`,
      text: withPlaces(sql, 'postgres').replaceAll('?', () => `$${++parameters}`),
    }
    known.set(sql, one)
  }
  return one
}

const wholeNumbers = [20, 21, 23]

/** int8, int2 and int4 are numbers, everything else is text, as in every row of the store. */
export const types: CustomTypesConfig = {
  getTypeParser: ((type: number) =>
    wholeNumbers.includes(type) ? Number : (value: string): Value => value) as never,
}
