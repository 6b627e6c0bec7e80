/** Request bodies: read once, up to a limit, as strict UTF-8. */
import { isObject } from '../model/json.ts'
import { type Parameters, parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { httpLimits } from './limits.ts'
import { clientGone, takePieces, tooLarge } from './pieces.ts'
import type { HttpRequest } from './request.ts'

/** The connection is closed as well, since the rest of a chunked body is not read. */
const notUtf8 = (): Refusal =>
  new Refusal('invalid_request', 'body_not_utf8', 'the body is not UTF-8', {
    headers: { Connection: 'close' },
  })

const readStream = async (body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw notUtf8()
    }
  }
  let text = ''
  await takePieces(body, mostBytes, (piece) => {
    text += decode(piece)
  })
  return text + decode()
}

const readOnce = async (request: HttpRequest, mostBytes: number): Promise<string> => {
  try {
    const declared = request.headers.get('content-length')
    const { body } = request
    if (declared === null) return body === null ? '' : await readStream(body, mostBytes)
    if (Number(declared) > mostBytes) throw tooLarge(mostBytes)
    // A declared length is no more than a promise: whoever sends nothing must not keep others out.
    const isSmall = Number(declared) <= httpLimits.smallBodyBytes || body === null
    const text = isSmall ? await request.text() : await readStream(body, mostBytes)
    if (text.includes('\ufffd')) throw notUtf8()
    return text
  } catch (fault) {
    // A TypeError is ours: the body was read before.
    throw fault instanceof Refusal || fault instanceof TypeError ? fault : clientGone()
  }
}

/** The bodies of requests that are under way. */
const texts = new WeakMap<HttpRequest, Promise<string>>()

/**
 * The body as bytes, for a form with a file. Comes before anything else looks at the body: the body counts
 * as read from then on.
 *
 * @throws Refusal `too_large`, or `invalid_request` where the body breaks off
 */
export const readBytes = (request: HttpRequest, mostBytes: number): Promise<Uint8Array> => {
  const read = async (): Promise<Uint8Array> => {
    const declared = Number(request.headers.get('content-length') ?? 0)
    if (declared > mostBytes) throw tooLarge(mostBytes)
    const pieces: Uint8Array[] = []
    try {
      await takePieces(request.body ?? (async function* () {})(), mostBytes, (piece) => {
        pieces.push(piece)
      })
    } catch (fault) {
      throw fault instanceof Refusal ? fault : clientGone()
    }
    return Buffer.concat(pieces)
  }
  const bytes = read()
  texts.set(
    request,
    bytes.then(() => ''),
  )
  return bytes
}

/** @throws Refusal `too_large`, or `invalid_request` where the body is not UTF-8 or breaks off */
export const readText = (request: HttpRequest, mostBytes: number): Promise<string> => {
  const known = texts.get(request)
  if (known !== undefined) return known
  const text = readOnce(request, mostBytes)
  texts.set(request, text)
  return text
}

/** The body as far as somebody has read it to its end; null otherwise. Nothing is awaited. */
export const findReadText = async (request: HttpRequest): Promise<string | null> => {
  const text = texts.get(request)
  if (text === undefined) return null
  return Promise.race([text, Promise.resolve(null)]).catch(() => null)
}

/**
 * Waits for the last byte of the body. Call this before a credential is verified. Otherwise a slow
 * sender could act with a credential that was revoked meanwhile. An unreadable body is refused
 * later, by its reader, so a wrong credential is refused first.
 */
export const awaitBody = async (request: HttpRequest, mostBytes: number): Promise<void> => {
  if (request.headers.get('content-length') === null && request.body === null) return
  await readText(request, mostBytes).catch(() => {})
}

/** The media type without parameters, lower case, or null where another charset than UTF-8 is named. */
export const readMediaType = (request: HttpRequest): string | null => {
  const stated = request.headers.get('content-type') ?? ''
  if (!stated.includes(';')) return stated.trim().toLowerCase()
  const [type = '', ...parameters] = stated.split(';')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    const charset = value.trim().replace(/^"(.*)"$/, '$1')
    if (name.trim().toLowerCase() === 'charset' && charset.toLowerCase() !== 'utf-8') return null
  }
  return type.trim().toLowerCase()
}

export const formType = 'application/x-www-form-urlencoded'

/**
 * Reads a form body (RFC 6749 section 3.2).
 *
 * @throws Refusal `invalid_request`, `too_large`
 */
export const readForm = async (request: HttpRequest): Promise<Parameters> => {
  if (readMediaType(request) !== formType) {
    throw new Refusal(
      'invalid_request',
      'not_a_form',
      `Content-Type has to be ${formType} in UTF-8`,
    )
  }
  return parseParameters(await readText(request, httpLimits.formBytes))
}

/** Stands for a number that was not kept, until its place is known. */
class Inexact {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** A loop, because `/0+$/` takes quadratic time. */
const stripTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** The digits without leading and trailing zeros, and the exponent of a fraction `0.digits`. */
const parseDecimal = (source: string): readonly [digits: string, exponent: number] => {
  const [mantissa = '', power = '0'] = source.toLowerCase().replace(/^-/, '').split('e', 2)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const leading = whole.length + fraction.length - digits.length
  const significant = stripTrailingZeros(digits)
  return [significant, significant === '' ? 0 : whole.length - leading + Number(power)]
}

const isExact = (source: string): boolean => {
  if (source.length > httpLimits.numberCharacters) return false
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  const [digits, exponent] = parseDecimal(source)
  const [kept, keptExponent] = parseDecimal(String(value))
  return digits === kept && exponent === keptExponent
}

/** The path of the first number that was not kept, such as `sizes[2].width`. */
const placeOf = (value: unknown, path: string): readonly [string, Inexact] | null => {
  if (value instanceof Inexact) return [path, value]
  if (typeof value !== 'object' || value === null) return null
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    const found = placeOf(member, path + step)
    if (found !== null) return found
  }
  return null
}

const shortenText = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 60)}...`)

/** Fifteen digits without an exponent are always exact, and most bodies have no longer number. */
const mayBeInexact = /[\d.]{16}|\d[eE]/

/**
 * Parses JSON and refuses numbers that a double cannot hold exactly (RFC 8259 section 6).
 *
 * @throws Refusal `invalid_request` with the place of a number that cannot be kept
 * @throws SyntaxError where the text is no JSON
 */
export const parseExactJson = (text: string): unknown => {
  if (!mayBeInexact.test(text)) return JSON.parse(text)
  let isWhole = true
  const value: unknown = JSON.parse(
    text,
    (_key, member: unknown, context?: { source?: string }) => {
      const source = context?.source
      if (typeof member !== 'number' || source === undefined || isExact(source)) return member
      isWhole = false
      return new Inexact(source)
    },
  )
  const found = isWhole ? null : placeOf(value, '')
  if (found === null) return value
  const [path, { source }] = found
  throw new Refusal(
    'invalid_request',
    'number_not_exact',
    `the number ${shortenText(source)} at ${shortenText(path) || 'the top'} cannot be kept exactly: send it as a string`,
  )
}

/** How deep a JSON text nests, counted before it is parsed: brackets in strings do not count. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === '\\') i++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      if (++depth > httpLimits.jsonDepth) return true
    } else if (character === '}' || character === ']') depth--
  }
  return false
}

/**
 * Reads a JSON object.
 *
 * @throws Refusal `unsupported_media_type`, `invalid_request`, `too_large`
 */
export const readJsonObject = async (
  request: HttpRequest,
  mostBytes: number = httpLimits.jsonBytes,
): Promise<Record<string, unknown>> => {
  const type = readMediaType(request)
  if (type !== 'application/json' && type?.endsWith('+json') !== true) {
    throw new Refusal(
      'unsupported_media_type',
      'not_json',
      'Content-Type has to be application/json in UTF-8',
    )
  }
  return parseJsonObject(await readText(request, mostBytes))
}

/** @throws Refusal `invalid_request` */
export const parseJsonObject = (text: string): Record<string, unknown> => {
  if (isTooDeep(text)) {
    throw new Refusal('invalid_request', 'json_too_deep', 'the JSON body nests too deeply')
  }
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (fault) {
    if (fault instanceof Refusal) throw fault
    throw new Refusal('invalid_request', 'bad_json', 'the body is not JSON')
  }
  if (!isObject(value)) {
    throw new Refusal('invalid_request', 'json_not_object', 'the body has to be a JSON object')
  }
  return value
}

/** The same of a request that needs no body: without one it says nothing. */
export const readOptionalJson = async (
  request: HttpRequest,
): Promise<Readonly<Record<string, unknown>>> => {
  const declared = request.headers.get('content-length') ?? '0'
  return declared === '0' && request.body === null ? {} : readJsonObject(request)
}
