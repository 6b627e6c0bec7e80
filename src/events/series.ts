/** Counters of the store as series for charts: one number for each period of a range. */
import type { ClientId } from '../model/ids.ts'
import {
  type CountKind,
  type CountSpan,
  type FunnelStep,
  funnelSteps,
  type KeptCount,
} from '../model/metric.ts'
import { recordLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'

/** The ranges of the charts, each with its periods. The last one is not over yet. */
export const chartRanges = {
  hour: { span: 'minute', periods: 60 },
  day: { span: 'hour', periods: 24 },
  month: { span: 'day', periods: 30 },
} as const satisfies Record<string, { readonly span: CountSpan; readonly periods: number }>

export type ChartRange = keyof typeof chartRanges

export interface ChartLine {
  readonly name: string
  readonly values: readonly number[]
}

type CountStore = Pick<Store, 'listCounts'>

/** The beginnings of the periods of a range, in unix seconds. */
const listPeriods = (range: ChartRange, at: number): readonly number[] => {
  const { span, periods } = chartRanges[range]
  const { seconds } = recordLimits.countSpans[span]
  const last = Math.floor(at / seconds) * seconds
  return Array.from({ length: periods }, (_, i) => last - (periods - 1 - i) * seconds)
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const listValues = (counts: readonly KeptCount[], starts: readonly number[]): readonly number[] => {
  const byStart = new Map<number, number>()
  for (const { at, count } of counts) byStart.set(at, (byStart.get(at) ?? 0) + count)
  return starts.map((start) => byStart.get(start) ?? 0)
}

/** The most frequent names, and the sum of all others as `other`. */
const listTopSeries = (
  counts: readonly KeptCount[],
  starts: readonly number[],
  most: number,
): readonly ChartLine[] => {
  const sorted = [...Map.groupBy(counts, ({ name }) => name)]
    .map(([name, alike]) => ({ name, alike, total: sum(alike.map(({ count }) => count)) }))
    .sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1))
  const others = sorted.slice(most).flatMap(({ alike }) => alike)
  const top = sorted.slice(0, most).map(({ name, alike }) => ({
    name,
    values: listValues(alike, starts),
  }))
  return others.length === 0 ? top : [...top, { name: 'other', values: listValues(others, starts) }]
}

/** The bound that this share of the requests stayed within, in milliseconds; null without requests. */
const findQuantile = (counts: readonly KeptCount[], share: number): number | null => {
  const all = sum(counts.map(({ count }) => count))
  if (all === 0) return null
  const bound = ({ name }: KeptCount): number =>
    name === 'more' ? Number.POSITIVE_INFINITY : Number(name)
  const sorted = counts.toSorted((a, b) => bound(a) - bound(b))
  let within = 0
  const last = sorted.find(({ count }) => {
    within += count
    return within >= all * share
  })
  return last === undefined ? null : bound(last)
}

/** The routes of a range, the slowest first, each with the bound of its slowest hundredth in milliseconds. */
const listSlowRoutes = (counts: readonly KeptCount[]) =>
  [...Map.groupBy(counts, ({ name }) => name.split(' ')[0] ?? '')]
    .map(([route, alike]) => {
      const bounds = alike.map((one) => ({ ...one, name: one.name.slice(route.length + 1) }))
      return { route, slowest: findQuantile(bounds, 0.99) ?? 0 }
    })
    .sort((a, b) => b.slowest - a.slowest || (a.route < b.route ? -1 : 1))

/** How many got how far on the way to a token. */
export type Funnel = readonly { readonly step: FunnelStep; readonly count: number }[]

const countFunnel = (counts: readonly KeptCount[]): Funnel =>
  funnelSteps.map((step) => ({
    step,
    count: sum(counts.filter(({ name }) => name === step).map(({ count }) => count)),
  }))

/** Reasons with a line of their own. */
const reasonsShown = 5

/** What happened in a range. @param at unix seconds */
export const readOverview = async (range: ChartRange, at: number, store: CountStore) => {
  const starts = listPeriods(range, at)
  const kinds: readonly CountKind[] = ['grants', 'logins', 'refusals', 'latency', 'routes', 'steps']
  const { span } = chartRanges[range]
  const counts = await store.listCounts({ span, kinds, clientId: '' }, starts[0] ?? at)
  const of = (kind: CountKind) => counts.filter((one) => one.kind === kind)
  const split = (kind: CountKind, outcome: string) => {
    const isRight = ({ name }: KeptCount): boolean => name.endsWith(` ${outcome}`)
    const all = of(kind)
    return [all.filter(isRight), all.filter((one) => !isRight(one))].map((some) =>
      listValues(some, starts),
    )
  }
  const [issued = [], refusedGrants = []] = split('grants', 'issued')
  const [succeeded = [], refusedLogins = []] = split('logins', 'succeeded')
  const requests = Map.groupBy(of('latency'), (one) => one.at)
  const quantiles = (share: number) =>
    starts.map((start) => findQuantile(requests.get(start) ?? [], share))
  return {
    range,
    /** The beginning of each period, in unix seconds. */
    starts,
    grants: { issued, refused: refusedGrants },
    logins: { succeeded, refused: refusedLogins },
    /** The most frequent reasons first, then `other`. */
    refusals: listTopSeries(of('refusals'), starts, reasonsShown),
    /** Of all clients together. */
    funnel: countFunnel(of('steps')),
    /** Upper bounds in milliseconds; null where there were no requests. */
    latency: {
      median: quantiles(0.5),
      slowest: quantiles(0.99),
      /** Over the whole range. */
      routes: listSlowRoutes(of('routes')),
    },
  }
}

export type Overview = Awaited<ReturnType<typeof readOverview>>

/**
 * The funnel of one client in a range. All counts are 0 where the client is one of the
 * rare ones: those are only added up.
 *
 * @param at unix seconds
 */
export const readFunnel = async (
  clientId: ClientId,
  range: ChartRange,
  at: number,
  store: CountStore,
): Promise<Funnel> => {
  const { span } = chartRanges[range]
  const from = listPeriods(range, at)[0] ?? at
  const counts = await store.listCounts({ span, kinds: ['funnel', 'guests'], clientId }, from)
  return countFunnel(counts)
}
