/** What the auditor wrote down: every request before it was sent, and every answer when it came. */
import { appendFileSync, readFileSync } from 'node:fs'

/** What a life consists of, in this order; each is one promise of the service. */
export type Deed = 'owner' | 'code' | 'tokens' | 'item' | 'refresh' | 'revoke' | 'end'

/** `unknown`: an error or no answer came, so it may have happened or not. `broken`: a promise was. */
export type Word = 'asked' | 'acknowledged' | 'unknown' | 'broken'

export interface Line {
  readonly life: string
  readonly deed: Deed
  readonly word: Word
  /** The content of a request or an answer: a token, a code, a title. */
  readonly what: Readonly<Record<string, string>>
  /** When it was written down, in unix milliseconds. */
  readonly at: number
}

/** Written through to another file and by another process than those that are killed. */
export const openHistory = (file: string) => ({
  write: (line: Omit<Line, 'at'>): void =>
    appendFileSync(file, `${JSON.stringify({ ...line, at: Date.now() })}\n`),
})

export type History = ReturnType<typeof openHistory>

/** The lives in a history, each with its lines in the order of their writing. */
export const readHistory = (file: string): ReadonlyMap<string, readonly Line[]> => {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Map.groupBy(
    lines.map((line) => JSON.parse(line) as Line),
    ({ life }) => life,
  )
}
