/** The effective settings and limits, and where each came from. */
import type { DescribedSetting } from '../../../config/described.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { consoleServiceWords } from './words.ts'

type SettingsWords = ReturnType<typeof consoleServiceWords>['settings']

const renderValue = ({ value, isSet }: DescribedSetting, words: SettingsWords): Markup => {
  if (value === null) return html`<span class="quiet">${isSet ? words.set : words.notSet}</span>`
  return value === '' ? html`<span class="quiet">${words.none}</span>` : html`<code>${value}</code>`
}

const renderRow = (setting: DescribedSetting, words: SettingsWords): Markup => {
  const { key, environment, origin } = setting
  const variable =
    environment === null
      ? null
      : html`<span class="aside"><br><code class="quiet small">${environment}</code></span>`
  const source = words.from[origin]
  return html`<tr><th scope="row"><code>${key}</code>${variable}</th><td>${renderValue(setting, words)}</td><td>${origin === 'default' ? source : html`<span class="tag good">${source}</span>`}</td></tr>
`
}

const renderTable = (
  heading: string,
  rows: readonly DescribedSetting[],
  words: SettingsWords,
): Markup =>
  html`<section class="card flush"><h2>${heading}</h2><table><caption class="unseen">${heading}</caption>
<thead><tr><th scope="col">${words.key}</th><th scope="col">${words.value}</th><th scope="col">${words.origin}</th></tr></thead>
<tbody>${rows.map((row) => renderRow(row, words))}</tbody></table></section>`

export const renderSettings = (
  given: ConsolePageGiven,
  settings: readonly DescribedSetting[],
  limits: readonly DescribedSetting[],
): string => {
  const words = consoleServiceWords(given.view.language).settings
  return renderConsolePage(given, {
    part: 'settings',
    heading: words.heading,
    main: html`<p class="quiet">${words.about}</p>${renderTable(words.heading, settings, words)}
${renderTable(words.limits, limits, words)}`,
  })
}
