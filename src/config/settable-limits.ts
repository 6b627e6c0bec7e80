/**
 * The limits that an operator may set, one row each. Settings, their checks and their documentation
 * follow from the rows. All other limits are constants: docs/limits.md says why.
 */

const day = 24 * 3600
const mebibyte = 1024 * 1024

/** One limit. `least` and `most` are the values that an operator may set. */
interface LimitRow {
  readonly fallback: number
  readonly least: number
  readonly most: number
  readonly meaning: string
}

const row = (fallback: number, least: number, most: number, meaning: string): LimitRow => ({
  fallback,
  least,
  most,
  meaning,
})

const rates = {
  refusalsPerMinute: row(1000, 100, 1_000_000, 'Refused requests of one address, per minute.'),
  freeTries: row(
    5,
    3,
    20,
    'Wrong passwords or codes of one name, before each further one doubles a wait.',
  ),
  longestTryWaitSeconds: row(900, 60, 3600, 'The longest wait after wrong passwords or codes.'),
  networkFreeTries: row(
    50,
    10,
    10_000,
    'The same of one address, within an hour. A /56 may make twice as many, a /48 four times.',
  ),
  mailsPerMailbox: row(5, 1, 100, 'Mails of one kind to one mailbox, within an hour.'),
}

const quotas = {
  itemsPerResource: row(100_000, 1, 10_000_000, 'Items of one owner in one resource.'),
  ownItemsPerResource: row(
    50,
    1,
    100_000,
    'Items of a client that registered itself, in one resource and for itself.',
  ),
  passkeysPerOwner: row(20, 2, 100, 'Passkeys of one owner.'),
  mailsWaiting: row(
    10_000,
    100,
    1_000_000,
    'Mails that wait to be sent. Those that strangers asked for fill four fifths at most.',
  ),
  revocationPolls: row(10_000, 10, 100_000, 'APIs that wait for revocations at once, on one node.'),
  revocationPollsPerClient: row(1000, 1, 100_000, 'The same of one client.'),
}

const sizes = {
  itemBytes: row(64 * 1024, 1024, mebibyte, 'The body of an item, as JSON.'),
  clientLogoBytes: row(64 * 1024, 1024, mebibyte, 'The picture of a client.'),
}

const lifetimes = {
  codeSeconds: row(60, 10, 600, 'A code. RFC 6749 section 4.1.2 recommends ten minutes at most.'),
  journeySeconds: row(
    900,
    60,
    3600,
    'From the authorization request to its answer, while somebody logs in and decides.',
  ),
  ceremonySeconds: row(600, 120, 3600, 'A second step of a login, or setting up a factor.'),
  refreshRetrySeconds: row(
    30,
    0,
    300,
    'A repeated refresh gets the same successor for so long. A later one counts as theft.',
  ),
  idTokenSeconds: row(3600, 60, day, 'An ID token.'),
  resetLinkSeconds: row(1800, 300, day, 'A mailed link to a new password.'),
  handedResetLinkSeconds: row(
    day,
    300,
    7 * day,
    'A link to a new password that the operator sends or hands over.',
  ),
  inviteLinkSeconds: row(7 * day, 3600, 90 * day, 'An invitation.'),
  verifyLinkSeconds: row(day, 300, 30 * day, 'A link that proves an email address.'),
  signUpLinkSeconds: row(day, 300, 30 * day, 'A link that makes an account.'),
}

const retention = {
  mailKeepSeconds: row(day, 600, 7 * day, 'A mail that cannot be sent is tried for so long.'),
  logoutNoticeSeconds: row(
    day,
    600,
    7 * day,
    'A logout that a client does not hear of is told again for so long.',
  ),
}

const caches = {
  addressesCounted: row(50_000, 1000, 5_000_000, 'Addresses with refused requests, per node.'),
  keySetsCached: row(
    200,
    10,
    100_000,
    'Key sets of clients of strangers, and as many of the operator, per node.',
  ),
  clientCacheBytes: row(4 * mebibyte, 0, 1024 * mebibyte, 'Clients.'),
  authorizationCacheBytes: row(8 * mebibyte, 0, 1024 * mebibyte, 'Authorizations.'),
  familyCacheBytes: row(6 * mebibyte, 0, 1024 * mebibyte, 'Token families.'),
  itemCacheBytes: row(2 * mebibyte, 0, 1024 * mebibyte, 'Items, and pages of them.'),
}

const times = {
  headerSeconds: row(10, 1, 120, 'Until a client has sent the headers of its request.'),
  requestSeconds: row(30, 1, 600, 'Until a client has sent its whole request.'),
  keepAliveSeconds: row(60, 1, 3600, 'An idle connection stays open for so long.'),
  stalledSeconds: row(
    60,
    5,
    3600,
    'A download ends once its reader has taken nothing for so long.',
  ),
  fetchMilliseconds: row(
    8000,
    1000,
    30_000,
    'A request of the service to the site of a client or to an upstream, redirects included.',
  ),
}

const concurrency = {
  fetchesAtOnce: row(
    32,
    1,
    1000,
    'Requests to the sites of strangers. Those to sites of the operator have as many of their own.',
  ),
  fetchesPerHost: row(4, 1, 1000, 'The same to one host.'),
  passwordHashesAtOnce: row(
    2,
    1,
    64,
    'Passwords that are hashed at the same time, and no more than there are cores.',
  ),
  passwordHashesWaiting: row(200, 10, 10_000, 'Passwords that wait for that.'),
  postgresReadConnections: row(4, 1, 100, 'Connections of one node to PostgreSQL for reads.'),
  postgresStepConnections: row(6, 1, 100, 'The same for writes.'),
}

/** The rows in the order of the documentation, by topic. */
export const limitTopics = {
  Rates: rates,
  Quotas: quotas,
  Sizes: sizes,
  Lifetimes: lifetimes,
  Retention: retention,
  Caches: caches,
  'Time limits': times,
  Concurrency: concurrency,
} as const

export const settableLimits = {
  ...rates,
  ...quotas,
  ...sizes,
  ...lifetimes,
  ...retention,
  ...caches,
  ...times,
  ...concurrency,
} satisfies Readonly<Record<string, LimitRow>>

/** The name of a limit that an operator may set. */
export type LimitName = keyof typeof settableLimits

/** The limits of a service, by name: the set ones and the defaults. */
export type Limits = { readonly [Name in LimitName]: number }

export const limitNames = Object.keys(settableLimits) as readonly LimitName[]

export const defaultLimits = Object.fromEntries(
  limitNames.map((name) => [name, settableLimits[name].fallback]),
) as Limits

/** `codeSeconds` is `LATCHKEY_LIMIT_CODE_SECONDS`. */
export const limitVariable = (name: LimitName): string =>
  `LATCHKEY_LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
