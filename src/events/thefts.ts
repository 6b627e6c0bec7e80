/** Events that may be a theft: at night they come first. */
import type { EventType } from '../model/event.ts'
import type { Store } from '../store/store.ts'

const theftTypes = [
  'code.replayed',
  'refresh_token.reused',
  'passkey.counter_regressed',
] as const satisfies readonly EventType[]

/** So many of one type are counted; the words of the console say "at least" of so many. */
const mostCounted = 100

export interface CountedTheft {
  readonly type: (typeof theftTypes)[number]
  readonly count: number
}

/** The events of one type in the last seconds. @param at unix seconds */
export const countEvents = async (
  type: EventType,
  seconds: number,
  at: number,
  store: Pick<Store, 'listEvents'>,
): Promise<number> =>
  (await store.listEvents({ type, since: at - seconds }, null, mostCounted)).rows.length

/** Each type with its events of the last seconds. @param at unix seconds */
export const countThefts = (
  seconds: number,
  at: number,
  store: Pick<Store, 'listEvents'>,
): Promise<readonly CountedTheft[]> =>
  Promise.all(
    theftTypes.map(async (type) => ({ type, count: await countEvents(type, seconds, at, store) })),
  )
