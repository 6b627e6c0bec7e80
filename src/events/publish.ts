/** One notice -> a line of JSON in the log, on standard error. */
import { pino } from 'pino'
import { limits } from '../config/limits.ts'
import type { Settings } from '../config/settings.ts'
import type { Notice, Tell } from '../model/notice.ts'

export interface Log {
  readonly tell: Tell
  /** Writes what is still held back. */
  flush(): void
}

/**
 * A log that never holds up a request: lines are collected and written by another thread, and
 * dropped beyond a bound where nobody reads them.
 */
export const openLog = (level: Settings['logLevel']): Log => {
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: 0,
    maxLength: limits.logBytes,
  })
  const log = pino({ level, base: null, messageKey: 'message' }, destination)
  return {
    tell: ({ level: of, message, ...fields }: Notice) => log[of](fields, message),
    flush: () => {
      try {
        destination.flushSync()
      } catch {
        // Nobody reads the log any more; the process is ending, and there is nowhere to say so.
      }
    },
  }
}
