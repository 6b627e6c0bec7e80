/** `GET /admin`: the first page of the console, with what needs attention, numbers and charts. */
import { type Attention, findAttention } from '../../../events/attention.ts'
import { type Overview, readOverview } from '../../../events/series.ts'
import { drawIcon, type IconName } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderGo, renderRow, renderRows } from '../../../paper/rows.ts'
import type { View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, type ConsolePart, getPlace, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleWords } from '../words.ts'
import { readRange, renderCharts, renderRanges } from './charts.ts'
import { chartWords } from './words.ts'

interface OverviewPage extends ConsolePageGiven {
  readonly overview: Overview
  readonly attention: readonly Attention[]
}

/** The icon of each kind, and the page that helps. */
const helps: Readonly<Record<Attention['is'], readonly [IconName, ConsolePart | null]>> = {
  rising: ['stop', 'refusals'],
  risen: ['stop', 'refusals'],
  deafApi: ['warning', 'streams'],
  oldKey: ['key', 'keys'],
  mails: ['mail', null],
  hashes: ['clock', null],
}

const renderAttention = (one: Attention, view: View): Markup => {
  const words = chartWords(view.language)
  const { parts } = consoleWords(view.language)
  const [icon, part] = helps[one.is]
  return renderRow({
    mark: drawIcon(icon),
    // Each kind has the words that take its facts.
    title: (words[one.is] as (facts: Attention) => string)(one),
    end: part === null ? null : renderGo(view, getPlace(part), parts[part]),
  })
}

/** The heading is the finding, and what needs the operator stands first. */
export const renderOverview = (given: OverviewPage): string => {
  const { view, overview, attention } = given
  const { calm, needYou } = chartWords(view.language)
  const heading = attention.length === 0 ? calm : needYou({ count: attention.length })
  return renderConsolePage(given, {
    part: 'overview',
    head: html`<div class="head"><h1>${heading}</h1>${renderRanges(overview.range, '/admin', view)}</div>`,
    main: html`${attention.length === 0 ? null : renderRows(attention.map((one) => renderAttention(one, view)))}
${renderCharts(overview, view)}`,
  })
}

export const openOverview = (needs: ConsoleNeeds, entry: Console): RouteRow =>
  entry.page('/admin', async (visit) => {
    const overview = await readOverview(readRange(visit, 'hour'), visit.at, needs.store)
    const attention = await findAttention(overview, visit.at, needs)
    const html = renderOverview({ ...visit.given, overview, attention })
    return showPage(visit, html)
  })
