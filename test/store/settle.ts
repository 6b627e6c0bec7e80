/** Sample records in a store: people, their approvals, and the tokens that came of them. */
import type { Authorization } from '../../src/model/authorization.ts'
import type { Client } from '../../src/model/client.ts'
import type { ClientId, FamilyId, OwnerId } from '../../src/model/ids.ts'
import type { Approval } from '../../src/store/contract/authorization.ts'
import type { Trace } from '../../src/store/contract/trace.ts'
import type { Store } from '../../src/store/store.ts'
import { trace } from './moments.ts'
import {
  type People,
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
} from './sample.ts'

export const addPeople = async (store: Store, change: Partial<Client> = {}): Promise<People> => {
  const client = sampleClient(change)
  const owner = sampleOwner()
  await store.createClient(client, trace())
  await store.createOwner(owner, trace())
  return { client, owner }
}

/** The result of an approval; null without one. */
export const approveIn = async (
  store: Pick<Store, 'approve'>,
  approval: Approval,
  at: Trace,
): Promise<Authorization | null> => {
  const approved = await store.approve(approval, at)
  return approved.outcome === 'approved' ? approved.authorization : null
}

/** A family that began without a code; null if none did. */
export const startIn = async (
  store: Pick<Store, 'startFamily'>,
  ...[given, at]: Parameters<Store['startFamily']>
) => {
  const started = await store.startFamily(given, at)
  return started === 'paused' ? null : started
}

export interface Settled extends People {
  readonly authorization: Authorization
}

/** A client, an owner, and what the owner approved for the client. */
export const settle = async (store: Store, change: Partial<Approval> = {}): Promise<Settled> => {
  const people = await addPeople(store)
  const authorization = await approveIn(store, sampleApproval(people, change), trace())
  if (authorization === null) throw new Error('the sample approval was refused')
  return { ...people, authorization }
}

/** Settles, and redeems a code. */
export const settleFamily = async (
  store: Store,
  change: Partial<Approval> = {},
): Promise<Settled & { familyId: FamilyId }> => {
  const settled = await settle(store, change)
  const redemption = sampleRedemption(settled.authorization)
  await store.redeemCode(redemption, trace())
  return { ...settled, familyId: redemption.familyId }
}

/** What was told of an owner or client, oldest first. */
export const told = async (
  store: Store,
  of: { readonly ownerId?: OwnerId; readonly clientId?: ClientId },
): Promise<readonly string[]> =>
  (await store.listEvents(of, null, 100)).rows.map(({ type }) => type).toReversed()
