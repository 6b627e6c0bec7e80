/** Reads on their way to PostgreSQL: those of one turn are sent in one piece, on connections of their own. */
import type { StoreFault } from '../../fault.ts'
import { engineLimits } from '../../limits.ts'
import type { Rows, Statement } from '../../sql/statement.ts'
import type { Connection } from './connection.ts'
import { failed, lostBy, refuse, sqlState, troubleOf } from './fault.ts'
import { postgresLimits } from './limits.ts'
import type { Line } from './line.ts'
import { alike, queryOf, rowsOfEach } from './lookups.ts'

interface Reading {
  readonly statement: Statement
  readonly resolve: (rows: Rows) => void
  readonly reject: (fault: StoreFault) => void
  tries: number
}

/** A text with U+0000, which PostgreSQL cannot store and so does not find either. */
const unstorable = '22021'

/** Reads go round the lines; what a lost connection or a conflict leaves unread is read again. */
export class ReadLines {
  readonly #lines: readonly Line[]
  #waiting: Reading[] = []
  #open = 0
  #turn = 0
  #closed = false
  #drained = (): void => {}

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  read(statement: Statement): Promise<Rows> {
    if (this.#closed) return Promise.reject(refuse('closed'))
    if (this.#open >= engineLimits.stepsWaiting) return Promise.reject(refuse('busy'))
    return new Promise((resolve, reject) => {
      this.#open++
      this.#add({
        statement,
        resolve: (rows) => {
          this.#done()
          resolve(rows)
        },
        reject: (fault) => {
          this.#done()
          reject(fault)
        },
        tries: 0,
      })
    })
  }

  /** Reads without an answer so far. */
  get open(): number {
    return this.#open
  }

  /** Takes nothing more, and resolves once all that was taken is answered. */
  drain(): Promise<void> {
    this.#closed = true
    if (this.#open === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#drained = resolve
    })
  }

  #done(): void {
    this.#open--
    if (this.#open === 0) this.#drained()
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
        for (const group of alike(readings)) this.#ask(connection, group)
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
        for (const [i, found] of rowsOfEach(group, rows).entries()) group[i]?.resolve(found)
      },
      (error: unknown) => {
        const trouble = troubleOf(error)
        if (trouble === 'lost' || trouble === 'stale') connection.destroy()
        for (const reading of group) this.#failed(reading, error, group.length > 1)
      },
    )
  }

  /** @param inCompany whether the fault may be that of another look-up */
  #failed(reading: Reading, error: unknown, inCompany: boolean): void {
    const trouble = troubleOf(error)
    reading.tries++
    if (inCompany || (trouble !== 'failed' && reading.tries < postgresLimits.tries)) {
      this.#add(reading)
    } else if (sqlState(error) === unstorable) reading.resolve([])
    else reading.reject(trouble === 'lost' ? lostBy(error) : failed('a read', error))
  }
}
