/** Gauges of the service: queues, keys, the store, the build. Read when somebody asks. */
import { readFileSync } from 'node:fs'
import { gauge, type MetricFamily, type Sample } from '../model/metric.ts'
import type { Parts, StoredKeys } from '../parts.ts'
import type { StoreGauges, WebhookQueue } from '../store/store.ts'
import { metricLimits } from './metric-limits.ts'
import { createProcessGauges } from './process-gauges.ts'

export interface GaugeParts extends Pick<Parts, 'settings' | 'store' | 'clock' | 'passwords'> {
  readonly keyring: { readonly stored: StoredKeys }
  /** Requests that wait for the store now. */
  readonly waiting: { readonly size: number }
}

const packageFile = new URL('../../package.json', import.meta.url)

const buildFamily = ({ settings }: Pick<Parts, 'settings'>): MetricFamily => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const [store = ''] = settings.store.split(':')
  const labels = { version, node: process.versions.node, store }
  return {
    name: 'latchkey_build_info',
    help: 'The version of Latchkey and of Node, and the kind of store. Always 1.',
    type: 'gauge',
    samples: [{ labels, value: 1 }],
  }
}

/** The age of the key in use, of each kind. It grows on and on where rotation has stopped. */
const keyFamily = ({ keyring, clock }: Pick<GaugeParts, 'keyring' | 'clock'>): MetricFamily => {
  const now = Math.floor(clock() / 1000)
  const keys = [...keyring.stored('sealing'), ...keyring.stored('signing')]
  const usable = keys.filter(({ usableFrom }) => usableFrom <= now)
  const kinds = Map.groupBy(usable, ({ use, algorithm }) => `${use} ${algorithm}`)
  return {
    name: 'latchkey_key_age_seconds',
    help: 'Age of the key in use, by use and algorithm.',
    type: 'gauge',
    samples: [...kinds].map(([kind, alike]) => {
      const [use = '', algorithm = ''] = kind.split(' ')
      const since = Math.max(...alike.map(({ usableFrom }) => usableFrom))
      return { labels: { use, algorithm }, value: now - since }
    }),
  }
}

const hashFamily = ({ passwords }: Pick<Parts, 'passwords'>): MetricFamily => {
  const samples: Sample[] = Object.entries(passwords.load()).map(([state, value]) => ({
    labels: { state },
    value,
  }))
  const help = 'Password hashes, running and waiting.'
  return { name: 'latchkey_password_hashes', help, type: 'gauge', samples }
}

const queueFamilies = (
  queues: readonly WebhookQueue[],
  { settings, clock }: Pick<Parts, 'settings' | 'clock'>,
): readonly MetricFamily[] => {
  const now = Math.floor(clock() / 1000)
  const samplesOf = (value: (queue: WebhookQueue | undefined) => number): readonly Sample[] =>
    settings.webhooks.map(({ id }) => ({
      labels: { webhook: id },
      value: value(queues.find(({ webhook }) => webhook === id)),
    }))
  return [
    {
      name: 'latchkey_webhook_waiting',
      help: 'Events that wait to be sent to a webhook.',
      type: 'gauge',
      samples: samplesOf((queue) => queue?.waiting ?? 0),
    },
    {
      name: 'latchkey_webhook_oldest_seconds',
      help: 'How long the oldest event of a webhook has waited.',
      type: 'gauge',
      samples: samplesOf((queue) => (queue === undefined ? 0 : Math.max(0, now - queue.oldestAt))),
    },
  ]
}

const poolFamilies = (pool: NonNullable<StoreGauges['pool']>): readonly MetricFamily[] => [
  gauge('latchkey_postgres_connections', 'Open connections to PostgreSQL.', pool.connections),
  gauge(
    'latchkey_postgres_steps_busy',
    'Connections to PostgreSQL that run steps.',
    pool.stepsBusy,
  ),
  gauge('latchkey_postgres_reads_open', 'Reads that PostgreSQL has not answered.', pool.readsOpen),
]

const storeFamilies = ({
  bytes,
  selfRegistered,
  stepsWaiting,
  pool,
}: StoreGauges): readonly MetricFamily[] => [
  gauge('latchkey_store_steps_waiting', 'Steps that wait for a place in a batch.', stepsWaiting),
  ...(bytes === null
    ? []
    : [gauge('latchkey_store_bytes', 'Size of the database on its disk.', bytes)]),
  gauge('latchkey_self_registered_clients', 'Clients that registered themselves.', selfRegistered),
  ...(pool === null ? [] : poolFamilies(pool)),
]

interface StoreState {
  readonly gauges: StoreGauges
  readonly queues: readonly WebhookQueue[]
}

const readState = async (store: Parts['store']): Promise<StoreState> => {
  const [gauges, queues] = await Promise.all([store.gauges(), store.listWebhookQueues()])
  return { gauges, queues }
}

/** Asks the store at most every few seconds. @returns null where it does not answer */
const createStoreGauges = ({
  store,
  clock,
}: Pick<Parts, 'store' | 'clock'>): (() => Promise<StoreState | null>) => {
  let askedAt = Number.NEGATIVE_INFINITY
  let asked: Promise<StoreState | null> = Promise.resolve(null)
  return () => {
    const at = clock() / 1000
    if (at - askedAt >= metricLimits.storeSeconds) {
      askedAt = at
      asked = readState(store).catch(() => null)
    }
    return asked
  }
}

export const createGauges = (parts: GaugeParts): (() => Promise<readonly MetricFamily[]>) => {
  const ofProcess = createProcessGauges()
  const ofStore = createStoreGauges(parts)
  return async () => {
    const found = await ofStore()
    return [
      buildFamily(parts),
      gauge(
        'latchkey_store_requests_waiting',
        'Requests that wait for the store.',
        parts.waiting.size,
      ),
      gauge(
        'latchkey_store_up',
        'Whether the store answered the last question of the metrics.',
        found === null ? 0 : 1,
      ),
      ...(found === null
        ? []
        : [...storeFamilies(found.gauges), ...queueFamilies(found.queues, parts)]),
      hashFamily(parts),
      keyFamily(parts),
      ...(await ofProcess()),
    ]
  }
}
