/**
 * Statements of different steps take turns, as transactions do under READ COMMITTED (F-12). Each
 * statement stands alone here, so a promise that holds here holds without locks.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Authorization } from '../../src/model/authorization.ts'
import type { Digest, FamilyId, ItemId } from '../../src/model/ids.ts'
import type { Permissions } from '../../src/model/resource.ts'
import { createRunner } from '../../src/store/engines/sqlite/compiled.ts'
import { prepareFile } from '../../src/store/engines/sqlite/file.ts'
import type { Database } from '../../src/store/sql/database.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { beginStep } from '../../src/store/sql/steps.ts'
import type { Store } from '../../src/store/store.ts'
import { sampleUse } from './contract/uses.ts'
import { newPath } from './folder.ts'
import { next, nextFamily, start, together, trace } from './moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleClient,
  sampleDelegation,
  sampleKey,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from './sample.ts'
import { addPeople, approveIn, type Settled, settle, settleFamily, startIn } from './settle.ts'

/** A store whose steps, run together, advance one statement at a time in the order of `turns`. */
const openTurns = (t: TestContext) => {
  const path = newPath(t)
  prepareFile(path)
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = off')
  t.after(() => database.close())
  const query = createRunner(database)
  let running: { advance: () => boolean }[] = []
  let turns: readonly number[] = []
  let look = (): void => {}

  const play = (): void => {
    for (let i = 0; running.length > 0; i++) {
      const one = running[(turns[i % Math.max(1, turns.length)] ?? 0) % running.length]
      if (one && !one.advance()) running = running.filter((other) => other !== one)
      look()
    }
  }

  const run: Database['run'] = (name, ...args) =>
    new Promise((resolve) => {
      const step = beginStep({ name, args })
      let result = step.next([])
      const advance = (): boolean => {
        if (!result.done) result = step.next(query(result.value))
        if (result.done) resolve(result.value as Parameters<typeof resolve>[0])
        return !result.done
      }
      if (running.length === 0) setImmediate(play)
      running.push({ advance })
    })

  const store = createSqlStore({
    read: async (sql, params) => query({ sql, params }),
    run,
    readsWait: false,
    close: async () => {},
  })
  return {
    store,
    takeTurns: (given: readonly number[], looking = (): void => {}) => {
      turns = given
      look = looking
    },
  }
}

/** Whether one of them allows all of it. */
const covers = (found: readonly Authorization[], all: Permissions): boolean =>
  found.some(({ permissions }) => all.every((one) => permissions.includes(one)))

const count = (outcomes: readonly unknown[], outcome: string): number =>
  outcomes.filter(
    (one) => one === outcome || (one as { outcome?: string } | null)?.outcome === outcome,
  ).length

/** From here on steps are played together; `look` is called after each of their statements. */
type Race = (look?: () => void) => void

/** Approves a part of an authorization for a day, beside a step that takes its ground away. */
const setsApartOrNot = async (
  store: Store,
  race: Race,
  beside: (settled: Settled, familyId: FamilyId) => Promise<unknown>,
): Promise<void> => {
  const day = { duration: 'day', expiresAt: start + 10 } as const
  const settled = await settle(store, day)
  const familyId = nextFamily(settled.authorization)
  const part = { asked: ['photos:read'], permissions: ['photos:read'] } as const
  const approval = sampleApproval(settled, { ...day, ...part, expiresAt: start + 20, familyId })
  race()
  const [{ outcome }] = await Promise.all([
    store.approve(approval, trace()),
    beside(settled, familyId),
  ])
  const of = { clientId: settled.client.id }
  const { rows } = await store.listAuthorizations(of, null, 9, start)
  const ends = rows.map(({ duration, expiresAt }) => [duration, expiresAt])
  const expected = { chosen: start + 10, day: start + 20 }
  assert.deepEqual(ends, outcome === 'approved' ? Object.entries(expected) : [['day', start + 10]])
}

const isGoneWith = async (
  store: Store,
  race: Race,
  end: (settled: Settled) => Promise<unknown>,
): Promise<void> => {
  const settled = await settle(store, { duration: 'day', expiresAt: start + 10 })
  const part = { asked: ['photos:read'], permissions: ['photos:read'] } as const
  const longer = { ...part, duration: 'day', expiresAt: start + 20 } as const
  race()
  await Promise.all([
    store.approve(sampleApproval(settled, longer), trace()),
    store.approve(sampleApproval(settled), trace()),
    end(settled),
  ])
  const { id } = settled.client
  const found = await store.findAuthorizations(settled.owner.id, id, start)
  assert.deepEqual(found, [])
}

const cases: Record<string, (store: Store, race: Race) => Promise<void>> = {
  'one of three redeems a code, and a replay ends it': async (store, race) => {
    const redemption = sampleRedemption((await settle(store)).authorization)
    race()
    const outcomes = await together(3, () => store.redeemCode(redemption, trace()))
    assert.deepEqual([count(outcomes, 'redeemed'), count(outcomes, 'replayed')], [1, 2])
    assert.equal(await store.findStanding(redemption.familyId, start), null)
  },
  'one of three moves a family on': async (store, race) => {
    const { familyId } = await settleFamily(store)
    race()
    const rotate = () => store.rotateRefreshToken(sampleRotation(familyId, 0), trace())
    const outcomes = await together(3, rotate)
    assert.deepEqual([count(outcomes, 'rotated'), count(outcomes, 'repeated')], [1, 2])
  },
  'an ended family stays ended': async (store, race) => {
    const { familyId } = await settleFamily(store)
    race()
    await Promise.all([
      store.rotateRefreshToken(sampleRotation(familyId, 0), trace()),
      store.endFamily(familyId, trace()),
    ])
    assert.equal(await store.findStanding(familyId, start), null)
  },
  'changes of different fields all hold': async (store, race) => {
    const { client } = await addPeople(store)
    race()
    await Promise.all([
      store.changeClient(client.id, { newSalt, name: 'New' }, trace()),
      store.changeClient(client.id, { newSalt, trusted: true }, trace()),
      store.changeClient(client.id, { newSalt, scope: [] }, trace()),
    ])
    const expected = { ...client, name: 'New', trusted: true, scope: [] }
    assert.deepEqual(await store.findClient(client.id), expected)
  },
  'approvals become one authorization with all that was approved': async (store, race) => {
    const people = await addPeople(store)
    race()
    const permissions = ['contacts:read', 'photos:read', 'photos:write'] as const
    const approved = await together(3, (i) => {
      const asked = permissions.slice(i, i + 1)
      return approveIn(store, sampleApproval(people, { asked, permissions: asked }), trace())
    })
    const ids = [...new Set(approved.map((one) => one?.id))]
    assert.equal(ids.length, 1)
    const [found] = await store.findAuthorizations(people.owner.id, people.client.id, start)
    assert.deepEqual(found?.permissions, permissions)
  },
  'nothing is prolonged that was not asked, and nothing approved is lost': async (store, race) => {
    const all = ['contacts:read', 'photos:read', 'photos:write'] as const
    const day = { duration: 'day', asked: all, permissions: all } as const
    const settled = await settle(store, { ...day, expiresAt: start + 10 })
    const { id, ownerId, clientId } = settled.authorization
    race()
    const approve = (one: (typeof all)[number], expiresAt: number) =>
      approveIn(
        store,
        sampleApproval(settled, { ...day, asked: [one], permissions: [one], expiresAt }),
        trace(),
      )
    await Promise.all([
      approve('contacts:read', start + 20),
      approve('photos:read', start + 30),
      store.recordUses({ collector: next('collector'), turn: 1, uses: [sampleUse(id)] }),
    ])
    const found = await store.findAuthorizations(ownerId, clientId, start)
    const ends = all.map((one) => {
      const having = found.filter(({ permissions }) => permissions.includes(one))
      return Math.max(...having.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
    })
    assert.deepEqual(ends, [start + 20, start + 30, start + 10])
  },
  'what was settled and is gone does not come back': async (store, race) => {
    const settled = await settle(store)
    const { id, ownerId, clientId, permissions } = settled.authorization
    const found: Promise<readonly Authorization[]>[] = []
    race(() => found.push(store.findAuthorizations(ownerId, clientId, start)))
    const asked = ['contacts:read', ...permissions] as const
    const day = { duration: 'day', expiresAt: start + 60 } as const
    const approval = sampleApproval(settled, {
      ...day,
      asked,
      permissions: asked,
      settled: permissions,
    })
    const [{ outcome }] = await Promise.all([
      store.approve(approval, trace()),
      store.endAuthorization(id, null, trace()),
      store.recordUses({ collector: next('collector'), turn: 1, uses: [sampleUse(id)] }),
    ])
    const stood = (await Promise.all(found)).map((all) => covers(all, permissions))
    assert.deepEqual(stood, stood.toSorted().toReversed())
    assert.equal(stood.at(-1), outcome === 'approved')
  },
  'an approval beside the code that its request earns is whole, or is none': (store, race) =>
    setsApartOrNot(store, race, ({ authorization }, familyId) =>
      store.redeemCode(sampleRedemption(authorization, { familyId }), trace()),
    ),
  'an approval for a client that is disabled is whole, or is none': (store, race) =>
    setsApartOrNot(store, race, ({ client }) =>
      store.changeClient(client.id, { newSalt, disabled: true }, trace()),
    ),
  'no approval outlives its client': (store, race) =>
    isGoneWith(store, race, ({ client }) => store.deleteClient(client.id, trace())),
  'a client deletes itself before its registration token ends, or not at all': async (
    store,
    race,
  ) => {
    const { client } = await addPeople(store)
    const registrationDigest = 'digest-of-the-token' as Digest
    await store.changeClient(client.id, { newSalt, registrationDigest }, trace())
    race()
    const [isDeleted, changed] = await Promise.all([
      store.deleteOwnClient(client.id, registrationDigest, trace()),
      store.changeClient(client.id, { newSalt, registrationDigest: null }, trace()),
    ])
    assert.equal(isDeleted, changed === null)
  },
  'no approval outlives its owner': (store, race) =>
    isGoneWith(store, race, ({ owner }) => store.deleteOwner(owner.id, trace())),
  'nothing that an old password began outlives it': async (store, race) => {
    const people = await addPeople(store)
    const { id, passwordHash } = people.owner
    const session = sampleSession(id)
    const familyId = next('family') as FamilyId
    const under = sampleApproval(people, { proof: { passwordHash } })
    race()
    const [isLoggedIn, begun] = await Promise.all([
      store.startSession(session, { passwordHash }, null, trace()),
      startIn(store, { familyId, under, expiresAt: null }, trace()),
      store.changePassword(id, { hash: 'new', salt: 'new' }, null, trace()),
    ])
    assert.equal(await store.findSession(session.id, start), null, String(isLoggedIn))
    const standing = await store.findStanding(familyId, start)
    assert.notEqual(standing?.authorization.salt ?? 'new', begun?.authorization.salt ?? 'none')
  },
  'what is refused is left nowhere': async (store, race) => {
    const settled = await settle(store)
    const { id, ownerId, clientId } = settled.authorization
    const day = { duration: 'day', expiresAt: start + 60 } as const
    race()
    await Promise.all([
      store.narrowAuthorization(id, null, ['photos:read', 'photos:write'], trace()),
      approveIn(store, sampleApproval(settled, { ...day, permissions: ['photos:read'] }), trace()),
      store.recordUses({ collector: next('collector'), turn: 1, uses: [sampleUse(id)] }),
    ])
    const found = await store.findAuthorizations(ownerId, clientId, start)
    assert.deepEqual(
      found.map(({ permissions }) => permissions),
      [['photos:read'], ['photos:read']],
    )
  },
  'a delegation that ends beside an exchange does not come back': async (store, race) => {
    const { authorization, familyId, owner } = await settleFamily(store)
    const helper = sampleClient({ name: 'Helper' })
    await store.createClient(helper, trace())
    const chain = [{ familyId, tokenId: `${familyId}.0`, salt: authorization.salt }]
    const delegate = () => store.delegate(sampleDelegation(chain, authorization, helper), trace())
    const first = await delegate()
    assert.ok(first !== null && typeof first === 'object')
    race()
    const [ended, second] = await Promise.all([
      store.endAuthorization(first.authorization.id, owner.id, trace()),
      delegate(),
      delegate(),
    ])
    assert.equal(ended, true)
    const { rows } = await store.listAuthorizations({ ownerId: owner.id }, null, 9, start)
    assert.deepEqual(
      rows.filter(({ parentId }) => parentId !== null),
      [],
    )
    if (second === null || typeof second === 'string') return
    assert.equal(await store.findStanding(second.family.id, start), null)
  },
  'uses of one day that several write are all counted': async (store, race) => {
    const { id: authorizationId, ownerId } = (await settle(store)).authorization
    race()
    await together(3, (i) => {
      const uses = [sampleUse(authorizationId, { uses: i + 1 })]
      return store.recordUses({ collector: next('collector'), turn: 1, uses })
    })
    const of = { authorizationId, ownerId }
    assert.equal((await store.countUses(of, 1, start))[0]?.reads, 6)
    assert.equal((await store.listUses(of, 1, null, 9, start)).rows[0]?.uses, 6)
  },
  'nothing is left of what the two keep': async (store, race) => {
    const { id } = (await settle(store)).authorization
    race()
    await Promise.all([
      store.narrowAuthorization(id, null, ['photos:read'], trace()),
      store.narrowAuthorization(id, null, ['photos:write'], trace()),
    ])
    assert.equal(await store.findAuthorization(id, start), null)
  },
  'one of three writes upon a version': async (store, race) => {
    const { owner } = await addPeople(store)
    const item = { holder: `owner:${owner.id}`, resource: 'photos', id: 'a' as ItemId } as const
    const put = { ...item, fields: {}, createOnly: false, mostItems: 5 }
    await store.putItem({ ...put, version: 'v0', condition: {} })
    race()
    const condition = { ifMatch: ['v0'] }
    const outcomes = await Promise.all([
      store.deleteItem(item.holder, item.resource, item.id, condition),
      store.putItem({ ...put, version: 'v1', condition }),
      store.putItem({ ...put, version: 'v2', condition }),
    ])
    assert.equal(count(outcomes, 'deleted') + count(outcomes, 'replaced'), 1)
  },
  'of three tries two are admitted, and nothing is counted for the third': async (store, race) => {
    const rule = {
      freeTries: 1,
      longestWaitSeconds: 8,
      forgetSeconds: 100,
      forgetAfter: 'last try',
    } as const
    const admit = (keys: readonly string[], by = trace()) =>
      store.admitAttempt(
        keys.map((key) => ({ key, rule })),
        by,
      )
    const [early, late] = [next('a'), next('b')]
    const third = next('c')
    race()
    const outcomes = await together(3, () => admit([late, early]))
    assert.equal(count(outcomes, 'admitted'), 2)
    assert.deepEqual(await admit([late, third]), {
      outcome: 'wait',
      seconds: 1,
      keys: [late],
    })
    const later = trace(start + 1)
    const begun = [{ key: early, seconds: 2 }]
    assert.deepEqual(await admit([early], later), { outcome: 'admitted', begun })
    assert.deepEqual(await admit([early], later), {
      outcome: 'wait',
      seconds: 2,
      keys: [early],
    })
  },
  'one of three adds a key': async (store, race) => {
    const since = start + Number(next('').slice(0, 8)) * 100
    race()
    const outcomes = await together(3, () =>
      store.addKey(sampleKey(next('key'), since), since, trace()),
    )
    assert.equal(count(outcomes, 'added'), 1)
  },
}

for (const [name, play] of Object.entries(cases)) {
  test(`F-12 in whatever order their statements run: ${name}`, async (t) => {
    const { store, takeTurns } = openTurns(t)
    const turns = fc.array(fc.nat(2), { minLength: 1, maxLength: 24 })
    const property = fc.asyncProperty(turns, async (order) => {
      takeTurns([])
      await play(store, (look) => takeTurns(order, look))
    })
    await fc.assert(property, { numRuns: 60 })
  })
}
