/** Opens the metrics of a node: counters of requests, and gauges that are read on demand. */

import { newId } from '../model/ids.ts'
import type { CountedWay, Meter } from '../model/meter.ts'
import type { MetricFamily } from '../model/metric.ts'
import type { Notice, Tell } from '../model/notice.ts'
import type { Parts } from '../parts.ts'
import { createGauges, type GaugeParts } from './gauges.ts'
import { createKeptCounts, type KeptCounts } from './kept-counts.ts'
import type { Metrics } from './metrics.ts'

/** All metrics of a node at this moment. */
export type AskMetrics = () => Promise<readonly MetricFamily[]>

/** Where people log in, and how. */
const loginWays: ReadonlyMap<string, CountedWay> = new Map([
  ['/login', 'password'],
  ['/login/second', 'second_factor'],
  ['/login/passkey', 'passkey'],
  ['/login/with/:id', 'upstream'],
  ['/login/with/:id/callback', 'upstream'],
])

const countRefused = (route: string, reason: string, metrics: Metrics): void => {
  metrics.countRefusal(reason)
  const way = loginWays.get(route)
  if (way !== undefined) metrics.countLogin(way, 'refused')
}

/** Methods that routes have. All others are one label, since strangers can make up many. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const countRequest = (
  { route, method, status, milliseconds, reason }: Notice,
  metrics: Metrics,
): void => {
  // Every path has wrong methods: series of their own would leave no room for those of the routes.
  const counted = reason === 'wrong_method' ? '(wrong method)' : String(route)
  const known = knownMethods.find((one) => one === method) ?? 'other'
  metrics.countRequest(counted, known, Number(status), Number(milliseconds))
  if (typeof reason === 'string') countRefused(counted, reason, metrics)
}

const count = (notice: Notice, metrics: Metrics): void => {
  const { message, reason } = notice
  if (message === 'request') {
    countRequest(notice, metrics)
  } else if (message === 'authorization refused') {
    // The answer is a redirect, so its request is no refused one.
    metrics.countRefusal(String(reason))
  }
}

/** The counters, and the traces if there are any. */
export const meterOf = (metrics: Metrics, { trace }: Pick<Meter, 'trace'>): Meter =>
  trace === undefined ? metrics : { ...metrics, trace }

/** Counts what the log is told. */
export const countingTell =
  (metrics: Metrics, tell: Tell): Tell =>
  (notice) => {
    count(notice, metrics)
    tell(notice)
  }

/** What a node monitors of itself. */
export interface Monitoring {
  readonly ask: AskMetrics
  /** Written for charts. */
  readonly counts: KeptCounts
}

export const openMetrics = (
  { totals, takeSteps, families }: Metrics,
  parts: GaugeParts & Pick<Parts, 'random'>,
): Monitoring => {
  const gauges = createGauges(parts)
  const { store, clock, random } = parts
  const collector = newId(clock(), random(10))
  return {
    ask: async () => [...families(), ...(await gauges())],
    counts: createKeptCounts({ store, clock, collector, totals, takeSteps }),
  }
}

/** Measures each hash. @param elapsed running time in milliseconds */
export const timedBy =
  (metrics: Pick<Metrics, 'countHash'>, elapsed: () => number) =>
  async <Result>(hash: () => Promise<Result>): Promise<Result> => {
    const began = elapsed()
    try {
      return await hash()
    } finally {
      metrics.countHash(elapsed() - began)
    }
  }
