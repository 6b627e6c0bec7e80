/** Events as pages show them: with the names of applications and permissions, and where they came from. */
import { dropWords, getResource, readScope, selectWords } from '../../../access/permission.ts'
import { findClient } from '../../../clients/find.ts'
import { getNetwork } from '../../../http/address.ts'
import type { Event } from '../../../model/event.ts'
import type { ClientId } from '../../../model/ids.ts'
import { type Language, pickText } from '../../../model/language.ts'
import type { RequesterChange } from '../../../model/requester.ts'
import { explain } from '../../../paper/words/about.ts'
import type { Store } from '../../../store/store.ts'
import { sayUpstream } from '../../upstream-trip.ts'
import type { AccountNeeds } from '../needs.ts'
import { eventWords } from './words.ts'

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

/** Who acted, as its owner is told. An operator stays without a name, and without a network. */
const describeActor = (
  { actor, ownerId }: Event,
  names: ReadonlyMap<ClientId, string>,
): ShownActor | null => {
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

/** What an upstream told of the owner, or did by itself. */
type ByUpstream = 'picture' | 'groups' | 'roles' | 'disabled' | 'enabled'

const findByUpstream = ({ type, details }: Event): ByUpstream | null => {
  if (!('upstream' in details)) return null
  if (details.changed === 'picture') return 'picture'
  if (type === 'owner.groups_changed') return 'groups'
  if (type !== 'owner.changed') return null
  if (details.changed !== 'disabled') return 'roles'
  return details.disabled === true ? 'disabled' : 'enabled'
}

/** @param say the title of an upstream */
const describeByUpstream = (
  event: Event,
  say: (upstream: string) => string,
): { readonly byUpstream?: readonly [ByUpstream, upstream: string] } => {
  const what = findByUpstream(event)
  return what === null ? {} : { byUpstream: [what, say(read(event.details.upstream))] }
}

export const describeEvents = async (
  events: readonly Event[],
  language: Language,
  { store, resources, upstreams }: Pick<AccountNeeds, 'store' | 'resources' | 'upstreams'>,
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

  return events.map((event) => {
    const { id, type, at, clientId, details } = event
    return {
      id,
      type,
      at,
      by: describeActor(event, names),
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
      /** The days without a use before a pause; null for other events. */
      unusedDays: number(details.unusedDays),
      sessions: number(details.sessions) ?? 0,
      factor: read(details.factor),
      /** What the owner called a passkey; '' for other events. */
      passkey: details.factor === 'passkey' ? read(details.name) : '',
      /** The methods of a login, by RFC 8176. */
      methods: read(details.methods).split(' ') as readonly string[],
      /** Whether a login was refused because its one-time code had been used. */
      isUsed: details.outcome === 'used' && details.factor === 'one-time code',
      /** An issuer that opens access in place of the owner. */
      ...('issuerId' in details ? { issuer: read(details.title) || read(details.issuerId) } : {}),
      isNewBrowser: details.browser === 'new',
      /** Whether nothing but a network has to wait after wrong tries. */
      ...(details.counter === 'network' ? { isOfNetwork: true } : {}),
      ...describeByUpstream(event, (id) => sayUpstream(id, { upstreams }, language)),
      change: type === 'client.changed_itself' ? changeIn(event) : null,
      /** As the browser names itself; null where nothing is known. */
      program: read(details.program) || null,
      system: read(details.system) || null,
      network: readNetwork(event),
    }
  })
}
