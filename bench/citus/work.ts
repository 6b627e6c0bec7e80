/** The hot steps and reads, through the store's own methods, over owners in turn. */
import type { Authorization } from '../../src/model/authorization.ts'
import type { Client } from '../../src/model/client.ts'
import type { FamilyId } from '../../src/model/ids.ts'
import type { Owner } from '../../src/model/owner.ts'
import type { Session } from '../../src/model/session.ts'
import type { Store } from '../../src/store/store.ts'
import { start, trace } from '../../test/store/moments.ts'
import {
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../../test/store/sample.ts'

/** More than are under way at once, so that no two steps meet at one owner. */
const owners = 768
/** So many owners are made at once. */
const together = 256
/** First approvals, one for each owner and client. After these an approval changes what is there. */
const clients = 10

interface Person {
  readonly owner: Owner
  readonly session: Session
  readonly authorization: Authorization
  readonly familyId: FamilyId
  generation: number
  approvals: number
}

/** One call, which throws where its outcome is not the expected one. */
export type Work = () => Promise<void>

const expect = (isRight: boolean, what: string): void => {
  if (!isRight) throw new Error(`${what} went otherwise than expected`)
}

const logIn = async (store: Store, owner: Owner): Promise<Session> => {
  const session = sampleSession(owner.id)
  const login = { passwordHash: owner.passwordHash }
  const outcome = await store.startSession(session, login, null, trace())
  expect(outcome === 'accepted', 'a login')
  return session
}

const addPerson = async (store: Store, client: Client): Promise<Person> => {
  const owner = sampleOwner()
  await store.createOwner(owner, trace())
  const approved = await store.approve(sampleApproval({ client, owner }), trace())
  if (approved.outcome !== 'approved') throw new Error('an approval was refused')
  const { authorization } = approved
  const redemption = sampleRedemption(authorization)
  await store.redeemCode(redemption, trace())
  const session = await logIn(store, owner)
  return {
    owner,
    session,
    authorization,
    familyId: redemption.familyId,
    generation: 0,
    approvals: 0,
  }
}

export const operations = {
  redeem: 'write',
  rotate: 'write',
  approve: 'write',
  session: 'write',
  findStanding: 'read',
  findOwner: 'read',
  findSession: 'read',
} as const

export type Operation = keyof typeof operations

/** Fills an empty store. */
export const openWork = async (store: Store): Promise<Readonly<Record<Operation, Work>>> => {
  const all = Array.from({ length: clients }, () => sampleClient())
  for (const client of all) await store.createClient(client, trace())
  const [client = sampleClient()] = all
  const people: Person[] = []
  while (people.length < owners) {
    const some = Array.from({ length: together }, () => addPerson(store, client))
    people.push(...(await Promise.all(some)))
  }
  let turn = 0
  const next = (): Person => {
    const person = people[turn++ % people.length]
    if (person === undefined) throw new Error('expected people')
    return person
  }
  return {
    async redeem() {
      const { outcome } = await store.redeemCode(sampleRedemption(next().authorization), trace())
      expect(outcome === 'redeemed', 'a redemption')
    },
    async rotate() {
      const person = next()
      const rotation = sampleRotation(person.familyId, person.generation++)
      const { outcome } = await store.rotateRefreshToken(rotation, trace())
      expect(outcome === 'rotated', 'a refresh')
    },
    async approve() {
      const person = next()
      const of = all[++person.approvals % all.length] ?? client
      const approval = sampleApproval({ client: of, owner: person.owner })
      expect((await store.approve(approval, trace())).outcome === 'approved', 'an approval')
    },
    async session() {
      await logIn(store, next().owner)
    },
    async findStanding() {
      expect((await store.findStanding(next().familyId, start)) !== null, 'a look-up of a token')
    },
    async findOwner() {
      expect((await store.findOwner(next().owner.id)) !== null, 'a look-up of an owner')
    },
    async findSession() {
      expect((await store.findSession(next().session.id, start)) !== null, 'a look-up of a session')
    },
  }
}
