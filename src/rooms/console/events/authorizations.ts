/** `/admin/authorizations`: what users allowed, to be found and ended. */
import { queryOf } from '../../../http/exchange.ts'
import { type ClientId, isClientId } from '../../../model/ids.ts'
import { endAuthorization } from '../../../operations/authorizations.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import { answerDoneAt, parseCursor } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { consoleLimits } from '../limits.ts'
import { findTypedOwner } from '../owners/named-owners.ts'
import { performUnlessGone } from '../perform.ts'
import { type ConsoleVisit, consoleAction, consoleNotice, consolePage } from '../visit.ts'
import { type AccessFilter, renderAuthorizations } from './authorizations-page.ts'
import { consoleEventsWords } from './words.ts'

const filterIn = (query: Parameters): AccessFilter => {
  const state = query.find('state')
  return {
    owner: (query.find('owner') ?? '').trim(),
    client: (query.find('client') ?? '').trim(),
    state: state === 'paused' || state === 'ended' ? state : 'live',
  }
}

/** Null: the filter names an unknown owner. */
const readPage = async (
  { owner, client, state }: AccessFilter,
  after: string | null,
  { at }: ConsoleVisit,
  parts: ServiceParts,
) => {
  const found = owner === '' ? null : await findTypedOwner(owner, parts)
  if (owner !== '' && found === null) return null
  const of = {
    ...(found === null ? {} : { ownerId: found.id }),
    ...(isClientId(client) ? { clientId: client as ClientId } : {}),
    ...(state === 'live' ? {} : { [state]: true as const }),
  }
  return parts.store.listAuthorizations(of, after, consoleLimits.rows, at, 'newest first')
}

/** `GET /admin/authorizations` */
export const showAuthorizations = consolePage(async (visit, parts) => {
  const query = queryOf(visit.request)
  const filter = filterIn(query)
  const after = parseCursor(visit, 'after')
  const words = consoleEventsWords(visit.view.language)
  const page = await readPage(filter, after, visit, parts)
  const html = renderAuthorizations(visit.given, {
    authorizations: page?.rows ?? [],
    filter,
    next: page?.next ?? null,
    isFirst: after === null,
    notice: consoleNotice(visit, words.done),
    problem: page === null ? words.unknownOwner : null,
  })
  return showPage(visit, html, { hasScript: true })
})

/** `POST /admin/authorizations` */
export const endConsoleAuthorization = consoleAction(async (visit, form, parts) => {
  const asked = { operation: endAuthorization, id: form.require('authorization') }
  const ended = await performUnlessGone(visit, asked, parts)
  const { owner, client, state } = filterIn(queryOf(visit.request))
  const what = ended === null ? 'gone' : 'ended'
  // The notice has a parameter `client` as well: it is the one of the filter.
  const clientId = client === '' ? null : (client as ClientId)
  return answerDoneAt(visit, '/admin/authorizations', { what, clientId }, { owner, state })
})
