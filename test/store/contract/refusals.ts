/** The store contract for refused requests: bounded, and nobody pushes out the rows of others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, OwnerId } from '../../../src/model/ids.ts'
import type { KeptRefusal } from '../../../src/model/kept-refusal.ts'
import type { RefusalBounds } from '../../../src/store/contract/event.ts'
import { recordLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together } from '../moments.ts'

const bounds: RefusalBounds = { ofNetwork: 3, ofClient: 4, inAll: 6, trimmed: 10 }
const before = { events: 0, accessLog: 0 }

export const sampleRefusal = (change: Partial<KeptRefusal> = {}): KeptRefusal => ({
  reference: next('refusal'),
  at: start,
  method: 'POST',
  route: '/token',
  status: 400,
  code: 'invalid_grant',
  reason: 'code_expired',
  description: 'the code is unknown',
  received: [{ name: 'code', value: 'an authorization code of 58 characters' }],
  expected: [],
  difference: null,
  clientId: null,
  isClientProven: false,
  ownerId: null,
  network: '192.0.2.*',
  ...change,
})

export const refusalContract = (store: () => Store): void => {
  const record = async (
    change: Partial<KeptRefusal>,
    count = 1,
    within = bounds,
  ): Promise<readonly KeptRefusal[]> => {
    const refusals = Array.from({ length: count }, () => sampleRefusal(change))
    await store().recordRefusals(refusals, within)
    return refusals
  }
  const isKept = async ({ reference }: KeptRefusal): Promise<boolean> =>
    (await store().findRefusal(reference, 0)) !== null
  const kept = (refusals: readonly KeptRefusal[]): Promise<boolean[]> =>
    Promise.all(refusals.map(isKept))
  /** Leaves none. */
  const clear = (): Promise<void> =>
    store().recordRefusals([], { ofNetwork: 0, ofClient: 0, inAll: 0, trimmed: 100 })

  test('a refusal is found as it was written, until it is too old', async () => {
    const [whole] = await record({
      clientId: 'printer' as ClientId,
      isClientProven: true,
      ownerId: next('owner') as OwnerId,
      code: null,
      expected: ['https://app.example/callback'],
      difference: 'differs at character 3',
    })
    assert.ok(whole)
    assert.deepEqual(await store().findRefusal(whole.reference, start - 1), whole)
    assert.equal(await store().findRefusal(whole.reference, start), null)
    assert.equal(await store().findRefusal(next('refusal'), 0), null)
    await store().recordRefusals([{ ...whole, reason: 'changed' }], bounds)
    assert.deepEqual(await store().findRefusal(whole.reference, 0), whole)
    const week = recordLimits.refusalSeconds
    while ((await store().purge(start + week - 1, before, 100)) > 0);
    assert.equal(await isKept(whole), true)
    while ((await store().purge(start + week, before, 100)) > 0);
    assert.equal(await isKept(whole), false)
  })

  test('a refusal that is written again has the texts of the last time', async () => {
    const flood = sampleRefusal()
    await store().recordRefusals([{ ...flood, difference: '1 request' }], bounds)
    await store().recordRefusals([{ ...flood, difference: '2 requests' }], bounds)
    assert.deepEqual(await store().findRefusal(flood.reference, 0), {
      ...flood,
      difference: '2 requests',
    })
    await clear()
  })

  test('a flood that is written late lowers no number of requests', async () => {
    const flood = sampleRefusal()
    const written = async (difference: string): Promise<string | null | undefined> => {
      await store().recordRefusals([{ ...flood, difference }], bounds)
      return (await store().findRefusal(flood.reference, 0))?.difference
    }
    assert.equal(await written('12 requests'), '12 requests')
    assert.equal(await written('9 requests'), '12 requests')
    assert.equal(await written('11 requests'), '12 requests')
    assert.equal(await written('13 requests'), '13 requests')
    assert.equal(await written('100 requests'), '100 requests')
    await clear()
  })

  test('refusals are listed newest first, by what they are about', async () => {
    const printer = { clientId: 'printer' as ClientId, reason: 'wrong_secret' }
    const [first] = await record({ ...printer, network: '198.51.100.*' })
    const [second] = await record({ ...printer, code: 'invalid_client' })
    const [third] = await record({ reason: 'unknown_token' })
    assert.ok(first && second && third)
    const listed = async (...[of, from, limit]: [object, (string | null)?, number?]) =>
      store().listRefusals(of, from ?? null, limit ?? 10, start - 1)
    assert.deepEqual((await listed({})).rows, [third, second, first])
    const page = await listed({}, null, 2)
    assert.deepEqual(page, { rows: [third, second], next: second.reference })
    assert.deepEqual((await listed({}, page.next)).rows, [first])
    assert.deepEqual((await listed({ clientId: 'printer' })).rows, [second, first])
    assert.deepEqual((await listed({ reason: 'unknown_token' })).rows, [third])
    assert.deepEqual((await listed({ network: '198.51.100.*' })).rows, [first])
    assert.deepEqual((await listed({ code: 'invalid_client' })).rows, [second])
    assert.deepEqual((await store().listRefusals({}, null, 10, start)).rows, [])
    const [fourth] = await record({ route: '/authorize', status: 401, at: start + 10 })
    assert.ok(fourth)
    assert.deepEqual((await listed({ route: '/authorize' })).rows, [fourth])
    assert.deepEqual((await listed({ status: 401, route: '/authorize' })).rows, [fourth])
    assert.deepEqual((await listed({ status: 401, route: '/token' })).rows, [])
    assert.deepEqual((await listed({ since: start + 10 })).rows, [fourth])
    assert.deepEqual((await listed({ since: start, until: start + 10 }, null, 2)).rows, [
      third,
      second,
    ])
    await clear()
  })

  test('a network has so many rows, and its oldest go first', async () => {
    const [other] = await record({ network: '198.51.100.*' })
    const flood = await record({}, 5)
    assert.deepEqual(await kept(flood), [false, false, true, true, true])
    assert.ok(other && (await isKept(other)))
    await clear()
  })

  test('a client has a share of its own, wherever it is, once it is proven', async () => {
    const clientId = 'printer' as ClientId
    const own = await record({ clientId, isClientProven: true }, 5)
    assert.deepEqual(await kept(own), [false, true, true, true, true])
    await record({ clientId }, 5)
    assert.deepEqual(await kept(own), [false, true, true, true, true])
    await clear()
  })

  test('where there are too many in all, those with the most lose theirs', async () => {
    const [lonely] = await record({ network: '192.0.2.*' })
    const many = await record({ network: '198.51.100.*' }, 3)
    const more = await record({ network: '203.0.113.*' }, 3)
    assert.ok(lonely)
    assert.deepEqual(await kept([lonely, ...many, ...more]), [
      true,
      false,
      true,
      true,
      true,
      true,
      true,
    ])
    const proven = await record({ clientId: 'printer' as ClientId, isClientProven: true }, 4)
    assert.deepEqual(await kept([lonely, ...proven]), [true, true, true, true, true])
    await clear()
  })

  test('what many nodes wrote at once is trimmed by the next who writes', async () => {
    const written = await together(8, (i) => record({ network: `192.0.${i % 2}.*` }, 3))
    await store().recordRefusals([], bounds)
    assert.equal((await kept(written.flat())).filter((is) => is).length, 6)
    await clear()
  })
}
