/** F-11: two nodes on one database, asked at once for what may happen once only. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import { operatorOf } from '../flows/operator.ts'
import type { Postgres } from '../store/postgres.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { newName, newPerson } from '../support/people.ts'
import { callback } from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import { fullCycles } from './extent.ts'
import { type Node, openNode } from './node.ts'
import {
  introspect,
  isActive,
  newCode,
  newTokens,
  passwordGrant,
  redeemCode,
  refresh,
} from './operation.ts'

const rounds = fullCycles ?? 5
const many = 20
const day = 24 * 3600

const tally = (answers: readonly Answer[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const racesOn = (postgres: Postgres): void => {
  describe('F-11: two nodes on one database', () => {
    let nodes: readonly Node[] = []
    let seconds = 0
    before(async () => {
      const url = await postgres.newDatabase()
      const clock = (): number => Date.UTC(2026, 10, 21, 12) + 1000 * seconds
      const open = async (): Promise<Node> => {
        const store = await openPostgresStore({ url, random })
        return openNode({ store, clock }, () => `10.2.${seconds >> 8}.${seconds & 255}`)
      }
      nodes = [await open(), await open()]
    })
    after(() => Promise.all(nodes.map(({ server }) => server.close())))

    const node = (i: number): Node => {
      const one = nodes[i % nodes.length]
      assert.ok(one)
      return one
    }
    const atOnce = <Result>(ask: (node: Node) => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: many }, (_, i) => ask(node(i))))

    const race = (name: string, run: (round: number) => Promise<void>): void => {
      test(name, async () => {
        for (let round = 0; round < rounds; round++) {
          seconds++
          await run(round)
        }
      })
    }

    race('one code: one exchange, and the replays leave nothing of it', async (round) => {
      const { code } = await newCode(node(round))
      const answers = await atOnce((one) => redeemCode(one, code))
      assert.deepEqual(tally(answers), { 200: 1, 400: many - 1 })
      const [won] = answers.filter(({ status }) => status === 200)
      assert.equal(await isActive(node(round), won?.body.access_token, photoPrinter), false)
    })

    race('one refresh token: one successor', async (round) => {
      const { refresh_token } = await newTokens(node(round))
      const answers = await atOnce((one) => refresh(one, refresh_token))
      assert.deepEqual(tally(answers), { 200: many })
      assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
      const next = await refresh(node(round + 1), answers[0]?.body.refresh_token)
      assert.equal(next.status, 200)
    })

    race('one client_id: one client', async (round) => {
      const operator = await operatorOf(node(round))
      const { access_token } = await newTokens(node(round))
      const json = { client_id: newName(), client_name: 'One', redirect_uris: [callback] }
      const answers = await Promise.all(
        Array.from({ length: many }, async (_, i) =>
          (await operatorOf(node(i)))('POST', 'clients', json),
        ),
      )
      assert.deepEqual(tally(answers), { 201: 1, 409: many - 1 })
      assert.equal((await operator('GET', `clients/${json.client_id}`)).status, 200)
      assert.equal(await isActive(node(round + 1), access_token), true)
    })

    race('one username: one owner', async () => {
      const json = { username: newName(), password: 'correct horse battery' }
      const answers = await Promise.all(
        Array.from({ length: many }, async (_, i) =>
          (await operatorOf(node(i)))('POST', 'owners', json),
        ),
      )
      assert.deepEqual(tally(answers), { 201: 1, 409: many - 1 })
    })

    race('wrong passwords: as many tries at both together as at one', async (round) => {
      const [alone, together] = [await newPerson(node(round)), await newPerson(node(round))]
      let tries = 0
      const guess = (one: Node, username: string) => passwordGrant(one, username, 'a wrong one')
      while ((await guess(node(round), alone.username)).status === 400) tries++
      assert.ok(tries >= 5 && tries <= 6, String(tries))
      const answers = await atOnce((one) => guess(one, together.username))
      assert.deepEqual(tally(answers), { 400: tries, 429: many - tries })
    })

    race('revoked at one node, gone at the other at once', async (round) => {
      const { access_token } = await newTokens(node(round))
      const [here, there] = [node(round), node(round + 1)]
      assert.equal(await isActive(there, access_token), true)
      const form = { token: access_token }
      assert.equal(
        (await here.post('/revoke', form, ['house-app', 'house-app-secret'])).status,
        200,
      )
      const answers = await atOnce((one) => introspect(one, access_token))
      for (const { body } of answers) assert.deepEqual(body, { active: false })
    })

    test('key rotation: one new key, known to both before it is used', async () => {
      const keys = async () => node(0).server.store.listKeys()
      const { length } = await keys()
      seconds += 30 * day
      await Promise.all(nodes.map(({ server }) => server.tick()))
      assert.equal((await keys()).length, length + 1)
      // Past the hour in which nodes learn of it: now it seals, at both.
      seconds += 3601
      for (const [i, { server }] of nodes.entries()) {
        await server.tick()
        const { access_token } = await newTokens(node(i))
        assert.equal(await isActive(node(i + 1), access_token), true)
      }
    })
  })
}
