/** The log on standard error: a notice is a line of JSON, and lines are written together. */
import { write, writeSync } from 'node:fs'
import type { Settings } from '../config/settings.ts'
import type { Clock } from '../model/ids.ts'
import type { Notice } from '../model/notice.ts'

export const lineLimits = {
  /** Log lines wait for others so long, or until there are so many; beyond the last bound they are dropped. */
  logHoldMilliseconds: 100,
  logPieceCharacters: 64 * 1024,
  logCharacters: 8 * 1024 * 1024,
} as const

const newline = 0x0a
const nothing = new Uint8Array()

const countLines = (bytes: Uint8Array): number => bytes.filter((byte) => byte === newline).length

/** A file descriptor that takes texts of whole lines, one at a time, written by another thread. */
const openOutlet = (fd: number) => {
  /** What is left of the text under way, while nobody takes it. */
  let waiting: Uint8Array = nothing
  let lastByte = newline
  /** Whether the last text was given up within a line. */
  let isTorn = false

  /** What follows half a line begins a new one. */
  const begin = (text: string): Uint8Array => Buffer.from(isTorn ? `\n${text}` : text)

  /** @param done told what could not be written */
  const writeAll = (bytes: Uint8Array, done: (rest: Uint8Array) => void): void => {
    write(fd, bytes, (fault, written) => {
      lastByte = bytes[written - 1] ?? lastByte
      const rest = bytes.subarray(written)
      if (fault?.code === 'EAGAIN') wait(bytes, done)
      else if (fault === null && rest.length > 0) writeAll(rest, done)
      else done(rest)
    })
  }

  const wait = (bytes: Uint8Array, done: (rest: Uint8Array) => void): void => {
    waiting = bytes
    setTimeout(() => {
      waiting = nothing
      writeAll(bytes, done)
    }, lineLimits.logHoldMilliseconds)
  }

  return {
    /** @param done told how many lines were given up, because they cannot be written */
    put(text: string, done: (dropped: number) => void): void {
      const bytes = begin(text)
      writeAll(bytes, (rest) => {
        isTorn = rest.length > 0 && lastByte !== newline
        // The newline before it ends a line that was counted earlier.
        const isWhole = rest.length === bytes.length && bytes[0] === newline
        done(countLines(rest) - (isWhole ? 1 : 0))
      })
    },
    /** Writes the queue and then a text before it returns: for a process that ends. */
    putNow(text: string): void {
      const bytes = waiting.length > 0 ? Buffer.concat([waiting, Buffer.from(text)]) : begin(text)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
      } catch {
        // Nowhere is left to say so.
      }
    },
  }
}

/**
 * Nobody waits for these lines: where they cannot be written they are dropped, and the service goes on.
 * Where lines are missing, a line says how many, as soon as there is room for it.
 */
export class LineWriter {
  readonly #outlet: ReturnType<typeof openOutlet>
  readonly #describeDropped: (lines: number) => string
  #held = ''
  /** Lines dropped behind the held ones, for lack of room. */
  #refused = 0
  /** Lines dropped before the held ones, and not reported yet. */
  #dropped = 0
  #droppedInAll = 0
  #isWriting = false
  /** Whether what came during a write is to follow it at once. */
  #isDue = false
  #timer: NodeJS.Timeout | null = null
  #whenWritten = (): void => {}

  /** @param describeDropped the line that says how many are missing, with its newline */
  constructor(fd: number, describeDropped: (lines: number) => string) {
    this.#outlet = openOutlet(fd)
    this.#describeDropped = describeDropped
    process.once('exit', this.#whenExiting)
  }

  /** How many lines were dropped since the start: there was no room for them, or they could not be written. */
  get droppedLines(): number {
    return this.#droppedInAll
  }

  /** Holds a line until others have come too, or a moment has passed; an urgent one waits for neither. */
  add(line: string, urgent: boolean): void {
    if (this.#held.length + line.length > lineLimits.logCharacters) {
      this.#refused++
      this.#droppedInAll++
      return
    }
    this.#held += line
    if (urgent || this.#held.length >= lineLimits.logPieceCharacters) this.#flush()
    else this.#flushInAMoment()
  }

  /** Resolves when all that was held is written. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenWritten = () => {
        process.off('exit', this.#whenExiting)
        // The descriptor may be somebody else's from now on.
        if (this.#timer !== null) clearTimeout(this.#timer)
        resolve()
      }
      this.#flush()
    })
  }

  #flushInAMoment(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#flush()
    }, lineLimits.logHoldMilliseconds).unref()
  }

  #flush(): void {
    this.#isDue = this.#isWriting
    if (this.#isWriting) return
    this.#isWriting = true
    const told = this.#dropped
    if (told === 0) {
      this.#putHeld()
      return
    }
    this.#dropped = 0
    this.#outlet.put(this.#describeDropped(told), (dropped) => {
      if (dropped > 0) this.#dropped += told
      this.#putHeld()
    })
  }

  #putHeld(): void {
    if (this.#held === '') {
      this.#isWriting = false
      this.#whenWritten()
      return
    }
    const text = this.#held
    this.#held = ''
    this.#dropped += this.#refused
    this.#refused = 0
    this.#outlet.put(text, (dropped) => {
      this.#dropped += dropped
      this.#droppedInAll += dropped
      this.#isWriting = false
      if (this.#isDue || this.#held === '') this.#flush()
    })
  }

  /** A process that ends by itself, even by a fault, still says why. */
  readonly #whenExiting = (): void => {
    const describe = (lines: number): string => (lines > 0 ? this.#describeDropped(lines) : '')
    this.#outlet.putNow(describe(this.#dropped) + this.#held + describe(this.#refused))
  }
}

/** Levels as numbers, in the way of most logs of Node. */
const severity = { debug: 20, info: 30, warn: 40, error: 50, silent: 60 } as const

/**
 * A log that never holds up a request: `{"level":30,"message":"request",...,"time":1795262400000}`.
 * Warnings and errors are written at once; of the other lines a killed process may lose those of its
 * last tenth of a second.
 */
export const openLog = (level: Settings['logLevel'], clock: Clock) => {
  const lineOf = (notice: Notice): string =>
    `${JSON.stringify({ ...notice, level: severity[notice.level], time: clock() })}\n`
  const lines = new LineWriter(2, (count) =>
    lineOf({ level: 'warn', message: 'lines of this log were dropped', lines: count }),
  )
  return {
    tell(notice: Notice): void {
      const weight = severity[notice.level]
      if (weight < severity[level]) return
      lines.add(lineOf(notice), weight >= severity.warn)
    },
    droppedLines: () => lines.droppedLines,
    close: () => lines.end(),
  }
}
