/**
 * One reference for all requests of an address and a client that the limit refuses within a minute. So a
 * flood is one row of the record of refusals, and every reference of it is explained.
 */
import { addressKey } from '../http/address.ts'
import { refusalLimits } from './limits.ts'

export interface Floods {
  /**
   * Null without room: then the request is refused under its own id, as any other.
   *
   * @param requestId the reference of a flood that begins with this request
   * @param at unix seconds
   */
  referenceOf(
    address: string,
    clientId: string | null,
    requestId: string,
    at: number,
  ): string | null
}

/** References of one minute, a bounded number. */
export const createFloods = (): Floods => {
  let minute = 0
  let held = 0
  let references = new Map<string, Map<string, string>>()
  return {
    referenceOf(address, clientId, requestId, at) {
      const now = Math.floor(at / 60)
      // A request that began in the minute before may end in this one. Clocks may also be set back.
      if (now > minute || now < minute - 1) {
        minute = now
        held = 0
        references = new Map()
      }
      const key = addressKey(address)
      const clients = references.get(key) ?? new Map<string, string>()
      // A stranger may name any number of clients: all further ones are one.
      const isFurther = clients.size >= refusalLimits.floodsOfOne
      const client = isFurther && !clients.has(clientId ?? '') ? '' : (clientId ?? '')
      const found = clients.get(client)
      if (found !== undefined) return found
      if (held >= refusalLimits.floods) return null
      held++
      references.set(key, clients.set(client, requestId))
      return requestId
    },
  }
}
