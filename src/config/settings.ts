/** The settings: one row each, with its parser, default and meaning. */
import { isIP } from 'node:net'
import { featureSettings } from '../features/settings.ts'
import { profiles } from '../model/profile.ts'
import { brandSettings } from './brand.ts'
import { parseLanguages } from './languages.ts'
import { parseOwnWords } from './own-words.ts'
import { peopleSettings } from './people.ts'
import { placeSettings } from './places.ts'
import { defaultResources, parseResources } from './resources.ts'
import type { Limits } from './settable-limits.ts'
import { parseErrorPages } from './texts.ts'
import { parseUpstreams } from './upstreams.ts'
import {
  longSecret,
  makeSetting,
  type Parsed,
  parseOneOf,
  parseWholeNumber,
  parseYesOrNo,
  type Setting,
  type SettingRows,
} from './values.ts'
import { parseWebhooks } from './webhooks.ts'

/** Least number of characters of a new password, unless the setting says otherwise. */
export const passwordLeastCharacters = { demo: 8, otherwise: 15 } as const

const day = 24 * 3600
const longest = 3650 * day

const defineSeconds = (fallback: number, meaning: string, when: string) => ({
  takes: '<number>',
  parse: parseWholeNumber(1, longest),
  fallback,
  meaning,
  when,
})

/** `off`: nowhere. `loopback`: on the port of the service, to this machine. Else at an address of its own. */
export type MetricsPlace = 'off' | 'loopback' | { readonly host: string; readonly port: number }

const parsePlace = (given: unknown): Parsed<MetricsPlace> => {
  if (given === 'off' || given === 'loopback') return { value: given }
  const [, bracketed, name, port] =
    /^(?:\[([\da-f:.]+)\]|([a-z\d](?:[a-z\d.-]*[a-z\d])?)):(\d{1,5})$/i.exec(String(given)) ?? []
  const host = bracketed ?? name
  const isAddress = bracketed === undefined || isIP(bracketed) === 6
  if (host === undefined || !isAddress || Number(port) > 65_535) {
    return { expected: 'off, loopback, or HOST:PORT such as 10.0.0.11:9464' }
  }
  return { value: { host, port: Number(port) } }
}

const rows = {
  ...placeSettings,
  demo: {
    takes: '<0|1>',
    parse: parseYesOrNo,
    fallbackText: '1 where the issuer is loopback http, else 0',
    meaning: 'Seeds and announces demo data; refused where the issuer is not loopback http.',
    when: 'You try your own data on this machine: 0 turns the demo off.',
  },
  profile: {
    takes: '<word>',
    parse: parseOneOf(profiles),
    fallback: 'spec',
    meaning:
      'Forbids more than the specification does: oauth-2.1 some, fapi-2.0 much, spec nothing. See profiles.md.',
    when: 'A rule or a partner names OAuth 2.1 or FAPI 2.0, or all applications are new enough.',
  },
  dpopNonce: {
    environment: 'LATCHKEY_DPOP_NONCE',
    takes: '<word>',
    parse: parseOneOf(['optional', 'required']),
    fallback: 'optional',
    meaning:
      'Whether a DPoP proof needs a nonce of this service: optional or required. A wrong nonce is refused in any case.',
    when: 'Clocks of clients are wrong, or a thief could have proofs signed in advance.',
  },
  /** Created at the first start that sees their names; later the store has them. */
  resources: {
    environment: null,
    parse: parseResources,
    fallback: defaultResources,
    fallbackText: defaultResources.map((resource) => resource.name).join(', '),
    meaning:
      'Resources to create at the first start that sees their names: a list of objects as in resources.md. Later they are changed over the admin API or by latchkey resource.',
    when: 'You protect anything but the three examples.',
  },
  claims: {
    environment: null,
    parse: parseOwnWords,
    fallback: [],
    meaning:
      'Words of a scope of your own, and the claims of each from the attributes of owners: see scopes.md.',
    when: 'Applications need claims beyond those of OpenID Connect.',
  },
  ...peopleSettings,
  requirePar: {
    takes: '<0|1>',
    parse: parseYesOrNo,
    fallback: false,
    meaning: 'Whether every authorization request has to be pushed to /par first (RFC 9126).',
    when: 'All clients can push, and nobody else should be able to change their requests.',
  },
  accessTokenSeconds: defineSeconds(
    3600,
    'Lifetime of an access token, unless its client has its own.',
    'APIs that verify JWTs offline should forget a token sooner, or clients cannot refresh.',
  ),
  refreshTokenSeconds: defineSeconds(
    30 * day,
    'How long a refresh token may stay unused, unless its client has its own setting.',
    'People come back more rarely than that, or a rule wants a login more often.',
  ),
  sessionSeconds: defineSeconds(
    day / 2,
    'How long an owner stays logged in.',
    'People share computers, or should log in less often.',
  ),
  eventSeconds: defineSeconds(
    400 * day,
    'How long events are kept, such as logins and approvals.',
    'A rule for audits names a time, or the database is to stay small.',
  ),
  accessLogSeconds: defineSeconds(
    30 * day,
    'How long the access log is kept; whole days (UTC). It shows owners the uses by applications.',
    'A rule for privacy names a time, or owners should see further back.',
  ),
  defaultDuration: {
    takes: '<duration>',
    parse: parseOneOf(['session', 'day', 'month', 'forever']),
    fallback: 'forever',
    meaning:
      'How long an approval lasts unless its owner chooses otherwise: session, day, month or forever. For clients that registered themselves it is a month.',
    when: 'Approvals should end by themselves unless somebody chooses otherwise.',
  },
  pauseUnusedDays: {
    takes: '<number>',
    parse: parseWholeNumber(0, 3650),
    fallback: 0,
    meaning:
      'An application that its owner allowed is paused after so many days without a use. Its owner can resume it. 0 pauses none.',
    when: 'Forgotten applications should lose their access.',
  },
  deletionDays: {
    takes: '<number>',
    parse: parseWholeNumber(0, 365),
    fallback: 14,
    meaning:
      'The days between the deletion of an account by its owner and the end of its data. Until then the owner can undo it.',
    when: 'A rule names another time, or people should have longer to change their minds.',
  },
  keyRotationDays: {
    takes: '<number>',
    parse: parseWholeNumber(1, 3650),
    fallback: 90,
    meaning:
      'A new signing key of each algorithm after so many days. It is published an hour before its first use. The old one stays until a day after the last token under it has ended.',
    when: 'A rule names a time, or an API keeps keys for longer than a day.',
  },
  ...brandSettings,
  languages: {
    takes: '<folder>',
    parse: parseLanguages,
    fallback: [],
    meaning:
      'A folder with language files (*.json). Each adds a language to the pages, or changes messages of one: see languages.md.',
    when: 'A language is missing, or a message should read otherwise.',
  },
  upstreams: {
    parse: parseUpstreams,
    fallback: [],
    meaning:
      'Other services that log people in, as a list of objects (in the environment as JSON): see upstreams.md.',
    when: 'People log in with an account that they have elsewhere.',
    secret: true,
  },
  webhooks: {
    parse: parseWebhooks,
    fallback: [],
    meaning:
      'Receivers of events, as a list of objects (in the environment as JSON): see monitoring.md.',
    when: 'Another program should hear of logins, approvals and other events.',
    secret: true,
  },
  ...featureSettings,
  logLevel: {
    takes: '<level>',
    parse: parseOneOf(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    meaning: 'How much is logged: debug, info, warn, error or silent.',
    when: 'You look for a fault (debug), or the log is too long (warn).',
  },
  metrics: {
    takes: '<place>',
    parse: parsePlace,
    fallback: 'loopback',
    meaning:
      'The place of /metrics: off, loopback (this machine, on the port of the service), or HOST:PORT (a port of its own, in a trusted network).',
    when: 'Your monitoring is on another machine, or you have none.',
  },
  metricsToken: {
    parse: longSecret,
    fallback: null,
    meaning: 'With it, /metrics also answers on the port of the service, to this bearer token.',
    when: 'Your monitoring reaches only the public port.',
    secret: true,
  },
  errorUri: {
    takes: '<url>',
    parse: parseErrorPages,
    fallback: null,
    meaning:
      'Base of the error_uri in refusals. The error code follows it, after a / unless it ends with /, # or =.',
    when: 'You have pages about error codes for developers.',
  },
  /** In Unicode characters. */
  passwordCharacters: {
    takes: '<number>',
    parse: parseWholeNumber(8, 64),
    fallbackText: `${passwordLeastCharacters.otherwise}; in the demo ${passwordLeastCharacters.demo}`,
    meaning:
      'Least number of characters of a new password. NIST SP 800-63B asks for 15, or for 8 where every owner has a second factor.',
    when: 'A rule of your company names a length, or all owners have a second factor.',
  },
} as const satisfies SettingRows

type Parsing = Readonly<Record<string, { parse(given: unknown, cwd: string): unknown }>>

/** The values of settings by their rows; null is one where it is the fallback. */
type ValuesOf<Rows extends Parsing> = {
  readonly [Key in keyof Rows]:
    | Extract<ReturnType<Rows[Key]['parse']>, { value: unknown }>['value']
    | (Rows[Key] extends { readonly fallback: null } ? null : never)
}

/** The settings of a service, as `loadSettings` returns them. */
export interface Settings extends ValuesOf<typeof rows> {
  readonly limits: Limits
  /** Where each given setting came from, by its key; `limits.NAME` for a limit. Others are defaults. */
  readonly origins: Readonly<Record<string, SettingOrigin>>
  /** Sentences about options that are set and gone: the log warns of them. */
  readonly gone: readonly string[]
}

/** The settings of monitoring. */
export type MonitoringSettings = Pick<
  Settings,
  'webhooks' | 'logLevel' | 'metrics' | 'metricsToken'
>

/** Where a setting came from. */
export type SettingOrigin = 'flag' | 'environment' | 'file'

/** The settings with a row in the table. */
export type SettingKey = keyof typeof rows

export const settingKeys = Object.keys(rows) as readonly SettingKey[]

/** Every setting there is, by its key. */
export const settingsTable = Object.fromEntries(
  settingKeys.map((key) => [key, makeSetting(key, rows[key])]),
) as { readonly [Key in SettingKey]: Setting<Settings[Key]> }
