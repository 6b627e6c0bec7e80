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

export class Room {
  readonly #prove: (bytes: number) => Promise<unknown>
  /** The size of the largest write that found no room since; 0 for none. */
  #lackingBytes = 0

  /** @param prove writes so many bytes and removes them; throws where they find no room */
  constructor(prove: (bytes: number) => Promise<unknown>) {
    this.#prove = prove
  }

  get isLacking(): boolean {
    return this.#lackingBytes > 0
  }

  /** Runs steps by a queue, and notes the room that they find. */
  run(add: (step: QueuedCall) => void): Database['run'] {
    return (name, ...args) =>
      new Promise((resolve, reject) => {
        const isProof = name === 'proveRoom'
        add({
          name,
          args,
          resolve: (outcome) => {
            if (this.isLacking && !isProof) this.#noteDone(args)
            resolve(outcome as StepOutcome<typeof name>)
          },
          reject: (fault, isFull = false) => {
            if (isFull && !isProof) {
              this.#lackingBytes = Math.max(this.#lackingBytes, serialize(args).length)
            }
            reject(fault)
          },
        })
      })
  }

  /** Asks for the lacking room. @throws StoreFault where there is none */
  async prove(): Promise<void> {
    // A step changes whole pages, of its indexes as well.
    const bytes = this.#lackingBytes
    await this.#prove(bytes + roomBytes)
    if (this.#lackingBytes === bytes) this.#lackingBytes = 0
  }

  /** Smaller writes than the lacking one say nothing. */
  #noteDone(args: readonly unknown[]): void {
    if (serialize(args).length >= this.#lackingBytes) this.#lackingBytes = 0
  }
}
