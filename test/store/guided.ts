/** A store, and the same with a memory, whose steps are done and answered when the test says so. */

import { Marks } from '../../src/store/cache/marks.ts'
import { rememberStore } from '../../src/store/cache/remembering.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { invalidates } from '../../src/store/sql/records.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import type { Step } from '../../src/store/sql/statement.ts'
import { beginStep, type StepOutcome } from '../../src/store/sql/steps.ts'
import type { Store } from '../../src/store/store.ts'
import { createMemory } from '../simulation/shared-store.ts'

/** A step is done and answered, done without an answer, or not done. */
export type Fate = 'answered' | 'lost' | 'undone'

export interface Guided {
  /** Reads everything at once, from the tables. */
  readonly plain: Store
  /** Has a memory, on the same tables. */
  readonly remembering: Store
  /** How often the memory has had to read. */
  reads(): number
  /** From now on all that is asked waits, until it is let go on. */
  hold(): void
  /** The fate of later steps. */
  setFate(fate: Fate): void
  /** Lets one of the steps under way go on: it is done, or answered. */
  goOn(which: number): Promise<void>
  /** Answers all that was read. */
  answerReads(): Promise<void>
  /** Until nothing waits. */
  settle(): Promise<void>
}

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume))

export const openGuided = (): Guided => {
  const { database, query } = createMemory()
  const steps: (() => void)[] = []
  const answers: (() => void)[] = []
  let fate: Fate = 'answered'
  let isHeld = false
  let reads = 0

  const wait = (among: (() => void)[]): Promise<void> =>
    new Promise((resume) => {
      if (isHeld) among.push(resume)
      else resume()
    })

  const runWhole = (step: Step<unknown>): unknown => {
    database.exec('begin')
    let next = step.next([])
    while (!next.done) next = step.next(query(next.value))
    database.exec('commit')
    return next.value
  }

  const slow = createSqlStore({
    // A read sees the state at its start; its answer may take long.
    read: async (sql, params) => {
      reads++
      const rows = query({ sql, params })
      await wait(answers)
      return rows
    },
    run: async (name, ...args) => {
      const becomes = fate
      await wait(steps)
      if (becomes === 'undone') throw new StoreFault('unreachable', 'nothing was done')
      const outcome = runWhole(beginStep({ name, args }))
      await wait(steps)
      if (becomes === 'lost') throw new StoreFault('indeterminate', 'the answer was lost')
      return outcome as StepOutcome<typeof name>
    },
    readsWait: true,
    close: async () => database.close(),
  })

  const goOn = async (which: number): Promise<void> => {
    const [resume] = steps.splice(which % Math.max(1, steps.length), 1)
    resume?.()
    await turn()
  }

  const answerReads = async (): Promise<void> => {
    for (const answer of answers.splice(0)) answer()
    await turn()
  }

  return {
    plain: createSqlStore({
      read: async (sql, params) => query({ sql, params }),
      run: async () => {
        throw new Error('steps go the other way')
      },
      readsWait: true,
      close: async () => {},
    }),
    remembering: rememberStore(slow, new Marks(), invalidates),
    reads: () => reads,
    hold: () => {
      isHeld = true
    },
    setFate: (given) => {
      fate = given
    },
    goOn,
    answerReads,
    settle: async () => {
      await turn()
      while (steps.length + answers.length > 0) {
        await goOn(0)
        await answerReads()
      }
    },
  }
}
