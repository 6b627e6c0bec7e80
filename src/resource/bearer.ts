/** The access token of a request, in one of the three ways of RFC 6750 section 2, or as RFC 9449 section 7.1 says. */
import { formType, readMediaType, readText } from '../http/body.ts'
import { httpLimits } from '../http/limits.ts'
import { getRawQuery, type HttpRequest, queryOf } from '../http/request.ts'
import { type Parameters, parameterLimits, parseParameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Scheme } from './proof.ts'

export interface PresentedToken {
  readonly token: string
  readonly scheme: Scheme
  readonly way: 'header' | 'query' | 'body'
  /** The body as a form, whichever way the token came; null if it is no form. */
  readonly form: Parameters | null
}

const malformed = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

/** A token as RFC 6750 section 2.1 writes it (b64token), by itself and in its header. */
const tokenAlone = /^[A-Za-z0-9._~+/-]+=*$/
const tokenHeader = /^(bearer|dpop) +([A-Za-z0-9._~+/-]+=*)$/i
const tokenSomewhere = /(?:^|,)[ \t]*(?:bearer|dpop)(?:[ \t,]|$)/i

const refuseLong = (token: string): string => {
  if (token.length <= parameterLimits.tokenCharacters) return token
  throw new Refusal('invalid_token', 'token_too_long', 'the access token is too long')
}

/**
 * The token of the header, or null for another scheme (RFC 6750 section 2.1, RFC 9449 section 7.1). Two headers arrive
 * joined by a comma. No token holds a comma, so they are refused in either order.
 *
 * @throws Refusal `invalid_request` if it is malformed, `invalid_token` if it is too long
 */
export const readTokenHeader = (
  request: Pick<HttpRequest, 'headers'>,
): Pick<PresentedToken, 'token' | 'scheme'> | null => {
  const header = request.headers.get('authorization')
  if (header === null) return null
  const [, scheme, token] = tokenHeader.exec(header) ?? []
  if (token !== undefined) {
    return { token: refuseLong(token), scheme: scheme?.length === 4 ? 'DPoP' : 'Bearer' }
  }
  if (!tokenSomewhere.test(header)) return null
  throw malformed(
    'malformed_authorization',
    'the Authorization header has to be Bearer or DPoP, a space and one access token',
  )
}

/** The same where no token can be bound to a key: another scheme is as good as none. */
export const readBearerHeader = (request: Pick<HttpRequest, 'headers'>): string | null => {
  const presented = readTokenHeader(request)
  return presented?.scheme === 'Bearer' ? presented.token : null
}

/** The one value of `access_token`, which may not come twice even when it is the same. */
const readBearerParameter = (parameters: Parameters): string | null => {
  const [token, second] = parameters.all('access_token')
  if (second !== undefined) throw malformed('repeated_token', 'access_token came more than once')
  if (token === undefined) return null
  if (!tokenAlone.test(token)) {
    throw malformed('malformed_token', 'access_token holds a character that no access token has')
  }
  return refuseLong(token)
}

/** Methods whose form is read here. Only a POST may carry a token in it. */
const formMethods = ['POST', 'PUT', 'PATCH']

const readFormOf = async (request: HttpRequest): Promise<Parameters | null> => {
  if (readMediaType(request) !== formType) return null
  const text = await readText(request, httpLimits.formBytes)
  const form = parseParameters(text)
  if (form.find('access_token') !== null && request.method !== 'POST') {
    throw malformed(
      'form_token_not_posted',
      'access_token in a form is for POST only: send the token in the Authorization header',
    )
  }
  if (form.find('access_token') !== null && /[\u0080-\uffff]/.test(text)) {
    throw malformed('form_not_ascii', 'a form with access_token has to be percent-encoded ASCII')
  }
  return form
}

const isNoStore = (request: HttpRequest): boolean =>
  (request.headers.get('cache-control') ?? '')
    .split(',')
    .some((directive) => directive.trim().toLowerCase() === 'no-store')

/**
 * Reads the access token; null where none came. Cookies are no way to send one.
 *
 * A form body is read here, since the token may be in it, and handed on: nobody can read it again.
 *
 * @throws Refusal `invalid_request` if it is malformed or came in more than one way,
 * `invalid_token` if it is too long
 */
export const readBearer = async (request: HttpRequest): Promise<PresentedToken | null> => {
  const header = readTokenHeader(request)
  const query = getRawQuery(request) === '' ? null : readBearerParameter(queryOf(request))
  const form = formMethods.includes(request.method) ? await readFormOf(request) : null
  const body = form === null ? null : readBearerParameter(form)
  const [token, second] = [header?.token ?? null, query, body].filter((found) => found !== null)
  if (token === undefined) return null
  if (second !== undefined) {
    throw malformed('several_tokens', 'the access token came in more than one way')
  }
  if (query !== null && !isNoStore(request)) {
    throw malformed(
      'query_token_may_be_kept',
      'a request with access_token in its query has to carry Cache-Control: no-store',
    )
  }
  const way = header !== null ? 'header' : query !== null ? 'query' : 'body'
  return { token, scheme: header?.scheme ?? 'Bearer', way, form }
}
