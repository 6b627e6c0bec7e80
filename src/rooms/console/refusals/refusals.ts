/** `GET /admin/explain`: why a request was refused, and the refusals of the last seven days with filters. */

import { explainToOperator, findKept, keptSince } from '../../../events/explain-refusal.ts'
import { queryOf } from '../../../http/exchange.ts'
import { type ClientId, isId } from '../../../model/ids.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { RefusalFilter } from '../../../store/contract/event.ts'
import { showPage } from '../../visit.ts'
import { typedSeconds } from '../events/typed-time.ts'
import { consoleLimits } from '../limits.ts'
import { consolePage } from '../visit.ts'
import { type ConsoleRefusalFilter, renderRefusals } from './refusals-page.ts'

const filterIn = (query: Parameters): ConsoleRefusalFilter => {
  const typed = (name: keyof ConsoleRefusalFilter): string => (query.find(name) ?? '').trim()
  return {
    client: typed('client'),
    reason: typed('reason'),
    error: typed('error'),
    network: typed('network'),
    route: typed('route'),
    status: typed('status'),
    since: typed('since'),
    until: typed('until'),
  }
}

/** No answer has this status, so a text that is no number finds nothing. */
const noStatus = 0

const statusIn = ({ status }: ConsoleRefusalFilter): number | undefined => {
  if (status === '') return undefined
  return /^\d{3}$/.test(status) ? Number(status) : noStatus
}

const searchOf = (filter: ConsoleRefusalFilter): RefusalFilter => {
  const asked = {
    clientId: filter.client as ClientId,
    reason: filter.reason,
    code: filter.error,
    network: filter.network,
    route: filter.route,
    status: statusIn(filter),
    since: typedSeconds(filter.since),
    until: typedSeconds(filter.until),
  }
  return Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined && value !== ''),
  )
}

export const showRefusals = consolePage(async (visit, parts) => {
  const query = queryOf(visit.request)
  const asked = (query.find('reference') ?? '').slice(0, 100).trim().toLowerCase()
  const filter = filterIn(query)
  const given = query.find('after')
  const after = given !== null && isId(given) ? given : null
  const kept = await findKept(asked, visit.at, parts)
  await parts.refusals.flush().catch(() => {})
  const { rows, next } = await parts.store.listRefusals(
    searchOf(filter),
    after,
    consoleLimits.refusalRows,
    keptSince(visit.at),
  )
  const html = renderRefusals(visit.given, {
    asked,
    found: kept === null ? null : explainToOperator(kept),
    refusals: rows.map(explainToOperator),
    filter,
    next,
    isFirst: after === null,
  })
  return showPage(visit, html, { hasScript: true })
})
