/** The client of a run checks an answer at its redirect URI, and keeps what it believes. */
import { limits } from '../config/limits.ts'
import { digest, newSecret } from '../crypto/digest.ts'
import type { Parts } from '../parts.ts'
import type { ArriveStep, Flow, Known, PlaygroundSite, VisitStep } from './flow.ts'
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

/** Where the browser goes for an authorization request. */
export const visitOf = (
  { visit }: VisitStep,
  known: Known,
  { issuer }: PlaygroundSite,
): { readonly url: string; readonly exchanged: Exchanged } => {
  const { path } = messageOf({ line: 'GET /authorize', query: visit }, known)
  return { url: issuer + path, exchanged: browserGet(path, issuer, outward) }
}

/** A new run. Its state begins with its flow, so an answer finds it. */
export const newRun = (
  flow: FlowName,
  { redirectOrigin }: PlaygroundSite,
  { random }: Pick<Parts, 'random'>,
): Run => {
  const verifier = newSecret('', random)
  return {
    known: {
      callback: `${redirectOrigin}/callback`,
      gallery: `${redirectOrigin}/gallery`,
      state: `${flow}.${newSecret('', random)}`,
      verifier,
      // S256 (RFC 7636 section 4.2).
      challenge: digest(verifier),
    },
    scenes: {},
  }
}

/** The checks that a client owes to its user (RFC 6749 section 10.12, RFC 9207 section 2.4). */
const judge = (answer: URLSearchParams, known: Known, { issuer }: PlaygroundSite): Arrival => {
  if (known.state === undefined || answer.get('state') !== known.state) return 'forged'
  if (answer.get('iss') !== issuer) return 'mixed-up'
  return answer.get('error') === null ? 'came' : 'denied'
}

/** The code or token of a believed answer. */
const takenFrom = (answer: URLSearchParams, known: Known): Known => ({
  ...Object.fromEntries(
    ['code', 'access_token'].flatMap((name) => {
      const value = answer.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ),
  code_verifier: known.verifier ?? '',
})

/** The redirect that brought an answer, as far as the browser's address tells. */
const redirectTo = (location: string): WrittenMessage =>
  writeAnswer({ status: 302, headers: { Location: location }, body: null })

/** The scene of the browser's request, once its answer is there. */
const visited = (
  flow: Flow,
  known: Known,
  site: PlaygroundSite,
  response: WrittenMessage,
): Run['scenes'] =>
  Object.fromEntries(
    flow.steps.flatMap((step) => {
      if (!('visit' in step)) return []
      const exchange = { ...visitOf(step, known, site).exchanged, response }
      return [[step.name, { exchanges: [exchange], arrival: null }]]
    }),
  )

/** The browser's request. A fragment is not part of it, and this server did not send a forged query. */
const broughtOf = (
  { at: path, arrive: answer }: ArriveStep,
  text: string,
  arrival: Arrival,
  { redirectOrigin }: PlaygroundSite,
): Exchanged => {
  const isQuery = answer === 'query'
  const target = isQuery ? `${path}?${text}` : path
  const brought = browserGet(target, redirectOrigin, homeward)
  if (isQuery && (arrival === 'forged' || arrival === 'mixed-up')) return brought
  const location = `${redirectOrigin}${isQuery ? target : `${path}#${text}`}`
  return { ...brought, sentBy: redirectTo(location) }
}

/**
 * The run after an answer. A believed answer begins the rest of the flow anew, under a new `state` and
 * a new verifier. Another one changes nothing.
 *
 * @param text the parameters as they came: a query, or a fragment
 */
export const arrive = (
  flow: Flow,
  step: ArriveStep,
  run: Run,
  text: string,
  site: PlaygroundSite,
  parts: Pick<Parts, 'random'>,
): Run => {
  const given = text.slice(0, limits.playground.typedCharacters)
  const answer = new URLSearchParams(given)
  const arrival = judge(answer, run.known, site)
  const brought = broughtOf(step, given, arrival, site)
  const scene = { exchanges: [brought], arrival }
  if (arrival === 'forged' && step.arrive === 'query') {
    return { ...run, scenes: { ...run.scenes, 'forged-state': scene } }
  }
  const { sentBy } = brought
  if (arrival !== 'came' || sentBy === undefined) {
    return { ...run, scenes: { ...run.scenes, [step.name]: scene } }
  }
  return {
    known: { ...newRun(flow.name, site, parts).known, ...takenFrom(answer, run.known) },
    scenes: { ...visited(flow, run.known, site, sentBy), [step.name]: scene },
  }
}
