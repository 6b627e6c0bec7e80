/** The shard key that the values of a statement tell. */
import type { Query } from '../postgres/dialect.ts'
import { compile, type KeyedStatement } from './compile.ts'
import type { ReadKey } from './place.ts'

/** Remembers by the text of a statement. Texts are constants, or one of a few forms of one. */
export const rememberByText = <Made>(make: (sql: string) => Made) => {
  const made = new Map<string, Made>()
  return (sql: string): Made => {
    let one = made.get(sql)
    if (one === undefined) {
      one = make(sql)
      made.set(sql, one)
    }
    return one
  }
}

export const compileText = rememberByText(compile)

/** Finds the shard key of all groups of tables by their values; null where they tell none, or several. */
export const findKey = (
  { pins }: KeyedStatement,
  { params }: Query,
  readKey: ReadKey,
): number | null => {
  const told = pins.flatMap(({ kind, place, group }) => {
    const key = readKey(kind, params[place])
    return key === null ? [] : [{ key, group }]
  })
  const [first] = told
  if (first === undefined || told.some(({ key }) => key !== first.key)) return null
  // Nothing equals null, so such a condition is as false on one machine as on all.
  const open = pins.filter(({ place }) => params[place] != null)
  return open.every((pin) => told.some(({ group }) => group === pin.group)) ? first.key : null
}
