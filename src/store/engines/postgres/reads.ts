/**
 * Reads on their way to PostgreSQL: those of one turn are sent in one piece, on connections of their
 * own. Look-ups that differ in their key alone are asked as one statement.
 */
import type { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Rows, Statement } from '../../sql/statement.ts'
import type { Connection, Query } from './connection.ts'
import { failed, findSqlState, getTrouble, lostBy, mostTries, refuse } from './fault.ts'
import type { Line } from './line.ts'

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

const splitRows = (all: readonly Reading[], rows: Rows): readonly Rows[] => {
  if (all.length === 1) return [rows]
  const found = Map.groupBy(rows, ({ looked_up: key }) => key ?? null)
  return all.map(({ statement }) => found.get(statement.params[0] ?? null) ?? [])
}

/** Reads go round the lines; what a lost connection or a conflict leaves unread is read again. */
export class ReadLines {
  readonly #lines: readonly Line[]
  #waiting: Reading[] = []
  #open = 0
  #turn = 0
  #closed = false
  readonly #drained = Promise.withResolvers<void>()

  constructor(lines: readonly Line[]) {
    this.#lines = lines
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
    if (this.#waiting.length === 1) setImmediate(() => void this.#send())
  }

  async #send(): Promise<void> {
    const readings = this.#waiting
    this.#waiting = []
    try {
      const connection = await this.#nextLine().take()
      connection.together(() => {
        for (const group of groupAlike(readings).values()) this.#ask(connection, group)
      })
    } catch (error) {
      const fault = lostBy(error)
      for (const reading of readings) reading.reject(fault)
    }
  }

  #nextLine(): Line {
    this.#turn = (this.#turn + 1) % this.#lines.length
    const line = this.#lines[this.#turn]
    if (line === undefined) throw refuse('unreachable')
    return line
  }

  #ask(connection: Connection, group: readonly Reading[]): void {
    connection.query(queryOf(group)).then(
      (rows) => {
        for (const [i, found] of splitRows(group, rows).entries()) group[i]?.resolve(found)
      },
      (error: unknown) => {
        const trouble = getTrouble(error)
        if (trouble === 'lost' || trouble === 'stale') connection.destroy()
        for (const reading of group) this.#failed(reading, error, group.length > 1)
      },
    )
  }

  /** @param inCompany whether the fault may be that of another look-up */
  #failed(reading: Reading, error: unknown, inCompany: boolean): void {
    const trouble = getTrouble(error)
    reading.tries++
    if (inCompany || (trouble !== 'failed' && reading.tries < mostTries)) {
      this.#add(reading)
    } else if (findSqlState(error) === unstorable) reading.resolve([])
    else reading.reject(trouble === 'lost' ? lostBy(error) : failed('a read', error))
  }
}
