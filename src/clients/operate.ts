/** An operator's creation and change of a client: the same steps over the admin API and in the console. */

import { difference, intersection } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import type { Settings } from '../config/settings.ts'
import { digest } from '../crypto/digest.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client, ClientChange } from '../model/client.ts'
import { changeOf } from '../model/client-change.ts'
import type { Given, Random } from '../model/ids.ts'
import { adminPermissions, type Permissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { traceOf } from '../store/trace.ts'
import { newClientSecret } from './credentials.ts'
import type { Registrable } from './grant-types.ts'
import { invalidMetadata } from './invalid.ts'
import type { Logos } from './logos.ts'
import { keptWays } from './metadata.ts'
import { changedClient, checkAdded, isChange, newClient } from './registration.ts'
import type { Sectors } from './sector.ts'

export interface OperatingParts extends Given {
  readonly registries: Registrable
  readonly store: Store
  readonly settings: Settings
  readonly resources: Resources
  readonly sectors: Sectors
  readonly logos: Logos
}

type GivenMetadata = Readonly<Record<string, unknown>>

/** Refuses a client with more permissions than its creator may administer. */
type CheckScope = (scope: Permissions) => void

interface Operated {
  readonly client: Client
  readonly secret: string | null
}

/** @throws Refusal `invalid_client_metadata`, `invalid_redirect_uri`, `conflict` */
export const createByOperator = async (
  { client_id: id, ...metadata }: GivenMetadata,
  checkScope: CheckScope,
  exchange: Exchange,
  parts: OperatingParts,
): Promise<Operated> => {
  const { registries } = parts
  if (id !== undefined && typeof id !== 'string') {
    throw invalidMetadata('bad_client_id', 'client_id has to be text')
  }
  await parts.resources.learnScope(metadata.scope)
  const registrar = { by: 'operator', registries, ...(id === undefined ? {} : { id }) } as const
  const { client, secret } = newClient(metadata, registrar, parts)
  checkScope(client.scope)
  await parts.sectors.check(client, null, exchange)
  if ((await parts.store.createClient(client, traceOf(exchange, parts))) === 'taken') {
    throw new Refusal('conflict', 'client_id_taken', 'there is a client with this client_id')
  }
  parts.logos.want(client)
  return { client, secret }
}

/**
 * Gives permissions of the admin API. Others may know the secret. Then the operator has to say whether
 * it stays.
 *
 * @throws Refusal `conflict`
 */
const raise = async (
  { id, scope }: Client,
  change: ClientChange,
  keep: readonly string[] | null,
  trace: Trace,
  { store, random }: { readonly store: Store; readonly random: Random },
): Promise<Operated | null> => {
  const secret = newClientSecret({ random })
  const kept = { keep, replacement: digest(secret) }
  const raised = await store.raiseClient(id, change, kept, trace, scope)
  if (raised.outcome === 'gone') return null
  if (raised.outcome === 'raised') {
    return { client: raised.client, secret: raised.isReplaced ? secret : null }
  }
  throw new Refusal(
    'conflict',
    'ways_of_others',
    `others may know the secret, so rotate it first, or name in keep_ways_in what stays: ${raised.way}`,
  )
}

/**
 * Changes the members that are given.
 *
 * @returns null where the client is gone, or has another scope by now
 * @throws Refusal `invalid_client_metadata`, `invalid_redirect_uri`, `conflict`
 */
export const changeByOperator = async (
  client: Client,
  metadata: GivenMetadata,
  checkScope: CheckScope,
  exchange: Exchange,
  parts: OperatingParts,
): Promise<Operated | null> => {
  const { registries } = parts
  await parts.resources.learnScope(metadata.scope)
  const { change, secret } = changedClient(client, metadata, { by: 'operator', registries }, parts)
  checkScope([...client.scope, ...(change.scope ?? [])])
  await parts.sectors.check(changeOf(client, change, exchange.at), client, exchange)
  const trace = traceOf(exchange, parts)
  const { id, scope } = client
  const raises = difference(intersection(change.scope ?? [], adminPermissions), scope).length > 0
  const raised = raises ? await raise(client, change, keptWays(metadata), trace, parts) : null
  if (raises && raised === null) return null
  const changed =
    raised?.client ??
    (isChange(change) ? await parts.store.changeClient(id, change, trace, scope) : client)
  if (changed === null) return null
  checkAdded(change, changed)
  parts.logos.want(changed)
  return { client: changed, secret: raised?.secret ?? secret }
}
