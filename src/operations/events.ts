/** What happened. */
import { describeEvent } from '../events/describe.ts'
import { doors } from '../model/actor.ts'
import { eventTypes, isEventPosition } from '../model/event.ts'
import { type EventId, isId } from '../model/ids.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import {
  actor,
  allow,
  client,
  describePage,
  eventType,
  filterId,
  findCursor,
  owner,
  pickPresent,
  span,
} from './lists.ts'
import { defineRow, pageOf } from './operation.ts'
import { type CommandFlag, sinceFlag, untilFlag } from './surface/cli.ts'
import { type JsonRow, renderTime, show } from './surface/said.ts'

const defineActor = (z: Z) =>
  z.strictObject({
    type: z.enum(['operator', 'cli', 'owner', 'client', 'anyone', 'service']),
    client_id: z.string().optional(),
    owner_id: z.string().optional(),
    token_id: z.string().optional(),
    user: z.string().optional(),
    door: z.enum(doors).optional().describe('the way that an operator came'),
    network: z.string().optional(),
  })

const defineEvent = (z: Z) =>
  z.strictObject({
    id: z.string(),
    at: z.int().describe('unix seconds'),
    type: z.enum(eventTypes),
    client_id: z.string().nullable(),
    owner_id: z.string().nullable(),
    authorization_id: z.string().nullable(),
    request_id: z.string().nullable(),
    actor: defineActor(z).nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })

const unknownPosition = (): Refusal =>
  new Refusal(
    'invalid_request',
    'unknown_position',
    'after is a position that this database has not reached: begin again without it',
  )

const noBefore = (): Refusal =>
  new Refusal('invalid_request', 'bad_before', 'before does not go with order=committed')

/** The filters of a list, and of following events. */
export const eventFlags: readonly CommandFlag[] = [
  ['--owner <username>', 'only about this owner'],
  ['--client <id>', 'only about this client'],
  ['--type <type>', 'only of this type, such as login.failed'],
  ['--actor <actor>', 'only by this actor, such as operator or cli:root'],
  sinceFlag,
]

const sayActor = (actor: unknown): string => {
  if (typeof actor !== 'object' || actor === null) return ''
  const { type, user, client_id, owner_id, door } = actor as JsonRow
  // Of a command of this machine, the actor is the door.
  const way = type === 'operator' && door !== undefined ? `(${door})` : undefined
  return [type, user ?? owner_id ?? client_id, way].filter((part) => part !== undefined).join(' ')
}

export const formatEventCells = (event: JsonRow): readonly string[] => [
  renderTime(Number(event.at)),
  show(event.type),
  sayActor(event.actor),
  show(event.client_id),
  show(event.owner_id),
  JSON.stringify(event.details),
]

export const listEvents = defineRow({
  route: 'GET /admin/api/events',
  says: 'List what happened',
  commands: {
    usage: 'event list',
    does: 'list events, the newest first',
    examples: [
      'latchkey event list --owner alice --since 7d',
      'latchkey event list --type client.changed --actor operator --json',
    ],
    flags: [...eventFlags, untilFlag, ['--limit <number>', 'so many at most (default: 50)']],
    list: { cells: formatEventCells, empty: 'There are no such events.', most: 50 },
  },
  filters: {
    before: filterId<EventId>(
      'an id: the events before it, the newest first; the same as after',
      '',
      isId,
      'a next of an earlier answer',
    ),
    owner,
    client,
    type: eventType,
    actor,
    ...span,
    order: allow(
      ['newest', 'oldest', 'committed'],
      'which comes first; committed: as they became visible, after the next of an earlier answer',
    ),
  },
  answers: { 200: pageOf('EventPage', defineEvent) },
  async run({ filters, query, limit }, { store }) {
    // Newest first, `after` in the list is `before` in time. Both names work.
    const { before, owner: ownerId, client: clientId, order = 'newest', ...others } = filters
    const of = pickPresent({ ownerId, clientId, ...others })
    if (order === 'committed') {
      const after = findCursor(query, isEventPosition)
      if (before !== undefined) throw noBefore()
      const page = await store.listCommittedEvents(of, after, limit)
      if (page === 'unknown_position') throw unknownPosition()
      return describePage(page, describeEvent)
    }
    const after = findCursor<EventId>(query)
    if (after !== null && before !== undefined) {
      throw new Refusal('invalid_request', 'two_cursors', 'use one of after and before')
    }
    const page = await store.listEvents(of, after ?? before ?? null, limit, `${order} first`)
    return describePage(page, describeEvent)
  },
})

export const eventOperations = { listEvents }
