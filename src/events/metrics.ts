/** Counters for monitoring. Labels are route patterns and stable words, never what a request brought. */
import { isOnItsOwn } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import {
  type CountedThing,
  type CountedWay,
  type CountKind,
  type Meter,
  type MetricFamily,
  otherClients,
} from '../model/metric.ts'
import { type createHistogram, gauge, makeCounter } from './counter.ts'
import { createCounters, tokenKinds } from './counters.ts'
import { metricLimits } from './limits.ts'

type ClientCountKind =
  | 'steps'
  | 'funnel'
  | 'guests'
  | 'lax'
  | 'laxGuests'
  | 'acts'
  | 'namedActs'
  | 'actGuests'

/** What a node has counted since its start, by name. */
type CountTotals = Readonly<
  Record<Exclude<CountKind, ClientCountKind>, ReadonlyMap<string, number>>
>

interface CountedStep extends CountedThing {
  count: number
}

/** Steps of the users of clients on the way to a token, and rules that clients broke, until they are written. */
const createClientCounts = () => {
  let counts = new Map<string, CountedStep>()
  const find = (kind: ClientCountKind, clientId: string, name: string): CountedStep => {
    const key = `${kind} ${name} ${clientId}`
    const found = counts.get(key)
    if (found !== undefined) return found
    // Strangers make no more rows than this, however many clients they register.
    if (counts.size >= metricLimits.steps && clientId !== otherClients) {
      return find(kind, otherClients, name)
    }
    const made = { kind, clientId, name, count: 0 }
    counts.set(key, made)
    return made
  }
  return {
    add(...[client, step]: Parameters<Meter['countStep']>): void {
      find('steps', '', step).count++
      find(isOnItsOwn(client) ? 'guests' : 'funnel', client.id, step).count++
    },
    /** Most requests do what they did before, so a known count is found without a further call. */
    addLax(...[client, rule]: Parameters<Meter['countLax']>): void {
      const known =
        counts.get(`lax ${rule} ${client.id}`) ?? counts.get(`laxGuests ${rule} ${client.id}`)
      if (known !== undefined) known.count++
      else find(isOnItsOwn(client) ? 'laxGuests' : 'lax', client.id, rule).count++
    },
    /** What clients did since the last call. */
    take(): readonly CountedThing[] {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
  }
}

/** What one client did since the last writing. Whose client it is, the writing finds out. */
export interface CountedAct {
  readonly clientId: ClientId | typeof otherClients
  readonly name: string
  count: number
}

const createActs = () => {
  let acts = new Map<string, CountedAct>()
  const add = (clientId: CountedAct['clientId'], name: string): void => {
    const known = acts.get(`${name} ${clientId}`)
    if (known !== undefined) known.count++
    // Strangers make no more rows than this, whatever clients they name.
    else if (acts.size >= metricLimits.steps && clientId !== otherClients) add(otherClients, name)
    else acts.set(`${name} ${clientId}`, { clientId, name, count: 1 })
  }
  return {
    add,
    take(): readonly CountedAct[] {
      const taken = [...acts.values()]
      acts = new Map()
      return taken
    },
  }
}

/** Requests for files, health and metrics would hide the others. */
const isQuick = (route: string): boolean =>
  /^\/(assets\/|health\/|metrics$|favicon\.ico$)/.test(route)

const getLatency = (seconds: ReturnType<typeof createHistogram>): ReadonlyMap<string, number> =>
  new Map(
    seconds
      .counts((route) => !isQuick(route))
      .map((count, i) => [String(metricLimits.requestMilliseconds[i] ?? 'more'), count]),
  )

/** The same by route and bound, of a few routes. */
const getRouteLatency = (
  seconds: ReturnType<typeof createHistogram>,
): ReadonlyMap<string, number> =>
  new Map(
    metricLimits.chartedRoutes.flatMap((route) =>
      seconds
        .counts((one) => one === route)
        .map((count, i) => [`${route} ${metricLimits.requestMilliseconds[i] ?? 'more'}`, count]),
    ),
  )

const listQueueFamilies = (
  { waiting, oldestSeconds }: { readonly waiting: number; readonly oldestSeconds: number },
  droppedLines: number,
): readonly MetricFamily[] => [
  gauge('latchkey_mails_queued', 'Mails that wait to be sent.', waiting),
  gauge('latchkey_mail_oldest_seconds', 'How long the oldest mail has waited.', oldestSeconds),
  makeCounter(
    'latchkey_log_lines_dropped_total',
    'Lines of the log that were dropped.',
    droppedLines,
  ),
]

const loginWays: ReadonlyMap<string, CountedWay> = new Map([
  ['/login', 'password'],
  ['/login/second', 'second_factor'],
  ['/login/passkey', 'passkey'],
  ['/login/with/:id', 'upstream'],
  ['/login/with/:id/callback', 'upstream'],
])

/** The password grant logs in as well, and is refused so. */
const passwordReasons: readonly string[] = ['wrong_password', 'login_throttled']

/** Methods that routes have. All others are one label, since strangers can make up many. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The login that was refused with a request; undefined for any other request. */
const findLoginWay = (route: string, reason: string): CountedWay | undefined =>
  route === '/token' && passwordReasons.includes(reason) ? 'password' : loginWays.get(route)

const openRequestCount =
  ({ requests, seconds, refusals, logins }: ReturnType<typeof createCounters>) =>
  (...[route, method, status, milliseconds, reason]: Parameters<Meter['countRequest']>): void => {
    // Every path has wrong methods: series of their own would leave no room for those of the routes.
    const counted = reason === 'wrong_method' ? '(wrong method)' : route
    const known = knownMethods.find((one) => one === method) ?? 'other'
    requests.add(1, counted, known, String(status))
    seconds.add(milliseconds, counted)
    if (reason === null) return
    refusals.add(1, reason)
    const way = findLoginWay(counted, reason)
    if (way !== undefined) logins.add(1, way, 'refused')
  }

/** @param droppedLines how many lines of the log were dropped so far */
export const createMetrics = (droppedLines: () => number) => {
  const counters = createCounters()
  const steps = createClientCounts()
  const acts = createActs()
  // Apart, so that requests without a proof take no room of others.
  const namedActs = createActs()
  let queue = { waiting: 0, oldestSeconds: 0 }
  return {
    countRequest: openRequestCount(counters),
    countRefusal: (reason) => counters.refusals.add(1, reason),
    countLogin: (way, outcome) => counters.logins.add(1, way, outcome),
    countGrant(type, outcome) {
      counters.grants.add(1, type, outcome)
      if (type === 'password' && outcome === 'issued') counters.logins.add(1, type, 'succeeded')
    },
    countIssued(members, clientId) {
      for (const kind of tokenKinds) if (kind in members) counters.issued.add(1, kind)
      acts.add(clientId, 'token')
    },
    countRead(clientId) {
      counters.read.add(1, clientId === null ? 'refused' : 'accepted')
      if (clientId !== null) acts.add(clientId, 'use')
    },
    countIntrospected(isActive, clientId) {
      counters.introspected.add(1, String(isActive))
      if (clientId !== null) acts.add(clientId, 'use')
    },
    countRefused(clientId, reason, isProven) {
      if (isProven) acts.add(clientId, `refused ${reason}`)
      else namedActs.add(clientId, `named ${reason}`)
    },
    countRevoked: (kind) => counters.revoked.add(1, kind),
    countStep: steps.add,
    countLax: steps.addLax,
    takeSteps: steps.take,
    /** What clients did since the last call. */
    takeActs: (): readonly CountedAct[] => [...acts.take(), ...namedActs.take()],
    /** Uses of authorizations that are in no ledger, because too many were waiting to be written. */
    countDroppedUses: (uses: number) => counters.droppedUses.add(uses),
    /** @param webhook its id in the settings */
    countWebhook: (webhook: string, outcome: 'delivered' | 'retried' | 'failed') =>
      counters.webhooks.add(1, webhook, outcome),
    /** A mail was sent, is tried again, failed for good, or was held back: its mailbox got too many. */
    countMail: (outcome: 'sent' | 'retried' | 'failed' | 'held_back') =>
      counters.mails.add(1, outcome),
    countHash: (milliseconds: number) => counters.hashes.add(milliseconds),
    /** @param oldestSeconds how long the oldest mail in the queue has waited; 0 where none waits */
    setMailsQueued(waiting: number, oldestSeconds: number): void {
      queue = { waiting, oldestSeconds }
    },
    totals: (): CountTotals => ({
      grants: counters.grants.entries(),
      logins: counters.logins.entries(),
      refusals: counters.refusals.entries(),
      latency: getLatency(counters.seconds),
      routes: getRouteLatency(counters.seconds),
    }),
    families: (): readonly MetricFamily[] => [
      ...Object.values(counters).map((counter) => counter.family()),
      ...listQueueFamilies(queue, droppedLines()),
    ],
  } satisfies Meter & Record<string, unknown>
}

export type Metrics = ReturnType<typeof createMetrics>
