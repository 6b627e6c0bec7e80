/** `GET /admin`: the first page of the console, with what needs attention, numbers and charts. */
import { type Attention, findAttention } from '../../../events/attention.ts'
import { type Overview, readOverview } from '../../../events/series.ts'
import type { Language } from '../../../model/language.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleWords } from '../words.ts'
import { readRange, renderCharts, renderRanges } from './charts.ts'
import { chartWords } from './words.ts'

interface OverviewPage extends ConsolePageGiven {
  readonly overview: Overview
  readonly attention: readonly Attention[]
}

const renderAttention = (attention: readonly Attention[], language: Language): Markup => {
  const words = chartWords(language)
  /** Each kind has the words that take its facts. */
  const say = (one: Attention): string => (words[one.is] as (facts: Attention) => string)(one)
  const list =
    attention.length === 0
      ? html`<p class="quiet">${words.calm}</p>`
      : html`<ul>${attention.map((one) => html`<li>${say(one)}</li>`)}</ul>`
  return html`<section class="card"><h2>${words.attention}</h2>${list}</section>`
}

export const renderOverview = (given: OverviewPage): string => {
  const { view, overview, attention } = given
  const words = consoleWords(view.language).overview
  return renderConsolePage(given, {
    part: 'overview',
    heading: words.heading,
    main: html`<p class="quiet">${words.about}</p>
${renderAttention(attention, view.language)}
${renderRanges(overview.range, '/admin', view)}
${renderCharts(overview, view.language)}`,
  })
}

export const openOverview = (needs: ConsoleNeeds, entry: Console): RouteRow =>
  entry.page('/admin', async (visit) => {
    const overview = await readOverview(readRange(visit, 'hour'), visit.at, needs.store)
    const attention = await findAttention(overview, visit.at, needs)
    const html = renderOverview({ ...visit.given, overview, attention })
    return showPage(visit, html)
  })
