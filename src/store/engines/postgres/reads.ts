/**
 * Reads on their way to PostgreSQL: those of one turn are sent in one piece, on connections of their
 * own. Look-ups that differ in their key alone are asked as one statement.
 */
import type { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Rows, Statement } from '../../sql/statement.ts'
import type { Connection } from './connection.ts'
import type { Dialect, Query, StepPlace } from './dialect.ts'
import {
  awayTries,
  failed,
  findSqlState,
  getTrouble,
  lostBy,
  mostTries,
  refuse,
  type Trouble,
} from './fault.ts'
import type { Line } from './line.ts'
import { readNear, splitRows } from './near.ts'

interface Reading {
  readonly statement: Statement
  readonly resolve: (rows: Rows) => void
  readonly reject: (fault: StoreFault) => void
  tries: number
}

/** A text with U+0000, which PostgreSQL cannot store and so does not find either. */
const unstorable = '22021'

/**
 * The reads of a turn by what is alike but for the key. Of 32 look-ups, each then costs a third of the
 * processor time. What failed once goes alone, so one bad key fails one look-up.
 */
const groupAlike = (all: readonly Reading[]): ReadonlyMap<unknown, readonly Reading[]> =>
  Map.groupBy(all, (one) => {
    const { by, sql, params } = one.statement
    return by === undefined || one.tries > 0 ? one : [sql, ...params.slice(1)].join('\n')
  })

const ofMany = new Map<string, string>()

const makeTextOfMany = (sql: string, by: string): string => {
  let text = ofMany.get(sql)
  if (text === undefined) {
    const listed = sql.replace(`${by} = ?`, `${by} = any(?)`)
    text = listed.replace('select ', `select ${by} as looked_up, `)
    ofMany.set(sql, text)
  }
  return text
}

const queryOf = (all: readonly Reading[]): Query => {
  const [first] = all
  if (first === undefined) throw new Error('expected a look-up')
  const { sql, params, by } = first.statement
  if (all.length === 1 || by === undefined) return { sql, params }
  const keys = [...new Set(all.map(({ statement }) => statement.params[0] ?? null))]
  return { sql: makeTextOfMany(sql, by), params: [keys, ...params.slice(1)] }
}

/** A line, and how many pieces are under way on it. */
interface ReadLine {
  readonly line: Line
  pieces: number
}

/**
 * Reads take the line with the fewest pieces under way, so a calm node connects once. What a lost connection or a
 * conflict leaves unread is read again.
 */
export class ReadLines {
  readonly #lines: readonly ReadLine[]
  readonly #dialect: Dialect
  #waiting: Reading[] = []
  #open = 0
  #closed = false
  readonly #drained = Promise.withResolvers<void>()

  constructor(lines: readonly Line[], dialect: Dialect) {
    this.#lines = lines.map((line) => ({ line, pieces: 0 }))
    this.#dialect = dialect
  }

  read(statement: Statement): Promise<Rows> {
    if (this.#closed) return Promise.reject(refuse('closed'))
    if (this.#open >= engineLimits.stepsWaiting) return Promise.reject(refuse('busy'))
    this.#open++
    return new Promise<Rows>((resolve, reject) => {
      this.#add({ statement, resolve, reject, tries: 0 })
    }).finally(() => {
      this.#open--
      if (this.#closed && this.#open === 0) this.#drained.resolve()
    })
  }

  get open(): number {
    return this.#open
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    this.#closed = true
    if (this.#open === 0) this.#drained.resolve()
    return this.#drained.promise
  }

  #add(reading: Reading): void {
    this.#waiting.push(reading)
    if (this.#waiting.length > 1) return
    setImmediate(() => {
      const readings = this.#waiting
      this.#waiting = []
      if (this.#dialect.machines === null) void this.#send(readings, null)
      else this.#sendPlaced(readings)
    })
  }

  #sendPlaced(readings: readonly Reading[]): void {
    const placed = readings.map((reading) => {
      const { machine, isNear } = this.#dialect.placeOf(reading.statement)
      // A read that failed once goes by the coordinator.
      return { reading, machine, isNear: isNear && reading.tries === 0 }
    })
    const places = Map.groupBy(placed, ({ machine, isNear }) => `${machine} ${isNear}`)
    for (const [first, ...others] of places.values()) {
      if (first === undefined) continue
      const { machine, isNear } = first
      const all = [first, ...others].map(({ reading }) => reading)
      void (isNear ? this.#sendNear(all, machine) : this.#send(all, machine))
    }
  }

  /** Asks the machine itself, or else the coordinator. */
  async #sendNear(readings: readonly Reading[], machine: StepPlace['machine']): Promise<void> {
    const statements = readings.map(({ statement }) => statement)
    const rows = await this.#onCalmest(machine, (line) => readNear(line, machine, statements))
    if (rows === null) return this.#send(readings, machine)
    for (const [i, reading] of readings.entries()) reading.resolve(rows[i] ?? [])
  }

  async #send(readings: readonly Reading[], machine: StepPlace['machine']): Promise<void> {
    try {
      await this.#onCalmest(machine, async (line) => {
        const connection = await line.take()
        const groups = connection.isGrouped
          ? groupAlike(readings)
          : new Map(readings.map((one) => [one, [one]] as const))
        await connection.together(() =>
          Promise.all([...groups.values()].map((group) => this.#ask(connection, group))),
        )
      })
    } catch (error) {
      const fault = lostBy(error)
      for (const reading of readings) reading.reject(fault)
    }
  }

  /** Each machine has lines of its own, so that a silent one holds up no reads of others. */
  async #onCalmest<Found>(
    machine: StepPlace['machine'],
    use: (line: Line) => Promise<Found>,
  ): Promise<Found> {
    const { machines } = this.#dialect
    const parts = machines === null ? 1 : Math.min(this.#lines.length, machines.count() + 1)
    let calmest: ReadLine | undefined
    const first = machines === null ? 0 : (machine ?? 0) % parts
    for (let place = first; place < this.#lines.length; place += parts) {
      const one = this.#lines[place]
      if (calmest === undefined || (one !== undefined && one.pieces < calmest.pieces)) calmest = one
    }
    if (calmest === undefined) throw refuse('unreachable')
    calmest.pieces++
    try {
      return await use(calmest.line)
    } finally {
      calmest.pieces--
    }
  }

  #ask(connection: Connection, group: readonly Reading[]): Promise<void> {
    return connection.query(queryOf(group)).then(
      (rows) => {
        const statements = group.map(({ statement }) => statement)
        for (const [i, found] of splitRows(statements, rows).entries()) group[i]?.resolve(found)
      },
      (error: unknown) => {
        const isDistributed = this.#dialect.machines !== null
        const trouble = getTrouble(error, isDistributed, connection.isLost())
        if (trouble === 'lost' || trouble === 'stale') connection.destroy()
        for (const reading of group) this.#failed(reading, error, trouble, group.length > 1)
      },
    )
  }

  /** @param inCompany whether the fault may be that of another look-up */
  #failed(reading: Reading, error: unknown, trouble: Trouble, inCompany: boolean): void {
    reading.tries++
    const most = trouble === 'away' ? awayTries : mostTries
    if (inCompany || (trouble !== 'failed' && reading.tries < most)) {
      this.#add(reading)
    } else if (findSqlState(error) === unstorable) reading.resolve([])
    else if (trouble === 'lost' || trouble === 'away') reading.reject(lostBy(error))
    else reading.reject(failed('a read', error))
  }
}
