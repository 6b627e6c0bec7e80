/**
 * The limits that an operator may set, one row each. Settings, their checks and their documentation
 * follow from the rows. All other limits are constants: docs/limits.md says why.
 */
import { featureLimits } from '../features/limits.ts'
import { getVariable } from './values.ts'

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
  pushedRequestSeconds: {
    fallback: 60,
    least: 5,
    most: 600,
    meaning: 'A pushed authorization request: until then its request_uri has to reach /authorize.',
    when: 'Clients push a request long before the browser of the owner gets its request_uri.',
  },
  ...featureLimits,
  deviceIntervalSeconds: {
    fallback: 5,
    least: 1,
    most: 60,
    meaning:
      'How long a device or a backchannel client waits between two polls of /token, unless it was told to slow down.',
    when: 'Very many devices wait at once, or one should hear of its approval sooner.',
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
      'Connections of one node to PostgreSQL, two fifths of them for reads. One more watches for changes, and over many machines three more.',
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
export const limitVariable = (name: string): string => getVariable(`limit_${name}`)

const cache = 'set LATCHKEY_CACHE_MB for all caches together'
const connections = 'set LATCHKEY_LIMIT_POSTGRES_CONNECTIONS for reads and writes together'

/** The replacements of limits that an operator could set once, by the former name. */
export const formerLimits: Readonly<Record<string, string>> = {
  refusalsPerMinute: 'an address always has 1000 refused requests in a minute',
  freeTries: 'five wrong tries of one name are always free',
  longestTryWaitSeconds: 'the longest wait is always 900 seconds',
  mailsPerMailbox: 'a mailbox always gets five mails of one kind in an hour',
  itemsPerResource: 'an owner always has room for 100000 items in a resource',
  ownItemsPerResource: 'a client that registered itself always has room for 50 items in a resource',
  passkeysPerOwner: 'an owner always has room for 20 passkeys',
  mailsWaiting: '10000 mails may always wait',
  revocationPolls: '10000 APIs may always wait for revocations',
  revocationPollsPerClient: '1000 APIs of one client may always wait for revocations',
  itemBytes: 'an item always has 65536 bytes at most',
  clientLogoBytes: 'the picture of a client always has 65536 bytes at most',
  codeSeconds: 'a code always lasts 60 seconds',
  journeySeconds: 'an authorization request always waits 900 seconds',
  ceremonySeconds: 'a second step of a login always waits 600 seconds',
  refreshRetrySeconds: 'a repeated refresh always gets the same successor for 30 seconds',
  idTokenSeconds: 'an ID token always lasts 3600 seconds',
  handedResetLinkSeconds: 'a link to a new password from the operator always works for a day',
  verifyLinkSeconds: 'a link that proves an address always works for a day',
  signUpLinkSeconds: 'a link that makes an account always works for a day',
  mailKeepSeconds: 'a mail that cannot be sent is always tried for a day',
  logoutNoticeSeconds: 'a logout is always told again for a day',
  addressesCounted: 'a node always counts 50000 addresses',
  keySetsCached: 'a node always keeps 200 key sets',
  clientCacheBytes: cache,
  authorizationCacheBytes: cache,
  familyCacheBytes: cache,
  itemCacheBytes: cache,
  headerSeconds: 'headers always have 10 seconds to come',
  requestSeconds: 'a request always has 30 seconds to come',
  stalledSeconds: 'a download always ends after 60 seconds without a reader',
  fetchMilliseconds: 'a request to another site always has 8 seconds',
  fetchesAtOnce: 'there are always 32 requests to other sites at once',
  fetchesPerHost: 'there are always four requests to one host at once',
  passwordHashesAtOnce: 'two passwords are always hashed at the same time',
  passwordHashesWaiting: '200 passwords may always wait for that',
  postgresReadConnections: connections,
  postgresStepConnections: connections,
}

const byVariable = new Map(
  Object.entries(formerLimits).map(([name, instead]) => [limitVariable(name), instead]),
)

/** The end of a sentence about a former limit; null for any other name. */
export const explainGone = (name: string): string | null => {
  const instead =
    byVariable.get(name) ?? (Object.hasOwn(formerLimits, name) ? formerLimits[name] : undefined)
  return instead === undefined ? null : ` is gone: ${instead}`
}
