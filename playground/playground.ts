/** The playground's doors, which are there in the demo only: every flow, run step by step against this very service. */

import { makeSecret } from '../src/crypto/digest.ts'
import { placeRedirectUri } from '../src/demo/people.ts'
import { type Answer, answerAsset, answerRedirect } from '../src/http/answer.ts'
import { formType, readMediaType, readText } from '../src/http/body.ts'
import type { Exchange } from '../src/http/exchange.ts'
import { httpLimits } from '../src/http/limits.ts'
import type { Respond } from '../src/http/listen.ts'
import { getRawQuery, queryOf } from '../src/http/request.ts'
import { Refusal } from '../src/protocol/refusal.ts'
import { openPages, type Pages, type PagesNeeds } from '../src/rooms/pages.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../src/rooms/visit.ts'
import { asset, type Handler, json, page, type RouteRow } from '../src/route.ts'
import type { Signer } from '../src/tokens/keys/signing.ts'
import { arrivalOf, arrive, newRun } from './arrival.ts'
import { showCallback } from './callback.ts'
import { serveDocument, servePage } from './documents.ts'
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
import { createLogoutReceiver } from './logouts.ts'
import { renderFlow } from './pages/flow.ts'
import { renderPlayground } from './pages/flows.ts'
import { playgroundScript } from './pages/script.ts'
import type { PlayStepName } from './pages/steps.ts'
import { encodeForm } from './request.ts'
import { createRuns, createTickets, type Run, type Runs, type Tickets } from './runs.ts'
import { sendStep } from './send.ts'
import { firstUndone, isRunnable, pageDataOf } from './show.ts'
import { playgroundStyles } from './styles.ts'
import { showTour } from './tour.ts'
import { playgroundView } from './view.ts'
import type { FlowName } from './words/flows.ts'

export interface Playground {
  /** `GET /` */
  readonly home: Handler
  /** Its URLs. */
  readonly rows: readonly RouteRow[]
  /** Further styles for its pages. */
  readonly styles: string
}

interface PlaygroundNeeds extends PagesNeeds {
  readonly signer: Signer
}

interface PlaygroundGiven {
  /** The whole service, for the requests of the playground's clients. */
  readonly respond: Respond
  /** Grant types beyond the built-in ones. */
  readonly extensions: readonly string[]
}

/** The redirect URIs of the demo's clients are on this host, on any port (RFC 8252 section 7.3). */
const siteOf = (
  { issuer, trustedProxies }: PlaygroundNeeds['settings'],
  extensions: readonly string[],
): PlaygroundSite => ({
  issuer,
  redirectOrigin: placeRedirectUri(issuer, `http://127.0.0.1:${new URL(issuer).port || '80'}`),
  extensions,
  // The first address of a range is within the range.
  proxy: trustedProxies[0]?.replace(/\/.*/, '') ?? null,
})

interface Room {
  readonly needs: PlaygroundNeeds
  readonly pages: Pages
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
const runOf = ({ runs, site, needs }: Room, { name }: Flow, { browser }: BrowserVisit): Run =>
  runs.find(browser, name) ?? newRun(name, site, needs.random)

/** `GET /playground/{flow}?step=` */
const showFlow = (room: Room): Handler =>
  room.pages.forBrowser((visit) => {
    const { csrf, browser, request } = visit
    const view = playgroundView(visit, room.needs)
    const flow = flowIn(room, visit)
    const run = runOf(room, flow, visit)
    room.runs.save(browser, flow.name, run)
    const asked = findStep(flow, queryOf(request).find('step'))
    const html = renderFlow({ view, csrf, ...pageDataOf(flow, run, asked, room.site) })
    return showPage({ ...visit, view }, html)
  })

/** The parameters behind the `#` of a pasted address, or all of what was pasted. */
const fragmentOf = (pasted: string): string => pasted.trim().replace(/^[^#]*#/, '')

/** Does a step; answers with the run after it. */
const perform = async (
  { site, respond, needs }: Room,
  flow: Flow,
  step: FlowStep,
  run: Run,
  typed: string,
  { address, at }: Exchange,
): Promise<Run> => {
  if ('arrive' in step) {
    return step.arrive !== 'fragment'
      ? run
      : arrive(flow, step, run, fragmentOf(typed), site, needs.random)
  }
  if (!('send' in step)) return run
  const known = step.asks === undefined ? run.known : { ...run.known, [step.asks.name]: typed }
  const sent = await sendStep(step, known, site, respond, address, at)
  const { exchanges, inspected } = sent
  return {
    known: sent.known,
    scenes: { ...run.scenes, [step.name]: { exchanges, arrival: null, inspected } },
  }
}

/** Does what has to be done before a step, as far as no person has to do it. */
const runBefore = async (
  room: Room,
  flow: Flow,
  step: FlowStep,
  before: Run,
  exchange: Exchange,
): Promise<Run> => {
  let run = before
  while (!isReady(step, run.known)) {
    const next = firstUndone(flow, run)
    if (next === undefined || next === step || !isRunnable(next, run)) break
    run = await perform(room, flow, next, run, '', exchange)
  }
  return run
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

/** `POST /playground/{flow}` */
const play = (room: Room): Handler =>
  room.pages.forBrowser(async (visit) => {
    const { browser } = visit
    const flow = flowIn(room, visit)
    const form = await room.pages.readForm(visit)
    const step = findStep(flow, form.find('step'))
    if (step === null) {
      room.runs.forget(browser, flow.name)
      return answerStep(visit, flow, '')
    }
    if ('forge' in step) return answerRedirect(forgedAnswer(step, flow, room.site), 303)
    const first = runOf(room, flow, visit)
    const run =
      form.find('before') === null ? first : await runBefore(room, flow, step, first, visit)
    if (form.find('before') !== null) room.runs.save(browser, flow.name, run)
    else if (isReady(step, run.known)) {
      const typed = (form.find('typed') ?? '').slice(0, playgroundLimits.typedCharacters)
      const after = await perform(room, flow, step, run, typed, visit)
      room.runs.save(browser, flow.name, after)
    }
    return answerStep(visit, flow, step.name)
  })

/** Which flow an answer is for: the `state` of a run begins with it. Null for an answer to somebody else. */
const flowOfAnswer = (flows: readonly Flow[], query: string): FlowName | null => {
  const state = new URLSearchParams(query).get('state') ?? ''
  return flows.find(({ name }) => state.startsWith(`${name}.`))?.name ?? null
}

const printable = (answer: string): string => (/^[\x21-\x7e]*$/.test(answer) ? answer : '')

/**
 * A redirect URI of the demo. The answer to a run leads to its arrival, on the origin that has the
 * cookies. Any other answer is shown.
 */
const openRedirect = ({ needs, site, flows, posted }: Room, path: RedirectPath) => {
  const lead = (
    answer: string,
    exchange: Exchange,
    carried: (answer: string) => string,
  ): Answer => {
    const clean = printable(answer)
    const flow = flowOfAnswer(flows, clean)
    if (flow === null) return showCallback(path, clean, site, exchange, needs)
    return answerRedirect(`${site.issuer}/playground/${flow}/arrival?${carried(clean)}`, 303)
  }
  return {
    take: (exchange: Exchange): Answer =>
      lead(getRawQuery(exchange.request), exchange, (answer) => answer),
    /** With `response_mode=form_post`. The form is kept for the browser, so that no token is in a URL. */
    async takeForm(exchange: Exchange): Promise<Answer> {
      const { request } = exchange
      const form =
        readMediaType(request) === formType ? await readText(request, httpLimits.formBytes) : ''
      return lead(form, exchange, (answer) => {
        const ticket = makeSecret('', needs.random)
        posted.save(ticket, answer)
        return encodeForm({ posted: ticket })
      })
    },
  }
}

/** `GET /playground/{flow}/arrival` */
const arriveAt = (room: Room): Handler =>
  room.pages.forBrowser((visit) => {
    const { browser, request, cookies } = visit
    const flow = flowIn(room, visit)
    const run = runOf(room, flow, visit)
    const query = getRawQuery(request)
    const posted = room.posted.take(new URLSearchParams(query).get('posted') ?? '')
    const step = arrivalOf(flow, run, posted ?? query)
    if (step === null) {
      throw new Refusal('not_found', 'no_redirect_uri', 'nothing arrives here')
    }
    // A fragment stays in the browser, which takes it along to the next page by itself.
    if (step.arrive === 'fragment') return answerStep(visit, flow, step.name, cookies)
    // An answer in a form and one in the query are no substitutes for each other.
    const answer = step.arrive === 'form' ? (posted ?? '') : query
    const after = arrive(flow, step, run, answer, room.site, room.needs.random)
    room.runs.save(browser, flow.name, after)
    const forged = after.scenes['forged-state'] !== run.scenes['forged-state']
    return answerStep(visit, flow, forged ? 'forged-state' : step.name, cookies)
  })

/** There in the demo only: the redirect URIs of its clients are among them. */
const openRows = (room: Room): readonly RouteRow[] => {
  const { needs, site } = room
  const flows = room.flows.map(({ name }) => name)
  const list = (exchange: Exchange): Answer => {
    const view = playgroundView(exchange, needs)
    return showPage({ view }, renderPlayground({ view, flows }))
  }
  const script = (): Answer => answerAsset('text/javascript; charset=utf-8', playgroundScript)
  const callback = openRedirect(room, '/callback')
  const gallery = openRedirect(room, '/gallery')
  const logouts = createLogoutReceiver(needs.signer)
  return [
    { ...page, method: 'GET', path: '/playground', handler: list },
    { ...page, method: 'GET', path: '/playground/:flow', handler: showFlow(room) },
    { ...page, method: 'POST', path: '/playground/:flow', handler: play(room) },
    { ...page, method: 'GET', path: '/playground/:flow/arrival', handler: arriveAt(room) },
    { ...json, method: 'GET', path: '/documents/:name', handler: serveDocument(site) },
    { ...asset, path: '/docs/:name', handler: servePage },
    { ...json, method: 'POST', path: '/logouts', handler: logouts.receive },
    { ...json, method: 'GET', path: '/logouts/:client', handler: logouts.show },
    { ...asset, path: '/assets/playground.js', handler: script },
    { ...page, method: 'GET', path: '/callback', handler: callback.take },
    { ...page, method: 'GET', path: '/gallery', handler: gallery.take },
    { ...page, method: 'POST', path: '/callback', handler: callback.takeForm },
    { ...page, method: 'POST', path: '/gallery', handler: gallery.takeForm },
  ]
}

export const openPlayground = (
  needs: PlaygroundNeeds,
  { respond, extensions }: PlaygroundGiven,
): Playground => {
  const site = siteOf(needs.settings, extensions)
  const room: Room = {
    needs,
    pages: openPages(needs),
    site,
    flows: flowsOf(site),
    runs: createRuns(),
    posted: createTickets(),
    respond,
  }
  return { home: showTour(room.flows, needs), rows: openRows(room), styles: playgroundStyles }
}
