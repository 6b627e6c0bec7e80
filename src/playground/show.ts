/** A run as its page shows it: which steps are done, what was said, and what can be done now. */

import { visitOf } from './arrival.ts'
import { type Flow, missingFor, type Site, type Step } from './flow.ts'
import type { Doing, FlowPageData, Shown, StepMark } from './pages/exchanged.ts'
import type { StepName } from './pages/steps.ts'
import type { Run } from './runs.ts'
import { previewOf } from './send.ts'

const firstUndone = (flow: Flow, { scenes }: Run): Step | undefined =>
  flow.steps.find(({ name }) => scenes[name] === undefined)

/** Where something is missing: the first step that was left out on the way, if one was. */
const waiting = (step: Step, flow: Flow, run: Run): Doing => {
  const first = firstUndone(flow, run)
  const at = flow.steps.indexOf(step)
  const isBefore = first !== undefined && (at === -1 || flow.steps.indexOf(first) < at)
  return isBefore ? { kind: 'wait', first: first.name } : { kind: 'over' }
}

const doingOf = (step: Step, flow: Flow, run: Run, site: Site): Doing => {
  const { known } = run
  if (missingFor(step, known) !== null) return waiting(step, flow, run)
  switch (step.kind) {
    case 'forge':
      return { kind: 'forge' }
    case 'visit': {
      const path = step.path(known, site)
      return { kind: 'visit', preview: visitOf(path, site), url: site.issuer + path }
    }
    case 'arrive':
      return step.answer === 'fragment' ? { kind: 'paste' } : waiting(step, flow, run)
    case 'send': {
      const [callFor] = step.calls
      const typed = step.asks === undefined ? null : (known[step.asks.name] ?? step.asks.fallback)
      const withTyped =
        step.asks === undefined ? known : { ...known, [step.asks.name]: typed ?? '' }
      const call = callFor?.(withTyped, site) ?? null
      if (call === null) return { kind: 'over' }
      return {
        kind: 'send',
        preview: previewOf(call, site),
        asks: typed,
        again: run.scenes[step.name] !== undefined,
      }
    }
  }
}

const marks = (steps: readonly Step[], { scenes }: Run): readonly StepMark[] =>
  steps.map(({ name }) => ({ name, done: scenes[name] !== undefined }))

const nextOf = (step: Step, flow: Flow): StepName | null => {
  const at = flow.steps.indexOf(step)
  return at === -1 ? null : (flow.steps[at + 1]?.name ?? null)
}

const shownOf = (step: Step, flow: Flow, run: Run, site: Site): Shown => {
  const scene = run.scenes[step.name]
  return {
    step: step.name,
    isAttack: flow.attacks.includes(step),
    exchanges: scene?.exchanges ?? [],
    arrival: scene?.arrival ?? null,
    doing: doingOf(step, flow, run, site),
    next: scene === undefined ? null : nextOf(step, flow),
  }
}

/** @param asked the step that the address names; without one, the first that is not done */
export const pageDataOf = (
  flow: Flow,
  run: Run,
  asked: Step | null,
  site: Site,
): Omit<FlowPageData, 'csrf'> => {
  const step = asked ?? firstUndone(flow, run) ?? flow.steps.at(-1)
  if (step === undefined) throw new Error('a flow without steps')
  return {
    flow: flow.name,
    issuer: site.issuer,
    client: flow.client,
    owner: flow.owner,
    steps: marks(flow.steps, run),
    attacks: marks(flow.attacks, run),
    shown: shownOf(step, flow, run, site),
  }
}
