/** A store that fails on command, at any call of a request (F-26). */
import { StoreFault } from '../../src/store/fault.ts'
import type { Store } from '../../src/store/store.ts'

/**
 * `before`: the call fails and nothing was done. `after`: it was done, but its answer is lost.
 * `late`: it waits until it is let go. `dead before`, `dead after`: the process ends there, which is
 * to say that this call and all later ones of it are never answered.
 */
export const faultKinds = ['before', 'after', 'late', 'dead before', 'dead after'] as const
export type FaultKind = (typeof faultKinds)[number]

/** A read leaves nothing behind, so a fault after a read is one before it. */
export const readFaultKinds = ['before', 'late', 'dead before'] as const satisfies FaultKind[]

export type Method = keyof Store

export interface Armed {
  /** Which methods were called since, in order. */
  readonly called: readonly Method[]
  /** Those of them that were done, whether anybody heard of it or not. */
  readonly done: readonly Method[]
  /** Whether the call that was to fail has come. */
  readonly struck: boolean
  /** Resolves when it comes. */
  readonly strike: Promise<void>
  /** Lets a late call go on. */
  release(): void
}

export interface FaultyStore {
  readonly store: Store
  /**
   * The call with this number, counted from now on, fails in this way. Or every call of some
   * methods fails, until it is disarmed. Null: only counts.
   */
  arm(
    at:
      | { readonly call: number; readonly kind: FaultKind }
      | { readonly every: (method: Method) => boolean }
      | null,
  ): Armed
  /** No call fails any more. */
  disarm(): void
}

type Call = (...args: readonly unknown[]) => Promise<unknown>

const never = new Promise<never>(() => {})

/** @param inner what does the work; it is never closed through this */
export const faultyStore = (inner: Store): FaultyStore => {
  let around = (_method: Method, call: () => Promise<unknown>): Promise<unknown> => call()

  const arm: FaultyStore['arm'] = (at) => {
    const called: Method[] = []
    const done: Method[] = []
    const struck = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let dead = false
    const armed = {
      called,
      done,
      struck: false,
      strike: struck.promise,
      release: () => released.resolve(),
    }
    around = async (method, call) => {
      if (dead) return never
      called.push(method)
      const run = async (): Promise<unknown> => {
        const answer = await call()
        done.push(method)
        return answer
      }
      const strikes =
        at !== null &&
        ('every' in at ? at.every(method) : !armed.struck && called.length === at.call)
      if (!strikes) return run()
      armed.struck = true
      struck.resolve()
      switch ('every' in at ? 'before' : at.kind) {
        case 'before':
          throw new StoreFault('unreachable', 'the database cannot be reached')
        case 'after':
          await run()
          throw new StoreFault('indeterminate', 'it is unknown whether it was done')
        case 'late':
          await released.promise
          return run()
        case 'dead before':
          dead = true
          return never
        case 'dead after':
          dead = true
          await run()
          return never
      }
    }
    return armed
  }

  const store = new Proxy(inner, {
    get: (target, name: Method) => {
      if (name === 'close') return async () => {}
      const method = target[name] as Call | null | undefined
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]) => around(name, () => method(...args))
    },
  })
  const disarm = (): void => {
    around = (_method, call) => call()
  }
  return { store, arm, disarm }
}
