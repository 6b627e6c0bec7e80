/** The end of what deleted issuers opened, in pieces. */
import type { Trace } from '../../store/contract/trace.ts'
import type { Store } from '../../store/store.ts'
import { issuerLimits } from './limits.ts'

/** Also of deletions that were cut off. Several may be at it at once. */
export const finishEndedIssuers = async (store: Store, trace: () => Trace): Promise<void> => {
  for (const id of await store.listEndedIssuers()) {
    for (;;) {
      const some = await store.listIssuerAccesses(id, issuerLimits.endedAtOnce, trace().at)
      if (some.length === 0) break
      await Promise.all(some.map((access) => store.endIssuerAccess(access, trace())))
    }
    await store.freeTrustedIssuer(id)
  }
}
