/** What a flow of the playground is made of: steps, and the requests that each of them sends. */
import type { Way } from './pages/exchanged.ts'
import type { StepName } from './pages/steps.ts'
import type { FlowName } from './words/flows.ts'

/** What the client of a run has learned so far, such as `state`, `code` or `access_token`. */
export type Known = Readonly<Record<string, string>>

/** An HTTP request, as it is sent and as it is shown. */
export interface Message {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `{base_url}`, with its query. */
  readonly path: string
  /** Without `Host` and `Content-Length`, which follow from the rest. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What came back, for the client to learn from. */
export interface Answered {
  readonly status: number
  readonly etag: string
  /** The members of a JSON object; none where it was something else. */
  readonly json: Readonly<Record<string, unknown>>
}

/** What a client takes from an answer; null forgets. */
export type Learn = (answer: Answered) => Readonly<Record<string, string | null>>

export interface Call {
  readonly message: Message
  readonly way: Way
  /** The status that the step is about. Another one means that something else is in the way. */
  readonly expected: number
  readonly learn?: Learn
}

/** The paths of the demo's redirect URIs. */
export type RedirectPath = '/callback' | '/gallery'

/** Where a run takes place. */
export interface Site {
  readonly issuer: string
  /** Where the demo's redirect URIs are served: the same host as theirs, and our port. */
  readonly redirectOrigin: string
  /** Grant types beyond the built-in ones. */
  readonly extensions: readonly string[]
}

interface AnyStep {
  readonly name: StepName
  /** What has to be known before it can be done. */
  readonly needs: readonly string[]
}

/** The client sends requests, one after the other; each may use what those before it learned, and is left out where it is null. */
export interface SendStep extends AnyStep {
  readonly kind: 'send'
  readonly calls: readonly ((known: Known, site: Site) => Call | null)[]
  /** What a person types first: kept under this name. */
  readonly asks?: { readonly name: string; readonly fallback: string }
}

/** The browser is sent to the authorization server. */
export interface VisitStep extends AnyStep {
  readonly kind: 'visit'
  readonly path: (known: Known, site: Site) => string
}

/** The browser brings an answer to the redirect URI: in its query, or in the fragment, which no server sees. */
export interface ArriveStep extends AnyStep {
  readonly kind: 'arrive'
  readonly answer: 'query' | 'fragment'
  /** Of the redirect URI. */
  readonly path: RedirectPath
}

/** Somebody else sends the browser to the redirect URI. */
export interface ForgeStep extends AnyStep {
  readonly kind: 'forge'
  readonly location: (site: Site) => string
}

export type Step = SendStep | VisitStep | ArriveStep | ForgeStep

export interface Flow {
  readonly name: FlowName
  /** The names of who takes part, as shown in the drawing. */
  readonly client: string
  readonly owner: string | null
  readonly steps: readonly Step[]
  /** Ways to break it. */
  readonly attacks: readonly Step[]
}

/** Why a step cannot be done now: the first thing that is missing. Null = it can. */
export const missingFor = (step: Step, known: Known): string | null =>
  step.needs.find((name) => known[name] === undefined) ?? null

export const findStep = (flow: Flow, name: string | null): Step | null =>
  [...flow.steps, ...flow.attacks].find((step) => step.name === name) ?? null
