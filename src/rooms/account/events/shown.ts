/** Events as pages show them: with the names of applications and permissions. */

import type { Askable } from '../../../access/permission.ts'
import { permissionsIn, readScope, resourceOf, wordsIn } from '../../../access/permission.ts'
import { findClient } from '../../../clients/find.ts'
import { networkOf } from '../../../http/address.ts'
import type { Event, EventType } from '../../../model/event.ts'
import type { ClientId } from '../../../model/ids.ts'
import { type Language, textIn } from '../../../model/language.ts'
import type { RequesterChange } from '../../../model/requester.ts'
import { textsOf } from '../../../paper/words/about.ts'
import type { Store } from '../../../store/store.ts'
import type { ShownEvent } from './page.ts'
import { eventWords } from './words.ts'

/** The client of an event, and the one that acted. */
const clientsIn = ({ clientId, actor }: Event): readonly ClientId[] => [
  ...(clientId === null ? [] : [clientId]),
  ...(actor?.type === 'client' ? [actor.clientId] : []),
]

/** The names of the applications, by their ids; those that are gone have none. */
const namesOf = async (
  events: readonly Event[],
  store: Pick<Store, 'findClient'>,
): Promise<ReadonlyMap<ClientId, string>> => {
  const ids = new Set(events.flatMap(clientsIn))
  const clients = await Promise.all([...ids].map((id) => findClient(id, { store }, 'disabled')))
  return new Map(clients.flatMap((client) => (client === null ? [] : [[client.id, client.name]])))
}

const text = (value: Event['details'][string] | undefined): string =>
  typeof value === 'string' ? value : ''

const number = (value: Event['details'][string] | undefined): number | null =>
  typeof value === 'number' ? value : null

/** `email photos:read photos:write` as `Photos (read, write), Email address`. */
const describePermissions = (scope: string, language: Language, resources: Askable): string => {
  const words = eventWords(language)
  const names = readScope(scope)
  const said = [...Map.groupBy(permissionsIn(names), resourceOf)].map(([name, permissions]) => {
    const resource = resources.list().find((known) => known.name === name)
    const actions = permissions.map((one) => {
      const action = one.slice(name.length + 1)
      if (action === 'read' || action === 'write') return words.actions[action]
      const title = resource?.actions[action]
      return title === undefined ? action : textIn(title, language)
    })
    return words.permissions({
      title: resource ? textIn(resource.title, language) : name,
      actions: actions.join(words.separator),
    })
  })
  const about = wordsIn(names).map((word) => textsOf(word, resources.words, language).title)
  return [...said, ...about].join(words.separator)
}

/** Who acted, as its owner is told. An operator stays without a name, and without a network. */
const shownActor = (
  { actor, ownerId }: Event,
  names: ReadonlyMap<ClientId, string>,
): ShownEvent['by'] => {
  switch (actor?.type) {
    case 'owner':
      return actor.ownerId === ownerId ? { who: 'you' } : null
    case 'client':
      return { who: 'client', name: names.get(actor.clientId) ?? null }
    case 'operator':
    case 'cli':
      return { who: 'operator' }
    default:
      return null
  }
}

const networkIn = ({ actor, details }: Event): string => {
  const told = text(details.network) || networkOf(text(details.address)) || text(details.address)
  return told === '' && actor?.type === 'owner' ? actor.network : told
}

/** What a client changed about itself, as `tellRequester` of the store wrote it. */
const changeIn = ({ details }: Event): RequesterChange => {
  const names = ['name', 'hosts', 'responseTypes', 'method'] as const
  return Object.fromEntries(
    names
      .filter((name) => details[name] !== undefined)
      .map((name) => [name, [text(details[`${name}Before`]), text(details[name])]]),
  )
}

const shown = (
  event: Event,
  names: ReadonlyMap<ClientId, string>,
  language: Language,
  resources: Askable,
): ShownEvent => {
  const { type, at, clientId, details } = event
  return {
    type,
    at,
    by: shownActor(event, names),
    clientName: clientId === null ? null : (names.get(clientId) ?? null),
    what: describePermissions(text(details.permissions), language, resources),
    refused: describePermissions(text(details.refused), language, resources),
    expiresAt: number(details.expiresAt),
    unusedDays: number(details.unusedDays),
    sessions: number(details.sessions) ?? 0,
    factor: text(details.factor),
    isUsed: details.outcome === 'used' && details.factor === 'one-time code',
    isNewBrowser: details.browser === 'new',
    change: event.type === 'client.changed_itself' ? changeIn(event) : null,
    network: networkIn(event),
  }
}

const security = /^(login|factor|recovery_code|passkey|upstream|link|session)\./

/** Whether an event is about logging in, or about the ways to do so. */
export const isAboutSecurity = (type: EventType): boolean =>
  security.test(type) ||
  type === 'owner.password_changed' ||
  type === 'owner.email_verified' ||
  type === 'owner.data_downloaded'

export const shownEvents = async (
  events: readonly Event[],
  language: Language,
  { store, resources }: { readonly store: Pick<Store, 'findClient'>; readonly resources: Askable },
): Promise<readonly ShownEvent[]> => {
  const names = await namesOf(events, store)
  return events.map((event) => shown(event, names, language, resources))
}
