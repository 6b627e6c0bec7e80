/** Gauges of the service and of its process: queues, keys, the store, memory. Read when somebody asks. */

import { readFileSync } from 'node:fs'
import type { Settings } from '../config/settings.ts'
import type { Passwords } from '../crypto/password.ts'
import { featureLags } from '../features/lags.ts'
import { type Clock, timeOfId } from '../model/ids.ts'
import type { KeyUse } from '../model/key.ts'
import type { MetricFamily, Sample } from '../model/metric.ts'
import type { StoredKey } from '../store/contract/key.ts'
import type { WebhookQueue } from '../store/contract/queue.ts'
import type { LastSeal } from '../store/contract/seal.ts'
import type { Store, StoreGauges } from '../store/store.ts'
import { gauge, makeCounter } from './counter.ts'
import { type CountedTheft, countThefts } from './thefts.ts'

/** The store is asked again after so long. */
const storeSeconds = 30
/** Events that may be a theft are told for so long. */
const theftSeconds = 3600
/** The resolution of the measured delay of the event loop. */
const loopMilliseconds = 20

export interface GaugeParts {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly passwords: Passwords
  readonly keyring: { readonly stored: (use: KeyUse) => readonly StoredKey[] }
  readonly waiting: { readonly size: number }
}

const makeGauges = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  samples,
})

const makeGaugeBy = (
  label: string,
  name: string,
  help: string,
  values: Readonly<Record<string, number>>,
): MetricFamily =>
  makeGauges(
    name,
    help,
    Object.entries(values).map(([of, value]) => ({ labels: { [label]: of }, value })),
  )

const buildFamily = (storeUrl: string): MetricFamily => {
  const packageFile = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const [store = ''] = storeUrl.split(':')
  const help = 'The version of Latchkey and of Node, and the kind of store. Always 1.'
  const labels = { version, node: process.versions.node, store }
  return makeGauges('latchkey_build_info', help, [{ labels, value: 1 }])
}

/** How long the newest usable key of each kind is in use. A kind is a use and an algorithm. */
export const listKeyAges = (
  keys: readonly Pick<StoredKey, 'use' | 'algorithm' | 'usableFrom'>[],
  at: number,
): readonly (readonly [kind: string, seconds: number])[] => {
  const usable = keys.filter(({ usableFrom }) => usableFrom <= at)
  const kinds = Map.groupBy(usable, ({ use, algorithm }) => `${use} ${algorithm}`)
  return [...kinds].map(([kind, alike]) => [
    kind,
    at - Math.max(...alike.map(({ usableFrom }) => usableFrom)),
  ])
}

/** The age of the key in use grows on and on where rotation has stopped. */
const makeKeyFamily = ({ stored }: GaugeParts['keyring'], now: number): MetricFamily =>
  makeGauges(
    'latchkey_key_age_seconds',
    'Age of the key in use, by use and algorithm.',
    listKeyAges([...stored('sealing'), ...stored('signing')], now).map(([kind, value]) => {
      const [use = '', algorithm = ''] = kind.split(' ')
      return { labels: { use, algorithm }, value }
    }),
  )

const queueFamilies = (
  queues: readonly WebhookQueue[],
  { webhooks }: Settings,
  now: number,
): readonly MetricFamily[] => {
  const familyOf = (name: string, help: string, told: (queue: WebhookQueue) => number) => {
    const values = webhooks.map(({ id }) => {
      const queue = queues.find(({ webhook }) => webhook === id)
      return [id, queue === undefined ? 0 : told(queue)]
    })
    return makeGaugeBy('webhook', name, help, Object.fromEntries(values))
  }
  const waiting = 'Events that wait to be sent to a webhook.'
  const oldest = 'How long the oldest event of a webhook has waited.'
  return [
    familyOf('latchkey_webhook_waiting', waiting, (queue) => queue.waiting),
    familyOf('latchkey_webhook_oldest_seconds', oldest, ({ oldestAt }) =>
      Math.max(0, now - oldestAt),
    ),
  ]
}

const storeFamilies = ({ bytes, selfRegistered, stepsWaiting, pool }: StoreGauges) => {
  const rows = [
    ['store_steps_waiting', 'Steps that wait for a place in a batch.', stepsWaiting],
    ['store_bytes', 'Size of the database on its disk.', bytes],
    ['self_registered_clients', 'Clients that registered themselves.', selfRegistered],
    ['postgres_connections', 'Open connections to PostgreSQL.', pool?.connections],
    ['postgres_steps_busy', 'Connections to PostgreSQL that run steps.', pool?.stepsBusy],
    ['postgres_reads_open', 'Reads that PostgreSQL has not answered.', pool?.readsOpen],
  ] as const
  return rows.flatMap(([name, help, value]) =>
    value == null ? [] : [gauge(`latchkey_${name}`, help, value)],
  )
}

/** Asked anew each time: a deaf API has to be seen at once. */
const makeLagFamily = async ({ store, clock }: GaugeParts): Promise<MetricFamily> => {
  const found = await Promise.all(featureLags.map((find) => find(store, clock()))).catch(() => [])
  const latest = new Map<string, number>()
  for (const { resource, seconds } of found.flat()) {
    latest.set(resource, Math.max(seconds, latest.get(resource) ?? 0))
  }
  const help = 'How long an API took for its latest revocation, or has been taking so far.'
  const values = Object.fromEntries(latest)
  return makeGaugeBy('resource', 'latchkey_revocation_seconds', help, values)
}

const makeTheftFamily = (thefts: readonly CountedTheft[]): MetricFamily => {
  const help = 'Events of the last hour that may be a theft, by type. At most 100 are counted.'
  const values = Object.fromEntries(thefts.map(({ type, count }) => [type, count]))
  return makeGaugeBy('type', 'latchkey_theft_events', help, values)
}

/** 0 before the first seal. */
const makeSealFamily = (seal: LastSeal | null, now: number): MetricFamily => {
  const help =
    'How long ago the events of the last seal end. Grows where nothing is sealed any more.'
  const end = seal === null ? now : Math.floor(timeOfId(seal.until) / 1000)
  return gauge('latchkey_event_seal_age_seconds', help, Math.max(0, now - end))
}

type StoreState = readonly [
  gauges: StoreGauges,
  queues: readonly WebhookQueue[],
  thefts: readonly CountedTheft[],
  seal: LastSeal | null,
]

/** Asks the store at most every few seconds. @returns null where it does not answer */
const openStoreState = ({ store, clock }: GaugeParts): (() => Promise<StoreState | null>) => {
  let askedAt = Number.NEGATIVE_INFINITY
  let asked: Promise<StoreState | null> = Promise.resolve(null)
  return () => {
    const at = clock() / 1000
    if (at - askedAt >= storeSeconds) {
      askedAt = at
      const thefts = countThefts(theftSeconds, Math.floor(at), store)
      const seal = store.findLastSeal()
      asked = Promise.all([store.gauges(), store.listWebhookQueues(), thefts, seal]).catch(
        () => null,
      )
    }
    return asked
  }
}

type LoopDelay = ReturnType<typeof import('node:perf_hooks')['monitorEventLoopDelay']>

/** Costs a timer and an observer, so a node that nobody asks does without. */
const measure = async () => {
  const { monitorEventLoopDelay, PerformanceObserver } = await import('node:perf_hooks')
  const loop = monitorEventLoopDelay({ resolution: loopMilliseconds })
  loop.enable()
  const collected = { count: 0, milliseconds: 0 }
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      collected.count++
      collected.milliseconds += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return { loop, collected }
}

/** Since the last question, so that one long delay does not stay forever. */
const loopFamily = (loop: LoopDelay): MetricFamily => {
  // The histogram counts the time from tick to tick, so a loop without delay has its resolution.
  const delay = (nanoseconds: number): number =>
    loop.count > 0 && Number.isFinite(nanoseconds)
      ? Math.max(0, nanoseconds / 1e9 - loopMilliseconds / 1000)
      : 0
  const values = {
    50: delay(loop.percentile(50)),
    99: delay(loop.percentile(99)),
    100: delay(loop.max),
  }
  loop.reset()
  const help = 'Delay of the event loop since the last scrape, by percentile.'
  return makeGaugeBy('percentile', 'latchkey_event_loop_delay_seconds', help, values)
}

/** Memory, event loop and garbage collection, measured from the first question on. */
const openProcessGauges = (): (() => Promise<readonly MetricFamily[]>) => {
  let measuring: ReturnType<typeof measure> | null = null
  return async () => {
    measuring ??= measure()
    const { loop, collected } = await measuring
    const { rss: resident, heapTotal, heapUsed, external } = process.memoryUsage()
    const areas = { resident, heap_total: heapTotal, heap_used: heapUsed, external }
    const { user, system } = process.cpuUsage()
    const cpuSeconds = (user + system) / 1e6
    const runs = 'Garbage collections since the first scrape.'
    const seconds = 'Time in garbage collections since the first scrape.'
    return [
      makeGaugeBy('area', 'latchkey_memory_bytes', 'Memory of the process, by area.', areas),
      loopFamily(loop),
      makeCounter('latchkey_gc_runs_total', runs, collected.count),
      makeCounter('latchkey_gc_seconds_total', seconds, collected.milliseconds / 1000),
      makeCounter('latchkey_cpu_seconds_total', 'CPU time of the process.', cpuSeconds),
      gauge('latchkey_uptime_seconds', 'Time since the start of the process.', process.uptime()),
    ]
  }
}

export const createGauges = (parts: GaugeParts): (() => Promise<readonly MetricFamily[]>) => {
  const { settings, clock, passwords, keyring, waiting } = parts
  const ofProcess = openProcessGauges()
  const ofStore = openStoreState(parts)
  return async () => {
    const found = await ofStore()
    const now = Math.floor(clock() / 1000)
    const waits = 'Calls of requests that wait for the store.'
    const isUp = 'Whether the store answered the last question of the metrics.'
    const hashes = 'Password hashes, running and waiting.'
    return [
      buildFamily(settings.store),
      gauge('latchkey_store_requests_waiting', waits, waiting.size),
      gauge('latchkey_store_up', isUp, found === null ? 0 : 1),
      ...(found === null
        ? []
        : [
            ...storeFamilies(found[0]),
            ...queueFamilies(found[1], settings, now),
            makeTheftFamily(found[2]),
            makeSealFamily(found[3], now),
          ]),
      makeGaugeBy('state', 'latchkey_password_hashes', hashes, { ...passwords.load() }),
      makeKeyFamily(keyring, now),
      await makeLagFamily(parts),
      ...(await ofProcess()),
    ]
  }
}
