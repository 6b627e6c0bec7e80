/**
 * A time limit on the store for each request, over all of its calls. After that, every open call
 * fails, and no further one begins. An open call may still take effect: the answer 503 leaves that
 * open.
 */
import { StoreFault } from './fault.ts'
import type { Store } from './store.ts'

/** A request waits for the store so long in all, so that 503 is sent within 5 s. Counted in ticks. */
export const patienceLimits = {
  /** A request waits for the store so long in all, so that 503 is sent within 5 s. Counted in ticks. */
  storeWaitMilliseconds: 4750,
  storeTickMilliseconds: 250,
} as const

/** Calls a function again and again, until the function that it returns is called. */
export type Every = (call: () => void) => () => void

export const realEvery: Every = (call) => {
  const timer = setInterval(call, patienceLimits.storeTickMilliseconds)
  timer.unref()
  return () => clearInterval(timer)
}

export const never: Every = () => () => {}

const mostTicks = patienceLimits.storeWaitMilliseconds / patienceLimits.storeTickMilliseconds

const late = (): StoreFault =>
  new StoreFault(
    'late',
    'the store did not answer in time: it is unknown whether the step was done',
  )

/** The requests that wait now. One timer is for all of them, and runs only while there are any. */
export class Waiters {
  readonly #every: Every
  readonly #requests = new Set<Patience>()
  #stop: (() => void) | null = null

  constructor(every: Every) {
    this.#every = every
  }

  add(request: Patience): void {
    this.#requests.add(request)
    this.#stop ??= this.#every(() => this.#tick())
  }

  /** How many requests wait now. */
  get size(): number {
    return this.#requests.size
  }

  remove(request: Patience): void {
    this.#requests.delete(request)
  }

  #tick(): void {
    for (const request of this.#requests) request.tick()
    if (this.#requests.size > 0) return
    this.#stop?.()
    this.#stop = null
  }
}

/** What one request has left. */
export class Patience {
  readonly #waiting: Waiters
  #ticks = 0
  #calls = 0
  #rejects: ((fault: StoreFault) => void)[] = []

  constructor(waiting: Waiters) {
    this.#waiting = waiting
  }

  /** @throws StoreFault `late` */
  wait<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#ticks >= mostTicks) return Promise.reject(late())
    return new Promise((resolve, reject) => {
      this.#rejects.push(reject)
      this.#counted(call).then(resolve, reject)
    })
  }

  async #counted<Result>(call: () => Promise<Result>): Promise<Result> {
    this.#begin()
    try {
      return await call()
    } finally {
      this.#end()
    }
  }

  /** Does a part of what is waited for by itself: its own calls count, its other work does not. */
  async pause<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#end()
    try {
      return await work()
    } finally {
      this.#begin()
    }
  }

  tick(): void {
    if (++this.#ticks < mostTicks) return
    for (const reject of this.#rejects) reject(late())
    this.#waiting.remove(this)
  }

  #begin(): void {
    if (this.#calls++ === 0) this.#waiting.add(this)
  }

  #end(): void {
    if (--this.#calls === 0) this.#waiting.remove(this)
  }
}

type StoreMethod = (...args: readonly never[]) => Promise<unknown>

const reads = /^(find|list|count|is)[A-Z]/

/** Makes the store of each request: what may have to wait is bounded, all else is the store itself. */
export const patientStore = (store: Store): ((patience: Patience) => Store) => {
  class OfRequest {
    readonly patience: Patience

    constructor(patience: Patience) {
      this.patience = patience
    }
  }
  Object.setPrototypeOf(OfRequest.prototype, store)
  const methods = store as unknown as Readonly<Record<string, StoreMethod>>
  for (const name of Object.keys(store)) {
    if (typeof methods[name] !== 'function' || (!store.readsWait && reads.test(name))) continue
    Object.defineProperty(OfRequest.prototype, name, {
      value(this: OfRequest, ...args: readonly never[]) {
        return this.patience.wait(() => (methods[name] as StoreMethod)(...args))
      },
    })
  }
  return (patience) => new OfRequest(patience) as unknown as Store
}
