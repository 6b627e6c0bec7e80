/** The name of a browser, for lists of logins. */
import type { sessionWords } from './words/sessions.ts'

/** Names of the browser and its system; null if not known. */
interface BrowserSaid {
  readonly program: string | null
  readonly system: string | null
}

/** Such as `Firefox on Linux`. */
export const browserName = (
  { program, system }: BrowserSaid,
  words: ReturnType<typeof sessionWords>,
): string => {
  if (program !== null) return system === null ? program : words.programOn({ program, system })
  return system === null ? words.unknown : words.someOn({ system })
}
