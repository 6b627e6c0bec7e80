/** Request parameters: `application/x-www-form-urlencoded` text, read strictly (RFC 6749 appendix B). */
import { type ErrorCode, Refusal } from './refusal.ts'

/** Limits of parameters, and of the members of bodies alike. */
export const parameterLimits = {
  /** Parameters in one form or query. */
  parameters: 100,
  emailCharacters: 254,
  textCharacters: 2048,
  /** Longest token, code or secret anyone may present. The signature of ML-DSA-87 alone has 6,170. */
  tokenCharacters: 14 * 1024,
  pageRows: 100,
  pageRowsDefault: 50,
} as const

/** The parameters of one request. An empty value counts as absent (RFC 6749 section 3.1). */
export class Parameters {
  readonly #values: ReadonlyMap<string, readonly string[]>
  readonly #onFind: ((name: string) => void) | null

  constructor(
    values: ReadonlyMap<string, readonly string[]>,
    onFind: ((name: string) => void) | null = null,
  ) {
    this.#values = values
    this.#onFind = onFind
  }

  /** The same parameters; the names are told that are looked for with `find`. */
  watch(onFind: (name: string) => void): Parameters {
    return new Parameters(this.#values, onFind)
  }

  /** The value, or null where it is absent or empty. */
  find(name: string): string | null {
    this.#onFind?.(name)
    return this.#values.get(name)?.[0] ?? null
  }

  /** Every value of a parameter that may come more than once, such as `resource`. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  names(): Iterable<string> {
    return this.#values.keys()
  }

  /** The first repeated name, except for names that may repeat. */
  repeated(mayRepeat: readonly string[] = []): string | null {
    for (const [name, values] of this.#values) {
      if (values.length > 1 && !mayRepeat.includes(name)) return name
    }
    return null
  }

  /** The value, or a refusal that names the parameter. */
  require(name: string): string {
    const value = this.find(name)
    if (value === null) {
      const said = `parameter ${name} is missing`
      // `missing_token` is the rule of a missing access token.
      if (name === 'token') throw new Refusal('invalid_request', 'missing_token_parameter', said)
      throw new Refusal('invalid_request', `missing_${name}`, said)
    }
    return value
  }
}

/** Parameters whose values RFC 8707 and RFC 8693 allow to come several times. */
export const mayRepeat = ['resource', 'audience'] as const

/** Form-encoded text as it was meant; null where it is not percent-encoded UTF-8. */
export const decodeForm = (text: string): string | null => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/**
 * Parses a query or a form body. A part that is not UTF-8, or holds NUL, is refused rather than
 * repaired: two different values must never become equal.
 *
 * @throws Refusal `invalid_request`
 */
export const parseParameters = (text: string): Parameters => {
  const values = new Map<string, string[]>()
  if (text === '') return new Parameters(values)
  const pairs = text.split('&', parameterLimits.parameters + 1)
  if (pairs.length > parameterLimits.parameters) {
    throw new Refusal(
      'invalid_request',
      'too_many_parameters',
      `more than ${parameterLimits.parameters} parameters`,
    )
  }
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decodeForm(pair.slice(equals + 1))
    if (name === null || value === null) {
      const said = 'a parameter is not percent-encoded UTF-8'
      throw new Refusal('invalid_request', 'bad_percent_encoding', said)
    }
    if (name.includes('\0') || value.includes('\0') || value.includes('\ufffd')) {
      throw new Refusal('invalid_request', 'bad_character', 'a parameter holds NUL or is not UTF-8')
    }
    if (value === '') continue
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return new Parameters(values)
}

/** A name of strange characters is not told: not every one may be in a description. */
const sayRepeated = (name: string): string =>
  /^[\w.-]{1,64}$/.test(name)
    ? `parameter ${name} came more than once`
    : 'a parameter came more than once'

/** Refuses a request in which a parameter came more than once (RFC 6749 section 3.2). */
export const refuseRepeated = (parameters: Parameters): Parameters => {
  const repeated = parameters.repeated(mayRepeat)
  if (repeated !== null) {
    const recorded = { repeated }
    const said = sayRepeated(repeated)
    throw new Refusal('invalid_request', 'repeated_parameter', said, { recorded })
  }
  return parameters
}

/** A parameter of other services. To ignore it would grant something else than the request. */
export type Unsupported = readonly [name: string, code: ErrorCode, description: string]

/** @throws Refusal with the parameter's own code, if it has one */
export const refuseUnsupported = (
  parameters: Parameters,
  unsupported: readonly Unsupported[],
): void => {
  for (const [name, code, description] of unsupported) {
    if (parameters.find(name) !== null) {
      throw new Refusal(code, `unsupported_${name}`, description)
    }
  }
}

/**
 * How many rows of a list a query asks for.
 *
 * @throws Refusal `invalid_request`
 */
export const parseLimit = (query: Parameters): number => {
  const text = query.find('limit') ?? String(parameterLimits.pageRowsDefault)
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= parameterLimits.pageRows) return Number(text)
  throw new Refusal(
    'invalid_request',
    'bad_limit',
    `limit has to be a whole number from 1 to ${parameterLimits.pageRows}`,
  )
}
