/**
 * Bounds on the fetches that strangers cause, of documents, keys, sectors and request objects together.
 * Each node counts by itself.
 */

import { registrationNetworks } from '../http/address.ts'
import type { Outbound } from '../http/outbound.ts'
import type { Client } from '../model/client.ts'
import type { Clock } from '../model/ids.ts'
import { documentLimits as limits } from './limits.ts'
import type { DocumentFault, FetchAsker } from './site-fetch.ts'

interface FetchPlace {
  readonly is: 'entered'
  /** Gives the place back. A failed or slow fetch counts for the rest of the window. */
  leave(outcome: 'done' | 'failed'): void
}

export interface FetchBounds {
  /** A fault while the network or all of them have to wait, and for a part of a foreign page. */
  enter(
    asker: FetchAsker,
  ): FetchPlace | Extract<DocumentFault, { readonly is: 'unusable' | 'too_many' }>
}

/** A guarded fetch, and the bounds of its strangers. */
export interface WayOut {
  readonly outbound: Outbound
  readonly bounds: FetchBounds
}

/** The operator's clients have a way of their own: strangers cannot occupy it. */
export type WaysOut = Readonly<Record<Client['registeredBy'], WayOut>>

/** For what no stranger can cause. */
export const unbounded: FetchBounds = { enter: () => ({ is: 'entered', leave: () => {} }) }

/** The widest network of an address: otherwise an IPv6 site would have 65,536 shares. */
const networkOf = (address: string): string => registrationNetworks(address).at(-1)?.key ?? ''

/** A page can hold many images, and their visitors have no part in it. */
const notForParts = {
  is: 'unusable',
  said: 'nothing is fetched for a part of a page of another site',
} as const

/** @param clock tells how long a fetch took */
export const createFetchBounds = (clock: Clock): FetchBounds => {
  const underWay = new Map<string, number>()
  /** Of the current window; at most `limits.failures` networks. */
  let failures = { window: 0, total: 0, networks: new Map<string, number>() }

  const leaveWay = (network: string): void => {
    const left = (underWay.get(network) ?? 1) - 1
    if (left === 0) underWay.delete(network)
    else underWay.set(network, left)
  }

  return {
    enter({ address, at, isForPart }) {
      if (isForPart === true) return notForParts
      if (address === null) return unbounded.enter({ address, at })
      const window = Math.floor(at / limits.windowSeconds)
      if (failures.window !== window) failures = { window, total: 0, networks: new Map() }
      const network = networkOf(address)
      const now = underWay.get(network) ?? 0
      const failed = failures.networks.get(network) ?? 0
      const isFull = now >= limits.underWayOfNetwork || failures.total >= limits.failures
      if (isFull || failed + now >= limits.failuresOfNetwork) {
        return { is: 'too_many', seconds: (window + 1) * limits.windowSeconds - at }
      }
      underWay.set(network, now + 1)
      const began = clock()
      return {
        is: 'entered',
        leave(outcome) {
          leaveWay(network)
          if (outcome === 'done' && clock() - began < limits.slowMilliseconds) return
          failures.total++
          failures.networks.set(network, (failures.networks.get(network) ?? 0) + 1)
        },
      }
    },
  }
}
