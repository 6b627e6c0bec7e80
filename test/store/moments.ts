/** Ids and moments for samples, and steps beside one another. */
import { openShardKeys } from '../../src/crypto/shard-keys.ts'
import type { Authorization } from '../../src/model/authorization.ts'
import type { EventId, FamilyId, OwnerId } from '../../src/model/ids.ts'
import type { Trace } from '../../src/store/contract/trace.ts'

let count = 0

/** Where another process writes into the same store, it counts on from elsewhere. */
export const countFrom = (from: number): void => {
  count = from
}

/** A new id that sorts after all earlier ones. */
export const next = (kind: string): string => `${String(++count).padStart(8, '0')}-${kind}`

/** The keys of samples. */
export const shardKeys = openShardKeys('00'.repeat(32))

/** The next id of something that belongs to an owner. As all such ids it has 26 letters. */
export const nextOwned = <Id extends string>(kind: string, ownerId: OwnerId): Id =>
  shardKeys.place(`${next('')}0000-${kind}`.padEnd(26, '-').slice(0, 26) as Id, ownerId)

type Owned = Pick<Authorization, 'ownerId'>

export const nextFamily = ({ ownerId }: Owned): FamilyId => nextOwned('family', ownerId)

/** The family of a device or backchannel request. */
export const familyOf = (id: FamilyId, { ownerId }: Owned): FamilyId => shardKeys.place(id, ownerId)

/** The moment at which samples begin. */
export const start = 1_000_000

export const trace = (at = start): Trace => ({
  eventId: next('event') as EventId,
  at,
  requestId: 'request-1',
  actor: { type: 'anyone', network: '203.0.113.*' },
})

/** How often each race is tried, on each of five engines. More rounds took a tenth of the whole suite. */
export const raceRounds = 8

/** So many at once. */
export const together = <Outcome>(
  times: number,
  step: (i: number) => Promise<Outcome>,
): Promise<Outcome[]> => Promise.all(Array.from({ length: times }, (_, i) => step(i)))

/** Steps that are asked for in different turns go different ways to the store. */
export const giveWay = async (times: number): Promise<void> => {
  for (let turn = 0; turn < times; turn++) await new Promise((resume) => setImmediate(resume))
}
