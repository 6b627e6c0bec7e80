/** Runs of the playground: what a browser has done in a flow so far. In memory and bounded; nothing in it is needed. */

import { hashText } from '../src/crypto/digest.ts'
import type { Known } from './flow.ts'
import { playgroundLimits } from './limits.ts'
import type { Arrival, Exchanged, Inspected } from './pages/exchanged.ts'
import type { PlayStepName } from './pages/steps.ts'
import type { FlowName } from './words/flows.ts'

/** What happened when a step was done. */
export interface Scene {
  readonly exchanges: readonly Exchanged[]
  /** Where a browser brought an answer. */
  readonly arrival: Arrival | null
  /** The JWT that the client has checked. */
  readonly inspected?: Inspected | null
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

/** Texts that come from outside and wait for a browser. Bounded as runs are. */
export interface Tickets {
  save(ticket: string, text: string): void
  find(ticket: string): string | null
  /** Once only. */
  take(ticket: string): string | null
}

/** Keeps as many as there may be runs; the oldest goes first. */
const keepIn = <Kept>(kept: Map<string, Kept>, key: string, value: Kept): void => {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > playgroundLimits.runs && oldest !== undefined) kept.delete(oldest)
}

export const createTickets = (): Tickets => {
  const texts = new Map<string, string>()
  const find = (ticket: string): string | null => texts.get(ticket) ?? null
  return {
    save: (ticket, text) => keepIn(texts, ticket, text),
    find,
    take(ticket) {
      const text = find(ticket)
      texts.delete(ticket)
      return text
    },
  }
}

export const createRuns = (): Runs => {
  const runs = new Map<string, Run>()
  const keyOf = (browser: string, flow: FlowName): string => `${hashText(browser)}.${flow}`
  return {
    find: (browser, flow) => runs.get(keyOf(browser, flow)) ?? null,
    save: (browser, flow, run) => keepIn(runs, keyOf(browser, flow), run),
    forget(browser, flow) {
      runs.delete(keyOf(browser, flow))
    },
  }
}
