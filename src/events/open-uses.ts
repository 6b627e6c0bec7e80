/** Opens the collector of uses, and logs the uses that it drops. */
import { setTimeout } from 'node:timers/promises'
import { type Clock, newId, type Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'
import { type CollectorGiven, collectUses, type Uses } from './uses.ts'

const usesDropped = 'too many uses wait for the store: these are in no ledger'

/** Nobody who waits for this keeps the process from ending. */
const realPause: CollectorGiven['pause'] = (milliseconds) =>
  setTimeout(milliseconds, null, { ref: false })

export const openUses = (
  {
    store,
    clock,
    random,
  }: { readonly store: Store; readonly clock: Clock; readonly random: Random },
  metrics: Metrics,
  tell: Tell,
  pause: CollectorGiven['pause'] = realPause,
): Uses =>
  collectUses({
    store,
    collector: newId(clock(), random(10)),
    clock,
    pause,
    tellDropped(uses) {
      metrics.countDroppedUses(uses)
      tell({ level: 'warn', message: usesDropped, uses })
    },
  })
