/** How statements and steps are written for Citus. */
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import { answerBy, type Statement, type Step, statement } from '../../sql/statement.ts'
import { beginStep, type Call } from '../../sql/steps.ts'
import { prepare } from '../postgres/client.ts'
import type { Dialect, StepPlace } from '../postgres/dialect.ts'
import { takeApart } from './apart.ts'
import { compileText, findKey } from './keyed.ts'
import { openMachines } from './machines.ts'
import { readNamed } from './named.ts'
import { mayStay, openNear } from './near.ts'
import { openOutbox } from './outbox.ts'
import { openReadKey } from './place.ts'
import { answerMilliseconds } from './workers.ts'

const findFirst = (step: Step<unknown>): Statement | null => {
  const { done, value } = step.next([])
  return done ? null : value
}

const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')

const nowhere: StepPlace = { machine: null, shardKey: null, isNear: false }

const sessionSettings = [
  // One machine after the other, since rows of all of them refer to tables that every machine has.
  "select set_config('citus.multi_shard_modify_mode', 'sequential', false)",
  // A busy machine takes seconds to begin processes for the few rows that many machines told.
  "select set_config('max_parallel_workers_per_gather', '0', false)",
  // By default, Citus waits half a minute for a silent machine.
  `select set_config('citus.node_connection_timeout', '${answerMilliseconds}', false)`,
]

/** Such a change of the key takes the strongest lock of the row on each machine, also where it changes nothing. */
const holdEverywhere = `insert into clients select * from clients where id = ?
  on conflict (id) do update set id = excluded.id where false`

/**
 * An approval at a machine holds its client there alone. So an idle client is held on every machine before it goes,
 * and its approvals are asked for again.
 */
const holdClient = ({ name }: Call, step: Step<unknown>): Step<unknown> =>
  name === 'removeIdleClient'
    ? answerBy(step, function* (one) {
        const rows = yield one
        const isAsking = / from authorizations where client_id = \? limit 1$/.test(one.sql)
        if (!isAsking || rows.length > 0) return rows
        yield statement(holdEverywhere, ...one.params)
        return yield one
      })
    : step

/** @param keys of the store */
export const speakCitus = (keys: ShardKeys): Dialect => {
  const readKey = openReadKey(keys)
  const machines = openMachines()
  const find = (key: number): number | null => machines.find(key)?.machine ?? null
  const outbox = openOutbox(readKey)
  const begin = (call: Call): Step<unknown> => takeApart(holdClient(call, beginStep(call)), readKey)
  return {
    sessionSettings,
    write: (query) => {
      const one = compileText(query.sql)
      const key = findKey(one, query, readKey)
      return key === null
        ? { ...prepare(one.spread), values: query.params }
        : { ...prepare(one.keyed), values: [...query.params, key] }
    },
    begin: (call) => takeApart(outbox.moveFirst(call, holdClient(call, beginStep(call))), readKey),
    placeOf(asked) {
      const first = 'sql' in asked ? asked : findFirst(begin(asked))
      if (first === null) return nowhere
      const one = compileText(first.sql)
      const key = findKey(one, first, readKey)
      if (key === null) return nowhere
      const isStaying = 'sql' in asked || mayStay(asked)
      // PostgreSQL refuses U+0000, and the whole piece with it.
      const isNear = one.isNear && isStaying && !first.params.some(hasNul)
      return { machine: find(key), shardKey: key, isNear }
    },
    readNamed,
    locate(id) {
      const key = readKey('placed', id)
      return key === null ? null : find(key)
    },
    machines,
    near: openNear(machines, readKey, outbox),
    outbox,
    // Nothing of an owner is cached.
    noteOf: () => null,
    isGrouped: false,
  }
}
