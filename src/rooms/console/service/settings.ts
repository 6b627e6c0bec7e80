/** `GET /admin/settings`: the effective settings and limits, and where each came from. */
import {
  type DescribedSetting,
  describeLimits,
  describeSettings,
} from '../../../config/described.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { type ListColumn, renderTable } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

type SettingsWords = ReturnType<typeof consoleServiceWords>['settings']

const renderValue = ({ value, isSet }: DescribedSetting, words: SettingsWords): Markup => {
  if (value === null) return html`<span class="quiet">${isSet ? words.set : words.notSet}</span>`
  return value === '' ? html`<span class="quiet">${words.none}</span>` : html`<code>${value}</code>`
}

const renderKey = ({ key, environment }: DescribedSetting): Markup => {
  const variable = html`<span class="aside"><br><code class="quiet small">${environment}</code></span>`
  return html`<code>${key}</code>${environment === null ? null : variable}`
}

const renderOrigin = ({ origin }: DescribedSetting, words: SettingsWords): Markup | string =>
  origin === 'default'
    ? words.from.default
    : html`<span class="tag good">${words.from[origin]}</span>`

const renderSection = (
  heading: string,
  rows: readonly DescribedSetting[],
  words: SettingsWords,
): Markup => {
  const columns: readonly ListColumn<DescribedSetting>[] = [
    [words.key, renderKey],
    [words.value, (row) => renderValue(row, words)],
    [words.origin, (row) => renderOrigin(row, words)],
  ]
  return html`<section class="card flush"><h2>${heading}</h2>${renderTable(columns, rows, heading)}</section>`
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
    main: html`<p class="quiet">${words.about}</p>${renderSection(words.heading, settings, words)}
${renderSection(words.limits, limits, words)}`,
  })
}

export const openSettings = ({ settings }: ConsoleNeeds, entry: Console): RouteRow =>
  entry.page('/admin/settings', (visit) => {
    const [all, limits] = [describeSettings(settings), describeLimits(settings)]
    return showPage(visit, renderSettings(visit.given, all, limits))
  })
