/** The settings: one row each, with its parser, default and meaning. */
import { brandSettings } from './brand.ts'
import { parseLanguages } from './languages.ts'
import { lifetimeSettings } from './lifetimes.ts'
import { monitoringSettings } from './monitoring.ts'
import { parseOwnWords } from './own-words.ts'
import { peopleSettings } from './people.ts'
import { placeSettings } from './places.ts'
import { defaultResources, parseResources } from './resources.ts'
import type { Limits } from './settable-limits.ts'
import { errorPages } from './texts.ts'
import { parseUpstreams } from './upstreams.ts'
import { nameSetting, type Setting, type SettingRows, wholeNumber, yesOrNo } from './values.ts'

/** Least number of characters of a new password, unless the setting says otherwise. */
export const passwordLeastCharacters = { demo: 8, otherwise: 15 } as const

const rows = {
  ...placeSettings,
  demo: {
    takes: '<0|1>',
    parse: yesOrNo,
    fallbackText: '1 where the issuer is loopback http, else 0',
    meaning: 'Seeds and announces demo data; refused where the issuer is not loopback http.',
    when: 'You try your own data on this machine: 0 turns the demo off.',
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
  ...lifetimeSettings,
  keyRotationDays: {
    takes: '<number>',
    parse: wholeNumber(1, 3650),
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
  ...monitoringSettings,
  errorUri: {
    takes: '<url>',
    parse: errorPages,
    fallback: null,
    meaning:
      'Base of the error_uri in refusals. The error code follows it, after a / unless it ends with /, # or =.',
    when: 'You have pages about error codes for developers.',
  },
  /** In Unicode characters. */
  passwordCharacters: {
    takes: '<number>',
    parse: wholeNumber(8, 64),
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
  settingKeys.map((key) => [key, nameSetting(key, rows[key])]),
) as { readonly [Key in SettingKey]: Setting<Settings[Key]> }
