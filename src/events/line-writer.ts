/** Lines for a file descriptor: collected for a moment, then written together by another thread. */
import { write, writeSync } from 'node:fs'
import { limits } from '../config/limits.ts'

export interface LineWriter {
  /** Holds a line until others have come too, or a moment has passed; an urgent one waits for neither. */
  add(line: string, urgent: boolean): void
  /** Resolves when all that was held is written. */
  end(): Promise<void>
}

/** Nobody waits for these lines: where they cannot be written they are dropped, and the service goes on. */
export const createLineWriter = (fd: number): LineWriter => {
  let held = ''
  let isWriting = false
  /** Whether what came during a write is to follow it at once. */
  let isDue = false
  let timer: NodeJS.Timeout | null = null
  let whenWritten = (): void => {}

  const put = (bytes: Uint8Array): void =>
    write(fd, bytes, (fault, written) => {
      if (fault?.code === 'EAGAIN') {
        setTimeout(put, limits.logHoldMilliseconds, bytes)
      } else if (fault === null && written < bytes.length) {
        put(bytes.subarray(written))
      } else {
        isWriting = false
        if (isDue || held === '') flush()
      }
    })

  const flush = (): void => {
    isDue = isWriting
    if (isWriting) return
    if (held === '') {
      whenWritten()
      return
    }
    const bytes = Buffer.from(held)
    held = ''
    isWriting = true
    put(bytes)
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
    if (held === '') return
    try {
      writeSync(fd, held)
    } catch {
      // There is nowhere left to say so.
    }
  }
  process.once('exit', whenExiting)

  return {
    add(line, urgent) {
      if (held.length + line.length > limits.logCharacters) return
      held += line
      if (urgent || held.length >= limits.logPieceCharacters) flush()
      else flushInAMoment()
    },
    end: () =>
      new Promise((resolve) => {
        whenWritten = () => {
          process.off('exit', whenExiting)
          resolve()
        }
        flush()
      }),
  }
}
