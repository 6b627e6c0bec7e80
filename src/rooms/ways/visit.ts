/** Visits to the pages behind links. Opening one shows the page; only its form uses the link up. */
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/exchange.ts'
import type { OpenedLink } from '../../owners/links.ts'
import type { PasswordFault } from '../../owners/password-rule.ts'
import { canMail } from '../../owners/ways-in.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint } from '../../route.ts'
import { readOwnForm } from '../form.ts'
import { forBrowser, type PageEndpoint } from '../former.ts'
import { type BrowserVisit, showPage } from '../visit.ts'
import { renderDeadLink, renderTaken } from './link.ts'

export const passwordReasons: Readonly<Record<PasswordFault, string>> = {
  length: 'bad_new_password',
  common: 'common_new_password',
  names: 'new_password_of_names',
}

/** A visit with a link that works. */
export interface LinkVisit<Opened extends OpenedLink> extends BrowserVisit {
  /** The form that was sent, or the query of the page. */
  readonly given: Parameters
  /** The sealed link. */
  readonly link: string
  readonly opened: Opened
}

/**
 * The same for every dead link of a page: nobody learns why it is dead.
 *
 * @param next the page that makes another link; null for one behind a login
 */
export const showDeadLink = (
  visit: BrowserVisit,
  next: 'forgot' | 'signup' | null,
  parts: Pick<ServiceParts, 'settings'>,
): Answer =>
  showPage(visit, renderDeadLink({ view: visit.view, next: canMail(parts) ? next : null }), {
    status: 410,
    reason: 'dead_link',
  })

/** Another owner has confirmed the address of the link. */
export const showTaken = (visit: BrowserVisit, email: string): Answer =>
  showPage(visit, renderTaken(visit.view, email), { status: 409, reason: 'address_taken' })

/**
 * @param open null where the link does not work
 * @param next where people ask for another link
 */
export const forLink = <Opened extends OpenedLink>(
  open: (link: string, at: number, parts: ServiceParts) => Promise<Opened | null>,
  next: 'forgot' | null,
  endpoint: PageEndpoint<LinkVisit<Opened>>,
): Endpoint =>
  forBrowser(async (visit, parts) => {
    const { request, at } = visit
    const given = request.method === 'POST' ? await readOwnForm(visit, parts) : queryOf(request)
    const link = given.find('link') ?? ''
    const opened = await open(link, at, parts)
    if (opened === null) return showDeadLink(visit, next, parts)
    return endpoint({ ...visit, given, link, opened }, parts)
  })
