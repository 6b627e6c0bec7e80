/** The parts as one request has them: what of them waits for the store, waits as long as the request may. */
import type { EndpointParts, ServiceParts } from '../registries.ts'
import { Patience, patientStore, type Waiters } from '../store/patience.ts'

export const patientParts = (parts: ServiceParts, waiting: Waiters): (() => EndpointParts) => {
  const storeOf = patientStore(parts.store)
  const { keyring, tries } = parts
  const made = (): EndpointParts => {
    const patience = new Patience(waiting)
    return {
      ...parts,
      store: storeOf(patience),
      keyring: { ...keyring, learn: (id) => patience.wait(() => keyring.learn(id)) },
      // A try may have to wait for others, and they for the store.
      tries: (counters, attempt) =>
        patience.wait(() => tries(counters, () => patience.pause(attempt))),
      renewed: made,
    }
  }
  return made
}
