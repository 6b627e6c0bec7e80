/** `GET /admin/clients`: the applications, with search and filters. */

import { findClient } from '../../../clients/find.ts'
import { queryOf } from '../../../http/request.ts'
import type { Client } from '../../../model/client.ts'
import { clientIdCharacters } from '../../../model/ids.ts'
import { listClients } from '../../../operations/clients.ts'
import { sayName } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import type { SheetRow } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import {
  type ClientBringer,
  type ClientFilter,
  type ClientKind,
  clientBringers,
  clientKinds,
  getBringer,
  getClientKind,
} from '../../../store/contract/client.ts'
import type { TypedFilter } from '../filters.ts'
import { renderLink } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, listChoices, openList, readLastTime } from '../list.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleClientsWords } from './words.ts'

export const describeClientRow = (client: Client, view: View): SheetRow => {
  const words = consoleClientsWords(view.language)
  const { id, name, registeredBy, disabled, createdAt } = client
  return {
    mark: renderTile(name, null, { registeredBy }),
    title: renderLink(view, 'clients', id, sayName(name)),
    says: html`<code>${id}</code> · ${words[getClientKind(client)]} · ${words.by[getBringer(client)]}`,
    end: disabled ? renderStatus(words.disabled, false) : sayWhen(createdAt, view.at, view),
  }
}

/** `q`: words, or a whole client ID. `by`: who brought it. `used`: when it was last used. */
type ClientField = 'q' | 'by' | 'state' | 'kind' | 'used'
type TypedClientFilter = TypedFilter<ClientField>

type ClientListWords = ReturnType<typeof consoleClientsWords>

export const clientList: ListRow<Client, ListPage<Client, ClientField>, ClientListWords> = {
  operation: listClients,
  words: consoleClientsWords,
  fields: (words) => [
    { name: 'q', label: words.find, kind: 'search', most: clientIdCharacters.url },
    {
      name: 'kind',
      label: words.kind,
      choices: [['', words.any], ...listChoices(words, clientKinds)],
    },
    {
      name: 'used',
      label: words.lastUse,
      choices: [['', words.anyTime], ...listChoices(words.uses, ['month', 'old', 'never'])],
    },
    {
      name: 'by',
      label: words.registered,
      choices: [['', words.any], ...listChoices(words.by, clientBringers)],
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

const readClientFilter = (filter: TypedClientFilter, at: number): ClientFilter => {
  const { q, by, kind, state, used } = filter
  const { since, before } = readLastTime(used, at)
  return {
    ...(q === '' ? {} : { search: q }),
    ...(by === '' ? {} : { broughtBy: by as ClientBringer }),
    ...(kind === '' ? {} : { kind: kind as ClientKind }),
    ...(state === '' ? {} : { disabled: state === 'disabled' }),
    ...(since === undefined ? {} : { usedSince: since }),
    ...(before === undefined ? {} : { usedBefore: before }),
  }
}

export const openClientList = (needs: ConsoleNeeds, entry: Console): RouteRow =>
  openList(clientList, entry, async (visit, filter) => {
    const after = queryOf(visit.request).find('after')
    const { rows: length } = consoleLimits
    const asked = readClientFilter(filter, visit.at)
    const [found, exact] = await Promise.all([
      needs.store.listClientsBy(asked, after, length),
      // A whole id leads, unless a filter may leave it out.
      after === null && asked.search !== undefined && Object.keys(asked).length === 1
        ? findClient(filter.q, needs, 'disabled')
        : null,
    ])
    const others = found.rows.filter(({ id }) => id !== exact?.id)
    const { next, isPartial = false } = found
    return { items: exact === null ? others : [exact, ...others], next, isPartial }
  })
