/** An operator's creation and change of a client: the same steps over the admin API and in the console. */
import { learnScope } from '../access/learn.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { changeOf } from '../model/client-change.ts'
import type { Permissions } from '../model/resource.ts'
import { type Parts, traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Registrable } from './grant-types.ts'
import { changedClient, checkAdded, isChange, newClient } from './registration.ts'

type OperatingParts = Parts & { readonly registries: Registrable }

type GivenMetadata = Readonly<Record<string, unknown>>

/** Refuses a client with more permissions than its creator may administer. */
type CheckScope = (scope: Permissions) => void

/** The client, and its secret where it got a new one: to be shown once. */
export interface Operated {
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
    throw new Refusal('invalid_client_metadata', 'bad_client_id', 'client_id has to be text')
  }
  await learnScope(metadata.scope, parts)
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
 * Changes the members that are given.
 *
 * @returns null where the client is gone, or has another scope by now
 * @throws Refusal `invalid_client_metadata`, `invalid_redirect_uri`
 */
export const changeByOperator = async (
  client: Client,
  metadata: GivenMetadata,
  checkScope: CheckScope,
  exchange: Exchange,
  parts: OperatingParts,
): Promise<Operated | null> => {
  const { registries } = parts
  await learnScope(metadata.scope, parts)
  const { change, secret } = changedClient(client, metadata, { by: 'operator', registries }, parts)
  checkScope([...client.scope, ...(change.scope ?? [])])
  await parts.sectors.check(changeOf(client, change, exchange.at), client, exchange)
  const changed = isChange(change)
    ? await parts.store.changeClient(client.id, change, traceOf(exchange, parts), client.scope)
    : client
  if (changed === null) return null
  checkAdded(change, changed)
  parts.logos.want(changed)
  return { client: changed, secret }
}
