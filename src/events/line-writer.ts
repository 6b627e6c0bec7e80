/** Lines for a file descriptor: collected for a moment, then written together by another thread. */
import { write, writeSync } from 'node:fs'
import { limits } from '../config/limits.ts'

export interface LineWriter {
  /** Holds a line until others have come too, or a moment has passed; an urgent one waits for neither. */
  add(line: string, urgent: boolean): void
  /** How many lines were dropped since the start: there was no room for them, or they could not be written. */
  droppedLines(): number
  /** Resolves when all that was held is written. */
  end(): Promise<void>
}

const newline = 0x0a
const nothing = new Uint8Array()

const linesIn = (bytes: Uint8Array): number => bytes.filter((byte) => byte === newline).length

/**
 * Nobody waits for these lines: where they cannot be written they are dropped, and the service goes on.
 * Where lines are missing, a line says how many, as soon as there is room for it.
 *
 * @param describeDropped the line that says so, with its newline
 */
export const createLineWriter = (
  fd: number,
  describeDropped: (lines: number) => string,
): LineWriter => {
  let held = ''
  /** Lines for which there was no room behind those that are held. */
  let refused = 0
  /** Lines that are missing before those that are held, and are not told of yet. */
  let dropped = 0
  let droppedInAll = 0
  let isWriting = false
  /** What nobody takes for the moment, of the piece that is being written. */
  let waiting: Uint8Array = nothing
  /** Whether what came during a write is to follow it at once. */
  let isDue = false
  let lastByte = newline
  /** Whether the last piece was given up within a line. */
  let isTorn = false
  let timer: NodeJS.Timeout | null = null
  let whenWritten = (): void => {}

  /** @param done told what could not be written */
  const put = (bytes: Uint8Array, done: (rest: Uint8Array) => void): void =>
    write(fd, bytes, (fault, written) => {
      lastByte = bytes[written - 1] ?? lastByte
      const rest = bytes.subarray(written)
      if (fault?.code === 'EAGAIN') {
        waiting = bytes
        setTimeout(() => {
          waiting = nothing
          put(bytes, done)
        }, limits.logHoldMilliseconds)
      } else if (fault === null && rest.length > 0) {
        put(rest, done)
      } else {
        isTorn = rest.length > 0 && lastByte !== newline
        done(rest)
      }
    })

  /** What follows half a line begins a new one. */
  const begin = (text: string): Uint8Array => Buffer.from(isTorn ? `\n${text}` : text)

  /** Of a piece that was given up, the newline before it belongs to a line that was counted before. */
  const linesOf = (rest: Uint8Array, piece: Uint8Array): number =>
    linesIn(rest) - (rest.length === piece.length && piece[0] === newline ? 1 : 0)

  const describe = (lines: number): string => (lines > 0 ? describeDropped(lines) : '')

  const putHeld = (): void => {
    if (held === '') {
      isWriting = false
      whenWritten()
      return
    }
    const bytes = begin(held)
    held = ''
    dropped += refused
    refused = 0
    put(bytes, (rest) => {
      const lines = linesOf(rest, bytes)
      dropped += lines
      droppedInAll += lines
      isWriting = false
      if (isDue || held === '') flush()
    })
  }

  const flush = (): void => {
    isDue = isWriting
    if (isWriting) return
    isWriting = true
    if (dropped === 0) {
      putHeld()
      return
    }
    const told = dropped
    dropped = 0
    put(begin(describeDropped(told)), (rest) => {
      if (rest.length > 0) dropped += told
      putHeld()
    })
  }

  const flushInAMoment = (): void => {
    if (timer !== null) return
    timer = setTimeout(() => {
      timer = null
      flush()
    }, limits.logHoldMilliseconds).unref()
  }

  /** A process that ends by itself, even by a fault, still says why. */
  const whenExiting = (): void => {
    const text = describe(dropped) + held + describe(refused)
    const bytes = waiting.length > 0 ? Buffer.concat([waiting, Buffer.from(text)]) : begin(text)
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    } catch {
      // There is nowhere left to say so.
    }
  }
  process.once('exit', whenExiting)

  return {
    add(line, urgent) {
      if (held.length + line.length > limits.logCharacters) {
        refused++
        droppedInAll++
        return
      }
      held += line
      if (urgent || held.length >= limits.logPieceCharacters) flush()
      else flushInAMoment()
    },
    droppedLines: () => droppedInAll,
    end: () =>
      new Promise((resolve) => {
        whenWritten = () => {
          process.off('exit', whenExiting)
          // The descriptor may be somebody else's from now on.
          if (timer !== null) clearTimeout(timer)
          resolve()
        }
        flush()
      }),
  }
}
