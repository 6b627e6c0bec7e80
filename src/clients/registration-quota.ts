/** How many clients strangers may bring, by registration or by document (RFC 7591 section 5). */

import type { Settings } from '../config/settings.ts'
import { registrationNetworks } from '../http/address.ts'
import type { RegistrationQuota } from '../store/contract/client.ts'
import { clientLimits } from './limits.ts'

/** The demo counts no networks: everybody there is on this machine. */
export const quotaFor = (
  address: string,
  { settings }: { readonly settings: Settings },
): RegistrationQuota => {
  const { demo, registrationsPerNetwork, registrationsInTotal } = settings
  const perWindow = registrationNetworks(address).map(({ key, bits }) => ({
    network: key,
    most: registrationsPerNetwork * clientLimits.registrationsOfNetwork[bits],
  }))
  const widest = perWindow.at(-1)
  if (demo || widest === undefined) {
    return { perWindow: [], share: null, mostInTotal: registrationsInTotal }
  }
  const { network, most } = widest
  // At least as many as may come in an hour.
  const share = Math.max(
    most,
    Math.ceil(registrationsInTotal * clientLimits.registrationsOfNetwork.share),
  )
  return { perWindow, share: { network, most: share }, mostInTotal: registrationsInTotal }
}
