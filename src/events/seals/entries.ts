/** The digests of events in a seal. The digests are apart, since the person is forgotten later (decision 85). */
import { getNetwork } from '../../http/address.ts'
import { failedTries } from '../../model/event.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { StoredEvent } from '../../store/contract/seal.ts'
import type { SealKey } from './key.ts'

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

/** @param text that this service has written and signed */
export const readEntries = (text: string): readonly SealEntry[] =>
  JSON.parse(text) as readonly SealEntry[]

const renderFixed = (event: StoredEvent): string =>
  JSON.stringify([
    event.at,
    event.type,
    event.clientId,
    event.ownerId,
    event.authorizationId,
    event.requestId,
    event.operator,
  ])

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
    key.digest('fixed', id, renderFixed(event)),
    key.digest('details', id, details),
    key.digest('actor', id, actor),
  ] as const
  return later === undefined ? [id, ...digests] : [id, ...digests, later]
}

/** `stripped`: as after the deletion of its owner. `shortened`: as some days later. */
type Likeness = 'same' | 'shortened' | 'stripped' | 'changed'

export const compareEntry = (event: StoredEvent, entry: SealEntry, key: SealKey): Likeness => {
  const [, fixed, details, actor, later] = entry
  const { id, ownerId, operator } = event
  if (fixed !== key.digest('fixed', id, renderFixed(event))) return 'changed'
  const isActor = actor === key.digest('actor', id, event.actor)
  if (isActor && details === key.digest('details', id, event.details)) return 'same'
  const isShort = later?.short === key.digest('short details', id, event.details)
  if (isActor && isShort) return 'shortened'
  const isOwn = operator === '' || operator === `owner:${ownerId}`
  const isForgotten = isActor || (event.actor === '' && isOwn)
  return isForgotten && ownerId !== null && event.details === '{}' ? 'stripped' : 'changed'
}
