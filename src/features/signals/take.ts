/** What a receiver has taken: its stream goes on behind it (RFC 8936 section 2.4). */
import { type Clock, timeOfId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'
import type { SignalStream } from './contract.ts'
import { signalLimits } from './limits.ts'
import { findApi, findWaiting } from './select.ts'

export interface TakeParts {
  readonly store: Store
  readonly clock: Clock
}

/** How long the receiver took for the oldest of them. The id of a revocation begins with its time. */
const measure = (ids: readonly string[], now: number): number =>
  Math.max(0, ...ids.map((id) => now - timeOfId(id)))

/** The ids of sets; unknown ones mean nothing. What a receiver refuses tells nothing of its speed. */
interface Taken {
  readonly acknowledged: readonly string[]
  readonly refused: readonly string[]
}

/**
 * Notes what a receiver has taken. Nobody loses what another request of the same receiver took at the same time.
 *
 * @returns the stream as it is then; null where it is gone
 */
export const takeSignals = async (
  id: string,
  { acknowledged, refused }: Taken,
  { store, clock }: TakeParts,
): Promise<SignalStream | null> => {
  const ids = [...acknowledged, ...refused]
  for (;;) {
    const stream = await store.findSignalStream(id)
    if (stream === null) return null
    const api = findApi(stream, await store.listResources())
    const before = await findWaiting(stream, api, signalLimits.sets, store)
    const waiting = before.signals.map((signal) => signal.id).filter((one) => ids.includes(one))
    const obeyed = waiting.filter((one) => acknowledged.includes(one))
    const { verification } = stream
    const isVerified = verification !== null && ids.includes(verification.id)
    if (waiting.length === 0 && !isVerified) return stream
    const taken = [...before.taken, ...waiting]
    const after = await findWaiting({ ...stream, taken }, api, signalLimits.sets, store)
    const { epoch, position } = after
    const progress = {
      ...{ epoch, position, taken: after.taken, tries: 0 },
      takenAt: Math.floor(clock() / 1000),
      ...(isVerified ? { verification: null } : {}),
      ...(obeyed.length > 0 ? { tookMilliseconds: measure(obeyed, clock()) } : {}),
    }
    if (await store.moveSignalStream(id, stream.revision, progress)) {
      return { ...stream, ...progress, revision: stream.revision + 1 }
    }
  }
}
