/** Room on the disk of a database: readiness asks for what a write did not find. */
import { serialize } from 'node:v8'

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

  /** A write with these arguments found no room. */
  noteFull(args: readonly unknown[]): void {
    this.#lackingBytes = Math.max(this.#lackingBytes, serialize(args).length)
  }

  /** A write with these arguments was done. Smaller ones than the lacking one say nothing. */
  noteDone(args: readonly unknown[]): void {
    if (this.isLacking && serialize(args).length >= this.#lackingBytes) this.#lackingBytes = 0
  }

  /** Asks for the lacking room. @throws StoreFault where there is none */
  async prove(): Promise<void> {
    // A step changes whole pages, of its indexes as well.
    const bytes = this.#lackingBytes
    await this.#prove(bytes + roomBytes)
    if (this.#lackingBytes === bytes) this.#lackingBytes = 0
  }
}
