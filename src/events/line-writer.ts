/** Lines for a file descriptor: collected for a moment, then written together. */
import { lineLimits, Outlet } from './outlet.ts'

/**
 * Nobody waits for these lines: where they cannot be written they are dropped, and the service goes on.
 * Where lines are missing, a line says how many, as soon as there is room for it.
 */
export class LineWriter {
  readonly #outlet: Outlet
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
    this.#outlet = new Outlet(fd)
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
