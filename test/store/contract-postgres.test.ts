/** The PostgreSQL store passes the store contract, and several nodes on one database do too. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore, openSession } from '../../src/store/sql/open.ts'
import { statement } from '../../src/store/sql/statement.ts'
import type { Store } from '../../src/store/store.ts'
import { type Opened, storeContract } from './contract.ts'
import { openMigrated } from './migrated.ts'
import { next, raceRounds, start, together, trace } from './moments.ts'
import { findPostgres, type Postgres } from './postgres.ts'
import { newSalt, sampleRedemption, sampleRotation } from './sample.ts'
import { settle, settleFamily } from './settle.ts'

type Options = Readonly<Record<string, string>>

const openOn =
  (newMigrated: Postgres['newDatabase'], options: Options = {}) =>
  async (): Promise<Opened> => {
    const url = await newMigrated(options)
    // Each connection costs the server as much as a test.
    const few = { url, random, limits: { postgresConnections: 4 } }
    let store = await openPostgresStore(few)
    return {
      store,
      reopen: async () => {
        await store.close()
        store = await openPostgresStore(few)
        return store
      },
      dispose: () => store.close(),
    }
  }

const tally = (outcomes: readonly { readonly outcome: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** F-11: an exactly-once step happens once over all nodes. */
const nodesContract = (name: string, postgres: Postgres, options: Options = {}): void => {
  describe(`${name}: two nodes on one database`, () => {
    let nodes: readonly Store[] = []
    let url: string
    before(async () => {
      url = await postgres.newDatabase(options)
      // Both find it empty, and only one may create the tables.
      nodes = await together(2, () => openPostgresStore({ url, random }))
    })
    after(() => Promise.all(nodes.map((node) => node.close())))
    const node = (i: number): Store => {
      const one = nodes[i % nodes.length]
      if (one === undefined) throw new Error('no node')
      return one
    }

    test('RC-01 of twenty who redeem one code at once, one does', async () => {
      const { authorization } = await settle(node(0))
      for (let round = 0; round < raceRounds; round++) {
        const redemption = sampleRedemption(authorization)
        const outcomes = await together(20, (i) => node(i).redeemCode(redemption, trace()))
        assert.deepEqual(tally(outcomes), { redeemed: 1, replayed: 19 })
        assert.equal(await node(round).findStanding(redemption.familyId, start), null)
      }
    })

    test('RC-02 of twenty who present one refresh token at once, one moves the family on', async () => {
      for (let round = 0; round < raceRounds; round++) {
        const { familyId } = await settleFamily(node(0))
        const rotation = sampleRotation(familyId, 0)
        const outcomes = await together(20, (i) => node(i).rotateRefreshToken(rotation, trace()))
        assert.deepEqual(tally(outcomes), { rotated: 1, repeated: 19 })
        const standing = await node(round).findStanding(familyId, start)
        assert.equal(standing?.family.generation, 1)
      }
    })

    test('many codes, presented to both nodes in opposite orders, are each redeemed once', async () => {
      const { authorization } = await settle(node(0))
      for (let round = 0; round < raceRounds; round++) {
        const codes = Array.from({ length: 20 }, () => sampleRedemption(authorization))
        const present = (i: number, order: typeof codes) =>
          Promise.all(order.map((code) => node(i).redeemCode(code, trace())))
        const outcomes = await Promise.all([present(0, codes), present(1, codes.toReversed())])
        assert.deepEqual(tally(outcomes.flat()), { redeemed: 20, replayed: 20 })
      }
    })

    test('LG-07 of forty tries at once, the five free ones are admitted and one more', async () => {
      const rule = {
        freeTries: 5,
        longestWaitSeconds: 8,
        forgetSeconds: 100,
        forgetAfter: 'last try',
      } as const
      for (let round = 0; round < raceRounds; round++) {
        const counters = [next('owner'), next('address')].map((key) => ({ key, rule }))
        const outcomes = await together(40, (i) => node(i).admitAttempt(counters, trace()))
        assert.deepEqual(tally(outcomes), { admitted: 6, wait: 34 })
      }
    })

    test('RC-07 what one node has ended, the other refuses on the next request', async () => {
      for (let round = 0; round < raceRounds; round++) {
        const { familyId, authorization } = await settleFamily(node(round))
        assert.notEqual(await node(round + 1).findStanding(familyId, start), null)
        assert.equal(await node(round).endFamily(familyId, trace()), true)
        assert.equal(await node(round + 1).findStanding(familyId, start), null)
        await node(round + 1).endAuthorization(authorization.id, null, trace())
        assert.equal(await node(round).findAuthorization(authorization.id, start), null)
      }
    })

    test('two changes of different fields at once both hold', async () => {
      for (let round = 0; round < raceRounds; round++) {
        const { client, owner } = await settle(node(round))
        await Promise.all([
          node(0).changeClient(client.id, { newSalt, name: 'New' }, trace()),
          node(1).changeClient(client.id, { newSalt, trusted: true }, trace()),
          node(0).changeOwner(owner.id, { name: 'New' }, trace()),
          node(1).changeOwner(owner.id, { email: 'new@example.com' }, trace()),
        ])
        const expected = { ...client, name: 'New', trusted: true }
        assert.deepEqual(await node(round).findClient(client.id), expected)
        const changed = {
          ...owner,
          name: 'New',
          email: 'new@example.com',
          emailVerified: false,
          updatedAt: start,
        }
        assert.deepEqual(await node(round).findOwner(owner.id), changed)
      }
    })

    test('redirect URIs that are added through both at once are all there', async () => {
      for (let round = 0; round < raceRounds; round++) {
        const { client } = await settle(node(round))
        const added = Array.from({ length: 6 }, (_, i) => `https://${i}.example/`)
        await Promise.all(
          added.map((uri, i) =>
            node(i).changeClient(client.id, { newSalt, addedRedirectUris: [uri] }, trace()),
          ),
        )
        const found = await node(round).findClient(client.id)
        assert.deepEqual(found?.redirectUris.toSorted(), [...added, ...client.redirectUris].sort())
      }
    })

    test('each node notes its time and its pings in rows of its own', async () => {
      for (const i of [0, 1, 1]) {
        await node(i).ping()
        await node(i).noteTime(start + i)
      }
      const session = await openSession(url, 'snapshot')
      const rows = await session.run(statement('select id, turn from pings order by id, turn'))
      await session.close()
      const turnsOf = (kind: string) =>
        rows.filter(({ id }) => String(id).startsWith(`${kind} `)).map(({ turn }) => Number(turn))
      assert.deepEqual(turnsOf('ping').toSorted(), [1, 2])
      assert.deepEqual(turnsOf('time').toSorted(), [start, start + 1])
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suites are left out')
} else {
  after(() => postgres.stop())
  // F-12: the weakest isolation that is to be met, and the strongest.
  const serializable = { default_transaction_isolation: 'serializable' }
  const newMigrated = openMigrated(postgres)
  storeContract('PostgreSQL', openOn(newMigrated))
  storeContract('PostgreSQL, SERIALIZABLE', openOn(newMigrated, serializable))
  nodesContract('PostgreSQL', postgres)
  nodesContract('PostgreSQL, SERIALIZABLE', postgres, serializable)
  nodesContract('PostgreSQL, REPEATABLE READ', postgres, {
    default_transaction_isolation: 'repeatable read',
  })

  test('nodes that all begin at once on an empty database all begin', async () => {
    for (let databases = 0; databases < 8; databases++) {
      const url = await postgres.newDatabase()
      const nodes = await together(6, () => openPostgresStore({ url, random }))
      for (const node of nodes) await node.close()
    }
  })
}
