/** Steps on their way to a database, and room on its disk: readiness asks for what a write did not find. */
import { serialize } from 'node:v8'
import type { StoreFault } from '../fault.ts'
import type { Database } from '../sql/database.ts'
import type { Call, StepOutcome } from '../sql/steps.ts'

/** A step that waits for its answer. */
export interface QueuedCall extends Call {
  readonly resolve: (outcome: unknown) => void
  /** @param isFull whether the disk has no room for it */
  readonly reject: (fault: StoreFault, isFull?: boolean) => void
}

/** After a write that found no room, readiness asks for its size and so much more. */
const roomBytes = 64 * 1024

/**
 * Runs steps by a queue, and notes the room that they find.
 *
 * @param write writes so many bytes and removes them; throws where they find no room
 */
export const openRoom = (
  add: (step: QueuedCall) => void,
  write: (bytes: number) => Promise<unknown>,
) => {
  /** The size of the largest write that found no room since; 0 for none. */
  let lackingBytes = 0
  const run: Database['run'] = (name, ...args) =>
    new Promise((resolve, reject) => {
      const isProof = name === 'proveRoom'
      add({
        name,
        args,
        resolve: (outcome) => {
          // Smaller writes than the lacking one say nothing.
          const isEnough = lackingBytes > 0 && !isProof && serialize(args).length >= lackingBytes
          if (isEnough) lackingBytes = 0
          resolve(outcome as StepOutcome<typeof name>)
        },
        reject: (fault, isFull = false) => {
          if (isFull && !isProof) lackingBytes = Math.max(lackingBytes, serialize(args).length)
          reject(fault)
        },
      })
    })
  return {
    run,
    isLacking: () => lackingBytes > 0,
    /** Asks for the lacking room. @throws StoreFault where there is none */
    async prove(): Promise<void> {
      // A step changes whole pages, of its indexes as well.
      const bytes = lackingBytes
      await write(bytes + roomBytes)
      if (lackingBytes === bytes) lackingBytes = 0
    },
  }
}
