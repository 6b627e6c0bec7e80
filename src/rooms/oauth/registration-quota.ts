/** How many clients strangers may register, where registration is open (RFC 7591 section 5). */
import { quotaFor } from '../../clients/registration-quota.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Client } from '../../model/client.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { storeLimits } from '../../store/limits.ts'
import { traceOf } from '../../store/trace.ts'

const tooMany = (reason: string, description: string, seconds: number): Refusal =>
  new Refusal('too_many_requests', reason, description, {
    headers: { 'Retry-After': String(seconds) },
  })

/**
 * Stores a client that a stranger registers.
 *
 * @throws Refusal `too_many_requests`
 */
export const registerForStranger = async (
  client: Client,
  exchange: Exchange,
  parts: Pick<ServiceParts, 'settings' | 'store' | 'clock' | 'random'>,
): Promise<'created' | 'taken'> => {
  const quota = quotaFor(exchange.address, parts)
  const registered = await parts.store.registerClient(client, quota, traceOf(exchange, parts))
  switch (registered.outcome) {
    case 'too_many_of_network':
      throw tooMany(
        'registrations_of_network',
        `${registered.most} clients were registered from this network within an hour: wait, or ask the operator for an initial access token`,
        Math.max(1, registered.until - exchange.at),
      )
    case 'too_many_held':
      throw tooMany(
        'registrations_held_by_network',
        `${registered.most} clients that registered themselves from this network wait for their first approval. Let an owner approve them, delete some, or ask the operator for an initial access token`,
        storeLimits.registrationWindowSeconds,
      )
    case 'too_many':
      throw tooMany(
        'registrations_in_total',
        `this service takes ${quota.mostInTotal} clients that register themselves, and has as many: ask the operator for an initial access token`,
        storeLimits.registrationWindowSeconds,
      )
    default:
      return registered.outcome
  }
}
