/** The requests to a service and its answers, in order: all that an audit needs. */

/** A line is a code and all that it earns: its family of refresh and access tokens. */
export interface Line {
  readonly id: string
  /** Empty for a client that polls: none of its codes and tokens names it. */
  readonly authorization: string
  readonly client: string
  readonly owner: string
  /** The login session it ends with, if any; `sure` is false if only the service knows. */
  readonly visit: { readonly session: string; readonly sure: boolean } | null
  /** The operation that brought the code, or approved the request. */
  issue: number
  /** The phase at first, other than a fresh code: a request before its approval, or tokens. */
  readonly begins?: 'asked' | 'redeemed'
  /** The operation that brought its first tokens. Ends before it bear upon others; null: the code counts. */
  readonly since?: number
  /** Of an exchanged token. It ends with all that its subject token ends with. */
  readonly under?: Subject
}

/** The subject token of an exchange, by its line, and the rest about the exchange. */
export interface Subject {
  readonly line: string
  readonly token: string
  /** All that the new token allows. */
  readonly rights: readonly string[]
}

/** Unix seconds after which a presented code or token may be refused; null = never. */
interface Expiring {
  readonly expiresAt: number | null
  /** The earliest moment of that, where nobody outside knows it exactly. */
  readonly endsFrom?: number
}

/** Actions in detail that the answer may tell at most, as in `contacts/one:read`. */
interface Detailed {
  readonly within: readonly string[]
}

/** What an operation is about. `yes` says what it means that the service agrees. */
export type Deed =
  /** Yes: it earned tokens, of generation 0. */
  | ({ readonly kind: 'redeem'; readonly line: string } & Expiring & Detailed)
  /** A poll for a request. Yes: it earned tokens, of generation 0. */
  | ({ readonly kind: 'poll'; readonly line: string } & Expiring & Detailed)
  /** Yes: the owner approved the device. */
  | { readonly kind: 'connect'; readonly line: string }
  /** Yes: the owner decided about the request, which waited until then. */
  | ({ readonly kind: 'decide'; readonly line: string; readonly allows: boolean } & Expiring)
  /** A code with a wrong verifier: never yes, but the code is used up. */
  | ({ readonly kind: 'burn'; readonly line: string } & Expiring)
  /** Yes: it earned tokens of the next generation. */
  | ({ readonly kind: 'refresh'; readonly line: string; readonly generation: number } & Expiring &
      Detailed)
  /** An access token, at an API (then with the permission that it needs) or at introspection. */
  | ({
      readonly kind: 'use'
      readonly line: string
      readonly token: string
      readonly permission: string | null
    } & Expiring &
      Detailed)
  /** A refresh token at introspection: yes only while it is the current one. */
  | ({ readonly kind: 'hold'; readonly line: string; readonly generation: number } & Expiring)
  /** Revocation of one access token, or (null) of the whole family. */
  | ({ readonly kind: 'revoke'; readonly line: string; readonly token: string | null } & Expiring)
  | { readonly kind: 'end authorization'; readonly authorization: string }
  /** An assertion of an issuer for an owner. Yes: it opened the access of that name, or used it. */
  | { readonly kind: 'open'; readonly access: string }
  /** The owner lets an ended access be opened again. */
  | { readonly kind: 'allow again'; readonly access: string }
  /** The operator trusts an issuer no more, whose accesses begin with its name and a slash. */
  | { readonly kind: 'end issuer'; readonly issuer: string }
  | { readonly kind: 'end session'; readonly session: string }
  | { readonly kind: 'suspend' | 'resume'; readonly client: string }
  | { readonly kind: 'suspend' | 'resume'; readonly owner: string }
  /** An application, for one owner. */
  | { readonly kind: 'pause' | 'unpause'; readonly client: string; readonly owner: string }
  /** Yes: the owner allowed a change of a grant, so all earlier tokens of it ended. */
  | { readonly kind: 'change grant'; readonly authorization: string }
  /** Yes: the client is told what is granted. */
  | {
      readonly kind: 'see grant'
      readonly authorization: string
      readonly client: string
      readonly owner: string
    }
  /** Yes: an API has a stream, and hears of the ends from then on. */
  | { readonly kind: 'follow' }
  /** A poll of the stream. Yes: it told of these subjects, and so many more wait. */
  | { readonly kind: 'hear' }
  /** An access token for another one. Yes: it is worth no more than this part of it. */
  | ({
      readonly kind: 'exchange'
      readonly line: string
      readonly token: string
      readonly part: readonly string[]
    } & Expiring)
  /** The branch of the exchanger below an authorization of `client` keeps only these. */
  | {
      readonly kind: 'cut branch'
      readonly authorization: string
      readonly client: string
      readonly owner: string
      readonly kept: readonly string[]
    }
  | { readonly kind: 'narrow'; readonly authorization: string; readonly kept: readonly string[] }
  /** Consent: of what was asked, so much is allowed. */
  | {
      readonly kind: 'approve'
      readonly client: string
      readonly owner: string
      readonly asked: readonly string[]
      readonly allowed: readonly string[]
    }
  | { readonly kind: 'log in'; readonly owner: string; readonly password: string }
  /** Also ends all that the owner approved so far. */
  | { readonly kind: 'set password'; readonly owner: string; readonly password: string }
  /** `onlyNew`: yes only where nothing is there. */
  | {
      readonly kind: 'put'
      readonly item: string
      readonly value: number
      readonly onlyNew: boolean
    }
  | { readonly kind: 'get'; readonly item: string }
  /** An assertion, a proof or a pushed request. Yes: it is used up by this. No: it was used up before. */
  | { readonly kind: 'spend'; readonly id: string }
  /** A nonce that a node gave out lately: never no. */
  | { readonly kind: 'nonce' }
  /** What nobody has a right to, such as a code with another client's credentials: never yes. */
  | { readonly kind: 'trespass' }
  /** Anything else; only its status is looked at. */
  | { readonly kind: 'visit' }

/** Unknown: no answer, or one that promises nothing (503, 429). */
export type Result = 'yes' | 'no' | 'unknown'

export interface Operation {
  readonly id: number
  readonly actor: string
  readonly node: string
  /** Method and path. */
  readonly said: string
  deed: Deed
  /** Places in the one order of all invocations and answers; null = there is no answer. */
  readonly invoked: number
  answered: number | null
  /** The same by the clock (unix seconds) that no node is behind. */
  readonly invokedAt: number
  answeredAt: number
  status: number | null
  result: Result
  /** The earned generation, or the value that was read (null = none). */
  brought: number | null
  /** The actions in detail of the answer; null for an answer that is not about them. */
  told: readonly string[] | null
  /** The error of a refusal, for deeds that are refused for several reasons. */
  error: string | null
}

export interface History {
  readonly lines: readonly Line[]
  readonly operations: readonly Operation[]
  /** Faults of the program itself, such as exceptions that nobody caught. */
  readonly faults: readonly string[]
}

export const lineOf = (deed: Deed): string | null => ('line' in deed ? deed.line : null)

/** One line of text for one operation. */
export const describe = (operation: Operation): string => {
  const { id, actor, node, said, invoked, answered, status, result, brought, error } = operation
  const when = `${invoked}..${answered ?? '?'}`
  const { kind, ...about } = operation.deed
  const came = (brought ?? error) === null ? '' : ` (${brought ?? error})`
  return `#${id} [${when}] ${actor} at ${node}: ${kind} ${JSON.stringify(about)} ${said} -> ${status ?? 'no answer'} ${result}${came}`
}
