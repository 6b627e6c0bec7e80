/** The playground's doors, which are there in the demo only: every flow, run step by step against this very service. */
import { newSecret } from '../src/crypto/digest.ts'
import { redirectUriAt } from '../src/demo/people.ts'
import { type Answer, answerAsset, answerRedirect } from '../src/http/answer.ts'
import { formType, mediaType, readText } from '../src/http/body.ts'
import { type Exchange, queryOf } from '../src/http/exchange.ts'
import { httpLimits } from '../src/http/limits.ts'
import type { Respond } from '../src/http/listen.ts'
import { rawQuery } from '../src/http/request.ts'
import { Refusal } from '../src/protocol/refusal.ts'
import type { ServiceParts } from '../src/registries.ts'
import { readOwnForm } from '../src/rooms/form.ts'
import { forBrowser } from '../src/rooms/former.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../src/rooms/visit.ts'
import type { Endpoint, FormerRow } from '../src/route.ts'
import { arrivalOf, arrive, newRun } from './arrival.ts'
import { showCallback } from './callback.ts'
import { serveDocument } from './documents.ts'
import {
  type Flow,
  type FlowStep,
  type ForgeStep,
  findStep,
  isReady,
  type PlaygroundSite,
  type RedirectPath,
} from './flow.ts'
import { flowsOf } from './flows/index.ts'
import { playgroundLimits } from './limits.ts'
import { createLogoutReceiver, type LogoutReceiver } from './logouts.ts'
import { renderFlow } from './pages/flow.ts'
import { renderPlayground } from './pages/flows.ts'
import { playgroundScript } from './pages/script.ts'
import type { PlayStepName } from './pages/steps.ts'
import { encodeForm } from './request.ts'
import { createRuns, createTickets, type Run, type Runs, type Tickets } from './runs.ts'
import { sendStep } from './send.ts'
import { pageDataOf } from './show.ts'
import { playgroundStyles } from './styles.ts'
import { showTour } from './tour.ts'
import { playgroundView } from './view.ts'
import type { FlowName } from './words/flows.ts'

export interface Playground {
  /** `GET /` */
  readonly home: Endpoint
  /** Its URLs. */
  readonly rows: readonly FormerRow[]
  /** Further styles for its pages. */
  readonly styles: string
}

interface PlaygroundDoors {
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
  readonly receiveForm: (path: RedirectPath) => Endpoint
  /** `GET /playground/{flow}/arrival` */
  readonly arrive: Endpoint
  /** `GET /documents/{name}`, the documents of clients that are URLs */
  readonly document: Endpoint
  readonly logouts: LogoutReceiver
  readonly script: Endpoint
}

interface PlaygroundParts {
  readonly issuer: string
  /** The whole service, for the requests of the playground's clients. */
  readonly respond: Respond
  /** Grant types beyond the built-in ones. */
  readonly extensions: readonly string[]
}

/** The redirect URIs of the demo's clients are on this host, on any port (RFC 8252 section 7.3). */
const siteOf = (issuer: string, extensions: readonly string[]): PlaygroundSite => ({
  issuer,
  redirectOrigin: redirectUriAt(issuer, `http://127.0.0.1:${new URL(issuer).port || '80'}`),
  extensions,
})

interface Room {
  readonly site: PlaygroundSite
  readonly flows: readonly Flow[]
  readonly runs: Runs
  /** Answers that came in a form. The browser fetches its own at the place that has its cookie. */
  readonly posted: Tickets
  readonly respond: Respond
}

const flowIn = ({ flows }: Room, { params }: Exchange): Flow => {
  const flow = flows.find(({ name }) => name === params.flow)
  if (flow !== undefined) return flow
  throw new Refusal('not_found', 'unknown_flow', 'there is no such flow')
}

/** Shows a step of a flow, or the flow from its beginning. */
const answerStep = (
  visit: BrowserVisit,
  { name }: Flow,
  step: PlayStepName | '',
  cookies: readonly string[] = [],
): Answer => answerSeeOther(visit, `/playground/${name}`, { step }, cookies)

/** What the browser has done in a flow so far. A run belongs to the browser, whoever logs in there. */
const runOf = (
  { runs, site }: Room,
  { name }: Flow,
  { browser }: BrowserVisit,
  parts: Pick<ServiceParts, 'random'>,
): Run => runs.find(browser, name) ?? newRun(name, site, parts)

const showFlow = (room: Room): Endpoint =>
  forBrowser((visit, parts) => {
    const { csrf, browser, request } = visit
    const view = playgroundView(visit, parts)
    const flow = flowIn(room, visit)
    const run = runOf(room, flow, visit, parts)
    room.runs.save(browser, flow.name, run)
    const asked = findStep(flow, queryOf(request).find('step'))
    const html = renderFlow({ view, csrf, ...pageDataOf(flow, run, asked, room.site) })
    return showPage({ ...visit, view }, html, { hasScript: true })
  })

/** The parameters behind the `#` of a pasted address, or all of what was pasted. */
const fragmentOf = (pasted: string): string => pasted.trim().replace(/^[^#]*#/, '')

/** Does a step; answers with the run after it. */
const perform = async (
  { site, respond }: Room,
  flow: Flow,
  step: FlowStep,
  run: Run,
  typed: string,
  { address, at }: Exchange,
  parts: Pick<ServiceParts, 'random'>,
): Promise<Run> => {
  if ('arrive' in step) {
    return step.arrive !== 'fragment'
      ? run
      : arrive(flow, step, run, fragmentOf(typed), site, parts)
  }
  if (!('send' in step)) return run
  const known = step.asks === undefined ? run.known : { ...run.known, [step.asks.name]: typed }
  const sent = await sendStep(step, known, site.issuer, respond, address, at)
  const { exchanges, inspected } = sent
  return {
    known: sent.known,
    scenes: { ...run.scenes, [step.name]: { exchanges, arrival: null, inspected } },
  }
}

/** The URL to which an attacker sends the browser, with a state that the client did not give out. */
const forgedAnswer = (
  { forge }: ForgeStep,
  { name }: Flow,
  { issuer, redirectOrigin }: PlaygroundSite,
): string => {
  const code = 'lk_ac_a-code-of-the-attacker'
  return `${redirectOrigin}${forge}?${encodeForm({ code, state: `${name}.guessed`, iss: issuer })}`
}

const play = (room: Room): Endpoint =>
  forBrowser(async (visit, parts) => {
    const { browser } = visit
    const flow = flowIn(room, visit)
    const form = await readOwnForm(visit, parts)
    const step = findStep(flow, form.find('step'))
    if (step === null) {
      room.runs.forget(browser, flow.name)
      return answerStep(visit, flow, '')
    }
    if ('forge' in step) return answerRedirect(forgedAnswer(step, flow, room.site), 303)
    const run = runOf(room, flow, visit, parts)
    if (isReady(step, run.known)) {
      const typed = (form.find('typed') ?? '').slice(0, playgroundLimits.typedCharacters)
      const after = await perform(room, flow, step, run, typed, visit, parts)
      room.runs.save(browser, flow.name, after)
    }
    return answerStep(visit, flow, step.name)
  })

/** Which flow an answer is for: the `state` of a run begins with it. Null for an answer to somebody else. */
const flowOfAnswer = ({ flows }: Room, query: string): FlowName | null => {
  const state = new URLSearchParams(query).get('state') ?? ''
  return flows.find(({ name }) => state.startsWith(`${name}.`))?.name ?? null
}

const printable = (answer: string): string => (/^[\x21-\x7e]*$/.test(answer) ? answer : '')

/** With `response_mode=form_post`. The form is kept for the browser, so that no token is in a URL. */
const receiveForm =
  (room: Room) =>
  (path: RedirectPath): Endpoint =>
  async (exchange, parts) => {
    const { request } = exchange
    const form =
      mediaType(request) === formType ? await readText(request, httpLimits.formBytes) : ''
    const clean = printable(form)
    const flow = flowOfAnswer(room, clean)
    if (flow === null) return showCallback(path, clean, room.site, exchange, parts)
    const posted = newSecret('', parts.random)
    room.posted.save(posted, clean)
    const way = `${parts.settings.issuer}/playground/${flow}/arrival`
    return answerRedirect(`${way}?${encodeForm({ posted })}`, 303)
  }

const receive =
  (room: Room) =>
  (path: RedirectPath): Endpoint =>
  (exchange, parts) => {
    const clean = printable(rawQuery(exchange.request))
    const flow = flowOfAnswer(room, clean)
    if (flow === null) return showCallback(path, clean, room.site, exchange, parts)
    return answerRedirect(`${parts.settings.issuer}/playground/${flow}/arrival?${clean}`, 303)
  }

const arriveAt = (room: Room): Endpoint =>
  forBrowser((visit, parts) => {
    const { browser, request, cookies } = visit
    const flow = flowIn(room, visit)
    const run = runOf(room, flow, visit, parts)
    const query = rawQuery(request)
    const posted = room.posted.take(new URLSearchParams(query).get('posted') ?? '')
    const step = arrivalOf(flow, run, posted ?? query)
    if (step === null) {
      throw new Refusal('not_found', 'no_redirect_uri', 'nothing arrives here')
    }
    // A fragment stays in the browser, which takes it along to the next page by itself.
    if (step.arrive === 'fragment') return answerStep(visit, flow, step.name, cookies)
    // An answer in a form and one in the query are no substitutes for each other.
    const answer = step.arrive === 'form' ? (posted ?? '') : query
    const after = arrive(flow, step, run, answer, room.site, parts)
    room.runs.save(browser, flow.name, after)
    const forged = after.scenes['forged-state'] !== run.scenes['forged-state']
    return answerStep(visit, flow, forged ? 'forged-state' : step.name, cookies)
  })

/** There in the demo only: the redirect URIs of its clients are among them. */
const rowsOf = (playground: PlaygroundDoors): readonly FormerRow[] => [
  { method: 'GET', path: '/playground', handler: playground.list, refusedAs: 'page' },
  { method: 'GET', path: '/playground/:flow', handler: playground.show, refusedAs: 'page' },
  { method: 'POST', path: '/playground/:flow', handler: playground.play, refusedAs: 'page' },
  {
    method: 'GET',
    path: '/playground/:flow/arrival',
    handler: playground.arrive,
    refusedAs: 'page',
  },
  { method: 'GET', path: '/documents/:name', handler: playground.document, refusedAs: 'json' },
  { method: 'POST', path: '/logouts', handler: playground.logouts.receive, refusedAs: 'json' },
  { method: 'GET', path: '/logouts/:client', handler: playground.logouts.show, refusedAs: 'json' },
  {
    method: 'GET',
    path: '/assets/playground.js',
    handler: playground.script,
    refusedAs: 'page',
    limited: 'never',
  },
  { method: 'GET', path: '/callback', handler: playground.receive('/callback'), refusedAs: 'page' },
  { method: 'GET', path: '/gallery', handler: playground.receive('/gallery'), refusedAs: 'page' },
  {
    method: 'POST',
    path: '/callback',
    handler: playground.receiveForm('/callback'),
    refusedAs: 'page',
  },
  {
    method: 'POST',
    path: '/gallery',
    handler: playground.receiveForm('/gallery'),
    refusedAs: 'page',
  },
]

export const createPlayground = ({ issuer, respond, extensions }: PlaygroundParts): Playground => {
  const site = siteOf(issuer, extensions)
  const room: Room = {
    site,
    flows: flowsOf(site),
    runs: createRuns(),
    posted: createTickets(),
    respond,
  }
  const flows = room.flows.map(({ name }) => name)
  const doors: PlaygroundDoors = {
    list: (exchange, parts) => {
      const view = playgroundView(exchange, parts)
      return showPage({ view }, renderPlayground({ view, flows }))
    },
    show: showFlow(room),
    play: play(room),
    receive: receive(room),
    receiveForm: receiveForm(room),
    arrive: arriveAt(room),
    document: serveDocument(site),
    logouts: createLogoutReceiver(),
    script: () => answerAsset('text/javascript; charset=utf-8', playgroundScript),
  }
  return { home: showTour(flows), rows: rowsOf(doors), styles: playgroundStyles }
}
