/** One event as pages show it: with the names of applications and permissions, in a sentence of its type. */
import { dropWords, getResource, readScope, selectWords } from '../../../access/permission.ts'
import { findClient } from '../../../clients/find.ts'
import { getNetwork } from '../../../http/address.ts'
import type { Event, EventType } from '../../../model/event.ts'
import type { ClientId } from '../../../model/ids.ts'
import { type Language, pickText } from '../../../model/language.ts'
import type { RequesterChange } from '../../../model/requester.ts'
import { sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderRequesterChange } from '../../../paper/requester-change.ts'
import { sayMoment } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { explain } from '../../../paper/words/about.ts'
import type { Store } from '../../../store/store.ts'
import type { AccountNeeds } from '../needs.ts'
import { eventWords } from './words.ts'

/** Events about an owner; the others are about clients, resources and keys. */
type OwnersEvent =
  | Exclude<
      EventType,
      | `client.${string}`
      | `issuer.${string}`
      | `keys.${string}`
      | `resource.${string}`
      | `stream.${string}`
      | 'store.restored'
    >
  | 'client.changed_itself'

export type ShownEvent = Awaited<ReturnType<typeof describeEvents>>[number]

type ShownActor =
  | { readonly who: 'you' | 'operator' }
  /** An application; the name is null where it is gone. */
  | { readonly who: 'client'; readonly name: string | null }

/** The names of the applications that events are of, or by. An application that is gone has none. */
const findNames = async (
  events: readonly Event[],
  store: Pick<Store, 'findClient'>,
): Promise<ReadonlyMap<ClientId, string>> => {
  const ids = events.flatMap(({ clientId, actor, details }) => [
    clientId,
    actor?.type === 'client' ? actor.clientId : null,
    (details.parentClientId ?? null) as ClientId | null,
  ])
  const known = [...new Set(ids)].filter((id) => id !== null)
  const clients = await Promise.all(known.map((id) => findClient(id, { store }, 'disabled')))
  return new Map(clients.flatMap((client) => (client === null ? [] : [[client.id, client.name]])))
}

type ToldDetail = Event['details'][string] | undefined

const read = (value: ToldDetail): string => (typeof value === 'string' ? value : '')
const number = (value: ToldDetail): number | null => (typeof value === 'number' ? value : null)

const readNetwork = ({ actor, details }: Event): string => {
  const told = read(details.network) || getNetwork(read(details.address)) || read(details.address)
  return told === '' && actor?.type === 'owner' ? actor.network : told
}

/** What a client changed about itself, as `tellRequester` of the store wrote it. */
const changeIn = ({ details }: Event): RequesterChange => {
  const names = ['name', 'hosts', 'responseTypes', 'method'] as const
  return Object.fromEntries(
    names
      .filter((name) => details[name] !== undefined)
      .map((name) => [name, [read(details[`${name}Before`]), read(details[name])]]),
  )
}

export const describeEvents = async (
  events: readonly Event[],
  language: Language,
  { store, resources }: Pick<AccountNeeds, 'store' | 'resources'>,
) => {
  const names = await findNames(events, store)
  const words = eventWords(language)

  /** `email photos:read photos:write` as `Photos (read, write), Email address`. */
  const permissionsOf = (scope: ToldDetail, detailed?: ToldDetail): string => {
    const named = [...readScope(read(scope)), ...readScope(read(detailed))]
    const granted = [...new Set(named)]
    const said = [...Map.groupBy(dropWords(granted), getResource)].map(([name, permissions]) => {
      const resource = resources.list().find((known) => known.name === name)
      const actions = permissions.map((one) => {
        const action = one.slice(name.length + 1)
        if (action === 'read' || action === 'write') return words.actions[action]
        const title = resource?.actions[action]
        return title === undefined ? action : pickText(title, language)
      })
      const title = resource ? pickText(resource.title, language) : name
      return words.permissions({ title, actions: actions.join(words.separator) })
    })
    const about = selectWords(granted).map((word) => explain(word, resources.words, language).title)
    return [...said, ...about].join(words.separator)
  }

  /** Who acted, as its owner is told. An operator stays without a name, and without a network. */
  const actorOf = ({ actor, ownerId }: Event): ShownActor | null => {
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

  return events.map((event) => {
    const { type, at, clientId, details } = event
    return {
      type,
      at,
      by: actorOf(event),
      clientName: clientId === null ? null : (names.get(clientId) ?? null),
      /** The application that it acts for, by a token exchange. */
      parentName: names.get(read(details.parentClientId) as ClientId) ?? null,
      /** What may be done from then on, such as `Photos (read, write)`. */
      what: permissionsOf(details.permissions, details.details),
      /** What was asked for and not allowed, or taken from an earlier access by that; '' for nothing. */
      refused: permissionsOf(details.refused),
      /** The end of an authorization that was set; unix seconds, null = none. */
      expiresAt: number(details.expiresAt),
      /** When a device asked for its code, in unix seconds; null for other events. */
      askedAt: number(details.askedAt),
      /** The days without a use for which it was paused; null for other events. */
      unusedDays: number(details.unusedDays),
      sessions: number(details.sessions) ?? 0,
      factor: read(details.factor),
      /** Whether a login was refused because its one-time code had been used. */
      isUsed: details.outcome === 'used' && details.factor === 'one-time code',
      /** The issuer that opened access in place of the owner, or may do so again. */
      ...('issuerId' in details ? { issuer: read(details.title) || read(details.issuerId) } : {}),
      isNewBrowser: details.browser === 'new',
      change: type === 'client.changed_itself' ? changeIn(event) : null,
      network: readNetwork(event),
    }
  })
}

type Told = Readonly<
  Record<'client' | 'parent' | 'asked' | 'end' | 'issuer' | 'what' | 'refused', Markup> & {
    factor: string
  }
>

type EventWords = ReturnType<typeof eventWords>

/** Permissions refused on a consent page, and their effect on the application. */
const refusals: Readonly<Partial<Record<EventType, keyof EventWords['refusals']>>> = {
  'authorization.approved': 'approved',
  'authorization.narrowed': 'narrowed',
  'authorization.ended': 'ended',
}

const sayEvent = (
  { type, sessions, isUsed, isNewBrowser, unusedDays, refused, issuer = '' }: ShownEvent,
  told: Told,
  words: EventWords,
): Content => {
  if (isUsed) return words.usedCode
  if (isNewBrowser) return words.newBrowser
  if (issuer !== '' && type === 'authorization.approved') return words.allowedBy(told)
  if (unusedDays !== null) return words.pausedUnused({ client: told.client, days: unusedDays })
  if (sessions > 0) return words.othersEnded({ sessions })
  const refusal = refused === '' ? undefined : refusals[type]
  if (refusal !== undefined) return words.refusals[refusal](told)
  const happened: Readonly<Record<OwnersEvent, string | ((told: Told) => Content)>> = words.happened
  // An event of a newer version is called by its name.
  if (!Object.hasOwn(happened, type)) return html`<code>${type}</code>`
  const sentence = happened[type as OwnersEvent]
  return typeof sentence === 'string' ? sentence : sentence(told)
}

/** Types with a named actor. Other events have an unproven actor, or say it themselves. */
const attributed =
  /^(authorization|factor|link|session|upstream)\.|^owner\.(created|access_ended|password_changed)$/

const sayByWhom = ({ type, by }: ShownEvent, words: EventWords): Content => {
  if (by === null || !attributed.test(type)) return null
  if (by.who !== 'client') return words.by[by.who]
  const client = by.name === null ? html`${words.goneClient}` : sayName(by.name)
  return words.by.client({ client })
}

export const renderEvent = (event: ShownEvent, view: View): Markup => {
  const { language } = view
  const words = eventWords(language)
  const { at, clientName, parentName, what, refused, askedAt, expiresAt, factor, network } = event
  const factors: Readonly<Record<string, string>> = words.factors
  const told = {
    client: clientName === null ? html`${words.goneClient}` : sayName(clientName),
    parent: parentName === null ? html`${words.goneClient}` : sayName(parentName),
    issuer: sayName(event.issuer ?? ''),
    what: html`${what}`,
    refused: html`${refused}`,
    asked: sayMoment(askedAt ?? at, view),
    end: expiresAt === null ? html`${words.untilTakenBack}` : sayMoment(expiresAt, view),
    factor: Object.hasOwn(factors, factor) ? (factors[factor] ?? '') : factor,
  }
  const by = sayByWhom(event, words)
  const place = html`<bdi dir="ltr">${network}</bdi>`
  const from = network === '' ? null : html`, ${words.from({ network: place })}`
  const change = event.change && renderRequesterChange(event.change, language)
  return html`<li><p>${sayEvent(event, told, words)}</p>${change}
<p class="quiet">${sayMoment(at, view)}${by === null ? null : html`, ${by}`}${from}</p></li>
`
}
