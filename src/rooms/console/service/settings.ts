/** `GET /admin/settings`: the effective settings and limits, and where each came from. */
import { limitNames, limitVariable } from '../../../config/settable-limits.ts'
import { type Settings, settingKeys, settingsTable } from '../../../config/settings.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderRow, renderRows } from '../../../paper/rows.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

/** A list of records is told by their names. */
const formatEntry = (entry: unknown): string => {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  if ('name' in entry) return String(entry.name)
  if ('word' in entry) return String(entry.word)
  return 'tag' in entry ? String(entry.tag) : ''
}

const formatValue = (value: unknown): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(formatEntry).join(', ')
  if (typeof value !== 'object') return String(value)
  if ('bytes' in value && value.bytes instanceof Uint8Array) return `${value.bytes.length} B`
  const texts = [...new Set(Object.values(value))]
  return texts.length === 1 ? String(texts[0]) : JSON.stringify(value)
}

const isSet = (value: unknown): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The effective value of each setting, as an operator may see it: never a secret. */
export const describeSettings = (settings: Settings) =>
  settingKeys.map((key) => {
    const { environment, secret } = settingsTable[key]
    const value: unknown = settings[key]
    return {
      key: key as string,
      environment,
      /** In words of machines; null where it is a secret. */
      value: secret ? null : formatValue(value),
      isSet: isSet(value),
      origin: settings.origins[key] ?? ('default' as const),
    }
  })

type DescribedSetting = ReturnType<typeof describeSettings>[number]

export const describeLimits = ({ limits, origins }: Settings): readonly DescribedSetting[] =>
  limitNames.map((name) => ({
    key: `limits.${name}`,
    environment: limitVariable(name),
    value: String(limits[name]),
    isSet: true,
    origin: origins[`limits.${name}`] ?? 'default',
  }))

type SettingsWords = ReturnType<typeof consoleServiceWords>['settings']

const renderValue = ({ value, isSet }: DescribedSetting, words: SettingsWords): Markup => {
  if (value === null) return html`<span class="quiet">${isSet ? words.set : words.notSet}</span>`
  return value === '' ? html`<span class="quiet">${words.none}</span>` : html`<code>${value}</code>`
}

const renderSection = (
  heading: string,
  settings: readonly DescribedSetting[],
  words: SettingsWords,
): Markup => {
  const rows = settings.map((one) => {
    const from = words.from[one.origin]
    const origin = one.origin === 'default' ? from : html`<span class="tag good">${from}</span>`
    const says =
      one.environment === null ? origin : html`${origin} · <code>${one.environment}</code>`
    return renderRow({ title: html`<code>${one.key}</code>`, says, end: renderValue(one, words) })
  })
  return html`<section class="card"><h2>${heading}</h2>${renderRows(rows)}</section>`
}

export const renderSettings = (
  given: ConsolePageGiven,
  settings: readonly DescribedSetting[],
  limits: readonly DescribedSetting[],
): string => {
  const words = consoleServiceWords(given.view.language).settings
  return renderConsolePage(given, {
    part: 'settings',
    heading: words.heading,
    main: html`<p class="lead">${words.about}</p>${renderSection(words.heading, settings, words)}
${renderSection(words.limits, limits, words)}`,
  })
}

export const openSettings = ({ settings }: ConsoleNeeds, entry: Console): RouteRow =>
  entry.page('/admin/settings', (visit) => {
    const [all, limits] = [describeSettings(settings), describeLimits(settings)]
    return showPage(visit, renderSettings(visit.given, all, limits))
  })
