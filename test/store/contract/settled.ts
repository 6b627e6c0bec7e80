/** The store contract for what goes along with an approval undecided: it has to stand for good still. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission, Permissions } from '../../../src/model/resource.ts'
import type { Approval } from '../../../src/store/contract/authorization.ts'
import type { Store } from '../../../src/store/store.ts'
import { giveWay, start, trace } from '../moments.ts'
import { type People, sampleApproval, sampleSession } from '../sample.ts'
import { addPeople, approveIn, settle, told } from '../settle.ts'

const settled: Permissions = ['photos:read', 'photos:write']
const asked: Permissions = ['contacts:read', ...settled]

/** An approval of something new for a day, along with settled permissions. */
const furtherOf = (people: People, change: Partial<Approval> = {}): Approval =>
  sampleApproval(people, {
    asked,
    permissions: asked,
    settled,
    duration: 'day',
    expiresAt: start + 60,
    ...change,
  })

const only = (...permissions: Permission[]) => ({ asked: permissions, permissions }) as const

export const settledContract = (store: () => Store): void => {
  const logIn = async ({ owner }: People) => {
    const session = sampleSession(owner.id)
    await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    return session.id
  }

  const allowed = async ({ owner, client }: People): Promise<Permissions> => {
    const found = await store().findAuthorizations(owner.id, client.id, start)
    return [...new Set(found.flatMap(({ permissions }) => permissions))].sort()
  }

  test('what was settled goes along as long as all of it stands for good', async () => {
    const people = await settle(store())
    const further = furtherOf(people)
    const approved = await approveIn(store(), further, trace())
    assert.deepEqual([approved?.id, approved?.permissions], [further.id, asked])
    const forGood = furtherOf(people, { duration: 'forever', expiresAt: null })
    const { id } = people.authorization
    assert.deepEqual((await approveIn(store(), forGood, trace()))?.id, id)
  })

  test('it may stand in several authorizations, and in one that its owner made last', async () => {
    const people = await addPeople(store())
    const session = await logIn(people)
    const day = { duration: 'day', expiresAt: start + 60, ...only('photos:write') } as const
    const brief = await approveIn(store(), sampleApproval(people, day), trace())
    assert.ok(brief)
    await approveIn(store(), sampleApproval(people, only('photos:read')), trace())
    assert.deepEqual(await store().approve(furtherOf(people), trace()), { outcome: 'unsettled' })
    const { id, ownerId } = brief
    await store().changeAuthorizationEnd({ id, ownerId, session, expiresAt: null }, trace())
    const approved = await approveIn(store(), furtherOf(people), trace())
    assert.deepEqual(approved?.permissions, asked)
  })

  const gone: Record<string, (of: Awaited<ReturnType<typeof settle>>) => Promise<unknown>> = {
    'taken back': ({ authorization: { id } }) => store().endAuthorization(id, null, trace()),
    'taken back in part': ({ authorization: { id } }) =>
      store().narrowAuthorization(id, null, ['photos:read'], trace()),
    'given an end': async (people) => {
      const { id, ownerId } = people.authorization
      const session = await logIn(people)
      const change = { id, ownerId, session, expiresAt: start + 900 }
      return store().changeAuthorizationEnd(change, trace())
    },
  }
  for (const [what, end] of Object.entries(gone)) {
    test(`where it was ${what}, nothing is approved, and nothing changed or told`, async () => {
      const people = await settle(store())
      const { owner, client } = people
      await end(people)
      const find = () => store().findAuthorizations(owner.id, client.id, start)
      const before = [await find(), await told(store(), { ownerId: owner.id })]
      for (const change of [{}, { duration: 'forever', expiresAt: null }] as const) {
        const approved = await store().approve(furtherOf(people, change), trace())
        assert.deepEqual(approved, { outcome: 'unsettled' })
      }
      assert.deepEqual([await find(), await told(store(), { ownerId: owner.id })], before)
    })
  }

  test('what stands for a visit, for another client or for another owner settles nothing', async () => {
    const people = await addPeople(store())
    const others = await settle(store())
    await settle(store(), { ownerId: people.owner.id })
    await settle(store(), { clientId: people.client.id })
    const visit = { duration: 'session', sessionId: await logIn(people) } as const
    await approveIn(store(), sampleApproval(people, visit), trace())
    assert.deepEqual(await store().approve(furtherOf(people), trace()), { outcome: 'unsettled' })
    assert.notEqual(await approveIn(store(), furtherOf(others), trace()), null)
  })

  test('RC-08 what was settled and is gone is not brought back by an approval beside its end', async () => {
    for (let round = 0; round < 25; round++) {
      const people = await settle(store())
      const { id } = people.authorization
      const further = furtherOf(people, round % 2 === 0 ? {} : { duration: 'month' })
      const endAndLook = async () => {
        await giveWay(round % 5)
        await store().endAuthorization(id, null, trace())
        return allowed(people)
      }
      const [left, { outcome }] = await Promise.all([
        endAndLook(),
        giveWay(Math.floor(round / 5) % 5).then(() => store().approve(further, trace())),
      ])
      const last = await allowed(people)
      assert.deepEqual(last, outcome === 'approved' ? asked : [])
      // Whoever ended it and found nothing left is not contradicted later.
      if (left.length === 0) assert.deepEqual(last, [])
    }
  })
}
