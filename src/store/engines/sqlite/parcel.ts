/**
 * Messages to the writer thread. A step of one statement stays on this thread and sends only a
 * number and values. They cost a third of objects with names.
 */

import type { Values } from '../../schema/table.ts'
import { beginStep, type Call } from '../../sql/steps.ts'
import type { WriterWork } from './batch.ts'
import { type Compiler, rowsOf } from './compiled.ts'

export interface Parcel {
  readonly work: WriterWork
  /**
   * What came of the step by the rows of its statement. Null where it goes on with others: it has
   * changed nothing so far, and is run as a call from its beginning.
   */
  readonly resume: (rows: readonly Values[]) => { readonly outcome: unknown } | null
}

export const packCall = ({ name, args }: Call): Parcel => ({
  work: { name, args },
  resume: () => null,
})

/**
 * Texts go to the writer once and are numbers from then on.
 *
 * @param compile here as well, for the names of their columns
 * @param send called with each text before its number is used
 */
export const createPacker = (compile: Compiler, send: (text: string) => void) => {
  const numbers = new Map<string, number>()

  const numberOf = (sql: string): number => {
    const known = numbers.get(sql)
    if (known !== undefined) return known
    send(sql)
    numbers.set(sql, numbers.size)
    return numbers.size - 1
  }

  return (call: Call): Parcel => {
    const step = beginStep(call)
    const { value: first, done } = step.next([])
    if (done || first.whole !== true) return packCall(call)
    const { sql, params } = first
    return {
      work: [numberOf(sql), params],
      resume: (rows) => {
        const next = step.next(rowsOf(compile(sql).columns, rows))
        return next.done ? { outcome: next.value } : null
      },
    }
  }
}

export type Packer = ReturnType<typeof createPacker>
