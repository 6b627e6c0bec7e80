/**
 * A record of the store: the SQL side of one part of the contract. The record exports its tables, reads,
 * steps and purges, and says what each step invalidates in the cache. Everything else derives from
 * the list of records (`records.ts`).
 */
import type { Table } from '../schema/table.ts'
import type { Retention, StoreRecords } from '../store.ts'
import { text } from './row.ts'
import { findOne, type Piece, type Read, raw, type Step, sql } from './statement.ts'

/** The methods that read: a `find`, `list`, `count` or `is`. Every other method is a step. */
export type ReadName<Contract> = Extract<
  keyof Contract,
  `${'find' | 'list' | 'count' | 'is'}${Capitalize<string>}`
>

export type StepNameOf<Contract> = Exclude<keyof Contract, ReadName<Contract>> & string

/**
 * What each step invalidates in the cache: the names of things (`cache/things.ts`), by the arguments
 * of the step, or nothing.
 */
export type Invalidations<Contract> = {
  readonly [Name in StepNameOf<Contract>]: Contract[Name] extends (...args: infer Args) => unknown
    ? 'nothing' | ((...args: Args) => readonly string[])
    : never
}

export type ReadsOf<Contract> = {
  readonly [Name in ReadName<Contract>]: Contract[Name] extends (
    ...args: infer Args
  ) => infer Answer
    ? (read: Read, ...args: Args) => Answer
    : never
}

type StepOf<Method> = Method extends (...args: infer Args) => Promise<infer Outcome>
  ? (...args: Args) => Step<Outcome>
  : never

export type StepsOf<Contract> = {
  readonly [Name in StepNameOf<Contract>]: StepOf<Contract[Name]>
}

/** The reads and the steps of the whole contract, so that each is typed by its name alone. */
export type Reads = ReadsOf<StoreRecords>
export type Steps = StepsOf<StoreRecords>

/** Purges expired rows: at most so many that end no later than a time, and returns them. */
export interface EndPurge {
  /** Its parameters are the time and the number of rows. */
  readonly sql: string
  /** The rows stay for so long after their end. */
  readonly afterSeconds: number
}

/** One step of a purge. */
export interface PurgeStep {
  /** The `next` of the step before; '' at the beginning. */
  readonly after: string
  /** Unix seconds. */
  readonly now: number
  readonly before: Retention
  readonly mostRows: number
}

/** Where a purge goes on, or null at its end, and how many rows went. */
export interface Purged {
  readonly next: string | null
  readonly went: number
}

/** Rows go at their end, the earliest first unless `order` says otherwise. */
export const purgeAtEnd = (
  table: string,
  key: string,
  end: string,
  afterSeconds = 0,
  order = end,
): EndPurge => ({
  sql: `delete from ${table} where ${key} in
    (select ${key.replace(/[()]/g, '')} from ${table} where ${end} <= ? order by ${order} limit ?)
    returning 1 as went`,
  afterSeconds,
})

export type Purge = (step: PurgeStep) => Step<Purged>

/**
 * A purge that walks through a table.
 *
 * @param work on the next so many rows, by their ids; says how many went
 */
export const walk = (table: string, work: (ids: Piece, step: PurgeStep) => Step<number>): Purge =>
  function* (step) {
    const { after, mostRows } = step
    const row = yield* findOne(sql`select max(id) as last from
        (select id from ${raw(table)} where id > ${after} order by id limit ${mostRows}) walked`)
    if (row?.last == null) return { next: null, went: 0 }
    const last = text(row.last)
    return { next: last, went: yield* work(sql`id > ${after} and id <= ${last}`, step) }
  }

export interface StoreRecord<Contract> {
  /** In an order without references to later tables. */
  readonly tables: readonly Table[]
  /** Tables outside backups and copies: their content is soon noted again. */
  readonly localTables?: readonly Table[]
  readonly reads: ReadsOf<Contract>
  readonly steps: StepsOf<Contract>
  /** `nothing`: no step of the record changes cached rows. */
  readonly invalidates: Invalidations<Contract> | 'nothing'
  /** Long steps that no request waits for: on PostgreSQL each has a transaction of its own. */
  readonly alone?: readonly StepNameOf<Contract>[]
  /** All end purges go in one step. */
  readonly endPurges?: readonly EndPurge[]
  /** Walks through a table, by name. */
  readonly purges?: Readonly<Record<string, Purge>>
}
