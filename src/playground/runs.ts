/** Runs of the playground: what a browser has done in a flow so far. In memory and bounded; nothing in it is needed. */
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import type { Known } from './flow.ts'
import type { Arrival, Exchanged } from './pages/exchanged.ts'
import type { PlayStepName } from './pages/steps.ts'
import type { FlowName } from './words/flows.ts'

/** What happened when a step was done. */
export interface Scene {
  readonly exchanges: readonly Exchanged[]
  /** Where a browser brought an answer. */
  readonly arrival: Arrival | null
}

export interface Run {
  readonly known: Known
  readonly scenes: Readonly<Partial<Record<PlayStepName, Scene>>>
}

export interface Runs {
  find(browser: string, flow: FlowName): Run | null
  save(browser: string, flow: FlowName, run: Run): void
  forget(browser: string, flow: FlowName): void
}

export const createRuns = (): Runs => {
  const runs = new Map<string, Run>()
  const keyOf = (browser: string, flow: FlowName): string => `${digest(browser)}.${flow}`
  return {
    find: (browser, flow) => runs.get(keyOf(browser, flow)) ?? null,
    save(browser, flow, run) {
      const key = keyOf(browser, flow)
      runs.delete(key)
      runs.set(key, run)
      const [oldest] = runs.keys()
      if (runs.size > limits.playground.runs && oldest !== undefined) runs.delete(oldest)
    },
    forget(browser, flow) {
      runs.delete(keyOf(browser, flow))
    },
  }
}
