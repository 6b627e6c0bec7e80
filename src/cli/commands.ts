/** The commands on a store, by name. They run on the store itself, or in the service on it. */
import { addClient, initialise, listClients } from './clients.ts'
import { endTokens, revokeRegistration, rotateSecret } from './credentials.ts'
import { pinClient, unpinClient } from './documents.ts'
import { listKeys, rewrapKeys, rotateKeys, withdrawKey } from './keys.ts'
import { operator } from './operator.ts'
import { inviteOwner, resetOwner } from './owner-links.ts'
import { addOwner, resetFactors, setAttributes } from './owners.ts'
import { exportPage, importBatch } from './people/batch.ts'
import {
  addResource,
  changeOneResource,
  listResources,
  removeResource,
  showResource,
} from './resources.ts'
import type { Flags, StoreParts } from './store.ts'

/** Does its work and answers with what to say. */
type StoreCommand = (flags: Flags, parts: StoreParts) => Promise<string>

export const storeCommands = {
  init: initialise,
  'client add': addClient,
  'client list': listClients,
  'client rotate-secret': rotateSecret,
  'client end-tokens': endTokens,
  'client revoke-registration': revokeRegistration,
  'client pin': pinClient,
  'client unpin': unpinClient,
  'owner add': addOwner,
  'owner invite': inviteOwner,
  'owner reset': resetOwner,
  'owner reset-factors': resetFactors,
  'owner set-attributes': setAttributes,
  'owner import': importBatch,
  'owner export': exportPage,
  'resource add': addResource,
  'resource list': listResources,
  'resource show': showResource,
  'resource change': changeOneResource,
  'resource remove': removeResource,
  'key list': listKeys,
  'key rotate': rotateKeys,
  'key withdraw': withdrawKey,
  'key rewrap': rewrapKeys,
  operator,
} as const satisfies Readonly<Record<string, StoreCommand>>

export type StoreCommandName = keyof typeof storeCommands

/** These may come before the first start. The others have no use for an empty database. */
const first: readonly StoreCommandName[] = [
  'init',
  'client add',
  'owner add',
  'owner import',
  'resource add',
]

export const makesDatabase = (name: StoreCommandName): boolean => first.includes(name)

export const isStoreCommand = (name: unknown): name is StoreCommandName =>
  typeof name === 'string' && Object.hasOwn(storeCommands, name)
