/** One notice -> a line of JSON in the log, on standard error. */
import type { Settings } from '../config/settings.ts'
import type { Clock } from '../model/ids.ts'
import type { Notice, Tell } from '../model/notice.ts'
import { LineWriter } from './line-writer.ts'

export interface Log {
  readonly tell: Tell
  /** How many lines were dropped since the start. */
  droppedLines(): number
  /** Resolves when nothing is held back any more. */
  close(): Promise<void>
}

/** Levels as numbers, in the way of most logs of Node. */
const severity = { debug: 20, info: 30, warn: 40, error: 50, silent: 60 } as const

/**
 * A log that never holds up a request: `{"level":30,"message":"request",...,"time":1795262400000}`.
 * Warnings and errors are written at once; of the other lines a killed process may lose those of its
 * last tenth of a second.
 */
export const openLog = (level: Settings['logLevel'], clock: Clock): Log => {
  const lineOf = (notice: Notice): string =>
    `${JSON.stringify({ ...notice, level: severity[notice.level], time: clock() })}\n`
  const lines = new LineWriter(2, (count) =>
    lineOf({ level: 'warn', message: 'lines of this log were dropped', lines: count }),
  )
  return {
    tell(notice: Notice) {
      const weight = severity[notice.level]
      if (weight < severity[level]) return
      lines.add(lineOf(notice), weight >= severity.warn)
    },
    droppedLines: () => lines.droppedLines,
    close: () => lines.end(),
  }
}
