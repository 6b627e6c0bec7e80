/** `GET /admin/events`: what happened, with filters and a live view. */

import { parseActorFilter } from '../../../events/describe.ts'
import { livePolicy } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import { type Event, eventTypes } from '../../../model/event.ts'
import { type ClientId, isClientId, isId, type OwnerId, timeOfId } from '../../../model/ids.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { EventFilter } from '../../../store/contract/event.ts'
import { recordLimits } from '../../../store/limits.ts'
import { showPage } from '../../visit.ts'
import { consoleLimits } from '../limits.ts'
import { findTypedOwner, namesOfOwners } from '../owners/named-owners.ts'
import { consolePage } from '../visit.ts'
import { type EventsFilter, renderConsoleEvents } from './events-page.ts'
import { typedSeconds } from './typed-time.ts'
import { consoleEventsWords } from './words.ts'

/** The events of a request. The time in its reference tells where they are. */
export const eventsOfRequest = (requestId: string): EventFilter => {
  const since = Math.floor(timeOfId(requestId) / 1000)
  return { requestId, since, until: since + recordLimits.eventDelaySeconds }
}

const filterIn = (query: Parameters): EventsFilter => ({
  type: query.find('type') ?? '',
  owner: (query.find('owner') ?? '').trim(),
  client: (query.find('client') ?? '').trim(),
  actor: query.find('actor') ?? '',
  since: query.find('since') ?? '',
  until: query.find('until') ?? '',
  reference: (query.find('reference') ?? '').trim().toLowerCase(),
})

/** Null: the filter names an unknown owner. */
const searchOf = async (filter: EventsFilter, parts: ServiceParts): Promise<EventFilter | null> => {
  const owner = filter.owner === '' ? null : await findTypedOwner(filter.owner, parts)
  // The events of a deleted owner are found by the id.
  const ownerId = owner?.id ?? (isId(filter.owner) ? (filter.owner as string as OwnerId) : null)
  if (filter.owner !== '' && ownerId === null) return null
  const type = eventTypes.find((one) => one === filter.type)
  const actor = parseActorFilter(filter.actor) ?? undefined
  const [since, until] = [typedSeconds(filter.since), typedSeconds(filter.until)]
  const reference = isId(filter.reference) ? filter.reference : undefined
  const asked = {
    ...(reference === undefined ? {} : eventsOfRequest(reference)),
    ownerId: ownerId ?? undefined,
    clientId: isClientId(filter.client) ? (filter.client as ClientId) : undefined,
    type,
    actor,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

/** The owners of events, and the owners behind them. */
export const ownersIn = (events: readonly Event[]): readonly (OwnerId | null)[] =>
  events.flatMap(({ ownerId, actor }) => [
    ownerId,
    actor !== null && 'ownerId' in actor ? actor.ownerId : null,
  ])

export const showConsoleEvents = consolePage(async (visit, parts) => {
  const query = queryOf(visit.request)
  const filter = filterIn(query)
  const isLive = query.find('live') !== null
  const given = query.find('after')
  const after = !isLive && given !== null && isId(given) ? given : null
  const of = await searchOf(filter, parts)
  const page =
    of === null
      ? { rows: [], next: null }
      : await parts.store.listEvents(
          of,
          after,
          consoleLimits.rows,
          of.requestId === undefined ? 'newest first' : 'oldest first',
        )
  const html = renderConsoleEvents(visit.given, {
    events: page.rows,
    names: await namesOfOwners(ownersIn(page.rows), parts),
    filter,
    next: page.next,
    isFirst: after === null,
    isLive,
    liveSeconds: consoleLimits.liveSeconds,
    problem: of === null ? consoleEventsWords(visit.view.language).unknownOwner : null,
  })
  return showPage(visit, html, { hasScript: true, headers: isLive ? livePolicy : {} })
})
