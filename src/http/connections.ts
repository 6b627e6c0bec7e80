/** How many connections one address may have. */
import type { Socket } from 'node:net'
import { addressKey, isTrusted, listRanges, plainAddress } from './address.ts'
import { httpLimits } from './limits.ts'

/** Takes the connections within the bound, and closes all others. */
export const boundConnections = (
  trustedProxies: readonly string[],
  take: (socket: Socket) => void,
): ((socket: Socket) => void) => {
  const unbounded = listRanges(['127.0.0.0/8', '::1', ...trustedProxies])
  const counts = new Map<string, number>()
  return (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (isTrusted(unbounded, address)) return take(socket)
    const key = addressKey(address)
    const count = counts.get(key) ?? 0
    if (count === httpLimits.connectionsOfAddress) return void socket.destroy()
    counts.set(key, count + 1)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
    take(socket)
  }
}
