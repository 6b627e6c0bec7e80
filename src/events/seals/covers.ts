/** Events by which others may have been emptied or deleted: of a deleted owner, and of a forgotten client. */
import { clockSkewSeconds } from '../../clock.ts'
import type { EventType } from '../../model/event.ts'
import { type ClientId, getFirstId, isId, type OwnerId, timeOfId } from '../../model/ids.ts'
import type { EventFilter } from '../../store/contract/event.ts'
import type { LastSeal } from '../../store/contract/seal.ts'
import { StoreFault } from '../../store/fault.ts'
import { compareEntry, readEntries } from './entries.ts'
import { type Covers, type SealPage, verifyLimits } from './findings.ts'

/** So many deletions of one subject are looked at, the newest first. */
const mostCovers = 20

/** Ids that nodes with other clocks made before an event. */
const isBefore = (id: string, cover: string): boolean =>
  id < getFirstId(timeOfId(cover) + clockSkewSeconds * 1000)

export const openCovers = (
  { store, key }: SealPage,
  last: LastSeal,
  late: ReadonlyMap<string, number>,
): Covers => {
  /** An event is as it was sealed, or waits for its seal. */
  const isWhole = async (id: string): Promise<boolean> => {
    const [row] = await store.listStoredEventsOf([id])
    const number = late.get(id)
    if (row === undefined || key === null || !isId(id)) return false
    if (number === Number.POSITIVE_INFINITY) return true
    if (number === undefined && id > last.until) return true
    const [seal] =
      number === undefined ? [await store.findSealOf(id)] : await store.listSeals(number - 1, 1)
    const entry = seal && readEntries(seal, key).all.find(([one]) => one === id)
    return entry != null && compareEntry(row, entry, key) === 'same'
  }

  const list = async (of: EventFilter, after: string | null, limit: number) => {
    try {
      return (await store.listEvents(of, after, limit)).rows
    } catch (fault) {
      // A damaged row covers nothing.
      if (fault instanceof StoreFault && fault.reason === 'unreadable') return []
      throw fault
    }
  }

  const findWhole = async (type: EventType, of: EventFilter): Promise<string | null> => {
    for (const { id } of await list({ ...of, type }, null, mostCovers)) {
      if (await isWhole(id)) return id
    }
    return null
  }

  /** The newest deletion, unless its owner is there without having come again. */
  const findDeletion = async (ownerId: OwnerId): Promise<string | null> => {
    const deletion = await findWhole('owner.deleted', { ownerId })
    if (deletion === null || (await store.findOwner(ownerId, 'disabled')) === null) return deletion
    const created = await findWhole('owner.created', { ownerId })
    return created !== null && created > deletion ? deletion : null
  }

  /** The newest forgetting, unless an owner had used the client: then its events stay. */
  const findForgetting = async (clientId: ClientId): Promise<string | null> => {
    const forgotten = await findWhole('client.forgotten', { clientId })
    if (forgotten === null) return null
    const left = await list({ clientId }, forgotten, verifyLimits.rows)
    return left.some(({ ownerId }) => ownerId !== null) ? null : forgotten
  }

  const known = new Map<string, Promise<string | null>>()
  const findOnce = (name: string, find: () => Promise<string | null>): Promise<string | null> => {
    const found = known.get(name) ?? find()
    known.set(name, found)
    return found
  }

  return {
    async isForgottenOwner(ownerId, { id, type }) {
      const cover = await findOnce(`owner ${ownerId}`, () => findDeletion(ownerId))
      if (cover === null) return false
      // No deletion covers itself.
      return type === 'owner.deleted' ? id < cover : isBefore(id, cover)
    },
    async isForgottenClient(clientId, id) {
      const cover = await findOnce(`client ${clientId}`, () => findForgetting(clientId))
      return cover !== null && isBefore(id, cover)
    },
  }
}
