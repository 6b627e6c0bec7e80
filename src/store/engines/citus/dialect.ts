/** How statements and steps are written for Citus. */
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Rows, Statement, Step } from '../../sql/statement.ts'
import { beginStep, type Call } from '../../sql/steps.ts'
import { prepare } from '../postgres/client.ts'
import type { Dialect, Query } from '../postgres/dialect.ts'
import { changeApart, lockApart, parseChange, parseLock } from './changes.ts'
import { compile, type KeyedStatement } from './compile.ts'
import { insertApart, parseInsert } from './inserts.ts'
import { openMachines } from './machines.ts'
import { readNamed } from './named.ts'
import { changeNamed, parseNamed } from './names.ts'
import { openReadKey, type ReadKey } from './place.ts'
import { answerMilliseconds } from './workers.ts'

/** Remembers by the text of a statement. Texts are constants, or one of a few forms of one. */
const rememberByText = <Made>(make: (sql: string) => Made) => {
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

const compileText = rememberByText(compile)

/** Finds the shard key of all groups of tables by their values; null where they tell none, or several. */
const findKey = ({ pins }: KeyedStatement, { params }: Query, readKey: ReadKey): number | null => {
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

/** The shard key of the first statement of a step. */
const findFirstKey = (step: Step<unknown>, readKey: ReadKey): number | null => {
  const { done, value } = step.next([])
  return done ? null : findKey(compileText(value.sql), value, readKey)
}

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

/** The same step in statements that each go to one machine. */
export function* takeApart<Outcome>(step: Step<Outcome>, readKey: ReadKey): Step<Outcome> {
  let next = step.next([])
  while (!next.done) {
    const { sql, params } = next.value
    const apart = findApart(sql)
    const rows: Rows = apart === null ? yield next.value : yield* apart(params, readKey)
    next = step.next(rows)
  }
  return next.value
}

const sessionSettings = [
  // One machine after the other, since rows of all of them refer to tables that every machine has.
  "select set_config('citus.multi_shard_modify_mode', 'sequential', false)",
  // By default, Citus waits half a minute for a silent machine.
  `select set_config('citus.node_connection_timeout', '${answerMilliseconds}', false)`,
]

/** @param keys of the store */
export const speakCitus = (keys: ShardKeys): Dialect => {
  const readKey = openReadKey(keys)
  const machines = openMachines()
  const begin = (call: Call): Step<unknown> => takeApart(beginStep(call), readKey)
  return {
    sessionSettings,
    write: (query) => {
      const one = compileText(query.sql)
      const key = findKey(one, query, readKey)
      return key === null
        ? { ...prepare(one.spread), values: query.params }
        : { ...prepare(one.keyed), values: [...query.params, key] }
    },
    begin,
    placeOf(asked) {
      const key =
        'sql' in asked
          ? findKey(compileText(asked.sql), asked, readKey)
          : findFirstKey(begin(asked), readKey)
      return { machine: key === null ? null : machines.find(key), shardKey: key }
    },
    readNamed,
    locate(id) {
      const key = readKey('placed', id)
      return key === null ? null : machines.find(key)
    },
    machines,
    // Nothing of an owner is cached.
    noteOf: () => null,
    isGrouped: false,
  }
}
