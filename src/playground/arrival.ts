/** What the client of a run makes of an answer that the browser brought to its redirect URI. */
import { limits } from '../config/limits.ts'
import { newSecret } from '../crypto/digest.ts'
import type { Parts } from '../parts.ts'
import { type ArriveStep, type Flow, type Known, missingFor, type Site } from './flow.ts'
import { get } from './messages.ts'
import type { Arrival, Exchanged, Way, Written } from './pages/exchanged.ts'
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
  request: writeRequest(get(path), origin),
  response: null,
  curl: null,
  expected: true,
})

export const visitOf = (path: string, { issuer }: Site): Exchanged =>
  browserGet(path, issuer, outward)

/** A run that nothing has happened in: its state names its flow, by which the answer finds it. */
export const newRun = (flow: FlowName, { random }: Pick<Parts, 'random'>): Run => ({
  known: { state: `${flow}.${newSecret('', random)}`, verifier: newSecret('', random) },
  scenes: {},
})

/** The checks that a client owes to its user (RFC 6749 section 10.12, RFC 9207 section 2.4). */
const judge = (answer: URLSearchParams, known: Known, { issuer }: Site): Arrival => {
  if (known.state === undefined || answer.get('state') !== known.state) return 'forged'
  if (answer.get('iss') !== issuer) return 'mixed-up'
  return answer.get('error') === null ? 'came' : 'denied'
}

/** What the client keeps of an answer that it believes. */
const takenFrom = (answer: URLSearchParams, known: Known): Known => ({
  ...Object.fromEntries(
    ['code', 'access_token'].flatMap((name) => {
      const value = answer.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ),
  code_verifier: known.verifier ?? '',
})

/** The redirect that brought an answer, as the address tells it where the browser came to. */
const redirectTo = (location: string): Written =>
  writeAnswer({ status: 302, headers: { Location: location }, body: null })

/** Where the browser asked: what a run shows of its first step once the answer is there. */
const visited = (flow: Flow, known: Known, site: Site, response: Written): Run['scenes'] =>
  Object.fromEntries(
    flow.steps.flatMap((step) => {
      if (step.kind !== 'visit' || missingFor(step, known) !== null) return []
      const exchange = { ...visitOf(step.path(known, site), site), response }
      return [[step.name, { exchanges: [exchange], arrival: null }]]
    }),
  )

/** A request carries no fragment. What was forged in a query was brought by no answer of this server. */
const broughtOf = (
  { path, answer }: ArriveStep,
  text: string,
  arrival: Arrival,
  { redirectOrigin }: Site,
): Exchanged => {
  const isQuery = answer === 'query'
  const target = isQuery ? `${path}?${text}` : path
  const brought = browserGet(target, redirectOrigin, homeward)
  if (isQuery && (arrival === 'forged' || arrival === 'mixed-up')) return brought
  const location = `${redirectOrigin}${isQuery ? target : `${path}#${text}`}`
  return { ...brought, sentBy: redirectTo(location) }
}

/**
 * The run after an answer came. One that is believed begins the rest of the flow anew, under a new
 * `state` and a new verifier; one that is not changes nothing.
 *
 * @param text the parameters as they came: a query, or a fragment
 */
export const arrive = (
  flow: Flow,
  step: ArriveStep,
  run: Run,
  text: string,
  site: Site,
  parts: Pick<Parts, 'random'>,
): Run => {
  const given = text.slice(0, limits.playground.typedCharacters)
  const answer = new URLSearchParams(given)
  const arrival = judge(answer, run.known, site)
  const brought = broughtOf(step, given, arrival, site)
  const scene = { exchanges: [brought], arrival }
  if (arrival === 'forged' && step.answer === 'query') {
    return { ...run, scenes: { ...run.scenes, 'forged-state': scene } }
  }
  const { sentBy } = brought
  if (arrival !== 'came' || sentBy === undefined) {
    return { ...run, scenes: { ...run.scenes, [step.name]: scene } }
  }
  return {
    known: { ...newRun(flow.name, parts).known, ...takenFrom(answer, run.known) },
    scenes: { ...visited(flow, run.known, site, sentBy), [step.name]: scene },
  }
}
