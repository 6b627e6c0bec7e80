/** How far somebody is on the guided page. The place is in the query; what is done shows in the account. */
import { isId } from '../../../model/ids.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { type Why, whys } from './help.ts'

/** The last one is the receipt. */
export type StepNumber = 1 | 2 | 3 | 4 | 5

export interface Walk {
  readonly why: Why
  readonly step: StepNumber
  /** The login that it is about: an event of it, or its session by the handle; '' = none. */
  readonly event: string
  readonly session: string
}

const steps: readonly StepNumber[] = [1, 2, 3, 4, 5]

const readId = (given: Parameters, name: 'event' | 'session'): string => {
  const text = given.find(name) ?? ''
  return isId(text) ? text : ''
}

/** Whoever made a query up sees another step of the own account, and nothing else. */
export const readWalk = (given: Parameters): Walk => {
  const text = given.find('step')
  return {
    why: whys.find((one) => one === given.find('why')) ?? 'not-me',
    step: steps.find((one) => String(one) === text) ?? 1,
    event: readId(given, 'event'),
    session: readId(given, 'session'),
  }
}

/** As the query of the page, and as the fields of its forms. */
export const formatWalk = ({ why, step, event, session }: Walk) => ({
  why,
  step: String(step),
  event,
  session,
})

/** The next step, or the receipt. */
export const goOn = (walk: Walk): Walk => ({
  ...walk,
  step: steps.find((one) => one > walk.step) ?? 5,
})

/** As the login and the confirmation name the page: they lead back to this very step. */
export const formatWalkName = ({ why, step, event, session }: Walk): string => {
  const about = event !== '' ? `-event-${event}` : session !== '' ? `-session-${session}` : ''
  return `lost-${why}-${step}${about}`
}
