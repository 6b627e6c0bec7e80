/** How many clients strangers may register, where registration is open (RFC 7591 section 5). */
import { limits } from '../config/limits.ts'
import { registrationNetwork } from '../http/address.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { type Parts, traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'

const tooMany = (reason: string, description: string, seconds: number): Refusal =>
  new Refusal('too_many_requests', reason, description, {
    headers: { 'Retry-After': String(seconds) },
  })

/**
 * Stores a client that a stranger registers. The demo counts no networks: everybody there is on this
 * machine.
 *
 * @throws Refusal `too_many_requests`
 */
export const registerForStranger = async (
  client: Client,
  exchange: Exchange,
  parts: Parts,
): Promise<'created' | 'taken'> => {
  const { demo, registrationsPerNetwork, registrationsInTotal } = parts.settings
  const quota = {
    network: demo ? null : registrationNetwork(exchange.address),
    mostOfNetwork: registrationsPerNetwork,
    mostInTotal: registrationsInTotal,
  }
  const registered = await parts.store.registerClient(client, quota, traceOf(exchange, parts))
  switch (registered.outcome) {
    case 'too_many_of_network':
      throw tooMany(
        'registrations_of_network',
        `${registrationsPerNetwork} clients were registered from this network within an hour: wait, or ask the operator for an initial access token`,
        Math.max(1, registered.until - exchange.at),
      )
    case 'too_many':
      throw tooMany(
        'registrations_in_total',
        `this service takes ${registrationsInTotal} clients that register themselves, and has as many: ask the operator for an initial access token`,
        limits.registrationWindowSeconds,
      )
    default:
      return registered.outcome
  }
}
