/** An event as the admin API and webhooks tell it. */
import type { Actor } from '../model/actor.ts'
import type { Event } from '../model/event.ts'

const describeActor = (actor: Actor) => {
  switch (actor.type) {
    case 'operator':
      return 'ownerId' in actor
        ? { type: actor.type, owner_id: actor.ownerId, network: actor.network }
        : {
            type: actor.type,
            client_id: actor.clientId,
            token_id: actor.tokenId,
            network: actor.network,
          }
    case 'client':
      return { type: actor.type, client_id: actor.clientId, network: actor.network }
    case 'owner':
      return { type: actor.type, owner_id: actor.ownerId, network: actor.network }
    case 'anyone':
    case 'cli':
    case 'service':
      return actor
  }
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
