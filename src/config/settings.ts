/** The settings: one row each, with its environment variable, flag, default and meaning. */
import type { Duration } from '../model/authorization.ts'
import type { LanguageFile, Text } from '../model/language.ts'
import type { Resource } from '../model/resource.ts'
import type { OwnClaims } from '../model/scope-word.ts'
import { brandSettings, type Logo } from './brand.ts'
import { languageSettings } from './languages.ts'
import { lifetimeSettings } from './lifetimes.ts'
import { type MonitoringSettings, monitoringSettings } from './monitoring.ts'
import { parseOwnWords } from './own-words.ts'
import { peopleSettings } from './people.ts'
import { placeSettings } from './places.ts'
import { defaultResources, parseResources } from './resources.ts'
import type { Limits } from './settable-limits.ts'
import { errorPages } from './texts.ts'
import { type UpstreamSettings, upstreamSettings } from './upstreams.ts'
import { type Setting, wholeNumber, yesOrNo } from './values.ts'

/** Least number of characters of a new password, unless the setting says otherwise. */
export const passwordLeastCharacters = { demo: 8, otherwise: 15 } as const

/** The settings of a service, as `loadSettings` returns them. */
export interface Settings extends MonitoringSettings {
  readonly port: number
  readonly host: string
  /** `{base_url}`: no trailing slash. Ends in `:0` until `issuerFor` knows the port. */
  readonly issuer: string
  /** Host names besides the issuer's that requests may be for: lower case, without port. */
  readonly hosts: readonly string[]
  /** `sqlite:PATH` or `postgres://...`, which may hold a password. */
  readonly store: string
  /** For what was read from the store; 0 = nothing is kept. */
  readonly cacheMegabytes: number
  readonly demo: boolean
  /** Wraps the sealing keys at rest; null = a key file beside the embedded database. */
  readonly secret: string | null
  /** The root secret before; for the time of its change. */
  readonly previousSecret: string | null
  /** Who may register a client over `/register`: holders of the token, anybody, or nobody. */
  readonly registration: 'token' | 'open' | 'off'
  /** How many clients strangers may register: from one network in an hour, and in total. */
  readonly registrationsPerNetwork: number
  readonly registrationsInTotal: number
  /** With it a client may be registered without a quota; null = nobody may. */
  readonly registrationToken: string | null
  /** Who may make an account: nobody, people with an invitation, or everybody with an address. */
  readonly signUp: 'off' | 'invited' | 'open'
  /** `smtps://...` or `smtp://...`, which may hold a password; null = no mail is sent. */
  readonly smtp: string | null
  /** The sender of all mails; set wherever `smtp` is. */
  readonly mailFrom: string | null
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Private addresses or CIDR ranges that this service may fetch from. */
  readonly fetchAllow: readonly string[]
  readonly accessTokenSeconds: number
  readonly refreshTokenSeconds: number
  readonly sessionSeconds: number
  /** Least length of a new password, in Unicode characters. */
  readonly passwordCharacters: number
  readonly eventSeconds: number
  /** What `error_uri` begins with; the error code follows. Null = no `error_uri`. */
  readonly errorUri: string | null
  readonly accessLogSeconds: number
  /** After so many days without a use an application is paused; 0 = never. */
  readonly pauseUnusedDays: number
  /** Days in which an owner can undo the deletion of the account. */
  readonly deletionDays: number
  /** A new signing key of each algorithm after so many days. */
  readonly keyRotationDays: number
  /** Preselected on the consent page. */
  readonly defaultDuration: Duration
  /** Created at the first start that sees their names; later the store has them. */
  readonly resources: readonly Resource[]
  /** Words of a scope that tell claims from the attributes of owners. */
  readonly claims: readonly OwnClaims[]
  /** Other services that log people in. */
  readonly upstreams: readonly UpstreamSettings[]
  readonly operatorName: Text
  /** Files of the operator's languages. */
  readonly languages: readonly LanguageFile[]
  readonly logo: Logo | null
  /** `#rrggbb`, on light pages and on dark ones. */
  readonly accentColor: string
  readonly accentColorDark: string
  readonly loginText: Text | null
  /** Pages of the operator's own, per language. */
  readonly helpUrl: Text | null
  readonly privacyUrl: Text | null
  readonly termsUrl: Text | null
  readonly limits: Limits
  /** Where each given setting came from, by its key; `limits.NAME` for a limit. Others are defaults. */
  readonly origins: Readonly<Record<string, SettingOrigin>>
  /** Sentences about options that are set and gone: the log warns of them. */
  readonly gone: readonly string[]
}

/** Where a setting came from. */
export type SettingOrigin = 'flag' | 'environment' | 'file'

/** The settings with a row in the table. */
export type SettingKey = Exclude<keyof Settings, 'limits' | 'origins' | 'gone'>

const clients: Pick<SettingsTable, 'demo' | 'resources' | 'claims'> = {
  demo: {
    environment: 'LATCHKEY_DEMO',
    flag: '--demo <0|1>',
    parse: yesOrNo,
    fallbackText: '1 where the issuer is loopback http, else 0',
    meaning: 'Seeds and announces demo data; refused where the issuer is not loopback http.',
    when: 'You try your own data on this machine: 0 turns the demo off.',
  },
  resources: {
    parse: parseResources,
    fallback: defaultResources,
    fallbackText: defaultResources.map((resource) => resource.name).join(', '),
    meaning:
      'Resources to create at the first start that sees their names: a list of objects as in resources.md. Later they are changed over the admin API or by latchkey resource.',
    when: 'You protect anything but the three examples.',
  },
  claims: {
    parse: parseOwnWords,
    fallback: [],
    meaning:
      'Words of a scope of your own, and the claims of each from the attributes of owners: see scopes.md.',
    when: 'Applications need claims beyond those of OpenID Connect.',
  },
}

/** Every setting there is, by its key. */
export type SettingsTable = { readonly [Key in SettingKey]: Setting<Settings[Key]> }

export const settingsTable: SettingsTable = {
  ...placeSettings,
  ...clients,
  ...peopleSettings,
  ...lifetimeSettings,
  keyRotationDays: {
    environment: 'LATCHKEY_KEY_ROTATION_DAYS',
    flag: '--key-rotation-days <number>',
    parse: wholeNumber(1, 3650),
    fallback: 90,
    meaning:
      'A new signing key of each algorithm after so many days. It is published an hour before its first use. The old one stays until a day after the last token under it has ended.',
    when: 'A rule names a time, or an API keeps keys for longer than a day.',
  },
  ...brandSettings,
  ...languageSettings,
  ...upstreamSettings,
  ...monitoringSettings,
  errorUri: {
    environment: 'LATCHKEY_ERROR_URI',
    flag: '--error-uri <url>',
    parse: errorPages,
    fallback: null,
    meaning:
      'Base of the error_uri in refusals. The error code follows it, after a / unless it ends with /, # or =.',
    when: 'You have pages about error codes for developers.',
  },
  passwordCharacters: {
    environment: 'LATCHKEY_PASSWORD_CHARACTERS',
    flag: '--password-characters <number>',
    parse: wholeNumber(8, 64),
    fallbackText: `${passwordLeastCharacters.otherwise}; in the demo ${passwordLeastCharacters.demo}`,
    meaning:
      'Least number of characters of a new password. NIST SP 800-63B asks for 15, or for 8 where every owner has a second factor.',
    when: 'A rule of your company names a length, or all owners have a second factor.',
  },
}

export const settingKeys = Object.keys(settingsTable) as readonly SettingKey[]
