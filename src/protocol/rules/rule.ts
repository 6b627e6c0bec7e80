/** A rule behind refusals: its source, and how to follow it. */

export interface Rule {
  /** Where it stands, such as `RFC 6749 section 4.1.3`. */
  readonly source: string
  /** What to do about a refusal. */
  readonly fix: string
  /** The parameters, headers or members that it is about. */
  readonly about: readonly string[]
  /** The right value; null where the words of the refusal say it. */
  readonly expected: string | null
  /** Another reason in its place for a client that asks: this one tells of credentials of others. */
  readonly toldAs: string | null
}

/** A rule as a table writes it: the fix alone, or with more. The names that it is about are separated by blanks. */
export type RuleRow =
  | string
  | readonly [fix: string, about: string, expected?: string, toldAs?: string]

/** The rules of each source, by the reason of a refusal. */
export type RulesBySource = Readonly<Record<string, Readonly<Record<string, RuleRow>>>>

/** The source of a rule of our own. */
export const own = (page: string): string => `rule of this service (docs/${page}.md)`
