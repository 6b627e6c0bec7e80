/** The findings about the store: its clock, and its keys. */

import { isLoopback, isLoopbackHttp } from '../../config/issuer.ts'
import type { Limits } from '../../config/settable-limits.ts'
import type { Settings } from '../../config/settings.ts'
import { isPlain } from '../../crypto/wrap.ts'
import { sealLimits } from '../../events/seals/sealer.ts'
import { timeOfId } from '../../model/ids.ts'
import { renderTime } from '../../operations/surface/said.ts'
import type { StoredKey } from '../../store/contract/key.ts'
import type { DoctoredWorkers, PostgresConditions } from '../../store/engines/postgres/session.ts'
import { keyLimits } from '../../tokens/keys/kinds.ts'
import type { StoreParts } from '../store.ts'
import { doctorLimits, type Finding, listFound, makeProblem, makeWeakness } from './finding.ts'

type PoolLimits = Pick<Limits, 'postgresConnections'>

const checkConnections = (
  connections: number,
  { postgresConnections }: PoolLimits,
  isDistributed: boolean,
): Finding | null => {
  // One more watches for the changes of other nodes. One watches the machines, and two move events.
  const ofNode = postgresConnections + (isDistributed ? 4 : 1)
  const wanted = 2 * ofNode + doctorLimits.furtherConnections
  if (connections >= wanted) return null
  const words = `The database allows ${connections} connections, and a node takes up to ${ofNode}.`
  const fix = `Raise max_connections, or the limit of the role or database, to ${wanted} or more: two nodes, and commands beside them. Or lower the limit postgresConnections.`
  return connections < ofNode
    ? makeProblem('database.connections', words, fix)
    : makeWeakness('database.connections', words, fix)
}

/** @param now unix seconds */
export const checkConditions = (
  conditions: PostgresConditions,
  limits: PoolLimits,
  now: number,
  isDistributed: boolean,
): readonly Finding[] => {
  const { address, encrypted, autovacuum, synchronousCommit, time } = conditions
  const skew = Math.abs(time - now)
  return listFound(
    checkConnections(conditions.connections, limits, isDistributed),
    address !== null &&
      !isLoopback(address) &&
      !encrypted &&
      makeWeakness(
        'database.plain',
        'The connection to the database has no TLS: password hashes could be read on the way.',
        'Turn on ssl at the server, and add ?sslmode=verify-full to LATCHKEY_STORE.',
      ),
    !autovacuum &&
      makeWeakness(
        'database.vacuum',
        'The database has autovacuum = off, so its tables grow and get slow.',
        'Set autovacuum = on, and reload the configuration of PostgreSQL.',
      ),
    synchronousCommit === 'off' &&
      makeWeakness(
        'database.commit',
        'The database has synchronous_commit = off by default. The service sets it on for each connection, and a connection pooler may lose that.',
        'Set synchronous_commit = on for the server, the role and the database.',
      ),
    skew > doctorLimits.skewSeconds &&
      makeProblem(
        'clock.database',
        `The clock of this machine and that of the database differ by ${skew} seconds.`,
        'Run a time service (chrony, systemd-timesyncd) on both.',
      ),
  )
}

const daySeconds = 86_400

const checkClock = (latest: number | null, now: number): Finding | null => {
  if (latest === null || latest <= now + doctorLimits.skewSeconds) return null
  return makeProblem(
    'clock.behind',
    `The clock of this machine is behind ${renderTime(latest)}, the latest time that a node noted.`,
    'Run a time service (chrony, systemd-timesyncd) on every node.',
  )
}

/** A service rotates its keys by itself, so an old newest key says that none does. */
const checkAge = (
  keys: readonly StoredKey[],
  now: number,
  signingDays: number,
): readonly Finding[] =>
  (['sealing', 'signing'] as const).flatMap((use) => {
    const made = keys.filter((key) => key.use === use).map(({ createdAt }) => createdAt)
    const rotation = use === 'sealing' ? keyLimits.keyRotationSeconds : signingDays * daySeconds
    const newest = Math.max(...made)
    if (made.length === 0 || now - newest <= rotation + 7 * daySeconds) return []
    return [
      makeWeakness(
        `keys.${use}.old`,
        `The newest ${use} key is of ${renderTime(newest)}.`,
        `Run latchkey key rotate --use ${use}. A running service rotates keys by itself, so look why it did not.`,
      ),
    ]
  })

const checkSeals = async ({ store }: StoreParts, now: number): Promise<Finding | null> => {
  const last = await store.findLastSeal()
  const end = last === null ? null : Math.floor(timeOfId(last.until) / 1000)
  if (end === null || now - end <= sealLimits.overdueSeconds) return null
  return makeWeakness(
    'events.unsealed',
    `Events are sealed up to ${renderTime(end)} only.`,
    'A running service seals them each hour. Look in its log for "housekeeping failed: seals".',
  )
}

const checkRoot = async ({ openRoot }: StoreParts): Promise<Finding | null> => {
  try {
    await openRoot()
    return null
  } catch (fault) {
    return makeProblem(
      'secret.wrong',
      `The keys do not open: ${fault instanceof Error ? fault.message : String(fault)}`,
      'Set LATCHKEY_SECRET to the root secret of this store, or restore the key file beside the database.',
    )
  }
}

/** Workers that the coordinator does not reach, or the service alone. */
export const checkWorkers = ({ workers, shards, far }: DoctoredWorkers): readonly Finding[] => [
  ...workers
    .filter(({ isReachable }) => !isReachable)
    .map(({ name, id, shards: of }) =>
      makeProblem(
        'database.worker',
        `The database does not reach its worker ${name} (node ${id}). Requests of owners on ${of} of ${shards} shards get 503, and others go on. Changes of clients and groups wait, since every machine has those.`,
        'Start its PostgreSQL or its standby, and look at the log of the coordinator. citus_update_node gives a worker another address.',
      ),
    ),
  ...far.map((name) =>
    makeWeakness(
      'database.far',
      `This machine does not reach the worker ${name} of the database by itself. So each request of its owners passes the coordinator, which takes far more processor time.`,
      'Let the machines of the service connect to the worker with the role and password of LATCHKEY_STORE: its pg_hba.conf, and any firewall.',
    ),
  ),
]

const checkServer = async (
  { store, limits: set }: Pick<Settings, 'store' | 'limits'>,
  now: number,
): Promise<readonly Finding[]> => {
  if (store.startsWith('sqlite:')) return []
  // Not before it is asked for: it loads the driver of PostgreSQL.
  const { findConditions } = await import('../../store/engines/postgres/session.ts')
  const { machines, ...conditions } = await findConditions(store)
  const ofMachines = machines === null ? [] : checkWorkers(machines)
  return [...ofMachines, ...checkConditions(conditions, set, now, machines !== null)]
}

export const checkStore = async (parts: StoreParts): Promise<readonly Finding[]> => {
  const { store, clock, settings } = parts
  const now = Math.floor(clock() / 1000)
  const keys = await store.listKeys()
  const isOpen = keys.some(({ wrapped }) => isPlain(wrapped)) && !isLoopbackHttp(settings.issuer)
  return listFound(
    checkClock(await store.latestTime(), now),
    keys.length > 0 && (await checkRoot(parts)),
    isOpen &&
      makeProblem(
        'keys.plain',
        'Keys stand in the database in clear: a reader of it can forge tokens.',
        'Set LATCHKEY_SECRET on every node, restart, and run latchkey key rewrap.',
      ),
    checkAge(keys, now, settings.keyRotationDays),
    await checkSeals(parts, now),
    await checkServer(settings, now),
  )
}
