/** From one machine of a cluster to another one, at the address that the cluster knows. */
import { isLoopback } from '../../../config/issuer.ts'
import { StoreRefusal } from '../../fault.ts'
import type { Cluster } from './cluster.ts'
import type { MachineAddress } from './machines.ts'

/** The same user, password, database and options at another address. */
export const moveUrl = (url: string, { host, port }: MachineAddress): string => {
  const moved = new URL(url)
  // Of these, each would win over the address.
  for (const name of ['host', 'hostaddr', 'port']) moved.searchParams.delete(name)
  moved.hostname = host.includes(':') ? `[${host}]` : host
  moved.port = String(port)
  return moved.href
}

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
  if (coordinator === null) {
    throw new StoreRefusal('is a worker of Citus that knows no coordinator; name the coordinator')
  }
  const { host } = coordinator
  if (isLoopback(host) && !isLoopback(new URL(url).hostname)) {
    throw new StoreRefusal(
      `is a worker of Citus that knows its coordinator as ${host}; name the coordinator, or let it tell its address: select citus_set_coordinator_host('HOST', PORT)`,
    )
  }
  return moveUrl(url, coordinator)
}
