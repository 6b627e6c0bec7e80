/** The digests of events in a seal. The digests are apart, since the person is forgotten later (decision 85). */
import { getNetwork } from '../../http/address.ts'
import { failedTries } from '../../model/event.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { EventSeal, StoredEvent } from '../../store/contract/seal.ts'
import { hashSeal, type SealKey } from './key.ts'

/** Changes of an event that housekeeping may make. */
interface Later {
  /** An event without owner and operator goes with this client, unless somebody has used the client. */
  readonly client?: string
  /** The digest of its details once the address in them is a network. */
  readonly short?: string
}

/** The id of an event, and the digests of its fixed members, details and actor. */
export type SealEntry = readonly [
  id: string,
  fixed: string,
  details: string,
  actor: string,
  later?: Later,
]

/** The entries of a seal, or none where this key has not signed them. Late events come first. */
export const readEntries = (
  { statement, entries }: Pick<EventSeal, 'statement' | 'entries'>,
  key: SealKey,
): { readonly all: readonly SealEntry[]; readonly late: readonly SealEntry[] } => {
  const claims = key.read(statement)
  if (claims === null || claims.entries !== hashSeal({ statement: entries })) {
    return { all: [], late: [] }
  }
  const all = JSON.parse(entries) as readonly SealEntry[]
  return { all, late: all.slice(0, claims.late) }
}

/** Whether the deletion of its owner empties the actor, as `strip` of the store does. */
const willForget = ({ ownerId, operator, actor }: StoredEvent): boolean =>
  ownerId !== null &&
  (operator === '' || operator === `owner:${ownerId}`) &&
  actor.includes('"network":')

const hashFixed = (event: StoredEvent, forgets: boolean, key: SealKey): string => {
  const { id, at, type, clientId, ownerId, authorizationId, requestId, operator } = event
  const fixed = [at, type, clientId, ownerId, authorizationId, requestId, operator, forgets]
  return key.digest('fixed', id, JSON.stringify(fixed))
}

/** As `shortenAddresses` writes them; null where there is nothing to shorten. */
const shortenDetails = ({ type, details }: StoredEvent): string | null => {
  if (!failedTries.some((one) => one === type)) return null
  const told = parseJson(details)
  if (!isObject(told)) return null
  const address = getNetwork(String(told.address ?? ''))
  return address === '' ? null : JSON.stringify({ ...told, address })
}

const findLater = (event: StoredEvent, key: SealKey): Later | undefined => {
  const { id, clientId, ownerId, operator } = event
  if (ownerId === null && clientId !== null && operator === '') return { client: clientId }
  const short = shortenDetails(event)
  return short === null ? undefined : { short: key.digest('short details', id, short) }
}

export const makeEntry = (event: StoredEvent, key: SealKey): SealEntry => {
  const { id, details, actor } = event
  const later = findLater(event, key)
  const digests = [
    hashFixed(event, willForget(event), key),
    key.digest('details', id, details),
    key.digest('actor', id, actor),
  ] as const
  return later === undefined ? [id, ...digests] : [id, ...digests, later]
}

/** `stripped`: as after the deletion of its owner. `shortened`: as some days later. */
type Likeness = 'same' | 'shortened' | 'stripped' | 'changed'

export const compareEntry = (event: StoredEvent, entry: SealEntry, key: SealKey): Likeness => {
  const [, fixed, details, actor, later] = entry
  const { id, ownerId } = event
  const isActor = actor === key.digest('actor', id, event.actor)
  const isEmptied = !isActor && event.actor === ''
  if (fixed !== hashFixed(event, isEmptied || willForget(event), key)) return 'changed'
  if (isActor && details === key.digest('details', id, event.details)) return 'same'
  const isShort = later?.short === key.digest('short details', id, event.details)
  if (isActor && isShort) return 'shortened'
  const isStripped = (isActor || isEmptied) && ownerId !== null && event.details === '{}'
  return isStripped ? 'stripped' : 'changed'
}
