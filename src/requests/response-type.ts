/** Response types as a request and a registration see them (RFC 6749 section 3.1.1, RFC 7591 section 2.1). */

/** Where the parameters of an answer go. */
const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** A mode as a request chose it. JARM puts the whole answer into one signed JWT (JARM section 2.3). */
export interface ChosenMode {
  readonly mode: ResponseMode
  readonly isSigned: boolean
}

/** All values of `response_mode` for these modes. With `jwt` alone, the response type decides. */
export const listModes = (modes: readonly ResponseMode[]): readonly string[] => [
  ...modes,
  'jwt',
  ...modes.map((mode) => `${mode}.jwt`),
]

export interface KnownResponseType {
  /** The value of `response_type`: one word, or several separated by single spaces. */
  readonly type: string
  /** The grant types that a client registers together with it; `implicit` is one without a token request. */
  readonly grantTypes: readonly string[]
  readonly mode: ResponseMode
  /** Never `query` for a type that answers with a token. */
  readonly modes: readonly ResponseMode[]
  /** Whether the request has to name its redirect URI even if only one is registered. */
  readonly namesRedirectUri: boolean
  /** Whether PKCE applies: a code that is exchanged later. */
  readonly exchanged: boolean
  /** Whether an ID token is in the answer: the request needs `openid` and a `nonce`. */
  readonly tellsLogin: boolean
}

const sortWords = (type: string): string => type.split(' ').toSorted().join(' ')

/** Finds a type by its words: their order has no meaning (RFC 6749 section 3.1.1). */
export const findResponseType = <Type extends Pick<KnownResponseType, 'type'>>(
  types: readonly Type[],
  text: string,
): Type | undefined =>
  types.find(({ type }) => type === text) ??
  types.find(({ type }) => sortWords(type) === sortWords(text))

/** A browser posts a form to a web page, not to a native application (a private-use scheme). */
export const filterModes = (
  redirectUri: string,
  modes: readonly ResponseMode[],
): readonly ResponseMode[] =>
  /^https?:/.test(redirectUri) ? modes : modes.filter((mode) => mode !== 'form_post')

/**
 * The requested mode where the response type has it: refusals go the same way as answers. The refusal
 * of an unknown response type may go any way.
 */
export const findMode = (
  asked: string | null,
  redirectUri: string,
  type: KnownResponseType | undefined,
): ChosenMode => {
  const modes = filterModes(redirectUri, type?.modes ?? responseModes)
  const name = asked?.replace(/\.jwt$/, '')
  return {
    mode: modes.find((mode) => mode === name) ?? type?.mode ?? 'query',
    isSigned: asked === 'jwt' || responseModes.some((mode) => asked === `${mode}.jwt`),
  }
}
