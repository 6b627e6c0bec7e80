/** How statements and steps are written for PostgreSQL, and for an extension of it. */
import type { AuthorizationId } from '../../../model/ids.ts'
import { noteOf } from '../../records/event/changes.ts'
import type { Rows, Statement, Step, Value } from '../../sql/statement.ts'
import { beginStep, type Call } from '../../sql/steps.ts'
import type { Machines } from '../citus/machines.ts'
import type { readNamed } from '../citus/named.ts'
import { prepare } from './client.ts'

/** A statement as PostgreSQL takes it: a list in place of one key. */
export interface Query {
  readonly sql: string
  readonly params: readonly (Value | readonly Value[])[]
}

/** A statement with numbered parameters, which the server prepares once under its name. */
export interface Written {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

export interface StepPlace {
  /** The number of a machine, from 1 on; null: one of several, or nobody knows. */
  readonly machine: number | null
  /** Steps of one shard key go one after the other; null where there are no shards. */
  readonly shardKey: number | null
  /** Whether the machine itself may be asked. */
  readonly isNear: boolean
}

/** The begin of a transaction. A guard that fails takes the transaction back. */
export interface StepOpening {
  readonly begin: string
  readonly guards: readonly Written[]
}

/** A statement that answers some look-ups. */
export interface NearRead {
  readonly written: Written
  /** The places of the look-ups among all. Of several, each row names its key as `looked_up`. */
  readonly of: readonly number[]
}

/** How the machine that has the shards is asked itself, without the coordinator. */
export interface Near {
  /** What each new connection begins with. */
  readonly sessionSettings: readonly string[]
  /** Null where one of the shards is on another machine by now. */
  begin(machine: number, shardKeys: readonly number[]): NearWork | null
  /** Null as above. */
  read(machine: number, all: readonly Statement[]): NearReads | null
}

/** A transaction of steps. */
export interface NearWork {
  readonly opening: StepOpening
  begin(call: Call): Step<unknown>
  /** @throws Error for a statement that has to do with another shard */
  write(statement: Statement): Written
  noteCommit(): void
}

export interface NearReads {
  readonly opening: StepOpening
  readonly reads: readonly NearRead[]
}

/** Events that wait: those of a shard key, or all. */
export type WaitingOf = number | 'all'

/** Events that wait beside their owners, at the machines of their steps (decision 118). */
export interface Outbox {
  /** Which of them come before a statement; null for none. */
  find(query: Query): WaitingOf | null
  /** Whether all of them come before this step, as far as earlier ones have shown. */
  isDue(call: Call): boolean
  noteMoved(call: Call): void
  /** Grows with each commit of this node that left some. */
  countWritten(): number
}

/** A step asks for events, and those that wait have not come. */
export class Unmoved extends Error {}

export interface Dialect {
  /** What each new connection begins with. */
  readonly sessionSettings: readonly string[]
  write(query: Query): Written
  begin(call: Call): Step<unknown>
  /** Where a step or a look-up goes. Only those of one machine go together. */
  placeOf(asked: Call | Query): StepPlace
  /** A read that needs another one first; null for any other. */
  readNamed(...asked: Parameters<typeof readNamed>): Promise<Rows> | null
  locate(id: AuthorizationId): StepPlace['machine']
  /** The machines, asked for at the start and every few seconds; null where there is one alone. */
  readonly machines: Machines | null
  /** Null where there is one machine alone. */
  readonly near: Near | null
  /** Null as above. */
  readonly outbox: Outbox | null
  /** Tells other nodes of the changes of these steps; null where none is told. */
  noteOf(calls: readonly Call[]): Statement | null
  /** Whether look-ups that are alike go as one statement. */
  readonly isGrouped: boolean
}

const oneMachine: StepPlace = { machine: 1, shardKey: null, isNear: false }

export const plain: Dialect = {
  sessionSettings: [],
  write: ({ sql, params }) => ({ ...prepare(sql), values: params }),
  begin: beginStep,
  placeOf: () => oneMachine,
  readNamed: () => null,
  locate: () => 1,
  machines: null,
  near: null,
  outbox: null,
  noteOf,
  isGrouped: true,
}
