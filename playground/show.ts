/** A run as its page shows it: finished steps, messages, and the next thing to do. */

import { visitOf } from './arrival.ts'
import { type Flow, type FlowStep, isReady, type PlaygroundSite, type SendStep } from './flow.ts'
import type { Doing, FlowPageData, ShownStep, StepMark } from './pages/exchanged.ts'
import type { PlayStepName } from './pages/steps.ts'
import type { Run } from './runs.ts'
import { previewOf } from './send.ts'

/** In the order of the flow. */
export const firstUndone = (flow: Flow, { scenes }: Run): FlowStep | undefined =>
  flow.steps.find(({ name }) => scenes[name] === undefined)

/** Whether a button can do a step at once, without anything that a person types. */
export const isRunnable = (step: FlowStep, { known }: Run): step is SendStep =>
  'send' in step && step.asks === undefined && isReady(step, known)

const wayToDo = (step: FlowStep, run: Run, site: PlaygroundSite) => {
  if (isRunnable(step, run)) return 'button'
  if (!('visit' in step) || !isReady(step, run.known)) return 'page'
  return { url: visitOf(step, run.known, site).url }
}

/** Something is missing: the first earlier step that is not done, if there is one. */
const waiting = (step: FlowStep, flow: Flow, run: Run, site: PlaygroundSite): Doing => {
  const first = firstUndone(flow, run)
  const at = flow.steps.indexOf(step)
  const isBefore = first !== undefined && (at === -1 || flow.steps.indexOf(first) < at)
  return isBefore
    ? { kind: 'wait', first: first.name, by: wayToDo(first, run, site) }
    : { kind: 'over' }
}

const doingOf = (step: FlowStep, flow: Flow, run: Run, site: PlaygroundSite): Doing => {
  const { known, scenes } = run
  if (!isReady(step, known)) return waiting(step, flow, run, site)
  if ('forge' in step) return { kind: 'forge' }
  if ('visit' in step) {
    const { url, exchanged } = visitOf(step, known, site)
    return { kind: 'visit', preview: exchanged, url, isScanned: step.to === '/device' }
  }
  if ('arrive' in step) {
    return step.arrive === 'fragment' ? { kind: 'paste' } : waiting(step, flow, run, site)
  }
  const { name, send, asks } = step
  const [first] = send
  if (first === undefined) return { kind: 'over' }
  const typed = asks === undefined ? null : (known[asks.name] ?? asks.fallback)
  const withTyped = asks === undefined ? known : { ...known, [asks.name]: typed ?? '' }
  const preview = previewOf(first, withTyped, site.issuer)
  return { kind: 'send', preview, asks: typed, again: scenes[name] !== undefined }
}

const marks = (steps: readonly FlowStep[], { scenes }: Run): readonly StepMark[] =>
  steps.map(({ name }) => ({ name, done: scenes[name] !== undefined }))

const nextOf = (step: FlowStep, flow: Flow): PlayStepName | null => {
  const at = flow.steps.indexOf(step)
  return at === -1 ? null : (flow.steps[at + 1]?.name ?? null)
}

const shownOf = (step: FlowStep, flow: Flow, run: Run, site: PlaygroundSite): ShownStep => {
  const scene = run.scenes[step.name]
  return {
    step: step.name,
    isAttack: flow.attacks.includes(step),
    exchanges: scene?.exchanges ?? [],
    arrival: scene?.arrival ?? null,
    inspected: scene?.inspected ?? null,
    doing: doingOf(step, flow, run, site),
    next: scene === undefined ? null : nextOf(step, flow),
  }
}

/** @param asked the step in the URL; if it names none, the first one that is not done is shown */
export const pageDataOf = (
  flow: Flow,
  run: Run,
  asked: FlowStep | null,
  site: PlaygroundSite,
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
