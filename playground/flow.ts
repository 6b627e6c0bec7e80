/** A flow of the playground is a table: its steps, their requests, and ways to break it. */
import type { PlayStepName } from './pages/steps.ts'
import type { sampleCertificates } from './sample-key.ts'
import type { CheckName } from './words/checks.ts'
import type { FlowName } from './words/flows.ts'

/** What the client of a run knows, such as `state`, `code` or `access_token`. */
export type Known = Readonly<Record<string, string>>

/** Names and texts. In a text, `{code}` stands for what the run knows as `code`. */
export type Templates = Readonly<Record<string, string>>

/** The same for parameters. A list gives a parameter several values. */
export type ParameterTemplates = Readonly<Record<string, string | readonly string[]>>

/** A client of the playground. Its id and secret may be templates. */
export interface PlayedClient {
  readonly id: string
  /** Null for a public client. */
  readonly secret: string | null
}

/** A DPoP proof (RFC 9449 section 4.2). Without members it is a new one, for this request. */
export interface ProofRow {
  /** Method and path of the request that it is made for instead. */
  readonly line?: string
  /** Signed with a key of somebody else. */
  readonly by?: 'thief'
  /** The last proof is sent once more. */
  readonly again?: true
}

/** A JWT by which the client proves itself (RFC 7523). Without members it is a good one of the sample key. */
export interface AssertionRow {
  /** Claims in place of those of a good one, or beside them. */
  readonly claims?: Templates
  /** Signed with the secret of the client, or with a key or secret of somebody else. */
  readonly by?: 'secret' | 'thief' | 'guesser'
  /** The last one is sent once more. */
  readonly again?: true
  /** The name of a forgery. */
  readonly forged?: 'unsigned'
}

/** The certificate of a connection. The proxy that ends TLS passes it on (RFC 9440). */
export interface CertificateRow {
  readonly of: keyof typeof sampleCertificates
  /** No proxy: somebody writes the header into a request that comes past it. */
  readonly forged?: true
}

/** One request, and what the client takes from the answer. All texts are templates. */
export interface RequestRow {
  /** Method and path below `{base_url}`. */
  readonly line: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  readonly query?: ParameterTemplates
  /** The client: by Basic if it has a secret, else by `client_id` in the form. */
  readonly as?: PlayedClient
  /** The token in the header. */
  readonly bearer?: string
  readonly headers?: Templates
  /** The client proves its key in the header DPoP. The token then comes under that scheme. */
  readonly proof?: ProofRow
  /** The client sends an assertion in its form. */
  readonly assertion?: AssertionRow
  readonly certificate?: CertificateRow
  /** The fields of a form; as one text, a line `name=value` for each. */
  readonly form?: Templates | string
  readonly json?: Readonly<Record<string, unknown>>
  /** The status that the step is about, or several; 200 by default. Another one means that something is in the way. */
  readonly status?: number | readonly number[]
  /**
   * Members of the answer, or `ETag`, and the names to keep them under. `items.0.id` is a member further
   * in, and `sets.*` the first member of `sets`. Only for an answer with that status.
   */
  readonly learn?: Readonly<Record<string, string>>
  /** Further things to know after it. */
  readonly set?: Templates
  readonly forget?: readonly string[]
  /** Sent only if this is known. */
  readonly only?: string
}

/** The client reads a JWT and checks it, by the keys that one of the requests fetched from `/jwks`. */
export interface InspectRow {
  /** The JWT, a template. */
  readonly token: string
  /** Claims, and the values that they must be or hold. `typ` is a member of the header. */
  readonly expects: Templates
  /** Claims that are the left half of the hash of a text (OpenID Connect Core section 3.1.3.6). */
  readonly hashes?: Templates
  /** Claims that must be absent. */
  readonly lacks?: readonly CheckName[]
  /** The one check that has to fail: the step is about it. */
  readonly fails?: CheckName
}

/** The client signs claims with the sample key. */
export interface SignRow {
  /** The name to keep the JWT under. */
  readonly as: string
  /** The `typ` of the header; that of a request object without it. */
  readonly typ?: string
  readonly claims: Templates
}

/** The client sends requests, one after the other. Each may use what an earlier one learned. */
export interface SendStep {
  readonly name: PlayStepName
  readonly send: readonly RequestRow[]
  /** What the client does with the answers. */
  readonly inspect?: InspectRow
  readonly sign?: SignRow | readonly SignRow[]
  /** What a person types first: kept under this name. */
  readonly asks?: { readonly name: string; readonly fallback: string }
  /** What has to be known besides the names in the requests. */
  readonly needs?: readonly string[]
}

/** The browser goes to `/authorize` with these parameters, or to another door. */
export interface VisitStep {
  readonly name: PlayStepName
  readonly to?: '/logout' | '/device' | '/account/requests'
  readonly visit: ParameterTemplates
}

/** The paths of the demo's redirect URIs. */
export type RedirectPath = '/callback' | '/gallery'

/**
 * The browser brings an answer to the redirect URI: in its query, in a form, or in the fragment. No
 * server sees a fragment.
 */
export interface ArriveStep {
  readonly name: PlayStepName
  readonly arrive: 'query' | 'fragment' | 'form'
  /** The error that the step is about. */
  readonly error?: string
  readonly at: RedirectPath
}

/** An attacker sends the browser to the redirect URI. */
export interface ForgeStep {
  readonly name: PlayStepName
  readonly forge: RedirectPath
}

export type FlowStep = SendStep | VisitStep | ArriveStep | ForgeStep

export interface Flow {
  readonly name: FlowName
  /** The names of who takes part, as shown in the drawing. */
  readonly client: string
  readonly owner: string | null
  readonly steps: readonly FlowStep[]
  /** Ways to break it. */
  readonly attacks: readonly FlowStep[]
}

/** The places of the playground: its requests go to the issuer, and answers arrive at the redirect origin. */
export interface PlaygroundSite {
  readonly issuer: string
  /** The origin of the demo's redirect URIs: the same host as theirs, and our port. */
  readonly redirectOrigin: string
  /** Grant types beyond the built-in ones. */
  readonly extensions: readonly string[]
  /** The address of a trusted proxy; null without one. */
  readonly proxy: string | null
}

/** The names in the templates of a row. JSON writes a quote after a brace of its own. */
const namesIn = (row: object): readonly string[] =>
  [...JSON.stringify(row).matchAll(/\{(\w+)(?:\|\w+)?\}/g)].map(([, name = '']) => name)

/** What the requests of a step use, and none of them learns before. */
const neededForSend = (step: SendStep): ReadonlySet<string> => {
  const { send, asks, needs = [], inspect = {}, sign = {} } = step
  const needed = new Set(needs)
  const learned = new Set(asks === undefined ? [] : [asks.name])
  for (const row of send) {
    for (const name of namesIn(row)) if (!learned.has(name)) needed.add(name)
    for (const name of Object.values(row.learn ?? {})) learned.add(name)
  }
  for (const name of namesIn({ inspect, sign })) if (!learned.has(name)) needed.add(name)
  return needed
}

const neededFor = (step: FlowStep): Iterable<string> => {
  if ('send' in step) return neededForSend(step)
  return 'visit' in step ? namesIn(step.visit) : []
}

/** Whether a step can be done now. */
export const isReady = (step: FlowStep, known: Known): boolean =>
  [...neededFor(step)].every((name) => known[name] !== undefined)

export const findStep = (flow: Flow, name: string | null): FlowStep | null =>
  [...flow.steps, ...flow.attacks].find((step) => step.name === name) ?? null
