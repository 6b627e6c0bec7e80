/** The charts of the console: drawings of the counters in the store, and the numbers behind them. */
import { metricLimits } from '../../../events/limits.ts'
import {
  type ChartLine,
  type ChartRange,
  chartRanges,
  type Funnel,
  type Overview,
} from '../../../events/series.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { queryOf } from '../../../http/request.ts'
import type { Language } from '../../../model/language.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { listScale, pickTop, renderColumns, renderLines } from '../../../paper/plot.ts'
import { formatDay, number } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { chartWords } from './words.ts'

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

/** The beginning of a period, in UTC. */
const timeText = (start: number, range: ChartRange, language: Language): string =>
  range === 'month'
    ? formatDay(Math.floor(start / 86_400), language)
    : new Date(start * 1000).toISOString().slice(11, 16)

const listTimes = (
  { starts, range }: Pick<Overview, 'starts' | 'range'>,
  language: Language,
): readonly string[] =>
  [starts[0], starts[Math.floor(starts.length / 2)], starts.at(-1)].map((start) =>
    timeText(start ?? 0, range, language),
  )

/** The period with the most, and how much that was. */
const tellPeak = (
  values: readonly (number | null)[],
  { starts, range }: Pick<Overview, 'starts' | 'range'>,
  language: Language,
  format = (value: number): string => number(value, language),
): string => {
  const numbers = values.map((value) => value ?? 0)
  const most = Math.max(0, ...numbers)
  if (most === 0) return ''
  const time = timeText(starts[numbers.indexOf(most)] ?? 0, range, language)
  return chartWords(language).peak({ count: format(most), time })
}

/** Two layers of columns over the periods of a range. */
export const renderPair = (
  overview: Pick<Overview, 'starts' | 'range'>,
  heading: string,
  names: readonly [string, string],
  values: readonly [readonly number[], readonly number[]],
  language: Language,
): Markup => {
  const totals = values[0].map((value, i) => value + (values[1][i] ?? 0))
  const top = pickTop(Math.max(...totals))
  const told = names.map((name, i) => `${name}: ${number(sum(values[i] ?? []), language)}`)
  const plot = renderColumns({
    label: `${heading}. ${told.join(', ')}`,
    layers: [
      { look: 'reads', name: told[0] ?? '', values: values[0] },
      { look: 'refused', name: told[1] ?? '', values: values[1] },
    ],
    top,
    scale: listScale(top, language),
    times: listTimes(overview, language),
    peak: tellPeak(totals, overview, language),
  })
  return html`<section class="card"><h2>${heading}</h2>${plot}</section>`
}

const bounds: readonly number[] = metricLimits.requestMilliseconds

/** A bound in words: the last bucket has none. */
const boundText = (bound: number | null, language: Language): string => {
  const words = chartWords(language)
  if (bound === null) return ''
  if (Number.isFinite(bound)) return words.atMost({ time: bound })
  return words.longer({ time: bounds.at(-1) ?? 0 })
}

const renderLatency = (overview: Overview, language: Language): Markup => {
  const words = chartWords(language)
  const { median, slowest } = overview.latency
  const highest = bounds.at(-1) ?? 0
  const top = pickTop(Math.min(highest, Math.max(...slowest.map((bound) => bound ?? 0))))
  /** The last bucket has no bound: its requests are drawn at the upper edge. */
  const clip = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? null : Math.min(value, top)))
  const peak = tellPeak(slowest, overview, language, (bound) => boundText(bound, language))
  const plot = renderLines({
    label: `${words.latency}. ${words.hundredth}. ${peak}`,
    layers: [
      { look: 'top', name: words.hundredth, values: clip(slowest) },
      { look: 'low', name: words.median, values: clip(median) },
    ],
    top,
    scale: [top, top / 2, 0].map((time) => words.atMost({ time })),
    times: listTimes(overview, language),
    peak,
  })
  return html`<section class="card"><h2>${words.latency}</h2>${plot}</section>`
}

/** Times beyond the last bound are drawn at that bound. */
const getDrawnTime = (bound: number | null): number => Math.min(bound ?? 0, bounds.at(-1) ?? 0)

const renderRoutes = ({ routes }: Overview['latency'], language: Language): Markup | null => {
  if (routes.length === 0) return null
  const lines = routes.map(({ route, slowest }) => ({
    name: html`<code>${route}</code>`,
    count: getDrawnTime(slowest),
    says: boundText(slowest, language),
  }))
  const list = renderShares(lines, () => 'reads', language)
  return html`<section class="card"><h2>${chartWords(language).routes}</h2>${list}</section>`
}

/** Names with numbers, and how they compare. */
const renderShares = (
  lines: readonly {
    readonly name: Content
    readonly count: number
    /** In place of the number. */
    readonly says?: string
    readonly more?: string
  }[],
  look: (index: number) => 'reads' | 'refused' | 'others',
  language: Language,
): Markup => {
  const most = Math.max(1, ...lines.map(({ count }) => count))
  const share = (count: number, index: number): Markup =>
    html`<svg class="share" aria-hidden="true" focusable="false"><rect class="${look(index)}" width="${Math.round((count / most) * 1000) / 10}%" height="100%"/></svg>`
  return html`<ol class="funnel">${lines.map(
    ({ name, count, says = number(count, language), more = '' }, index) =>
      html`<li><span>${name}</span>${share(count, index)}<span><b>${says}</b> <span class="quiet">${more}</span></span></li>`,
  )}</ol>`
}

/** The most frequent one stands out. @param query what the linked lists of refusals are narrowed to, too */
export const renderReasons = (
  refusals: readonly ChartLine[],
  view: View,
  query: Readonly<Record<string, string>> = {},
): Markup => {
  const { language } = view
  const words = chartWords(language)
  const nameOf = (name: string): Content =>
    name === 'other'
      ? words.other
      : html`<a href="${pageUrl(view, '/admin/explain', { ...query, reason: name })}"><code>${name}</code></a>`
  const lines = refusals.map(({ name, values }) => ({ name: nameOf(name), count: sum(values) }))
  const list = renderShares(lines, (index) => (index === 0 ? 'refused' : 'others'), language)
  return html`<section class="card"><h2>${words.reasons}</h2>${lines.length === 0 ? html`<p class="quiet">${words.noReasons}</p>` : list}</section>`
}

const renderNumbers = (overview: Overview, language: Language): Markup => {
  const words = chartWords(language)
  const { starts, range, grants, logins, latency, refusals } = overview
  const refused = starts.map((_, i) => sum(refusals.map(({ values }) => values[i] ?? 0)))
  const columns = [grants.issued, refused, logins.succeeded, logins.refused]
  const row = (start: number, i: number): readonly Markup[] => {
    const counts = columns.map((values) => values[i] ?? 0)
    const median = latency.median[i] ?? null
    if (sum(counts) === 0 && median === null) return []
    const times = [median, latency.slowest[i] ?? null].map((bound) => boundText(bound, language))
    return [
      html`<tr><th scope="row">${timeText(start, range, language)}</th>${counts.map((count) => html`<td>${number(count, language)}</td>`)}${times.map((text) => html`<td>${text}</td>`)}</tr>
`,
    ]
  }
  const names = Object.values(words.columns)
  return html`<details class="numbers"><summary>${words.numbers}</summary>
<div class="wide"><table><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${starts.flatMap(row)}</tbody></table></div></details>`
}

const renderTiles = (
  { grants, logins, refusals, latency }: Overview,
  waiting: number | null,
  language: Language,
) => {
  const words = chartWords(language)
  const slowest = Math.max(...latency.slowest.map((bound) => bound ?? 0))
  const tiles: readonly (readonly [string, string, string])[] = [
    [words.tiles.issued, number(sum(grants.issued), language), ''],
    [words.tiles.refusals, number(sum(refusals.flatMap(({ values }) => values)), language), ''],
    [
      words.tiles.logins,
      number(sum(logins.succeeded), language),
      words.tiles.refusedLogins({ count: sum(logins.refused) }),
    ],
    [words.tiles.waiting, waiting === null ? '–' : number(waiting, language), ''],
    [words.tiles.slowest, slowest === 0 ? '–' : boundText(slowest, language), ''],
  ]
  return html`<ul class="figures">${tiles.map(([name, value, more]) => html`<li><span>${name}</span><b>${value}</b>${more === '' ? null : html`<span>${more}</span>`}</li>`)}</ul>`
}

/** The range that the query of a page names. */
export const readRange = ({ request }: Pick<Exchange, 'request'>, otherwise: ChartRange) => {
  const asked = queryOf(request).find('range')
  return (Object.keys(chartRanges) as ChartRange[]).find((range) => range === asked) ?? otherwise
}

/** Links to the same page with other ranges. */
export const renderRanges = (current: ChartRange, path: string, view: View): Markup => {
  const words = chartWords(view.language)
  const ranges = ['hour', 'day', 'month'] as const
  const link = (range: ChartRange): Markup =>
    html`<li><a href="${pageUrl(view, path, { range })}"${range === current ? html` aria-current="page"` : null}>${words.ranges[range]}</a></li>`
  return html`<nav class="parts tabs" aria-label="${words.range}"><ul>${ranges.map(link)}</ul></nav>`
}

/** @param waiting people whose next try to log in has to wait; null if a machine does not say it */
export const renderCharts = (overview: Overview, waiting: number | null, view: View): Markup => {
  const { language } = view
  const words = chartWords(language)
  const { grants, logins, refusals, funnel } = overview
  return html`${renderTiles(overview, waiting, language)}
<div class="board">${renderPair(overview, words.grants, [words.issued, words.refused], [grants.issued, grants.refused], language)}
${renderReasons(refusals, view)}
${renderPair(overview, words.logins, [words.succeeded, words.refused], [logins.succeeded, logins.refused], language)}
${renderLatency(overview, language)}
${renderRoutes(overview.latency, language)}
<section class="card"><h2>${words.funnel}</h2>${renderFunnel(funnel, language)}</section></div>
${renderNumbers(overview, language)}
<p class="quiet small">${words.about}</p>`
}

/**
 * How many users of one client got how far, for the page of the client in the console. Its numbers are
 * those of `readFunnel` (`events/series.ts`), and `renderRanges` links to the other ranges.
 */
export const renderFunnel = (funnel: Funnel, language: Language): Markup => {
  const words = chartWords(language)
  if (funnel.every(({ count }) => count === 0)) return html`<p class="quiet">${words.nobody}</p>`
  const lines = funnel.map(({ step, count }, i) => {
    const before = funnel[i - 1]?.count ?? 0
    const more = before === 0 ? '' : `${Math.round((count / before) * 100)}%`
    return { name: words.steps[step], count, more }
  })
  return renderShares(lines, () => 'reads', language)
}
