/** Plants a fault in every single store call of an operation, and checks the outcome. */
import assert from 'node:assert/strict'
import type { Settings } from '../../src/config/settings.ts'
import { isRead } from '../../src/store/patience.ts'
import type { Store } from '../../src/store/store.ts'
import type { Reachable } from '../support/browser.ts'
import type { Answer } from '../support/start.ts'
import {
  type Armed,
  type FaultKind,
  faultKinds,
  faultyStore,
  type Method,
  readFaultKinds,
} from './faulty-store.ts'
import { type Node, openNode, settings } from './node.ts'
import type { Operation } from './operation.ts'

/** Never in an answer: secrets of any kind, what lies behind the service, and stacks. */
const untold =
  /lk_(?:at|rt|ac|cs|reg)_|correct horse|argon2|sqlite|postgres|StoreFault|\bat .*\.ts:|unknown whether/i

/** (d), (e): said at once and plainly, with nothing in it; never 500. */
export const assertUnavailable = (answer: Answer, where: string): void => {
  assert.equal(answer.status, 503, `${where}: ${answer.status} ${answer.text}`)
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/, where)
  assert.doesNotMatch(answer.text, untold, where)
  assert.equal(answer.headers.get('location'), null, where)
  assert.equal(answer.headers.get('set-cookie'), null, where)
}

export interface Bench {
  /** The points that were reached, as `operation: call method, kind`. */
  readonly points: readonly string[]
  readonly methods: ReadonlySet<Method>
  /** Lets so many seconds pass. */
  pass(seconds: number): void
  /** Tries an operation with a fault at every call, in every way. */
  enumerate(operation: Operation): Promise<void>
}

/**
 * @param store is used by one node after another
 * @param upstreams where people can log in instead
 */
export const openBench = async (
  store: Store,
  upstreams: Settings['upstreams'] = [],
): Promise<Bench> => {
  let milliseconds = Date.UTC(2026, 10, 21, 12)
  let peers = 0
  const peer = (): string => `10.${peers >> 16}.${(peers >> 8) & 255}.${peers & 255}`
  const points: string[] = []
  const methods = new Set<Method>()
  let faulty = faultyStore(store)
  const begin = (): Promise<Node> => {
    faulty = faultyStore(store)
    const clock = (): number => milliseconds
    return openNode({ store: faulty.store, clock, settings: { ...settings, upstreams } }, peer)
  }
  let node = await begin()
  // Stays the same where one node follows upon another, as an address does.
  const service: Reachable = {
    issuer: node.issuer,
    ask: (...args) => node.ask(...args),
    post: (...args) => node.post(...args),
  }

  const prepare = async (operation: Operation) => {
    milliseconds += 1000
    peers++
    return operation.prepare(service)
  }

  /** How many calls there are where nothing fails. */
  const count = async (operation: Operation): Promise<readonly Method[]> => {
    const { ask, settle } = await prepare(operation)
    const armed = faulty.arm(null)
    const answer = await ask()
    faulty.disarm()
    assert.ok(operation.isPositive(answer), `${operation.name}: ${answer.status} ${answer.text}`)
    const { effect } = operation
    if (effect !== null) assert.ok(armed.done.includes(effect), `${operation.name}: no ${effect}`)
    await settle(effect === null ? null : true, [answer])
    return armed.called
  }

  /** Waits for an answer as long as a few writes take, and no longer. */
  const waitFor = async (answer: Promise<Answer>): Promise<void> => {
    let isThere = false
    const end = (): void => {
      isThere = true
    }
    answer.then(end, end)
    for (let writes = 0; writes < 20 && !isThere; writes++) await store.ping()
  }

  const strike = async (
    kind: FaultKind,
    ask: () => Promise<Answer>,
    armed: Armed,
    where: string,
    call: number,
    { doesWithout, isPositive }: Operation,
  ): Promise<readonly Answer[]> => {
    if (kind === 'late') {
      // A client that waits too long asks again, and both requests are answered in the end.
      const first = ask()
      await armed.strike
      const second = ask()
      // Where the second waits for the first, it gets no further than this.
      await waitFor(second)
      armed.release()
      const answers = [await first, await second]
      for (const { status, text } of answers) assert.ok(status < 500, `${where}: ${status} ${text}`)
      return answers
    }
    if (kind.startsWith('dead')) {
      void ask()
      await armed.strike
      // Calls of the dead process are done by now, or never will be.
      await store.ping()
      node = await begin()
      return []
    }
    const answer = await ask()
    const method = armed.called[call - 1]
    if (method === doesWithout) assert.ok(isPositive(answer), where)
    // Whoever is known by a username needs no address.
    else if (method !== 'findOwnerByEmail' || !isPositive(answer)) assertUnavailable(answer, where)
    return [answer]
  }

  const tryPoint = async (operation: Operation, call: number, kind: FaultKind): Promise<string> => {
    const { ask, settle } = await prepare(operation)
    const where = `${operation.name}: ${call}, ${kind}`
    const armed = faulty.arm({ call, kind })
    const answers = await strike(kind, ask, armed, where, call, operation)
    faulty.disarm()
    assert.ok(armed.struck, `${where} was not reached`)
    const { effect } = operation
    const done = effect !== null && armed.done.includes(effect)
    for (const answer of answers.filter(operation.isPositive)) {
      assert.ok(effect === null || done, `${where}: ${answer.status} for what was not done`)
    }
    try {
      await settle(effect === null || kind === 'late' ? null : done, answers)
    } catch (error) {
      throw new Error(`${where}: afterwards it is not as it has to be`, { cause: error })
    }
    return where
  }

  return {
    points,
    methods,
    pass(seconds) {
      milliseconds += 1000 * seconds
    },
    async enumerate(operation) {
      const called = await count(operation)
      for (const method of called) methods.add(method)
      for (const [i, method] of called.entries()) {
        const kinds = isRead(method) ? readFaultKinds : faultKinds
        for (const kind of kinds) points.push(await tryPoint(operation, i + 1, kind))
      }
      assert.equal((await service.ask('/health/ready')).status, 200)
    },
  }
}
