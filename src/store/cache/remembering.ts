/**
 * Caches in front of a store. In front of one without other writers, each step goes through here. It invalidates
 * everything it may change before it begins, and nothing of that is cached again before it has
 * ended. So a cached answer equals a read at that moment (decision 0013).
 */
import type { Invalidations, StepNameOf } from '../contract/methods.ts'
import type { Store, StoreRecords } from '../store.ts'
import { type CacheBytes, splitCache } from './bytes.ts'
import { rememberClients } from './clients.ts'
import { rememberAuthorizations, rememberFamilies, rememberStandings } from './families.ts'
import { rememberItems } from './items.ts'
import type { Marks } from './marks.ts'
import { type Recall, recallAfter, recallAtOnce } from './recall.ts'
import { Standings } from './standings.ts'

type MethodName = StepNameOf<StoreRecords>
type AnyStep = (...args: readonly unknown[]) => Promise<unknown>
type Things = (...args: readonly unknown[]) => readonly string[]

/** Called with the outcome of a step, which holds the rows as the step left them. */
export type Outcomes = Readonly<Partial<Record<MethodName, (outcome: unknown) => void>>>

/**
 * Wraps each step that changes cached things: it invalidates them first. Other steps are passed on.
 */
const invalidating = (
  store: Store,
  marks: Marks,
  invalidates: Invalidations<StoreRecords>,
  outcomes: Outcomes,
): Pick<StoreRecords, MethodName> =>
  Object.fromEntries(
    (Object.keys(invalidates) as MethodName[]).map((name) => {
      const step = store[name] as AnyStep
      const things = invalidates[name] as 'nothing' | Things
      const remember = outcomes[name]
      const change: AnyStep = (...args) =>
        marks.change((things as Things)(...args), () => step(...args), remember)
      return [name, things === 'nothing' ? step : change]
    }),
  ) as unknown as Pick<StoreRecords, MethodName>

const remembered = (
  store: Store,
  marks: Marks,
  standings: Standings,
  bytes: CacheBytes,
  recall: Recall,
) => ({
  ...rememberStandings(store, marks, standings, recall),
  ...rememberClients(store, marks, bytes, recall),
  ...rememberAuthorizations(store, marks, standings, recall),
  ...rememberItems(store, marks, bytes, recall),
  purge: ((now, ...args) => {
    standings.purge(now)
    return store.purge(now, ...args)
  }) satisfies Store['purge'],
})

/**
 * A cache in front of a store that others change, too. Steps go past it. The checks
 * invalidate the changes of every node, this one included (decision 0069).
 *
 * @param check see `recallAfter`
 */
export const checkingStore = (
  store: Store,
  marks: Marks,
  check: () => Promise<void>,
  bytes: CacheBytes = splitCache(),
): Store => ({
  ...store,
  ...remembered(store, marks, new Standings(marks, bytes), bytes, recallAfter(check)),
})

/**
 * @param marks once they are stopped, each read goes to the store
 * @param invalidates says of every step what it may change
 */
export const rememberingStore = (
  store: Store,
  marks: Marks,
  invalidates: Invalidations<StoreRecords>,
  bytes: CacheBytes = splitCache(),
): Store => {
  const standings = new Standings(marks, bytes)
  const families = rememberFamilies(standings)
  const steps = invalidating(store, marks, invalidates, families.outcomes)
  return {
    ...store,
    ...steps,
    rotateRefreshToken: families.rotateKnown(steps.rotateRefreshToken),
    ...remembered(store, marks, standings, bytes, recallAtOnce),
    close() {
      marks.stop()
      return store.close()
    },
  }
}
