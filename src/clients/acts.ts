/** What one client did of late: its last token and use, tokens by day, refusals by reason, and its owners. */

import type { Client } from '../model/client.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import type { StricterProfile } from './stricter.ts'

interface RefusedAct {
  readonly reason: string
  readonly count: number
  /** Unix seconds. */
  readonly lastAt: number
}

/** Of the last `recordLimits.actDays` days (UTC), today among them. */
export interface ClientActs {
  /** Unix seconds; null without one. */
  readonly lastTokenAt: number | null
  readonly lastUsedAt: number | null
  /** Owners with a live approval; `isMore` where there may be further ones. */
  readonly owners: { readonly count: number; readonly isMore: boolean }
  /** The beginning of each day in unix seconds, the oldest first, and its token responses and refused requests. */
  readonly days: readonly {
    readonly at: number
    readonly tokens: number
    readonly refused: number
  }[]
  /** The most frequent first. */
  readonly refusals: readonly RefusedAct[]
}

/** Of requests that proved the client, or only named it. */
const refusedName = /^(?:refused|named) (.+)$/

const findLatest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((at) => at !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** As the admin API tells it: days and profiles without anything to tell are left out. */
export const describeActs = (
  { lastTokenAt, lastUsedAt, owners, days, refusals }: ClientActs,
  stricter: readonly StricterProfile[],
) => ({
  last_token_at: lastTokenAt,
  last_used_at: lastUsedAt,
  owners: owners.count,
  has_more_owners: owners.isMore,
  days: days.flatMap(({ at, tokens, refused }) =>
    tokens + refused === 0
      ? []
      : [{ day: new Date(at * 1000).toISOString().slice(0, 10), tokens, refused }],
  ),
  refusals: refusals.map(({ reason, count, lastAt }) => ({ reason, count, last_at: lastAt })),
  refused_by: stricter.flatMap(({ profile, clients }) =>
    clients.map(({ rules }) => ({ profile, rules: rules.map(({ rule }) => rule) })),
  ),
})

/** @param at unix seconds */
export const readActs = async (
  { id }: Pick<Client, 'id'>,
  at: number,
  { store }: { readonly store: Pick<Store, 'listActs' | 'findAccessSummary'> },
): Promise<ClientActs> => {
  const [acts, { owners, isMore, lastUsedAt }] = await Promise.all([
    store.listActs(id, at),
    store.findAccessSummary(id, at),
  ])
  const lastOf = (name: string): readonly number[] =>
    acts.flatMap((act) => (act.name === name ? [act.lastAt] : []))
  const refused = acts.flatMap((act) => {
    const reason = refusedName.exec(act.name)?.[1]
    return reason === undefined ? [] : [{ ...act, reason }]
  })
  const sum = (counted: readonly { readonly at: number; readonly count: number }[], day: number) =>
    counted.reduce((all, one) => (one.at === day ? all + one.count : all), 0)
  const { seconds } = recordLimits.countSpans.day
  const today = Math.floor(at / seconds)
  const tokens = acts.filter(({ name }) => name === 'token')
  const days = Array.from({ length: recordLimits.actDays }, (_, i) => {
    const day = (today - recordLimits.actDays + 1 + i) * seconds
    return { at: day, tokens: sum(tokens, day), refused: sum(refused, day) }
  })
  const refusals = [...Map.groupBy(refused, ({ reason }) => reason)]
    .map(([reason, alike]) => ({
      reason,
      count: alike.reduce((all, { count }) => all + count, 0),
      lastAt: Math.max(...alike.map(({ lastAt }) => lastAt)),
    }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  return {
    lastTokenAt: findLatest(lastOf('token')),
    lastUsedAt: findLatest([...lastOf('use'), lastUsedAt]),
    owners: { count: owners, isMore },
    days,
    refusals,
  }
}
