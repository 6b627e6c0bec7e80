/** Where settings come from: the configuration file, the environment and the flags. */

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../model/json.ts'
import { didYouMean } from './nearest.ts'
import { passwordFault } from './places.ts'
import { commandVariables } from './remote.ts'
import { goneLimit, type LimitName, limitNames, limitVariable } from './settable-limits.ts'
import {
  type SettingKey as Key,
  settingKeys as keys,
  type SettingOrigin,
  settingsTable,
} from './settings.ts'

type GivenValues = Readonly<Record<string, unknown>>

/** Sources from a caller; missing ones are taken from the process. */
export interface Sources {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** By the keys of the settings, and `config`: the path of the configuration file. */
  readonly flags?: GivenValues
  readonly cwd?: string
}

/** One setting as a source gives it (undefined where it does not), and how a fault calls it. */
export interface Offer {
  readonly called: string
  readonly value: unknown
  readonly origin: SettingOrigin
}

/** The strongest offer for a setting or a limit; null where no source gives it. */
export interface Offers {
  setting(key: Key): Offer | null
  limit(name: LimitName): Offer | null
  /** Sentences about options that are set, and that are gone. */
  readonly gone: readonly string[]
}

/** Asks one source for a setting, or for the path of the file that holds it. */
type Look = (key: Key, asPath: boolean) => Offer

const nothing: Offer = { called: '', value: undefined, origin: 'flag' }
const defaultFile = 'latchkey.config.json'

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split('\n').length

const parseConfiguration = (text: string, name: string, faults: string[]): GivenValues => {
  try {
    const content: unknown = JSON.parse(text)
    if (isObject(content)) return content
    faults.push(`${name} must hold one JSON object`)
  } catch (error) {
    // The message itself would show a piece of the file, which may be a secret.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : `: see line ${lineAt(text, Number(position))}`
    faults.push(`${name} is not valid JSON${where}`)
  }
  return {}
}

/** The configuration file: nothing, where there is none and none was asked for. */
const readConfiguration = (cwd: string, asked: string | null, faults: string[]): GivenValues => {
  const name = asked ?? defaultFile
  const path = resolve(cwd, name)
  if (asked === null && !existsSync(path)) return {}
  try {
    return parseConfiguration(readFileSync(path, 'utf8'), name, faults)
  } catch {
    faults.push(`${name} cannot be read`)
    return {}
  }
}

const checkKeys = (file: GivenValues, fileName: string, faults: string[]): void => {
  const known = keys.flatMap((key) => (settingsTable[key].secret ? [key, `${key}File`] : [key]))
  for (const key of Object.keys(file)) {
    if (known.includes(key) || key === 'limits') continue
    faults.push(`${fileName} has an unknown key "${key}"${didYouMean(key, [...known, 'limits'])}`)
  }
}

/** The member `limits` of the file. */
const limitsIn = (
  { limits = {} }: GivenValues,
  fileName: string,
  faults: string[],
  gone: string[],
): GivenValues => {
  if (!isObject(limits)) {
    faults.push(`"limits" in ${fileName} must be an object: its keys are the names of limits`)
    return {}
  }
  for (const name of Object.keys(limits)) {
    if (limitNames.some((known) => known === name)) continue
    const said = goneLimit(name)
    if (said !== null) gone.push(`"limits.${name}" in ${fileName}${said}`)
    else {
      const hint = didYouMean(name, limitNames)
      faults.push(`"limits" in ${fileName} has an unknown key "${name}"${hint}`)
    }
  }
  return limits
}

/**
 * Variables with our prefix that are no settings: those of the tests, of the command line, and of
 * Kubernetes beside a service named `latchkey`.
 */
const isForeign = (name: string, value: string): boolean =>
  name.startsWith('LATCHKEY_TEST_') ||
  commandVariables.includes(name) ||
  /^LATCHKEY_(SERVICE_(HOST|PORT)|PORT_\d+_)/.test(name) ||
  (name === 'LATCHKEY_PORT' && /^(tcp|udp|sctp):/.test(value))

const checkEnvironment = (
  env: NonNullable<Sources['env']>,
  faults: string[],
  gone: string[],
): void => {
  const known = keys.flatMap((key) => {
    const { environment, secret } = settingsTable[key]
    if (environment === undefined) return []
    return secret ? [environment, `${environment}_FILE`] : [environment]
  })
  known.push(...limitNames.map(limitVariable))
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('LATCHKEY_') || known.includes(name) || isForeign(name, value)) continue
    const said = goneLimit(name)
    if (said !== null) {
      gone.push(`${name}${said}`)
      continue
    }
    const bare = name.slice('LATCHKEY_'.length)
    const hint = known.includes(bare) ? `; did you mean ${bare}?` : didYouMean(name, known)
    faults.push(`${name} is not a setting${hint}`)
  }
}

const isGiven = (offer: Offer): boolean =>
  offer.value !== undefined && offer.value !== null && offer.value !== ''

/** What one source says of a setting: the value itself or, for a secret, the content of a file. */
const offerFrom = (look: Look, key: Key, cwd: string, faults: string[]): Offer | null => {
  const direct = look(key, false)
  const path = settingsTable[key].secret ? look(key, true) : nothing
  if (!isGiven(path)) return isGiven(direct) ? direct : null
  if (isGiven(direct)) {
    faults.push(`${direct.called} and ${path.called} are both set; keep one of them`)
    return null
  }
  try {
    // Editors end a file with a line feed.
    const value = readFileSync(resolve(cwd, String(path.value)), 'utf8').replace(/\r?\n$/, '')
    return { called: `the content of ${path.called}`, value, origin: path.origin }
  } catch {
    faults.push(`${path.called} must be the path of a file that can be read`)
    return null
  }
}

/**
 * Reads all sources.
 * Flags come before the environment, and the environment before the file.
 *
 * @param faults gets what is wrong with the sources themselves
 */
export const openSources = (sources: Sources, faults: string[]): Offers => {
  const { env = process.env, flags = {}, cwd = process.cwd() } = sources
  const asked = typeof flags.config === 'string' ? flags.config : null
  const fileName = asked ?? defaultFile
  const file = readConfiguration(cwd, asked, faults)
  checkKeys(file, fileName, faults)
  const gone: string[] = []
  checkEnvironment(env, faults, gone)
  const fault = passwordFault(
    '--store',
    flags.store,
    ', or the whole URL in LATCHKEY_STORE or the file that LATCHKEY_STORE_FILE names',
  )
  if (fault !== null) faults.push(fault)

  const inFlags: Look = (key, asPath) => {
    const flag = settingsTable[key].flag?.split(' ')[0]
    return flag === undefined || asPath
      ? nothing
      : { called: flag, value: flags[key], origin: 'flag' }
  }
  const inEnvironment: Look = (key, asPath) => {
    const { environment } = settingsTable[key]
    if (environment === undefined) return nothing
    const called = asPath ? `${environment}_FILE` : environment
    return { called, value: env[called], origin: 'environment' }
  }
  const inFile: Look = (key, asPath) => {
    const name = asPath ? `${key}File` : key
    return { called: `"${name}" in ${fileName}`, value: file[name], origin: 'file' }
  }
  const limits = limitsIn(file, fileName, faults, gone)
  return {
    setting: (key) =>
      offerFrom(inFlags, key, cwd, faults) ??
      offerFrom(inEnvironment, key, cwd, faults) ??
      offerFrom(inFile, key, cwd, faults),
    limit(name) {
      const called = limitVariable(name)
      const inFileCalled = `"limits.${name}" in ${fileName}`
      const offers: readonly Offer[] = [
        { called, value: env[called], origin: 'environment' },
        { called: inFileCalled, value: limits[name], origin: 'file' },
      ]
      return offers.find(isGiven) ?? null
    },
    gone,
  }
}
