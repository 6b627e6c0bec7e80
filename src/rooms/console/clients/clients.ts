/** `GET /admin/clients`: the applications, with search and filters. */

import { findClient } from '../../../clients/find.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import { clientIdCharacters } from '../../../model/ids.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { Page } from '../../../store/contract/trace.ts'
import { showPage } from '../../visit.ts'
import { consoleLimits } from '../limits.ts'
import { consoleNotice, consolePage } from '../visit.ts'
import { broughtBy, type ClientFilter, renderClients } from './clients-page.ts'
import { consoleClientsWords } from './words.ts'

const oneOf = <Choice extends string>(
  text: string | null,
  choices: readonly Choice[],
): Choice | '' => choices.find((choice) => choice === text) ?? ''

const filterIn = (query: Parameters): ClientFilter => ({
  q: (query.find('q') ?? '').trim().slice(0, clientIdCharacters.url),
  by: oneOf(query.find('by'), ['operator', 'itself', 'document']),
  state: oneOf(query.find('state'), ['active', 'disabled']),
})

const fits = (client: Client, { by, state }: ClientFilter): boolean =>
  (by === '' || broughtBy(client) === by) &&
  (state === '' || client.disabled === (state === 'disabled'))

/**
 * Those whose name begins so. Reads on until enough of them fit the filter. One answer reads a
 * bounded number, and its next page goes on where it stopped.
 */
const findNamed = async (
  filter: ClientFilter,
  from: string | null,
  { store }: ServiceParts,
): Promise<Page<Client>> => {
  const search = { by: 'name', prefix: filter.q.slice(0, ownerLimits.usernameCharacters) } as const
  const isFiltered = filter.by !== '' || filter.state !== ''
  const atOnce = isFiltered ? consoleLimits.clientsFiltered : consoleLimits.rows
  const rows: Client[] = []
  let after = from
  for (let page = 0; page < consoleLimits.pagesFiltered; page++) {
    const read = await store.listClientsBy(search, after, atOnce)
    rows.push(...read.rows.filter((client) => fits(client, filter)))
    after = read.next
    if (after === null || rows.length >= consoleLimits.rows) break
  }
  return { rows, next: after }
}

const readPage = (
  filter: ClientFilter,
  after: string | null,
  parts: ServiceParts,
): Promise<Page<Client>> => {
  const { q, by, state } = filter
  if (q !== '') return findNamed(filter, after, parts)
  return parts.store.listClients(after, consoleLimits.rows, {
    ...(by === '' ? {} : { broughtBy: by }),
    ...(state === '' ? {} : { disabled: state === 'disabled' }),
  })
}

export const showClients = consolePage(async (visit, parts) => {
  const query = queryOf(visit.request)
  const filter = filterIn(query)
  const after = query.find('after')
  const exact =
    filter.q === '' || after !== null ? null : await findClient(filter.q, parts, 'disabled')
  const { rows, next } = await readPage(filter, after, parts)
  const others = rows.filter(({ id }) => id !== exact?.id)
  const html = renderClients(visit.given, {
    clients: exact !== null && fits(exact, filter) ? [exact, ...others] : others,
    filter,
    next,
    isFirst: after === null,
    notice: consoleNotice(visit, consoleClientsWords(visit.view.language).done),
  })
  return showPage(visit, html, { hasScript: true })
})
