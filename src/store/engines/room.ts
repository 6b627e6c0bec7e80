/** Steps on their way to a database, and room on its disk: readiness asks for what a write did not find. */
import { serialize } from 'node:v8'
import type { StoreFault } from '../fault.ts'
import type { Database } from '../sql/database.ts'
import type { Call } from '../sql/steps.ts'

export interface QueuedCall extends Call {
  readonly resolve: (outcome: unknown) => void
  readonly reject: (fault: StoreFault) => void
}

export const runBy =
  (add: (step: QueuedCall) => void): Database['run'] =>
  (name, ...args) =>
    new Promise((resolve, reject) => {
      add({ name, args, resolve: resolve as QueuedCall['resolve'], reject })
    })

/** After a write that found no room, readiness asks for its size and so much more. */
const roomBytes = 64 * 1024

/** @param write writes so many bytes and removes them; throws where they find no room */
export const openRoom = (write: (bytes: number) => Promise<unknown>) => {
  /** The size of the largest write that found no room since; 0 for none. */
  let lackingBytes = 0
  return {
    isLacking: () => lackingBytes > 0,
    noteFull({ name, args }: Call): void {
      if (name === 'proveRoom') return
      lackingBytes = Math.max(lackingBytes, serialize(args).length)
    },
    /** Smaller writes than the lacking one say nothing. */
    noteDone({ name, args }: Call): void {
      if (lackingBytes === 0 || name === 'proveRoom') return
      if (serialize(args).length >= lackingBytes) lackingBytes = 0
    },
    /** Asks for the lacking room. @throws StoreFault where there is none */
    async prove(): Promise<void> {
      // A step changes whole pages, of its indexes as well.
      const bytes = lackingBytes
      await write(bytes + roomBytes)
      if (lackingBytes === bytes) lackingBytes = 0
    },
  }
}

export type Room = ReturnType<typeof openRoom>
