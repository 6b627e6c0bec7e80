/** The playground's doors, which are there in the demo only: every flow, run step by step against this very service. */
import { limits } from '../config/limits.ts'
import { newSecret } from '../crypto/digest.ts'
import { redirectUriAt } from '../demo/people.ts'
import type { Endpoint } from '../endpoints/door/door.ts'
import { readOwnForm } from '../endpoints/door/forms.ts'
import { answerSeeOther, showPage, viewOf } from '../endpoints/door/view.ts'
import { type Answer, answerAsset, answerRedirect, scriptPolicy } from '../http/answer.ts'
import { setCookie } from '../http/cookies.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import type { Respond } from '../http/listen.ts'
import { rawQuery } from '../http/request.ts'
import { isSecure } from '../owners/secure.ts'
import { csrfToken, findVisitor, type Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { arrive, newRun } from './arrival.ts'
import { showCallback } from './callback.ts'
import { type Flow, findStep, missingFor, type RedirectPath, type Site, type Step } from './flow.ts'
import { flowsOf } from './flows/index.ts'
import { renderFlow } from './pages/flow.ts'
import { renderPlayground } from './pages/flows.ts'
import { playgroundScript } from './pages/script.ts'
import type { StepName } from './pages/steps.ts'
import { createRuns, type Run, type Runs } from './runs.ts'
import { sendStep } from './send.ts'
import { pageDataOf } from './show.ts'
import { playgroundStyles } from './styles.ts'
import { showTour } from './tour.ts'
import type { FlowName } from './words/flows.ts'

export interface Playground {
  /** `GET /` */
  readonly home: Endpoint
  /** `GET /playground` */
  readonly list: Endpoint
  /** `GET /playground/{flow}?step=` */
  readonly show: Endpoint
  /** `POST /playground/{flow}` */
  readonly play: Endpoint
  /**
   * `GET` of a redirect URI of the demo. The answer to a run leads to `arrive`, on the origin that has
   * the cookies. Any other answer is shown.
   */
  readonly receive: (path: RedirectPath) => Endpoint
  /** `GET /playground/{flow}/arrival` */
  readonly arrive: Endpoint
  readonly script: Endpoint
  /** What its pages need of the stylesheet beyond what all pages do. */
  readonly styles: string
}

interface Needed {
  readonly issuer: string
  /** The whole service, for the requests of the playground's clients. */
  readonly respond: Respond
  /** Grant types beyond the built-in ones. */
  readonly extensions: readonly string[]
}

/** Runs belong to the browser, whoever logs in and out in it. */
const ofBrowser = (visitor: Visitor): Visitor => ({ ...visitor, login: null })

/** The redirect URIs of the demo's clients are on this host, on any port (RFC 8252 section 7.3). */
const siteOf = (issuer: string, extensions: readonly string[]): Site => ({
  issuer,
  redirectOrigin: redirectUriAt(issuer, `http://127.0.0.1:${new URL(issuer).port || '80'}`),
  extensions,
})

interface Room {
  readonly site: Site
  readonly flows: readonly Flow[]
  readonly runs: Runs
  readonly respond: Respond
}

const flowIn = ({ flows }: Room, { params }: Exchange): Flow => {
  const flow = flows.find(({ name }) => name === params.flow)
  if (flow !== undefined) return flow
  throw new Refusal('not_found', 'unknown_flow', 'there is no such flow')
}

/** Shows a step of a flow, or the flow from its beginning. */
const answerStep = (
  { name }: Flow,
  step: StepName | '',
  exchange: Exchange,
  parts: Parts,
  cookies: readonly string[] = [],
): Answer => answerSeeOther(`/playground/${name}`, { step }, exchange, parts, cookies)

/** The browser with its run; both are new on the first visit. */
const enter = async ({ runs }: Room, flow: Flow, exchange: Exchange, parts: Parts) => {
  const visitor = await findVisitor(exchange, parts)
  const browser = visitor.browser ?? newSecret('', parts.random)
  const cookies = visitor.browser === null ? [setCookie('browser', browser, isSecure(parts))] : []
  const run = runs.find(browser, flow.name) ?? newRun(flow.name, parts)
  return { visitor: ofBrowser({ ...visitor, browser }), browser, cookies, run }
}

const showFlow =
  (room: Room): Endpoint =>
  async (exchange, parts) => {
    const flow = flowIn(room, exchange)
    const { visitor, browser, cookies, run } = await enter(room, flow, exchange, parts)
    room.runs.save(browser, flow.name, run)
    const asked = findStep(flow, queryOf(exchange.request).find('step'))
    const view = viewOf(exchange, parts)
    const html = renderFlow({
      view,
      csrf: csrfToken(visitor),
      ...pageDataOf(flow, run, asked, room.site),
    })
    return showPage(view, html, 200, cookies, scriptPolicy)
  }

/** The parameters behind the `#` of a pasted address, or all of what was pasted. */
const fragmentOf = (pasted: string): string => pasted.trim().replace(/^[^#]*#/, '')

/** Does a step; answers with the run after it. */
const perform = async (
  { site, respond }: Room,
  flow: Flow,
  step: Step,
  run: Run,
  typed: string,
  { address }: Exchange,
  parts: Parts,
): Promise<Run> => {
  if (step.kind === 'arrive') {
    return step.answer === 'query' ? run : arrive(flow, step, run, fragmentOf(typed), site, parts)
  }
  if (step.kind !== 'send') return run
  const known = step.asks === undefined ? run.known : { ...run.known, [step.asks.name]: typed }
  const sent = await sendStep(step, known, site, respond, address)
  return {
    known: sent.known,
    scenes: { ...run.scenes, [step.name]: { exchanges: sent.exchanges, arrival: null } },
  }
}

const play =
  (room: Room): Endpoint =>
  async (exchange, parts) => {
    const flow = flowIn(room, exchange)
    const { visitor, browser, run } = await enter(room, flow, exchange, parts)
    const form = await readOwnForm(exchange.request, visitor, parts)
    const step = findStep(flow, form.find('step'))
    if (step === null) {
      room.runs.forget(browser, flow.name)
      return answerStep(flow, '', exchange, parts)
    }
    if (step.kind === 'forge') return answerRedirect(step.location(room.site), 303)
    if (missingFor(step, run.known) === null) {
      const typed = (form.find('typed') ?? '').slice(0, limits.playground.typedCharacters)
      const after = await perform(room, flow, step, run, typed, exchange, parts)
      room.runs.save(browser, flow.name, after)
    }
    return answerStep(flow, step.name, exchange, parts)
  }

/** Which flow an answer is for: the `state` of a run begins with it. Null for an answer to somebody else. */
const flowOfAnswer = ({ flows }: Room, query: string): FlowName | null => {
  const state = new URLSearchParams(query).get('state') ?? ''
  return flows.find(({ name }) => state.startsWith(`${name}.`))?.name ?? null
}

const receive =
  (room: Room) =>
  (path: RedirectPath): Endpoint =>
  (exchange, parts) => {
    const query = rawQuery(exchange.request)
    const clean = /^[\x21-\x7e]*$/.test(query) ? query : ''
    const flow = flowOfAnswer(room, clean)
    if (flow === null) return showCallback(path, clean, room.site, exchange, parts)
    return answerRedirect(`${parts.settings.issuer}/playground/${flow}/arrival?${clean}`, 303)
  }

const arriveAt =
  (room: Room): Endpoint =>
  async (exchange, parts) => {
    const flow = flowIn(room, exchange)
    const step = flow.steps.find((one) => one.kind === 'arrive')
    if (step === undefined)
      throw new Refusal('not_found', 'no_redirect_uri', 'nothing arrives here')
    const { browser, cookies, run } = await enter(room, flow, exchange, parts)
    // A fragment stays in the browser, which takes it along to the next page by itself.
    if (step.answer === 'fragment') {
      return answerStep(flow, step.name, exchange, parts, cookies)
    }
    const after = arrive(flow, step, run, rawQuery(exchange.request), room.site, parts)
    room.runs.save(browser, flow.name, after)
    const forged = after.scenes['forged-state'] !== run.scenes['forged-state']
    return answerStep(flow, forged ? 'forged-state' : step.name, exchange, parts, cookies)
  }

export const createPlayground = ({ issuer, respond, extensions }: Needed): Playground => {
  const site = siteOf(issuer, extensions)
  const room: Room = { site, flows: flowsOf(site), runs: createRuns(), respond }
  const flows = room.flows.map(({ name }) => name)
  return {
    home: showTour(flows),
    list: (exchange, parts) => {
      const view = viewOf(exchange, parts)
      return showPage(view, renderPlayground({ view, flows }))
    },
    show: showFlow(room),
    play: play(room),
    receive: receive(room),
    arrive: arriveAt(room),
    script: () => answerAsset('text/javascript; charset=utf-8', playgroundScript),
    styles: playgroundStyles,
  }
}
