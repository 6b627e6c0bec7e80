/** `/admin/authorizations`: what users allowed applications, to be found by either and ended. */

import type { Answer } from '../../../http/answer.ts'
import { listDetailNames } from '../../../model/detail.ts'
import { type ClientId, isClientId } from '../../../model/ids.ts'
import type { Language } from '../../../model/language.ts'
import { endAuthorization, listAuthorizations } from '../../../operations/authorizations.ts'
import { sayActor } from '../../../paper/acting.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderAct } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { RouteRow } from '../../../route.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { answerDoneAt, parseCursor } from '../../owner-visit.ts'
import type { TypedFilter } from '../filters.ts'
import { type ConsolePageGiven, renderLink, renderPermissions } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, listChoices, openList, readFilter } from '../list.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, catchGone } from '../visit.ts'
import { findTypedOwner } from './events.ts'
import { consoleEventsWords } from './words.ts'

type AccessFilter = TypedFilter<'owner' | 'client' | 'state'>

const path = '/admin/authorizations'

const renderEnd = (
  one: ListedAuthorization,
  given: ConsolePageGiven,
  filter: AccessFilter,
): Markup => {
  const words = consoleEventsWords(given.view.language)
  const of = words.endOf({ client: one.clientName, owner: one.username })
  const form = { ...given, path, query: filter, fields: hide('authorization', one.id) } as const
  return renderAct(form, html`${words.end}<span class="unseen">${of}</span>`)
}

const readWords = (language: Language) => {
  const words = consoleEventsWords(language)
  return { ...words, heading: words.access }
}

export const authorizationList: ListRow<
  ListedAuthorization,
  ListPage<ListedAuthorization, keyof AccessFilter>,
  ReturnType<typeof readWords>
> = {
  operation: listAuthorizations,
  words: readWords,
  fields: (words) => [
    { name: 'owner', label: words.owner, hint: words.ownerHint },
    { name: 'client', label: words.client, hint: words.clientHint },
    {
      name: 'state',
      label: words.state,
      kind: 'links',
      choices: listChoices(words.states, ['live', 'paused', 'ended']),
    },
  ],
  says(given, { filter }, words) {
    const { view, role } = given
    const canEnd = role === 'operator' && filter.state !== 'ended'
    const time = (at: number | null, otherwise: string) =>
      at === null ? otherwise : sayWhen(at, view.at, view)
    return {
      row: (one) => ({
        mark: renderTile(one.clientName, null, { registeredBy: one.clientRegisteredBy }),
        title: html`<span>${renderLink(view, 'clients', one.clientId, sayActor(one, view.language))} · ${renderLink(view, 'owners', one.ownerId, sayName(one.username))}</span>`,
        says: html`${words.lastUsed}: ${time(one.lastUsedAt, words.never)} · ${words.ends}: ${time(one.expiresAt, words.endless)}`,
        end: canEnd ? renderEnd(one, given, filter) : null,
        more: renderPermissions(view, [...one.permissions, ...listDetailNames(one.details)]),
      }),
    }
  },
}

export const openAuthorizations = (
  { store }: ConsoleNeeds,
  entry: Console,
): readonly RouteRow[] => {
  const list = openList(authorizationList, entry, async (visit, filter) => {
    const { owner, client, state } = filter
    const after = parseCursor<string>(visit, 'after')
    const found = owner === '' ? null : await findTypedOwner(owner, store)
    const isUnknown = owner !== '' && found === null
    const of = {
      ...(found === null ? {} : { ownerId: found.id }),
      ...(isClientId(client) ? { clientId: client as ClientId } : {}),
      ...(state === 'live' ? {} : { [state]: true as const }),
    }
    const { rows, next } = isUnknown
      ? { rows: [], next: null }
      : await store.listAuthorizations(of, after, consoleLimits.rows, visit.at, 'newest first')
    const { unknownOwner } = consoleEventsWords(visit.view.language)
    return { items: rows, next, problem: isUnknown ? unknownOwner : null }
  })

  const end = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const asked = { operation: endAuthorization, id: form.require('authorization') }
    const ended = await catchGone(entry.perform(visit, asked))
    const { owner, client, state } = readFilter(authorizationList, visit)
    const what = ended === null ? 'gone' : 'ended'
    // The notice has a parameter `client` as well: it is the one of the filter.
    const clientId = client === '' ? null : (client as ClientId)
    return answerDoneAt(visit, path, { what, clientId }, { owner, state })
  }

  return [list, entry.change(path, end, [endAuthorization])]
}
