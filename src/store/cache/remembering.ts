/**
 * Caches in front of a store. In front of one without other writers, each step goes through here. A step invalidates
 * everything it may change before it begins, and nothing of that is cached again before it has
 * ended. So a cached answer equals a read at that moment (decision 0013).
 */
import type { Authorization, Family, Standing } from '../../model/authorization.ts'
import type { Client } from '../../model/client.ts'
import type { Holder } from '../../model/ids.ts'
import type { Invalidations, StepNameOf } from '../sql/record.ts'
import type { Store, StoreRecords } from '../store.ts'
import type { Marks } from './marks.ts'
import { Remembered } from './remembered.ts'
import { Standings } from './standings.ts'
import { getClientKey, getEndingsKey, getItemsKey, getKeptKey, groupsKey } from './things.ts'

const parts = { families: 6, authorizations: 8, clients: 4, items: 2, pages: 2 } as const
const whole = Object.values(parts).reduce<number>((all, one) => all + one, 0)

export type CacheBytes = { readonly [Name in keyof typeof parts]: number }

/** What each cache may take of the whole. @param megabytes of all caches; 0 caches nothing */
export const splitCache = (megabytes: number = whole): CacheBytes =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      Math.floor((megabytes * 1024 * 1024 * part) / whole),
    ]),
  ) as CacheBytes

/**
 * Makes one read of two.
 *
 * @param find looks into the cache; `undefined` where nothing is cached
 * @param read reads, and caches the answer
 */
type Recall = <Args extends readonly unknown[], Answer>(
  find: (...args: Args) => Answer | undefined,
  read: (...args: Args) => Promise<Answer>,
) => (...args: Args) => Promise<Answer>

/** Nobody else writes, so a cached answer holds. */
const recallAtOnce: Recall =
  (find, read) =>
  (...args) => {
    const known = find(...args)
    return known === undefined ? read(...args) : Promise.resolve(known)
  }

/**
 * Others write, too. A cached answer holds if it is still there after a check. Anything else is read
 * at once, without a check.
 */
const recallAfter =
  (check: () => Promise<void>): Recall =>
  (find, read) =>
  async (...args) => {
    if (find(...args) === undefined) return read(...args)
    await check()
    const known = find(...args)
    return known === undefined ? read(...args) : known
  }

/** The reads that are cached. That there is no client of an id is not remembered. */
const rememberReads = (
  store: Store,
  marks: Marks,
  standings: Standings,
  bytes: CacheBytes,
  recall: Recall,
) => {
  const clients = new Remembered<Client>(marks, bytes.clients)
  const keepClient = (client: Client): void => {
    const { id, hasEndings } = client
    if (!clients.expects(id)) return
    const keys = [getClientKey(id), groupsKey]
    clients.keep(id, client, hasEndings ? keys : [...keys, getEndingsKey(id)])
  }
  /** A read of what a holder keeps in one resource. */
  const recallKept = <Args extends readonly [Holder, string, ...unknown[]], Answer>(
    mostBytes: number,
    idOf: (...args: Args) => string,
    ask: (...args: Args) => Promise<Answer>,
  ) => {
    const kept = new Remembered<NonNullable<Answer>>(marks, mostBytes)
    return recall<Args, Answer>(
      (...args) => kept.find(idOf(...args)),
      (...args) =>
        marks.read(
          () => ask(...args),
          (answer) => {
            const [id, holder, resource] = [idOf(...args), args[0], args[1]]
            if (!kept.expects(id)) return
            kept.keep(id, answer, [getItemsKey(holder, resource), getKeptKey(holder)])
          },
        ),
    )
  }
  return {
    findClient: recall<Parameters<Store['findClient']>, Client | null>(
      (id, also) => {
        const client = clients.find(id)
        return client?.disabled && also === undefined ? null : client
      },
      (id, also) => marks.read(() => store.findClient(id, also), keepClient),
    ),
    findStanding: recall<Parameters<Store['findStanding']>, Standing | null>(
      (id, now) => standings.find(id, now) ?? undefined,
      async (id, now, also) => {
        const read = await marks.read(
          () => store.findStanding(id, now, 'disabled'),
          (standing) => standings.remember(standing),
        )
        return read?.isDisabled && also === undefined ? null : read
      },
    ),
    findAuthorization: recall<Parameters<Store['findAuthorization']>, Authorization | null>(
      (id, now) => standings.findAuthorization(id, now) ?? undefined,
      (id, now) =>
        marks.read(
          () => store.findAuthorization(id, now),
          (authorization) => standings.rememberAuthorization(authorization),
        ),
    ),
    listItems: recallKept(
      bytes.pages,
      (holder, resource, after, limit) => `${resource}/${limit}/${after ?? ''}/${holder}`,
      store.listItems,
    ),
    findItem: recallKept(
      bytes.items,
      (holder, resource, id) => `${resource}/${id}/${holder}`,
      store.findItem,
    ),
    purge: (...args) => {
      standings.purge(args[0])
      return store.purge(...args)
    },
  } satisfies Partial<Store>
}

/**
 * A cache in front of a store that others change, too. Steps go past it. The checks
 * invalidate the changes of every node, this one included (decision 0069).
 *
 * @param check begins after the call, and invalidates all changes that were committed before
 */
export const rememberShared = (
  store: Store,
  marks: Marks,
  check: () => Promise<void>,
  bytes: CacheBytes = splitCache(),
): Store => ({
  ...store,
  ...rememberReads(store, marks, new Standings(marks, bytes), bytes, recallAfter(check)),
})

type MethodName = StepNameOf<StoreRecords>
type AnyStep = (...args: readonly unknown[]) => Promise<unknown>
type Things = (...args: readonly unknown[]) => readonly string[]

/** The outcome of these steps holds the family as they left it. */
const familySteps: readonly MethodName[] = [
  'redeemCode',
  'startFamily',
  'delegate',
  'rotateRefreshToken',
]

/** Wraps each step that changes cached things: it invalidates them first. Other steps are passed on. */
const wrapSteps = (
  store: Store,
  marks: Marks,
  invalidates: Invalidations<StoreRecords>,
  standings: Standings,
): Pick<StoreRecords, MethodName> => {
  const rememberFamily = (outcome: unknown): void => {
    const family = (outcome as { readonly family?: Family } | null)?.family
    if (family !== undefined) standings.rememberFamily(family)
  }
  return Object.fromEntries(
    (Object.keys(invalidates) as MethodName[]).map((name) => {
      const step = store[name] as AnyStep
      const things = invalidates[name] as 'nothing' | Things
      if (things === 'nothing') return [name, step]
      const remember = familySteps.includes(name) ? rememberFamily : undefined
      const change: AnyStep = (...args) =>
        marks.change(things(...args), () => step(...args), remember)
      return [name, change]
    }),
  ) as unknown as Pick<StoreRecords, MethodName>
}

/**
 * @param marks once they are stopped, each read goes to the store
 * @param invalidates says of every step what it may change
 */
export const rememberStore = (
  store: Store,
  marks: Marks,
  invalidates: Invalidations<StoreRecords>,
  bytes: CacheBytes = splitCache(),
): Store => {
  const standings = new Standings(marks, bytes)
  const steps = wrapSteps(store, marks, invalidates, standings)
  return {
    ...store,
    ...steps,
    ...rememberReads(store, marks, standings, bytes, recallAtOnce),
    /** The cached family is added before the step itself invalidates it. */
    rotateRefreshToken: (rotation, trace) =>
      steps.rotateRefreshToken(
        { ...rotation, known: standings.findCurrent(rotation, trace.at) },
        trace,
      ),
    close() {
      marks.stop()
      return store.close()
    },
  }
}
