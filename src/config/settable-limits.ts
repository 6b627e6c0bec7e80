/**
 * The limits that an operator may set, one row each. Settings, their checks and their documentation
 * follow from the rows. All other limits are constants: docs/limits.md says why.
 */

const day = 24 * 3600

/** One limit. `least` and `most` are the values that an operator may set. */
interface LimitRow {
  readonly fallback: number
  readonly least: number
  readonly most: number
  readonly meaning: string
  /** When an operator sets it. A limit without an answer is a constant. */
  readonly when: string
}

export const settableLimits = {
  networkFreeTries: {
    fallback: 50,
    least: 10,
    most: 10_000,
    meaning:
      'Wrong passwords or codes of one address within an hour, before each further one doubles a wait. A /56 may make twice as many, a /48 four times.',
    when: 'Many people log in from one address, such as a school or an office, and have to wait.',
  },
  resetLinkSeconds: {
    fallback: 1800,
    least: 300,
    most: day,
    meaning: 'A link to a new password that somebody asked for.',
    when: 'Mails arrive late, or a rule of your company wants a shorter time.',
  },
  inviteLinkSeconds: {
    fallback: 7 * day,
    least: 3600,
    most: 90 * day,
    meaning: 'An invitation.',
    when: 'People are invited long before they begin, or a rule wants a shorter time.',
  },
  keepAliveSeconds: {
    fallback: 60,
    least: 1,
    most: 3600,
    meaning: 'An idle connection stays open for so long.',
    when: 'A load balancer keeps idle connections longer: set more than its time, else it answers 502 at times.',
  },
  postgresConnections: {
    fallback: 10,
    least: 2,
    most: 200,
    meaning:
      'Connections of one node to PostgreSQL, two fifths of them for reads. One more watches for changes.',
    when: 'The database allows few connections (latchkey doctor says so), or a node waits for a large one.',
  },
} as const satisfies Readonly<Record<string, LimitRow>>

/** The name of a limit that an operator may set. */
export type LimitName = keyof typeof settableLimits

/** Limits that no operator sets. A test of a whole service makes them smaller, or larger. */
const fixedLimits = {
  /** Refused requests of one address, per minute. */
  refusalsPerMinute: 1000,
  /** Items of one owner in one resource. */
  itemsPerResource: 100_000,
  /** A code. RFC 6749 section 4.1.2 recommends ten minutes at most. */
  codeSeconds: 60,
  /** A repeated refresh gets the same successor for so long. A later one counts as theft. */
  refreshRetrySeconds: 30,
  /** Requests at a time to one host of strangers, and as many to one of the operator. */
  fetchesPerHost: 4,
} as const

/** The limits of a service, by name: the set ones, the defaults and the fixed ones. */
export type Limits = { readonly [Name in LimitName | keyof typeof fixedLimits]: number }

export const limitNames = Object.keys(settableLimits) as readonly LimitName[]

export const defaultLimits: Limits = {
  ...fixedLimits,
  ...(Object.fromEntries(limitNames.map((name) => [name, settableLimits[name].fallback])) as {
    readonly [Name in LimitName]: number
  }),
}

/** `keepAliveSeconds` is `LATCHKEY_LIMIT_KEEP_ALIVE_SECONDS`. */
export const limitVariable = (name: string): string =>
  `LATCHKEY_LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
