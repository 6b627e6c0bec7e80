/** The store contract for revocations: each step that may end tokens notes their subject. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, SessionId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { newSalt, sampleApproval, sampleClient, sampleRotation, sampleSession } from '../sample.ts'
import { approveIn, type Settled, settle, settleFamily } from '../settle.ts'

/** Gives all that wait a position, and answers the end of the feed. */
export const placeAll = async (store: Store): Promise<number> => {
  while ((await store.placeRevocations('epoch', 100)) > 0);
  const head = await store.findFeedHead()
  assert.ok(head !== null)
  return head.position
}

/** Subject, id and finality of what comes after a position. */
const newsSince = async (store: Store, position: number) => {
  await placeAll(store)
  const found = await store.listRevocations(position, 100)
  return found.map(({ subject, subjectId, isFinal }) => [subject, subjectId, isFinal])
}

type Act = (store: Store, settled: Settled) => Promise<unknown>

/** What only changes tokens, about the whole authorization. */
const changing: Readonly<Record<string, Act>> = {
  narrowing: (store, { authorization }) =>
    store.narrowAuthorization(authorization.id, null, ['photos:read'], trace()),
  'narrowing to nothing': (store, { authorization }) =>
    store.narrowAuthorization(authorization.id, null, [], trace()),
  pausing: (store, { client, owner }) =>
    store.pauseAuthorizations({ clientId: client.id, ownerId: owner.id }, trace()),
  'approving less': (store, people) =>
    approveIn(store, sampleApproval(people, { permissions: ['photos:read'] }), trace()),
  'disabling the owner': (store, { owner }) =>
    store.changeOwner(owner.id, { disabled: true }, trace()),
  'a new password': (store, { owner }) =>
    store.changePassword(owner.id, { hash: 'hash', salt: 'salt' }, null, trace()),
}

const ending: Readonly<Record<string, Act>> = {
  'ending the authorization': (store, { authorization }) =>
    store.endAuthorization(authorization.id, null, trace()),
  'deleting the owner': (store, { owner }) => store.deleteOwner(owner.id, trace()),
}

const ofClient: Readonly<Record<string, Act>> = {
  'disabling the client': (store, { client }) =>
    store.changeClient(client.id, { disabled: true, newSalt }, trace()),
  'ending all tokens of the client': (store, { client }) =>
    store.endClientTokens(client.id, { own: 'own', family: 'family' }, trace()),
  'deleting the client': (store, { client }) => store.deleteClient(client.id, trace()),
}

export const revocationContract = (store: () => Store): void => {
  for (const [name, act] of Object.entries(changing)) {
    test(`${name} notes the authorization, with all that it allowed`, async () => {
      const settled = await settle(store())
      const before = await placeAll(store())
      await act(store(), settled)
      assert.deepEqual(await newsSince(store(), before), [
        ['authorization', settled.authorization.id, false],
      ])
      const [noted] = await store().listRevocations(before, 1)
      assert.deepEqual(noted?.permissions, settled.authorization.permissions)
      assert.equal(noted?.at, start)
    })
  }

  test('approving the same once more notes nothing', async () => {
    const settled = await settle(store())
    const before = await placeAll(store())
    await approveIn(store(), sampleApproval(settled), trace())
    assert.deepEqual(await newsSince(store(), before), [])
  })

  test('approving the same anew until an earlier end notes the authorization', async () => {
    const days = (count: number) =>
      ({ duration: 'day', expiresAt: start + count * 86_400 }) as const
    const people = await settle(store(), days(2))
    const before = await placeAll(store())
    await approveIn(store(), sampleApproval(people, days(1)), trace())
    assert.equal((await newsSince(store(), before)).length, 1)
  })

  for (const [name, act] of Object.entries(ending)) {
    test(`${name} notes an end`, async () => {
      const settled = await settle(store())
      const before = await placeAll(store())
      await act(store(), settled)
      const { id } = settled.authorization
      assert.deepEqual(await newsSince(store(), before), [['authorization', id, true]])
    })
  }

  for (const [name, act] of Object.entries(ofClient)) {
    test(`${name} notes the client`, async () => {
      const settled = await settle(store())
      const before = await placeAll(store())
      await act(store(), settled)
      assert.deepEqual(await newsSince(store(), before), [['client', settled.client.id, false]])
    })
  }

  for (const authenticationMethod of ['private_key_jwt', 'none']) {
    test(`a key that a document takes away, by the method ${authenticationMethod}`, async () => {
      const times = { etag: null, freshUntil: start + 60, usableUntil: start + 120 }
      const client = sampleClient({
        id: `https://${authenticationMethod}.example/client` as ClientId,
        registeredBy: 'itself',
        authenticationMethod,
        secretDigest: null,
        openid: { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'a' }] } },
        document: { ...times, fetchedAt: start },
      })
      await store().createClient(client, trace())
      const before = await placeAll(store())
      const document = { ...times, fetchedAt: start + 1 }
      const copy = { ...client, openid: {}, salt: newSalt, document }
      await store().keepClientDocument(copy, trace(start + 1))
      const isPublic = authenticationMethod === 'none'
      const noted = isPublic ? [] : [['client', client.id, false]]
      assert.deepEqual(await newsSince(store(), before), noted)
    })
  }

  test('the end of a visit notes the authorization for it, and no other', async () => {
    const settled = await settle(store())
    const logIn = async (): Promise<SessionId> => {
      const session = sampleSession(settled.owner.id)
      const login = { passwordHash: settled.owner.passwordHash }
      await store().startSession(session, login, null, trace())
      return session.id
    }
    const sessionId = await logIn()
    const visit = sampleApproval(settled, { duration: 'session', sessionId })
    const approved = await approveIn(store(), visit, trace())
    const before = await placeAll(store())
    await store().endSession(sessionId, trace())
    assert.deepEqual(await newsSince(store(), before), [['authorization', approved?.id, true]])
  })

  test('the end of all visits but one notes the authorizations for the others alone', async () => {
    const settled = await settle(store())
    const { owner } = settled
    const visit = async () => {
      const session = sampleSession(owner.id)
      const { id: sessionId } = session
      await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
      const approval = sampleApproval(settled, { duration: 'session', sessionId })
      return { sessionId, approved: await approveIn(store(), approval, trace()) }
    }
    const [kept, other] = [await visit(), await visit()]
    const before = await placeAll(store())
    await store().endOtherSessions(owner.id, kept.sessionId, trace())
    assert.deepEqual(await newsSince(store(), before), [
      ['authorization', other.approved?.id, true],
    ])
  })

  test('a revoked token, a revoked family and a reused refresh token are noted as such', async () => {
    const { familyId, authorization } = await settleFamily(store())
    const before = await placeAll(store())
    const tokenId = `${familyId}.0`
    const of = { familyId, authorizationId: authorization.id }
    await store().endToken({ of, tokenId, expiresAt: null }, trace())
    await store().endToken({ of, tokenId, expiresAt: null }, trace())
    await store().endFamily(familyId, trace())
    const reused = await settleFamily(store())
    for (const [generation, at] of [
      [0, start],
      [1, start],
      [0, start + 100],
    ] as const) {
      await store().rotateRefreshToken(sampleRotation(reused.familyId, generation), trace(at))
    }
    assert.deepEqual(await newsSince(store(), before), [
      ['token', tokenId, true],
      ['family', familyId, true],
      ['family', reused.familyId, true],
    ])
  })

  test('one without a position is not in the feed, and gets one at a time', async () => {
    const before = await placeAll(store())
    const settled = await Promise.all([settle(store()), settle(store()), settle(store())])
    for (const { authorization } of settled) {
      await store().endAuthorization(authorization.id, null, trace())
    }
    assert.equal(await store().isRevocationWaiting(), true)
    assert.deepEqual(await store().listRevocations(before, 10), [])
    assert.equal(await store().placeRevocations('another', 2), 2)
    assert.deepEqual(
      (await store().listRevocations(before, 10)).map(({ position }) => position),
      [before + 1, before + 2],
    )
    assert.equal(await store().placeRevocations('another', 2), 1)
    assert.equal(await store().isRevocationWaiting(), false)
    // The first name of the feed stays.
    assert.deepEqual(await store().findFeedHead(), { epoch: 'epoch', position: before + 3 })
  })

  test('many who give positions at once give each to one', async () => {
    const before = await placeAll(store())
    const settled = await together(20, () => settle(store()))
    await Promise.all(
      settled.map(async ({ authorization }) => {
        await store().endAuthorization(authorization.id, null, trace())
        await store().placeRevocations('epoch', 3)
      }),
    )
    await placeAll(store())
    const placed = await store().listRevocations(before, 100)
    assert.deepEqual(
      placed.map(({ position }) => position - before),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })
}
