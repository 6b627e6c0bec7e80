/**
 * The value received, the value expected and the remedy, as values. The page says them in its
 * reader's words.
 */

/**
 * A command line for a POSIX shell: one line of printable ASCII, so the visible text is the pasted
 * one.
 */
export interface Command {
  readonly text: string
  /** Whether it needs an access token of an operator's client in `ADMIN_TOKEN`. */
  readonly asOperator: boolean
}

/** Parameters that prove the target of a refusal. A repeated one is explained on a page. */
export type ProvingParameter = 'client_id' | 'redirect_uri'

/** Why a redirect URI cannot be registered. */
export type RedirectUriFault =
  | 'tooLong'
  | 'fragment'
  | 'badCharacter'
  | 'notAbsolute'
  | 'userName'
  | 'notHttpsForm'
  | 'notLoopback'
  | 'badScheme'
  | 'noSlash'
  | 'answerParameter'

export type Expected =
  /** Any one of them would have done. */
  | { readonly is: 'oneOf'; readonly values: readonly string[] }
  | { readonly is: 'once'; readonly parameter: ProvingParameter }
  /** The others cannot be listed. */
  | {
      readonly is:
        | 'clientId'
        | 'registeredClient'
        | 'enabledClient'
        | 'registeredRedirectUri'
        | 'encodedParameters'
        | 'document'
        | 'requestObject'
        | 'pushedRequest'
    }

/** One thing to do or to know. */
export type Remedy =
  | { readonly say: 'sendOnce'; readonly parameter: ProvingParameter }
  | { readonly say: 'cannotRegister'; readonly fault: RedirectUriFault }
  | {
      readonly say:
        | 'addClientId'
        | 'registerClient'
        | 'keepSecret'
        | 'keepId'
        | 'keepSecretAndId'
        | 'enableClient'
        | 'registerOwn'
        | 'sendRegistered'
        | 'sendExactly'
        | 'registerToo'
        | 'noRoom'
        | 'useLibrary'
        | 'mendDocument'
        | 'answerFetch'
        | 'documentsOff'
        | 'mendObject'
        | 'pushAnew'
    }

/** For developers on their own machine and for the operator, never for strangers. */
export interface Explanation {
  /** Who has to act. */
  readonly by: 'developer' | 'operator'
  /** As it came; empty where nothing did. */
  readonly received: readonly string[]
  /** What is wrong behind the value, in English: it names members and headers. */
  readonly fault?: string
  readonly expected: Expected
  /** The remedy, in the order of reading. */
  readonly remedies: readonly Remedy[]
  /** The same as a command that works as pasted; null without one. */
  readonly command: Command | null
}
