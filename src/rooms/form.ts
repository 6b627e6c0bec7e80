/** Forms of our own pages, protected against CSRF (RFC 9700 section 4.7). */

import type { Settings } from '../config/settings.ts'
import { equalTexts } from '../crypto/digest.ts'
import { readForm } from '../http/body.ts'
import { parseMultipart } from '../http/multipart.ts'
import type { HttpRequest } from '../http/request.ts'
import { type Parameters, parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Visit } from './visit.ts'

const descriptions = {
  cross_site_form: 'this form was sent by a page that is not ours',
  wrong_csrf_token:
    'this form is not of this browser and login, or cookies are off: go back, reload the page and try again',
} as const

const foreign = (reason: keyof typeof descriptions): Refusal =>
  new Refusal('access_denied', reason, descriptions[reason])

/** Whether another site sent the request, by the headers of the browser. */
export const isForeign = (
  request: HttpRequest,
  { settings }: { readonly settings: Settings },
): boolean => {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  // Our pages send no referrer, for which browsers put `null` here.
  const origin = request.headers.get('origin')
  if (origin === null || origin === 'null') return false
  const own = [new URL(settings.issuer).origin, new URL(request.url).origin]
  return !own.includes(origin)
}

/**
 * Whether this is a part of a page of another site, such as an image, a frame, or a request of its
 * script. The browser says so (Fetch Metadata), and its user has not asked for it.
 */
export const isForPart = ({ headers }: HttpRequest): boolean =>
  headers.get('sec-fetch-site') === 'cross-site' &&
  (headers.get('sec-fetch-dest') ?? 'document') !== 'document'

const checkCsrf = (given: string, browser: string | null, csrf: string): void => {
  const isRight =
    browser !== null && given.length <= parameterLimits.tokenCharacters && equalTexts(given, csrf)
  if (!isRight) throw foreign('wrong_csrf_token')
}

/**
 * The same of a form with a file, whose bytes were read before.
 *
 * @throws Refusal `access_denied` (403), `invalid_request`
 */
export const parseOwnUpload = (
  { request, browser, csrf }: Pick<Visit, 'request' | 'browser' | 'csrf'>,
  bytes: Uint8Array,
  parts: { readonly settings: Settings },
): ReadonlyMap<string, Buffer> => {
  if (isForeign(request, parts)) throw foreign('cross_site_form')
  const form = parseMultipart(bytes, request.headers.get('content-type'))
  checkCsrf(form.get('csrf')?.toString('latin1') ?? '', browser, csrf)
  return form
}

/**
 * Reads one of our forms, and checks its CSRF token.
 *
 * @throws Refusal `access_denied` (403)
 */
export const readOwnForm = async (
  { request, browser, csrf }: Pick<Visit, 'request' | 'browser' | 'csrf'>,
  parts: { readonly settings: Settings },
): Promise<Parameters> => {
  if (isForeign(request, parts)) throw foreign('cross_site_form')
  const form = await readForm(request)
  checkCsrf(form.find('csrf') ?? '', browser, csrf)
  return form
}
