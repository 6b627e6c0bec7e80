/** `GET /admin/clients`: the applications, with search and filters. */

import { findClient } from '../../../clients/find.ts'
import { queryOf } from '../../../http/request.ts'
import { type Client, publicMethod } from '../../../model/client.ts'
import { clientIdCharacters } from '../../../model/ids.ts'
import { listClients } from '../../../operations/clients.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import { sayName } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import type { SheetRow } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import type { Page } from '../../../store/contract/trace.ts'
import type { TypedFilter } from '../filters.ts'
import { renderLink } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, listChoices, openList } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleClientsWords } from './words.ts'

/** Who brought a client. */
export const getBringer = ({
  document,
  registeredBy,
}: Client): 'document' | 'itself' | 'operator' =>
  document === undefined ? registeredBy : 'document'

/** How a client proves itself, in a word. */
export const formatClientKind = (
  { authenticationMethod, secretDigest }: Client,
  words: ClientListWords,
): string => {
  if (authenticationMethod === publicMethod) return words.public
  return secretDigest === null ? words.keys : words.secret
}

export const describeClientRow = (client: Client, view: View): SheetRow => {
  const words = consoleClientsWords(view.language)
  const { id, name, registeredBy, disabled, createdAt } = client
  return {
    mark: renderTile(name, null, { registeredBy }),
    title: renderLink(view, 'clients', id, sayName(name)),
    says: html`<code>${id}</code> · ${formatClientKind(client, words)} · ${words.by[getBringer(client)]}`,
    end: disabled ? renderStatus(words.disabled, false) : sayWhen(createdAt, view.at, view),
  }
}

/** `q`: the beginning of a name, or a whole client ID. */
type ClientField = 'q' | 'by' | 'state'
type ClientFilter = TypedFilter<ClientField>

type ClientListWords = ReturnType<typeof consoleClientsWords>

export const clientList: ListRow<Client, ListPage<Client, ClientField>, ClientListWords> = {
  operation: listClients,
  words: consoleClientsWords,
  fields: (words) => [
    { name: 'q', label: words.find, kind: 'search', most: clientIdCharacters.url },
    {
      name: 'by',
      label: words.registered,
      kind: 'links',
      choices: [['', words.any], ...listChoices(words.by, ['operator', 'itself', 'document'])],
    },
    {
      name: 'state',
      label: words.state,
      kind: 'links',
      choices: [['', words.any], ...listChoices(words, ['disabled'])],
      also: (state) => state === 'active',
    },
  ],
  says: ({ view }, _page, words) => ({
    create: ['/admin/new-client', words.create],
    row: (client) => describeClientRow(client, view),
  }),
}

const matchFilter = (client: Client, { by, state }: ClientFilter): boolean =>
  (by === '' || getBringer(client) === by) &&
  (state === '' || client.disabled === (state === 'disabled'))

export const openClientList = (needs: ConsoleNeeds, entry: Console): RouteRow => {
  const { store } = needs

  /**
   * Clients whose name begins so. Reads on until enough of them fit the filter. One answer reads a
   * bounded number, and its next page goes on where it stopped.
   */
  const findNamed = async (filter: ClientFilter, from: string | null): Promise<Page<Client>> => {
    const search = {
      by: 'name',
      prefix: filter.q.slice(0, ownerLimits.usernameCharacters),
    } as const
    const isFiltered = filter.by !== '' || filter.state !== ''
    const atOnce = isFiltered ? consoleLimits.clientsFiltered : consoleLimits.rows
    const rows: Client[] = []
    let after = from
    for (let page = 0; page < consoleLimits.pagesFiltered; page++) {
      const read = await store.listClientsBy(search, after, atOnce)
      rows.push(...read.rows.filter((client) => matchFilter(client, filter)))
      after = read.next
      if (after === null || rows.length >= consoleLimits.rows) break
    }
    return { rows, next: after }
  }

  const readPage = (filter: ClientFilter, after: string | null): Promise<Page<Client>> => {
    const { q, by, state } = filter
    if (q !== '') return findNamed(filter, after)
    return store.listClients(after, consoleLimits.rows, {
      ...(by === '' ? {} : { broughtBy: by as ReturnType<typeof getBringer> }),
      ...(state === '' ? {} : { disabled: state === 'disabled' }),
    })
  }

  return openList(clientList, entry, async (visit, filter) => {
    const after = queryOf(visit.request).find('after')
    const isExact = filter.q !== '' && after === null
    const exact = isExact ? await findClient(filter.q, needs, 'disabled') : null
    const { rows, next } = await readPage(filter, after)
    const others = rows.filter(({ id }) => id !== exact?.id)
    return {
      items: exact !== null && matchFilter(exact, filter) ? [exact, ...others] : others,
      next,
    }
  })
}
