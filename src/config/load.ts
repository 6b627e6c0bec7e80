/** Loads the settings: defaults < configuration file < environment < flags, all faults together. */
import { isLoopback, isLoopbackHttp, makeIssuer } from './issuer.ts'
import { defaultLimits, type Limits, limitNames, settableLimits } from './settable-limits.ts'
import {
  passwordLeastCharacters,
  type SettingKey,
  type SettingOrigin,
  type Settings,
  settingKeys,
  settingsTable,
} from './settings.ts'
import { type Offer, openSources, type Sources } from './sources.ts'
import { type Parse, parseWholeNumber } from './values.ts'
import { checkWebhooks } from './webhooks.ts'

/** Whoever configured the service has to mend all of these. No fault shows a secret. */
export class SettingsFault extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/**
 * Faults show the value they found, but never a secret, nor a value that may hold one
 * (`user:password@host`).
 */
const tellValue = (value: unknown, secret: boolean): string => {
  const text = JSON.stringify(value)
  const isTelling = !secret && text.length <= 80 && !text.includes('@')
  return isTelling ? `, not ${text}` : ''
}

/** Settings whose fallback follows from others. */
const followingKeys = ['issuer', 'demo', 'registration', 'signUp'] as const

type PlainKey = Exclude<SettingKey, (typeof followingKeys)[number]>

const plainKeys = settingKeys.filter((key): key is PlainKey =>
  followingKeys.every((other) => other !== key),
)

type PlainSettings = { readonly [Key in PlainKey]: Settings[Key] | undefined }

/**
 * Loads the settings. Where `PORT=0` and no issuer is set, the issuer is known only once the
 * service listens: see `getIssuer`.
 *
 * @throws SettingsFault with all that is wrong, if anything is
 */
export const loadSettings = (sources: Sources = {}): Settings => {
  const faults: string[] = []
  const given = openSources(sources, faults)
  const origins: Record<string, SettingOrigin> = {}

  const parsedAs = <Value>(
    name: string,
    { called, value, origin }: Offer,
    parse: Parse<Value>,
    secret = false,
  ): Value | undefined => {
    origins[name] = origin
    const parsed = parse(value, sources.cwd ?? process.cwd())
    if ('value' in parsed) return parsed.value
    faults.push(`${called} must be ${parsed.expected}${tellValue(value, secret)}`)
    return undefined
  }

  /** The limits of an operator within their ranges, and the defaults. */
  const takeLimits = (): Limits => {
    const limits = { ...defaultLimits } as Record<keyof Limits, number>
    for (const name of limitNames) {
      const offer = given.limit(name)
      if (offer === null) continue
      const { least, most } = settableLimits[name]
      const number = parsedAs(`limits.${name}`, offer, parseWholeNumber(least, most))
      limits[name] = number ?? limits[name]
    }
    return limits
  }

  /** The value that was given, else the fallback; a faulty value gives undefined too. */
  const take = <Key extends SettingKey>(key: Key): Settings[Key] | undefined => {
    const { parse, fallback, secret } = settingsTable[key]
    const offer = given.setting(key)
    return offer === null ? fallback : parsedAs(key, offer, parse, secret)
  }

  const plain = Object.fromEntries(plainKeys.map((key) => [key, take(key)])) as PlainSettings
  const taken = { ...plain, limits: takeLimits() }
  const issuer = given.setting('issuer') === null ? ownIssuer(taken, faults) : take('issuer')
  const demo = decideDemo(take('demo'), issuer, faults)
  if (demo) keepDemoHere(taken, faults)
  const { demo: inDemo, otherwise } = passwordLeastCharacters
  const passwordCharacters = taken.passwordCharacters ?? (demo ? inDemo : otherwise)
  const registration = take('registration') ?? (demo ? 'open' : 'token')
  const signUp = take('signUp') ?? (demo ? 'open' : 'off')
  checkMail(taken, faults)
  checkMetrics(taken, faults)
  checkWebhooks(taken, demo, faults)
  const settings = {
    ...taken,
    issuer,
    demo,
    passwordCharacters,
    registration,
    signUp,
    origins,
    gone: given.gone,
  }
  if (faults.length > 0 || !isWhole(settings)) throw new SettingsFault(faults)
  return settings
}

type Unsettled = { readonly [Key in keyof Settings]: Settings[Key] | undefined }

/** A setting is missing only where a fault tells of it. */
const isWhole = (settings: Unsettled): settings is Settings =>
  Object.values(settings).every((value) => value !== undefined)

/** Every mail has a sender. */
const checkMail = ({ smtp, mailFrom }: Pick<Unsettled, 'smtp' | 'mailFrom'>, faults: string[]) => {
  if (typeof smtp !== 'string' || mailFrom !== null) return
  faults.push('LATCHKEY_MAIL_FROM must be set, since LATCHKEY_SMTP is')
}

const checkMetrics = (
  { metrics, metricsToken }: Pick<Unsettled, 'metrics' | 'metricsToken'>,
  faults: string[],
) => {
  if (metrics !== 'off' || typeof metricsToken !== 'string') return
  faults.push('LATCHKEY_METRICS_TOKEN must not be set, since LATCHKEY_METRICS is off')
}

/** The default issuer is right only for a service on a loopback address. */
const ownIssuer = (
  { host, port }: Pick<Unsettled, 'host' | 'port'>,
  faults: string[],
): string | undefined => {
  if (host === undefined || port === undefined) return undefined
  const issuer = makeIssuer(host, port)
  if (isLoopbackHttp(issuer)) return issuer
  faults.push(
    `LATCHKEY_ISSUER must be set, to the https URL by which clients reach the service, since HOST ${host} is not a loopback address`,
  )
  return undefined
}

/** Demo data has known passwords, so it is for this machine only. */
const decideDemo = (
  asked: boolean | undefined,
  issuer: string | undefined,
  faults: string[],
): boolean | undefined => {
  if (issuer === undefined) return undefined
  if (asked === undefined) return isLoopbackHttp(issuer)
  if (asked && !isLoopbackHttp(issuer)) {
    faults.push(`LATCHKEY_DEMO must be 0 unless the issuer is loopback http, and ${issuer} is not`)
  }
  return asked
}

/** The demo listens on a loopback address, and answers loopback names only. */
const keepDemoHere = ({ host, hosts }: Pick<Unsettled, 'host' | 'hosts'>, faults: string[]) => {
  const isElsewhere = host !== undefined && !isLoopback(host)
  const named = hosts?.find((name) => !isLoopback(name))
  const otherwise = 'where the demo is on, since everybody knows its passwords'
  const remedy = 'LATCHKEY_DEMO=0 turns the demo off'
  if (isElsewhere) {
    faults.push(
      `HOST must be a loopback address such as 127.0.0.1 ${otherwise}, not "${host}": ${remedy}`,
    )
  }
  if (named !== undefined) {
    faults.push(`LATCHKEY_HOSTS must be empty ${otherwise}, not "${named}": ${remedy}`)
  }
}

/** The issuer, now that the service listens on this port: the set one, or where it listens. */
export const getIssuer = ({ host, issuer }: Settings, port: number): string =>
  issuer === makeIssuer(host, 0) ? makeIssuer(host, port) : issuer
