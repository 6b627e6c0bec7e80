/**
 * A deadline for each call of a request to the store: the answer 503 comes within five seconds where
 * the store stands still. The call may still take effect: the answer leaves that open.
 */
import { StoreFault } from './fault.ts'
import type { Store } from './store.ts'

export const patienceLimits = {
  /** A call waits so long, so that 503 is sent within 5 s. Counted in ticks. */
  storeWaitMilliseconds: 4750,
  storeTickMilliseconds: 250,
} as const

/** Calls a function again and again, until the function that it returns is called. */
export type Every = (call: () => void) => () => void

export const callEveryTick: Every = (call) => {
  const timer = setInterval(call, patienceLimits.storeTickMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

export const callNever: Every = () => () => {}

const mostTicks = patienceLimits.storeWaitMilliseconds / patienceLimits.storeTickMilliseconds

interface Waiter {
  ticks: number
  readonly reject: (fault: StoreFault) => void
}

/** The calls under way. One timer is for all of them, and runs only while there are any. */
export class Waiters {
  readonly #every: Every
  readonly #calls = new Set<Waiter>()
  #stop: (() => void) | null = null

  constructor(every: Every) {
    this.#every = every
  }

  get size(): number {
    return this.#calls.size
  }

  /**
   * Answers as the call does, or refuses at its deadline.
   *
   * @throws StoreFault `late`
   */
  wait<Result>(call: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { ticks: 0, reject }
      this.#calls.add(waiter)
      this.#stop ??= this.#every(() => this.#tick())
      this.#watch(call, waiter).then(resolve, reject)
    })
  }

  async #watch<Result>(call: () => Promise<Result>, waiter: Waiter): Promise<Result> {
    try {
      return await call()
    } finally {
      this.#calls.delete(waiter)
    }
  }

  #tick(): void {
    for (const waiter of this.#calls) {
      if (++waiter.ticks < mostTicks) continue
      const said = 'the store did not answer in time: it is unknown whether the step was done'
      waiter.reject(new StoreFault('late', said))
      this.#calls.delete(waiter)
    }
    if (this.#calls.size > 0) return
    this.#stop?.()
    this.#stop = null
  }
}

type StoreMethod = (...args: readonly never[]) => Promise<unknown>

/** Whether a method of the store reads. Every other one is a step. */
export const isRead = (name: string): boolean => /^(find|list|count|is)[A-Z]/.test(name)

/** The store for requests: a call that may have to wait has a deadline, all else is the store itself. */
export const boundStore = (store: Store, waiters: Waiters): Store => {
  const methods = store as unknown as Readonly<Record<string, StoreMethod>>
  const bound: Record<string, StoreMethod> = {}
  for (const name of Object.keys(store)) {
    if (typeof methods[name] !== 'function' || (!store.readsWait && isRead(name))) continue
    bound[name] = (...args) => waiters.wait(() => (methods[name] as StoreMethod)(...args))
  }
  return Object.assign(Object.create(store), bound) as Store
}
