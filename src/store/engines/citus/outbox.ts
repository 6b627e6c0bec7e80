/**
 * Events of steps at a machine wait there beside their owner, in the same commit (decision 118). Whoever reads events
 * moves them to the coordinator first. So an event is always in one of the two tables, and a reader misses none.
 */
import { eventTable, insertGiven } from '../../records/event/events.ts'
import {
  all,
  answerBy,
  asSendOnly,
  cutPieces,
  listOf,
  type Piece,
  type Row,
  raw,
  type Statement,
  type Step,
  sql,
  statement,
} from '../../sql/statement.ts'
import type { Call, StepName } from '../../sql/steps.ts'
import { type Outbox, type Query, Unmoved, type WaitingOf } from '../postgres/dialect.ts'
import { refuse } from '../postgres/fault.ts'
import { compile } from './compile.ts'
import { findKey, rememberByText } from './keyed.ts'
import type { ReadKey } from './place.ts'
import { movesLock } from './whole.ts'

/** Events in one transaction. */
export const movedTogether = 250

/** Without the place, which an event gets when it is moved. */
const { names } = eventTable
const columns = raw(names.join(', '))
const ownerAt = names.indexOf('owner_id')

const insertWaiting = `insert into event_outbox (${columns.sql}, shard_key) values (${names.map(() => '?').join(', ')}, ?)`

/** Whether a machine takes the statement as it is. */
export const isWaiting = (text: string): boolean => text === insertWaiting

/** Some of the events that wait. */
export interface WaitingPiece {
  /** Null: of all machines. */
  readonly where: Piece | null
  /** Behind this id. */
  readonly after: string
  readonly most: number
}

const matchPiece = ({ where, after }: WaitingPiece): Piece =>
  all([where ?? false, sql`id > ${after}`])

export const askWaiting = (piece: WaitingPiece, hold = ''): Statement =>
  sql`select id from event_outbox where ${matchPiece(piece)} order by id limit ${piece.most}${raw(hold)}`

export const askNewest = (piece: WaitingPiece): Statement =>
  sql`select max(id) as id from event_outbox where ${matchPiece(piece)}`

/**
 * A step waits for no move, which may wait for the step, and for no row in doubt. Instead, the step is tried again.
 * Citus lets a statement lock rows of one shard alone.
 */
const holdNow = ' for update nowait'

/** No snapshot of a session begins meanwhile. */
const shareMoves = statement(
  'select cast(pg_try_advisory_xact_lock_shared(?) as integer) as is_shared',
  movesLock,
)

const compareIds = (one: Row, other: Row): number => (String(one.id) < String(other.id) ? -1 : 1)

/**
 * Moves a piece, in the order of the times. The deletion gives each row to one transaction alone. A row that is there
 * already was moved before its machine came back from a backup.
 *
 * @param isOfStep whether a step of others does it, which waits for nobody
 * @returns how many ids were found
 * @throws StoreFault `busy` for a step
 */
export function* movePiece(piece: WaitingPiece, isOfStep = false): Step<number> {
  const found = yield askWaiting(piece, isOfStep ? holdNow : '')
  const last = found.at(-1)?.id
  if (last == null) return 0
  if (isOfStep && (yield shareMoves)[0]?.is_shared !== 1) throw refuse('unmoved')
  const taken = yield sql`delete from event_outbox
    where ${matchPiece(piece)} and id <= ${last} returning ${columns}`
  for (const some of cutPieces(taken.toSorted(compareIds))) {
    const rows = some.map((row) => {
      const values = listOf(names.map((name) => row[name] ?? null))
      return { ...values, sql: values.sql.replace(/\)$/, ', next_place())') }
    })
    const written = statement(
      rows.map((row) => row.sql).join(', '),
      ...rows.flatMap(({ params }) => params),
    )
    yield asSendOnly(
      sql`insert into events (${columns}, place) values ${written} on conflict (id) do nothing`,
    )
  }
  return found.length
}

export const matchKey = (key: number): Piece => sql`event_outbox.shard_key = ${key}`

/** A range of whole keys of one owner, as `rangeOf` writes it. */
const ownRange = /\(owner_id, id\) ([<>]=?) \(\?, \?\)/g

/**
 * The statement as one about waiting events; null where it asks for none. An event of the coordinator moves none:
 * otherwise a failed login of a known name would take longer than another one. Secrets of clients
 * are told of no owner, so none of their events waits.
 */
const parseAsking = rememberByText((text: string) => {
  const asks = /^(?!\s*insert into events\b).*(?:\bevents\b|\bcurrent_places\(\))/s.test(text)
  if (!asks || text.includes("type = 'client.changed_itself'")) return null
  const waiting = text.replaceAll(/\bevents\b/g, 'event_outbox')
  return compile(waiting.replaceAll(ownRange, 'owner_id = ? and id $1 ?'))
})

/**
 * Steps that no move comes before. A later purge takes events of later moves. Events of a deleted owner have come
 * before, and so have those in the queue of a webhook.
 */
const unmoved: ReadonlySet<StepName> = new Set([
  'purgeEnded',
  'purgeNext',
  'claimWebhookDeliveries',
])

export interface EventOutbox extends Outbox {
  /** At the begin of a transaction at a machine. @returns to be called after its commit: no move saw its events before */
  watchCommit(): () => void
  /** A step at a machine: it leaves its events there. */
  putAside<Outcome>(step: Step<Outcome>): Step<Outcome>
  /** A step at the coordinator: what waits is moved before it asks for it. */
  moveFirst<Outcome>(call: Call, step: Step<Outcome>): Step<Outcome>
}

export const openOutbox = (readKey: ReadKey): EventOutbox => {
  /** Steps that ask for events of more than one owner. */
  const asking = new Set<StepName>()
  const moved = new WeakSet<Call>()
  let [aside, written] = [0, 0]

  /** Which events have to be moved before: all, and those of a shard key in the same transaction. */
  const find = (query: Query) => {
    const one = parseAsking(query.sql)
    if (one === null) return { isOfAll: false, key: null }
    const key = findKey(one, query, readKey)
    return { isOfAll: key === null || one.loose.has('event_outbox'), key }
  }

  return {
    find(query): WaitingOf | null {
      const { isOfAll, key } = find(query)
      return isOfAll ? 'all' : key
    },
    isDue: ({ name }) => asking.has(name),
    noteMoved: (call) => void moved.add(call),
    countWritten: () => written,
    watchCommit() {
      const before = aside
      return () => {
        if (aside > before) written++
      }
    },
    putAside: (step) =>
      answerBy(step, function* (one) {
        const { sql: text, params } = one
        const key = text === insertGiven ? readKey('owner', params[ownerAt]) : null
        if (key === null) return yield one
        aside++
        return yield asSendOnly(statement(insertWaiting, ...params, key))
      }),
    moveFirst(call, step) {
      if (unmoved.has(call.name)) return step
      return answerBy(step, function* (one) {
        const { isOfAll, key } = find(one)
        if (isOfAll && !moved.has(call)) {
          asking.add(call.name)
          throw new Unmoved()
        }
        // In this transaction, so that a deleted owner leaves none behind.
        const piece = key === null ? null : { where: matchKey(key), after: '', most: movedTogether }
        while (piece !== null && (yield* movePiece(piece, true)) === movedTogether);
        return yield one
      })
    },
  }
}
