/** The client of a run checks an answer at its redirect URI, and keeps what it believes. */

import { hashText, makeSecret } from '../src/crypto/digest.ts'
import { formType } from '../src/http/body.ts'
import type { Random } from '../src/model/ids.ts'
import {
  type ArriveStep,
  type Flow,
  type FlowStep,
  findStep,
  type Known,
  type PlaygroundSite,
  type VisitStep,
} from './flow.ts'
import { playgroundLimits } from './limits.ts'
import type { Arrival, Exchanged, Way, WrittenMessage } from './pages/exchanged.ts'
import { messageOf } from './request.ts'
import type { Run } from './runs.ts'
import type { FlowName } from './words/flows.ts'
import { writeAnswer, writeRequest } from './write.ts'

const outward: readonly Way[] = [
  ['client', 'owner'],
  ['owner', 'server'],
]
const homeward: readonly Way[] = [
  ['server', 'owner'],
  ['owner', 'client'],
]

/** The request of a browser; what it answers with is a page, or the way on. */
const browserGet = (path: string, origin: string, ways: readonly Way[]): Exchanged => ({
  ways,
  request: writeRequest({ method: 'GET', path, headers: {}, body: null }, origin),
  response: null,
  curl: null,
  expected: true,
})

/** A form that a page of the server made the browser send. */
const browserPost = (path: string, body: string, origin: string): Exchanged => ({
  ...browserGet(path, origin, homeward),
  request: writeRequest(
    { method: 'POST', path, headers: { 'Content-Type': formType }, body },
    origin,
  ),
})

/** The `state` of a visit. It begins with the flow and ends with the step, so an answer finds both. */
const stateOf = ({ name }: VisitStep, { state }: Known): string => `${state}.${name}`

/** Where the browser goes for an authorization request. */
export const visitOf = (
  step: VisitStep,
  run: Known,
  { issuer }: PlaygroundSite,
): { readonly url: string; readonly exchanged: Exchanged } => {
  const known = { ...run, state: stateOf(step, run) }
  const { path } = messageOf({ line: `GET ${step.to ?? '/authorize'}`, query: step.visit }, known)
  return { url: issuer + path, exchanged: browserGet(path, issuer, outward) }
}

/** A new run. */
export const newRun = (
  flow: FlowName,
  { issuer, redirectOrigin }: PlaygroundSite,
  random: Random,
): Run => {
  const verifier = makeSecret('', random)
  return {
    known: {
      issuer,
      callback: `${redirectOrigin}/callback`,
      gallery: `${redirectOrigin}/gallery`,
      state: `${flow}.${makeSecret('', random)}`,
      verifier,
      // S256 (RFC 7636 section 4.2).
      challenge: hashText(verifier),
      nonce: makeSecret('', random),
    },
    scenes: {},
  }
}

/**
 * The checks that a client owes to its user (RFC 6749 section 10.12, RFC 9207 section 2.4). A logout
 * comes back without `iss`.
 */
const judge = (
  answer: URLSearchParams,
  step: ArriveStep,
  visit: VisitStep,
  known: Known,
  { issuer }: PlaygroundSite,
): Arrival => {
  if (answer.get('state') !== stateOf(visit, known)) return 'forged'
  if (visit.to === '/logout') return 'returned'
  if (answer.get('iss') !== issuer) return 'mixed-up'
  const error = answer.get('error')
  if (error === null) return 'came'
  return error === step.error ? 'refused' : 'denied'
}

const isBelieved = (arrival: Arrival): boolean =>
  arrival === 'came' || arrival === 'refused' || arrival === 'returned'

/** The code or tokens of a believed answer. */
const takenFrom = (answer: URLSearchParams, known: Known): Known => ({
  ...Object.fromEntries(
    ['code', 'access_token', 'id_token'].flatMap((name) => {
      const value = answer.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ),
  code_verifier: known.verifier ?? '',
  asked_nonce: known.nonce ?? '',
})

/** An error or a logout leaves the tokens of before, which are checked by these. */
const askedBefore = (known: Known): Known =>
  Object.fromEntries(
    Object.entries(known).filter(([name]) => name === 'asked_nonce' || name === 'code_verifier'),
  )

/** The redirect that brought an answer, as far as the browser's address tells. */
const redirectTo = (location: string): WrittenMessage =>
  writeAnswer({ status: 302, headers: { Location: location }, body: null })

/** The visit whose answer arrives at a step: the last one before it. */
const visitBefore = (flow: Flow, step: ArriveStep): VisitStep => {
  const earlier = flow.steps.slice(0, flow.steps.indexOf(step))
  const visit = earlier.findLast((one) => 'visit' in one)
  if (visit === undefined) throw new Error('an answer that nobody asked for')
  return visit
}

/** The step at which an answer arrives. A forged answer arrives at the first. Null without any. */
export const arrivalOf = (flow: Flow, { known }: Run, query: string): ArriveStep | null => {
  const state = new URLSearchParams(query).get('state')
  const steps = flow.steps.filter((step) => 'arrive' in step)
  const asked = steps.find((step) => stateOf(visitBefore(flow, step), known) === state)
  return asked ?? steps[0] ?? null
}

/** What the requests of these steps taught. */
const taughtBy = (steps: readonly FlowStep[], known: Known): Known => {
  const rows = steps.flatMap((step) => ('send' in step ? step.send : []))
  const names = new Set(
    rows.flatMap(({ learn = {}, set = {} }) => [...Object.values(learn), ...Object.keys(set)]),
  )
  return Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)))
}

const scenesOf = (steps: readonly FlowStep[], { scenes }: Run): Run['scenes'] =>
  Object.fromEntries(steps.map(({ name }) => [name, scenes[name]]))

/** The browser's request. A fragment is not part of it, and this server did not send a forged query. */
const broughtOf = (
  { at: path, arrive: answer }: ArriveStep,
  text: string,
  arrival: Arrival,
  { redirectOrigin }: PlaygroundSite,
): Exchanged => {
  if (answer === 'form') return browserPost(path, text, redirectOrigin)
  const isQuery = answer === 'query'
  const target = isQuery ? `${path}?${text}` : path
  const brought = browserGet(target, redirectOrigin, homeward)
  if (isQuery && (arrival === 'forged' || arrival === 'mixed-up')) return brought
  const location = `${redirectOrigin}${isQuery ? target : `${path}#${text}`}`
  return { ...brought, sentBy: redirectTo(location) }
}

/**
 * The run after an answer. A believed answer begins the rest of the flow anew, under a new `state` and
 * a new verifier. What came before its request stays. Another answer changes nothing.
 *
 * @param text the parameters as they came: a query, a form, or a fragment
 */
export const arrive = (
  flow: Flow,
  step: ArriveStep,
  run: Run,
  text: string,
  site: PlaygroundSite,
  random: Random,
): Run => {
  const given = text.slice(0, playgroundLimits.typedCharacters)
  const answer = new URLSearchParams(given)
  const visit = visitBefore(flow, step)
  const arrival = judge(answer, step, visit, run.known, site)
  const brought = broughtOf(step, given, arrival, site)
  const scene = { exchanges: [brought], arrival }
  if (arrival === 'forged' && findStep(flow, 'forged-state') !== null) {
    return { ...run, scenes: { ...run.scenes, 'forged-state': scene } }
  }
  const { sentBy } = brought
  if (!isBelieved(arrival)) {
    return { ...run, scenes: { ...run.scenes, [step.name]: scene } }
  }
  const earlier = flow.steps.slice(0, flow.steps.indexOf(visit))
  const visited = { ...visitOf(visit, run.known, site).exchanged, response: sentBy ?? null }
  return {
    known: {
      ...taughtBy(earlier, run.known),
      ...newRun(flow.name, site, random).known,
      ...(arrival === 'came' ? takenFrom(answer, run.known) : askedBefore(run.known)),
    },
    scenes: {
      ...scenesOf(earlier, run),
      [visit.name]: { exchanges: [visited], arrival: null },
      [step.name]: scene,
    },
  }
}
