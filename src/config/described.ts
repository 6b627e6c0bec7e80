/** The effective settings and limits as an operator may see them: never a secret. */
import { limitNames, limitVariable, settableLimits } from './settable-limits.ts'
import { type SettingKey, type SettingOrigin, type Settings, settingsTable } from './settings.ts'

export interface DescribedSetting {
  readonly key: string
  readonly environment: string | null
  /** In words of machines; null where it is a secret. */
  readonly value: string | null
  readonly isSet: boolean
  readonly origin: SettingOrigin | 'default'
  readonly meaning: string
}

/** A list of records is told by their names. */
const named = (entry: unknown): string => {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  if ('name' in entry) return String(entry.name)
  if ('word' in entry) return String(entry.word)
  return 'tag' in entry ? String(entry.tag) : ''
}

const written = (value: unknown): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(named).join(', ')
  if (typeof value !== 'object') return String(value)
  if ('bytes' in value && value.bytes instanceof Uint8Array) return `${value.bytes.length} B`
  const texts = [...new Set(Object.values(value))]
  return texts.length === 1 ? String(texts[0]) : JSON.stringify(value)
}

const isSet = (value: unknown): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

export const describeSettings = (settings: Settings): readonly DescribedSetting[] =>
  (Object.keys(settingsTable) as SettingKey[]).map((key) => {
    const { environment, secret, meaning } = settingsTable[key]
    const value: unknown = settings[key]
    return {
      key,
      environment,
      value: secret ? null : written(value),
      isSet: isSet(value),
      origin: settings.origins[key] ?? 'default',
      meaning,
    }
  })

export const describeLimits = ({
  limits,
  origins,
}: Pick<Settings, 'limits' | 'origins'>): readonly DescribedSetting[] =>
  limitNames.map((name) => ({
    key: `limits.${name}`,
    environment: limitVariable(name),
    value: String(limits[name]),
    isSet: true,
    origin: origins[`limits.${name}`] ?? 'default',
    meaning: settableLimits[name].meaning,
  }))
