/** The data of a playground page: messages of a step, and the steps of the flow. */
import type { CheckName } from '../words/checks.ts'
import type { FlowName } from '../words/flows.ts'
import type { PlayStepName } from './steps.ts'

/** The four parties (RFC 6749 section 1.1); `server` is the authorization server, `api` the resource server. */
export type Party = 'owner' | 'client' | 'server' | 'api'

/** The direction of a message. */
export type Way = readonly [from: Party, to: Party]

/** One field of a message: the name of a header (in lower case), of a parameter or of a member. */
export type Field = readonly [name: string, value: string]

/** An HTTP message as text. */
export interface WrittenMessage {
  /** The request line, or the status line. */
  readonly start: string
  readonly headers: readonly Field[]
  readonly body: string
  /** Characters of the body that are not shown. */
  readonly cut: number
  readonly fields: readonly Field[]
}

/** A heading, a paragraph or a fact of a page. Every second piece of its text is marked. */
export interface PageBlock {
  readonly kind: 'h1' | 'h2' | 'p' | 'dt' | 'dd' | 'pre'
  readonly pieces: readonly string[]
}

/** One request, and its answer once there is one. */
export interface Exchanged {
  /** One arrow, or two where the browser carries it. */
  readonly ways: readonly Way[]
  readonly request: WrittenMessage
  /** Null for what a browser was sent to do. */
  readonly response: WrittenMessage | null
  /** The page of a refusal, as a browser shows it. */
  readonly page?: readonly PageBlock[] | null
  /** The answer that sent a browser to make this request. */
  readonly sentBy?: WrittenMessage
  /** A command that sends the same; null if only a browser can send it. */
  readonly curl: string | null
  /** Whether the answer is the one that the step is about. */
  readonly expected: boolean
}

/**
 * The client's judgement of an answer: it `came` with a code or token, or was `denied` by the owner.
 * It was `refused` with the error that the step is about, or `returned` from a logout. It is `forged` if
 * the state is wrong, and `mixed-up` if it is from another server.
 */
export type Arrival = 'came' | 'denied' | 'refused' | 'returned' | 'forged' | 'mixed-up'

/** One check of a JWT by the client. */
export interface Check {
  readonly name: CheckName
  readonly holds: boolean
}

/** A JWT that the client has read and checked. */
export interface Inspected {
  readonly header: readonly Field[]
  /** None if the signature is bad. */
  readonly claims: readonly Field[]
  readonly checks: readonly Check[]
  /** Whether the checks came out as the step says. */
  readonly expected: boolean
}

export interface StepMark {
  readonly name: PlayStepName
  readonly done: boolean
}

/** What can be done at a step now. */
export type Doing =
  /** The next request, to be sent by a button; a person may type something first. */
  | {
      readonly kind: 'send'
      readonly preview: Exchanged
      readonly asks: string | null
      readonly again: boolean
    }
  /** The browser goes to an address. */
  | {
      readonly kind: 'visit'
      readonly preview: Exchanged
      readonly url: string
      /** Whether it is shown on another screen than that of the browser. */
      readonly isScanned: boolean
    }
  /** The address of the browser is pasted. */
  | { readonly kind: 'paste' }
  | { readonly kind: 'forge' }
  /** A step before it has to be done first: by a button here, by the browser at a URL, or on its own page. */
  | {
      readonly kind: 'wait'
      readonly first: PlayStepName
      readonly by: 'button' | 'page' | { readonly url: string }
    }
  /** Nothing, until the run is begun anew. */
  | { readonly kind: 'over' }

export interface ShownStep {
  readonly step: PlayStepName
  readonly isAttack: boolean
  /** The messages of the step; none before it is done. */
  readonly exchanges: readonly Exchanged[]
  readonly arrival: Arrival | null
  readonly inspected: Inspected | null
  readonly doing: Doing
  /** The step after this one, where it is done. */
  readonly next: PlayStepName | null
}

export interface FlowPageData {
  readonly csrf: string
  readonly flow: FlowName
  readonly issuer: string
  readonly client: string
  readonly owner: string | null
  readonly steps: readonly StepMark[]
  readonly attacks: readonly StepMark[]
  readonly shown: ShownStep
}
