/** Where settings come from: the configuration file, the environment and the flags. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../model/json.ts'
import { tellNearest } from './nearest.ts'
import { findPasswordFault } from './places.ts'
import { commandVariables } from './remote.ts'
import { explainGone, type LimitName, limitNames, limitVariable } from './settable-limits.ts'
import {
  type SettingKey as Key,
  settingKeys as keys,
  type SettingOrigin,
  settingsTable,
} from './settings.ts'
import { readContent } from './values.ts'

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

const defaultFile = 'latchkey.config.json'

const parseConfiguration = (text: string, name: string, faults: string[]): GivenValues => {
  try {
    const content: unknown = JSON.parse(text)
    if (isObject(content)) return content
    faults.push(`${name} must hold one JSON object`)
  } catch (error) {
    // The message itself would show a piece of the file, which may be a secret.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const line = text.slice(0, Number(position)).split('\n').length
    const where = position === undefined ? '' : `: see line ${line}`
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
    faults.push(`${fileName} has an unknown key "${key}"${tellNearest(key, [...known, 'limits'])}`)
  }
}

const readLimits = (
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
    const said = explainGone(name)
    if (said !== null) gone.push(`"limits.${name}" in ${fileName}${said}`)
    else {
      const hint = tellNearest(name, limitNames)
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
    if (environment === null) return []
    return secret ? [environment, `${environment}_FILE`] : [environment]
  })
  known.push(...limitNames.map(limitVariable))
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('LATCHKEY_') || known.includes(name) || isForeign(name, value)) continue
    const said = explainGone(name)
    if (said !== null) {
      gone.push(`${name}${said}`)
      continue
    }
    const bare = name.slice('LATCHKEY_'.length)
    const hint = known.includes(bare) ? `; did you mean ${bare}?` : tellNearest(name, known)
    faults.push(`${name} is not a setting${hint}`)
  }
}

const isGiven = ({ value }: Offer): boolean => value !== undefined && value !== null && value !== ''

/** What one source says of a setting: the value itself or, for a secret, the content of a file. */
const offerFrom = (
  direct: Offer,
  path: Offer | undefined,
  cwd: string,
  faults: string[],
): Offer | null => {
  if (path === undefined || !isGiven(path)) return isGiven(direct) ? direct : null
  if (isGiven(direct)) {
    faults.push(`${direct.called} and ${path.called} are both set; keep one of them`)
    return null
  }
  const value = readContent(resolve(cwd, String(path.value)))
  if (value !== null) return { ...path, called: `the content of ${path.called}`, value }
  faults.push(`${path.called} must be the path of a file that can be read`)
  return null
}

/**
 * Reads all sources.
 * Flags come before the environment, and the environment before the file.
 *
 * @param faults gets what is wrong with the sources themselves
 */
export const openSources = (sources: Sources, faults: string[]) => {
  const { env = process.env, flags = {}, cwd = process.cwd() } = sources
  const asked = typeof flags.config === 'string' ? flags.config : null
  const fileName = asked ?? defaultFile
  const file = readConfiguration(cwd, asked, faults)
  checkKeys(file, fileName, faults)
  const gone: string[] = []
  checkEnvironment(env, faults, gone)
  const fault = findPasswordFault(
    '--store',
    flags.store,
    ', or the whole URL in LATCHKEY_STORE or the file that LATCHKEY_STORE_FILE names',
  )
  if (fault !== null) faults.push(fault)
  const limits = readLimits(file, fileName, faults, gone)
  const inEnvironment = (called: string): Offer => ({
    called,
    value: env[called],
    origin: 'environment',
  })
  const inFile = (name: string, value: unknown): Offer => ({
    called: `"${name}" in ${fileName}`,
    value,
    origin: 'file',
  })
  return {
    /** The strongest offer for a setting; null where no source gives it. */
    setting(key: Key): Offer | null {
      const { flag, environment, secret = false } = settingsTable[key]
      const places: (readonly [direct: Offer, path?: Offer])[] = []
      if (flag !== null) {
        places.push([{ called: flag.split(' ')[0] ?? '', value: flags[key], origin: 'flag' }])
      }
      if (environment !== null) {
        places.push([inEnvironment(environment), inEnvironment(`${environment}_FILE`)])
      }
      places.push([inFile(key, file[key]), inFile(`${key}File`, file[`${key}File`])])
      for (const [direct, path] of places) {
        const offer = offerFrom(direct, secret ? path : undefined, cwd, faults)
        if (offer !== null) return offer
      }
      return null
    },
    limit: (name: LimitName): Offer | null =>
      [inEnvironment(limitVariable(name)), inFile(`limits.${name}`, limits[name])].find(isGiven) ??
      null,
    /** Sentences about options that are set, and that are gone. */
    gone: gone as readonly string[],
  }
}
