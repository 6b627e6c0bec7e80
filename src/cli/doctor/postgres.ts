/** The findings about a PostgreSQL server: its settings, and the way to it. */
import { isLoopback } from '../../config/issuer.ts'
import type { Limits } from '../../config/settable-limits.ts'
import type { PostgresConditions } from '../../store/engines/postgres/conditions.ts'
import { doctorLimits, type Finding, found, problem, weakness } from './finding.ts'

type PoolLimits = Pick<Limits, 'postgresConnections'>

const checkConnections = (
  connections: number,
  { postgresConnections }: PoolLimits,
): Finding | null => {
  // One more watches for the changes of other nodes.
  const ofNode = postgresConnections + 1
  const wanted = 2 * ofNode + doctorLimits.furtherConnections
  if (connections >= wanted) return null
  const words = `The database allows ${connections} connections, and a node takes up to ${ofNode}.`
  const fix = `Raise max_connections, or the limit of the role or database, to ${wanted} or more: two nodes, and commands beside them. Or lower the limit postgresConnections.`
  return connections < ofNode
    ? problem('database.connections', words, fix)
    : weakness('database.connections', words, fix)
}

/** @param now unix seconds */
export const checkConditions = (
  conditions: PostgresConditions,
  limits: PoolLimits,
  now: number,
): readonly Finding[] => {
  const { address, encrypted, autovacuum, synchronousCommit, time } = conditions
  const skew = Math.abs(time - now)
  return found(
    checkConnections(conditions.connections, limits),
    address !== null &&
      !isLoopback(address) &&
      !encrypted &&
      weakness(
        'database.plain',
        'The connection to the database has no TLS: password hashes could be read on the way.',
        'Turn on ssl at the server, and add ?sslmode=verify-full to LATCHKEY_STORE.',
      ),
    !autovacuum &&
      weakness(
        'database.vacuum',
        'The database has autovacuum = off, so its tables grow and get slow.',
        'Set autovacuum = on, and reload the configuration of PostgreSQL.',
      ),
    synchronousCommit === 'off' &&
      weakness(
        'database.commit',
        'The database has synchronous_commit = off by default. The service sets it on for each connection, and a connection pooler may lose that.',
        'Set synchronous_commit = on for the server, the role and the database.',
      ),
    skew > doctorLimits.skewSeconds &&
      problem(
        'clock.database',
        `The clock of this machine and that of the database differ by ${skew} seconds.`,
        'Run a time service (chrony, systemd-timesyncd) on both.',
      ),
  )
}
