/** From a worker to its coordinator: the same user, password, database and options, at the address that it knows. */
import { isLoopback } from '../../../config/issuer.ts'
import { StoreRefusal } from '../../fault.ts'
import type { Cluster } from './cluster.ts'

/**
 * The URL of the coordinator, where a URL is that of a worker; null elsewhere.
 *
 * @throws StoreRefusal where the worker does not know it
 */
export const findCoordinator = (
  url: string,
  cluster: Pick<Cluster, 'isWorker' | 'coordinator'> | null,
): string | null => {
  if (cluster === null || !cluster.isWorker) return null
  const { coordinator } = cluster
  const moved = new URL(url)
  if (coordinator === null) {
    throw new StoreRefusal('is a worker of Citus that knows no coordinator; name the coordinator')
  }
  const { host, port } = coordinator
  if (isLoopback(host) && !isLoopback(moved.hostname)) {
    throw new StoreRefusal(
      `is a worker of Citus that knows its coordinator as ${host}; name the coordinator, or let it tell its address: select citus_set_coordinator_host('HOST', PORT)`,
    )
  }
  // Of these, each would win over the address.
  for (const name of ['host', 'hostaddr', 'port']) moved.searchParams.delete(name)
  moved.hostname = host.includes(':') ? `[${host}]` : host
  moved.port = String(port)
  return moved.href
}
