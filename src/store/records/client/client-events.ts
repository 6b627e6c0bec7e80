/** Events about changes of clients: what changed, with old and new values. */

import type { Client, ClientChange } from '../../../model/client.ts'
import type { Event, EventType } from '../../../model/event.ts'
import {
  describeRequester,
  type RequesterChange,
  requesterChange,
} from '../../../model/requester.ts'
import type { Trace } from '../../contract/trace.ts'
import type { Step } from '../../sql/statement.ts'
import { listChange } from '../../sql/told-change.ts'
import { tell } from '../event/events.ts'

export const listNamed = (change: ClientChange): readonly string[] => {
  const { newSalt, keepSecretUntil, scopeLimits, sealedSecret, ...members } = change
  const named = Object.keys(members).map((name) =>
    name === 'addedRedirectUris' ? 'redirectUris' : name,
  )
  return scopeLimits === undefined ? named : [...new Set([...named, 'scope'])]
}

const getEventType = ({ secretDigest, registrationDigest }: ClientChange): EventType => {
  if (secretDigest !== undefined) return 'client.secret_rotated'
  return registrationDigest === null ? 'client.registration_revoked' : 'client.changed'
}

const toldMembers = [
  'redirectUris',
  'scope',
  'scopeLimits',
  'requiredScope',
  'authenticationMethod',
  'grantTypes',
  'responseTypes',
  'trusted',
  'mayIntrospect',
  'disabled',
  'pinned',
  'accessTokenSeconds',
  'refreshTokenSeconds',
  'name',
] as const satisfies readonly (keyof Client)[]

/**
 * Members without salts, digests and what the store notes by itself. Redirect URIs and permissions
 * come first, and claims of a client about itself last: an event may not have room for all.
 */
const pickPublicMembers = (client: Client): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(toldMembers.map((name) => [name, client[name]])),
  ...client.openid,
  ...client.identity,
  ...client.display,
})

/**
 * Changes for the event to owners: each member that matters to them, with its old and its new
 * value.
 */
export const tellRequester = (change: RequesterChange): Event['details'] =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, [before, now]]) => [
      [`${name}Before`, before],
      [name, now],
    ]),
  )

/**
 * Tells a change. Owners are told of what a client changed about itself, if it matters to them.
 *
 * @param after what the store holds now
 */
export function* tellChange(
  before: Client,
  after: Client,
  change: ClientChange,
  trace: Trace,
  by: 'operator' | 'itself' = 'operator',
): Step<void> {
  const details = {
    changed: listNamed(change).toSorted().join(' '),
    ...listChange(pickPublicMembers(before), pickPublicMembers(after)),
    ...(change.keepSecretUntil === undefined ? {} : { oldSecretUntil: change.keepSecretUntil }),
  }
  const [former, now] = [describeRequester(before), describeRequester(after)]
  const visible = by === 'itself' ? requesterChange(former, now) : null
  const type = visible === null ? getEventType(change) : 'client.changed_itself'
  const told = visible === null ? details : { ...details, ...tellRequester(visible) }
  yield* tell(type, { clientId: after.id }, told, trace)
}
