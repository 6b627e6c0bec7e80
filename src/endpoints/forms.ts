/** Forms of our own pages: whoever submits one has to have been shown it (RFC 9700 section 4.7). */

import { limits } from '../config/limits.ts'
import { equalDigests } from '../crypto/digest.ts'
import { readForm } from '../http/body.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Digest } from '../model/ids.ts'
import { csrfToken, type Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'

const descriptions = {
  cross_site_form: 'this form was sent by a page that is not ours',
  wrong_csrf_token:
    'this form is not of this browser and login, or cookies are off: go back, reload the page and try again',
} as const

const foreign = (reason: keyof typeof descriptions): Refusal =>
  new Refusal('access_denied', reason, descriptions[reason])

/** Browsers say where a form was sent from; one from another site is refused whatever it carries. */
const refuseForeignOrigin = (request: HttpRequest, { settings }: Pick<Parts, 'settings'>): void => {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) {
    if (site !== 'same-origin' && site !== 'none') throw foreign('cross_site_form')
    return
  }
  // Our pages send no referrer, for which browsers put `null` here.
  const origin = request.headers.get('origin')
  if (origin === null || origin === 'null') return
  const own = [new URL(settings.issuer).origin, new URL(request.url).origin]
  if (!own.includes(origin)) throw foreign('cross_site_form')
}

/**
 * Reads a form of ours, having checked that it is one.
 *
 * @throws Refusal `access_denied` (403)
 */
export const readOwnForm = async (
  request: HttpRequest,
  visitor: Visitor,
  parts: Pick<Parts, 'settings'>,
): Promise<Parameters> => {
  refuseForeignOrigin(request, parts)
  const form = await readForm(request)
  const given = form.find('csrf') ?? ''
  const expected = csrfToken(visitor)
  const right =
    visitor.browser !== null &&
    given.length <= limits.tokenCharacters &&
    equalDigests(given as Digest, expected as Digest)
  if (!right) throw foreign('wrong_csrf_token')
  return form
}
