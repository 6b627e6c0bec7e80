/** A file descriptor that takes texts of whole lines, one at a time, written by another thread. */
import { write, writeSync } from 'node:fs'

/** The bounds of lines that wait. */
export const lineLimits = {
  /** Log lines wait for others so long, or until there are so many; beyond the last bound they are dropped. */
  logHoldMilliseconds: 100,
  logPieceCharacters: 64 * 1024,
  logCharacters: 8 * 1024 * 1024,
} as const

const newline = 0x0a
const nothing = new Uint8Array()

const linesIn = (bytes: Uint8Array): number => bytes.filter((byte) => byte === newline).length

export class Outlet {
  readonly #fd: number
  /** What is left of the text under way, while nobody takes it. */
  #waiting: Uint8Array = nothing
  #lastByte = newline
  /** Whether the last text was given up within a line. */
  #isTorn = false

  constructor(fd: number) {
    this.#fd = fd
  }

  /** @param done told how many lines were given up, because they cannot be written */
  put(text: string, done: (dropped: number) => void): void {
    const bytes = this.#begin(text)
    this.#write(bytes, (rest) => {
      this.#isTorn = rest.length > 0 && this.#lastByte !== newline
      // The newline before it ends a line that was counted earlier.
      const isWhole = rest.length === bytes.length && bytes[0] === newline
      done(linesIn(rest) - (isWhole ? 1 : 0))
    })
  }

  /** Writes the queue and then a text before it returns: for a process that ends. */
  putNow(text: string): void {
    const isWaiting = this.#waiting.length > 0
    const bytes = isWaiting ? Buffer.concat([this.#waiting, Buffer.from(text)]) : this.#begin(text)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at)
    } catch {
      // There is nowhere left to say so.
    }
  }

  /** What follows half a line begins a new one. */
  #begin(text: string): Uint8Array {
    return Buffer.from(this.#isTorn ? `\n${text}` : text)
  }

  /** @param done told what could not be written */
  #write(bytes: Uint8Array, done: (rest: Uint8Array) => void): void {
    write(this.#fd, bytes, (fault, written) => {
      this.#lastByte = bytes[written - 1] ?? this.#lastByte
      const rest = bytes.subarray(written)
      if (fault?.code === 'EAGAIN') this.#wait(bytes, done)
      else if (fault === null && rest.length > 0) this.#write(rest, done)
      else done(rest)
    })
  }

  #wait(bytes: Uint8Array, done: (rest: Uint8Array) => void): void {
    this.#waiting = bytes
    setTimeout(() => {
      this.#waiting = nothing
      this.#write(bytes, done)
    }, lineLimits.logHoldMilliseconds)
  }
}
