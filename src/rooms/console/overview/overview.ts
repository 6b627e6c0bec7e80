/** `GET /admin`: the first page of the console. */
import { findAttention } from '../../../events/attention.ts'
import { type ChartRange, chartRanges, readOverview } from '../../../events/series.ts'
import { queryOf } from '../../../http/exchange.ts'
import { showPage } from '../../visit.ts'
import { consolePage } from '../visit.ts'
import { renderOverview } from './overview-page.ts'

/** The range in the query; the last hour where it names none. */
const rangeOf = (asked: string | null): ChartRange =>
  (Object.keys(chartRanges) as ChartRange[]).find((range) => range === asked) ?? 'hour'

export const showOverview = consolePage(async (visit, parts) => {
  const { given, request, at } = visit
  const range = rangeOf(queryOf(request).find('range'))
  const overview = await readOverview(range, at, parts.store)
  const attention = await findAttention(overview, at, parts)
  return showPage(visit, renderOverview({ ...given, overview, attention }), { hasScript: true })
})
