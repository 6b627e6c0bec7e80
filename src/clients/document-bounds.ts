/** Bounds on the fetches of metadata documents that strangers cause. Each node counts by itself. */
import { documentLimits as limits } from '../config/document-limits.ts'
import { registrationNetworks } from '../http/address.ts'

export interface FetchPlace {
  /** Gives the place back. A failed fetch counts for the rest of the window. */
  leave(outcome: 'done' | 'failed'): void
}

export interface DocumentBounds {
  /**
   * @param at unix seconds
   * @returns null if the network, or all of them, have to wait
   */
  enter(address: string, at: number): FetchPlace | null
}

/** The widest network of an address: otherwise an IPv6 site would have 65,536 shares. */
const networkOf = (address: string): string => registrationNetworks(address).at(-1)?.key ?? ''

export const createDocumentBounds = (): DocumentBounds => {
  const underWay = new Map<string, number>()
  /** Of the current window; at most `limits.failures` networks. */
  let failures = { window: 0, total: 0, networks: new Map<string, number>() }

  const leaveWay = (network: string): void => {
    const left = (underWay.get(network) ?? 1) - 1
    if (left === 0) underWay.delete(network)
    else underWay.set(network, left)
  }

  return {
    enter(address, at) {
      const window = Math.floor(at / limits.windowSeconds)
      if (failures.window !== window) failures = { window, total: 0, networks: new Map() }
      const network = networkOf(address)
      const now = underWay.get(network) ?? 0
      const failed = failures.networks.get(network) ?? 0
      if (now >= limits.underWayOfNetwork || failures.total >= limits.failures) return null
      if (failed + now >= limits.failuresOfNetwork) return null
      underWay.set(network, now + 1)
      return {
        leave(outcome) {
          leaveWay(network)
          if (outcome === 'done') return
          failures.total++
          failures.networks.set(network, (failures.networks.get(network) ?? 0) + 1)
        },
      }
    },
  }
}
