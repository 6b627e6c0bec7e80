/** Creating, changing and deleting resources: over the admin API and on the command line alike. */

import { findClient } from '../clients/find.ts'
import { MemberFault } from '../config/members.ts'
import {
  describeResource,
  parseResource,
  resourceLimits,
  resourceMembers,
} from '../config/resources.ts'
import type { Settings } from '../config/settings.ts'
import { isPublic } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import type { Resource, ResourceChange } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { CreateResourceOutcome } from '../store/contract/resource.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { isOwnUri, type Resources } from './resources.ts'

type ChangingParts = {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
}
type ResourceMembers = Readonly<Record<string, unknown>>

const unusable = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description, { status: 422 })

const parsed = (given: ResourceMembers): Resource => {
  try {
    return parseResource(given)
  } catch (fault) {
    if (!(fault instanceof MemberFault)) throw fault
    const description = `the resource ${fault.message}`
    if (fault.kind === 'unusable') throw unusable('unusable_resource', description)
    throw new Refusal('invalid_request', 'malformed_resource', description)
  }
}

const checkClient = async (id: ClientId, parts: ChangingParts): Promise<void> => {
  const client = await findClient(id, parts, 'disabled')
  if (client !== null && !isPublic(client)) return
  throw unusable(
    'bad_introspection_client',
    client === null
      ? 'introspection_clients names a client that does not exist'
      : 'introspection_clients names a public client, and those cannot introspect',
  )
}

const check = async (
  { uri, introspectionClients = [] }: ResourceChange,
  parts: ChangingParts,
): Promise<void> => {
  if (uri != null && isOwnUri(uri, parts.settings.issuer)) {
    throw unusable('own_uri', 'uri has to be of another API: this one is of the service itself')
  }
  for (const id of introspectionClients) await checkClient(id, parts)
}

const conflicts: Readonly<Record<Exclude<CreateResourceOutcome, 'created'>, string>> = {
  name_taken: 'there is a resource with this name',
  name_used:
    'a deleted resource had this name; it is not used again, since earlier approvals would hold again',
  uri_taken: 'another resource has this uri',
  too_many: `there may be ${resourceLimits.resources} resources`,
}

const conflict = (outcome: keyof typeof conflicts): Refusal =>
  new Refusal('conflict', `resource_${outcome}`, conflicts[outcome])

/** @throws Refusal with status 400, 409 or 422 */
export const createResource = async (
  given: ResourceMembers,
  trace: Trace,
  parts: ChangingParts,
): Promise<Resource> => {
  const resource = parsed(given)
  const { name } = resource
  if (parts.resources.words.some(({ word }) => word === name)) {
    throw unusable('unusable_resource', `the resource has the "name" "${name}", which is a word`)
  }
  await check(resource, parts)
  const outcome = await parts.resources.create(resource, trace)
  if (outcome !== 'created') throw conflict(outcome)
  return resource
}

/**
 * Changes the members that are given. A member of null is left out from then on.
 *
 * @returns null where there is no such resource
 * @throws Refusal with status 400, 409 or 422
 */
export const changeResource = async (
  name: string,
  given: ResourceMembers,
  trace: Trace,
  parts: ChangingParts,
): Promise<Resource | null> => {
  const { resources } = parts
  // Another node may have changed it a moment ago.
  await resources.refresh()
  const before = resources.find(name)
  if (before === null) return null
  if (given.name !== undefined && given.name !== name) {
    throw new Refusal('invalid_request', 'resource_renamed', 'the name of a resource stays')
  }
  const after = parsed({ ...describeResource(before), ...given })
  const members = Object.keys(given).filter((member) => member !== 'name')
  if (members.length === 0) return before
  const change: ResourceChange = Object.fromEntries(
    members.map((member) => {
      const key = resourceMembers[member as keyof typeof resourceMembers]
      return [key, after[key]]
    }),
  )
  await check(change, parts)
  const changed = await resources.change(name, change, trace)
  if (changed === 'uri_taken') throw conflict(changed)
  return changed
}
