/** An event as the admin API and webhooks tell it, and whose acts a list of events shows. */

import { type Actor, findDoor } from '../model/actor.ts'
import type { Event } from '../model/event.ts'
import type { ActorFilter } from '../store/contract/event.ts'

const describeActor = (actor: Actor) => {
  const found = findDoor(actor)
  const door = found === null ? {} : { door: found }
  if (actor.type === 'cli') return { ...actor, ...door }
  if (actor.type === 'anyone' || actor.type === 'service') return actor
  const { type, network } = actor
  const owner = 'ownerId' in actor ? { owner_id: actor.ownerId } : {}
  const client = actor.clientId === undefined ? {} : { client_id: actor.clientId }
  const token = 'tokenId' in actor ? { token_id: actor.tokenId } : {}
  return { type, ...door, ...owner, ...client, ...token, network }
}

export const describeEvent = (event: Event) => ({
  id: event.id,
  at: event.at,
  type: event.type,
  client_id: event.clientId,
  owner_id: event.ownerId,
  authorization_id: event.authorizationId,
  request_id: event.requestId,
  actor: event.actor === null ? null : describeActor(event.actor),
  details: event.details,
})

export const actorTypes: readonly Actor['type'][] = [
  'operator',
  'cli',
  'owner',
  'client',
  'anyone',
  'service',
]

const longestName = 2048

/** `operator`, or one of them: `operator:client:latchkey-admin`. Null for other text. */
export const parseActorFilter = (given: string): ActorFilter | null => {
  const [, word, id] = /^([a-z]+)(?::(.+))?$/.exec(given) ?? []
  const type = actorTypes.find((one) => one === word)
  const isAlone = type === 'anyone' || type === 'service'
  const isWrong =
    (isAlone && id !== undefined) ||
    (type === 'operator' && id !== undefined && !/^(client|owner):./.test(id))
  return type === undefined || isWrong || given.length > longestName
    ? null
    : { type, id: id ?? null }
}
