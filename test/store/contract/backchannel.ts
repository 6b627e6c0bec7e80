/** The store contract for backchannel requests: decided once, redeemed once, whatever comes beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  BackchannelApproval,
  BackchannelBounds,
  BackchannelRequest,
  PingClaim,
} from '../../../src/features/backchannel/contract.ts'
import type {
  AuthorizationId,
  ClientId,
  Digest,
  FamilyId,
  OwnerId,
} from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Session } from '../../../src/model/session.ts'
import type { Store } from '../../../src/store/store.ts'
import { familyOf, next, nextOwned, raceRounds, start, together, trace } from '../moments.ts'
import { newSalt, type People, sampleDelegation, sampleSession } from '../sample.ts'
import { addPeople, settle, settleFamily } from '../settle.ts'

const wide: BackchannelBounds = {
  ofHint: 1000,
  ofOwner: 1000,
  ofOwnerInAll: 1000,
  denials: 1000,
  since: start - 3600,
  ofNetwork: null,
  inAll: null,
}

const sampleRequest = (
  { client, owner }: People,
  change: Partial<BackchannelRequest> = {},
): BackchannelRequest => ({
  id: next('backchannel') as FamilyId,
  secretDigest: `digest of ${next('secret')}` as Digest,
  clientId: client.id,
  ownerId: owner.id,
  hint: `digest of ${owner.username}`,
  parameters: `client_id=${client.id}&scope=photos%3Aread`,
  message: 'Till 7',
  network: '203.0.113.*',
  createdAt: start,
  expiresAt: start + 300,
  state: 'pending',
  authorizationId: null,
  salt: null,
  terms: null,
  ping: null,
  ofStranger: false,
  keptUntil: null,
  ...change,
})

const claimed: PingClaim = {
  ofStranger: false,
  busy: [],
  busyOwners: [],
  most: 10,
  until: start + 30,
}

interface Begun extends People {
  readonly session: Session
  readonly request: BackchannelRequest
}

const approvalBy = (
  { owner, session }: Pick<Begun, 'owner' | 'session'>,
  change: Partial<BackchannelApproval> = {},
): BackchannelApproval => ({
  ownerId: owner.id,
  session: session.id,
  authorizationId: nextOwned<AuthorizationId>('authorization', owner.id),
  permissions: ['photos:read'],
  details: [],
  salt: 'salt-of-the-approval',
  terms: 'the terms in some form',
  kept: null,
  ...change,
})

const redemptionOf = (
  id: FamilyId,
  { authorizationId, ownerId, salt, terms }: BackchannelApproval,
) => ({
  id,
  familyId: familyOf(id, { ownerId }),
  authorizationId,
  salt,
  terms,
  expiresAt: start + 3600,
  endsAt: start + 3600,
})

const tally = (outcomes: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1
  return counts
}

export const backchannelContract = (store: () => Store): void => {
  const logIn = async ({ owner }: People) => {
    const session = sampleSession(owner.id)
    await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    return session
  }

  const countOf = async ({ id }: Pick<Owner, 'id'>) =>
    (await store().listBackchannels(id, start, 1000)).length

  const startAs = async (request: BackchannelRequest, bounds = wide): Promise<string> => {
    const started = await store().startBackchannel(request, bounds)
    if (started.outcome !== 'started') return started.outcome
    return started.isHeard ? 'asked' : 'unheard'
  }

  const begin = async (change: Partial<BackchannelRequest> = {}): Promise<Begun> => {
    const people = await addPeople(store())
    const session = await logIn(people)
    const request = sampleRequest(people, change)
    assert.equal(await startAs(request), 'asked')
    return { ...people, session, request }
  }

  const beginApproved = async () => {
    const begun = await begin()
    const by = approvalBy(begun)
    assert.equal(await store().approveBackchannel(begun.request.id, by, trace()), 'approved')
    return { ...begun, by }
  }

  const deny = ({ request, owner, session }: Begun, at = start) =>
    store().denyBackchannel(request.id, { ownerId: owner.id, session: session.id }, trace(at))

  test('a request is stored as it came, and listed for its owner while it waits', async () => {
    const { request, owner } = await begin()
    assert.deepEqual(await store().findBackchannel(request.id), request)
    const waiting = (at: number) => store().listBackchannels(owner.id, at, 10)
    assert.deepEqual(await waiting(start), [request])
    assert.deepEqual(await waiting(request.expiresAt), [])
    assert.equal(await store().findBackchannel(next('other') as FamilyId), null)
  })

  test('those of a disabled client are not listed', async () => {
    const { owner, client } = await begin()
    await store().changeClient(client.id, { newSalt, disabled: true }, trace())
    assert.equal(await countOf(owner), 0)
  })

  test('so many wait by one hint, and of one owner, whoever is asked beyond that', async () => {
    const people = await addPeople(store())
    const { owner } = people
    const ask = (change: Partial<BackchannelRequest>, bounds: Partial<BackchannelBounds>) =>
      startAs(sampleRequest(people, change), { ...wide, ...bounds })
    const three = { ofHint: 3, ofOwner: 3 }
    for (let i = 0; i < 3; i++) assert.equal(await ask({}, three), 'asked')
    assert.equal(await ask({}, three), 'too_many_of_hint')
    const other = sampleRequest(people, { hint: 'digest of an address' })
    assert.equal(await startAs(other, { ...wide, ...three }), 'unheard')
    assert.deepEqual(await store().findBackchannel(other.id), { ...other, ownerId: null })
    assert.equal(await countOf(owner), 3)
    const unknown = { ownerId: null, hint: 'digest of nobody' }
    for (let i = 0; i < 3; i++) assert.equal(await ask(unknown, three), 'unheard')
    assert.equal(await ask(unknown, three), 'too_many_of_hint')
    const later = { createdAt: start + 300, expiresAt: start + 600 }
    assert.equal(await ask(later, three), 'asked')
  })

  test('so many of all clients are shown to one owner', async () => {
    const people = await addPeople(store())
    const others = await addPeople(store())
    const two = { ...wide, ofOwnerInAll: 2 }
    assert.equal(await startAs(sampleRequest(people), two), 'asked')
    const { client } = others
    const byOther = () => sampleRequest({ ...people, client })
    assert.equal(await startAs(byOther(), two), 'asked')
    assert.equal(await startAs(byOther(), two), 'unheard')
    assert.equal(await startAs(sampleRequest(people), wide), 'asked')
  })

  test('a client that was denied often is not heard for a while', async () => {
    const begun = await begin()
    await deny(begun)
    const one = { ...wide, denials: 1 }
    assert.equal(await startAs(sampleRequest(begun), one), 'unheard')
    const after = { ...one, since: begun.request.expiresAt }
    assert.equal(await startAs(sampleRequest(begun), after), 'asked')
    const { client } = await addPeople(store())
    const other = sampleRequest({ ...begun, client })
    assert.equal(await startAs(other, one), 'asked')
  })

  test('so many of strangers wait in a network, and in all', async () => {
    const people = await addPeople(store())
    const network = next('network')
    const at = { createdAt: start + 50_000, expiresAt: start + 50_300, ofStranger: true }
    const ask = (change: Partial<BackchannelRequest>, bounds: Partial<BackchannelBounds>) =>
      startAs(sampleRequest(people, { ...at, ...change }), { ...wide, ...bounds })
    assert.equal(await ask({ network, ofStranger: false }, {}), 'asked')
    for (let i = 0; i < 2; i++) assert.equal(await ask({ network }, { ofNetwork: 2 }), 'asked')
    assert.equal(await ask({ network }, { ofNetwork: 2 }), 'too_many')
    assert.equal(await ask({ network: next('network') }, { ofNetwork: 2 }), 'asked')
    assert.equal(await ask({}, { inAll: 3 }), 'too_many')
    const late = { ...at, network, createdAt: start + 50_599, expiresAt: start + 50_900 }
    assert.equal(await ask(late, { ofNetwork: 2 }), 'too_many')
    const later = { ...late, createdAt: start + 50_600 }
    assert.equal(await ask(later, { ofNetwork: 2 }), 'asked')
    assert.equal(await ask({}, {}), 'asked')
  })

  test('the first of a while is known, by the hint and of the owner', async () => {
    const begun = await begin()
    const { expiresAt } = begun.request
    const first = async (change: Partial<BackchannelRequest> = {}) => {
      const started = await store().startBackchannel(sampleRequest(begun, change), wide)
      assert.ok(started.outcome === 'started')
      return [started.isFirst, started.isFirstOfOwner]
    }
    await deny(begun)
    assert.deepEqual(await first(), [false, false])
    assert.deepEqual(await first({ hint: next('hint') }), [true, false])
    const late = { createdAt: expiresAt + 299, expiresAt: expiresAt + 300 }
    assert.deepEqual(await first(late), [false, false])
    assert.deepEqual(await first({ createdAt: expiresAt + 600 }), [true, true])
    const { client } = await addPeople(store())
    assert.deepEqual(await first({ clientId: client.id }), [true, true])
    const nobody = { ownerId: null, hint: next('hint') }
    assert.deepEqual(
      [await first(nobody), await first(nobody)],
      [
        [true, true],
        [false, true],
      ],
    )
  })

  test('twenty at once do not exceed the bound', async () => {
    const people = await addPeople(store())
    const bounds = { ...wide, ofHint: 5, ofOwner: 5 }
    const begun = await together(20, () => startAs(sampleRequest(people), bounds))
    assert.deepEqual(tally(begun), { asked: 5, too_many_of_hint: 15 })
    assert.equal(await countOf(people.owner), 5)
  })

  test('an approval begins an authorization of its own, which ends with the request', async () => {
    const { request, owner, client, by } = await beginApproved()
    const stored = await store().findBackchannel(request.id)
    const { authorizationId, salt, terms } = by
    const approved = { state: 'approved', authorizationId, salt, terms } as const
    assert.deepEqual(stored, { ...request, ...approved })
    assert.deepEqual(await store().findAuthorization(authorizationId, start), {
      id: authorizationId,
      clientId: client.id,
      ownerId: owner.id,
      parentId: null,
      permissions: ['photos:read'],
      details: [],
      duration: 'chosen',
      sessionId: null,
      expiresAt: request.expiresAt,
      createdAt: start,
      salt,
      approvedFor: null,
      allowedBy: null,
      paused: null,
    })
    assert.equal(await store().findAuthorization(authorizationId, request.expiresAt), null)
    assert.equal(await countOf(owner), 0)
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 10)
    const told = rows.filter(({ type }) => type === 'authorization.approved')
    assert.deepEqual(
      told.map((event) => [event.authorizationId, event.details]),
      [[authorizationId, { permissions: 'photos:read', network: request.network, askedAt: start }]],
    )
  })

  test('an approval changes no other authorization of the client', async () => {
    const settled = await settle(store())
    const session = await logIn(settled)
    const request = sampleRequest(settled)
    await store().startBackchannel(request, wide)
    const by = approvalBy({ ...settled, session }, { permissions: ['contacts:read'] })
    assert.equal(await store().approveBackchannel(request.id, by, trace()), 'approved')
    const { id } = settled.authorization
    assert.deepEqual(await store().findAuthorization(id, start), settled.authorization)
  })

  test('a redemption begins the family, and the authorization ends with its token', async () => {
    const { request, by } = await beginApproved()
    const redemption = redemptionOf(request.id, by)
    const redeemed = await store().redeemBackchannel(redemption, trace(start + 7))
    assert.deepEqual(redeemed, {
      outcome: 'redeemed',
      family: {
        id: familyOf(request.id, by),
        authorizationId: by.authorizationId,
        generation: 0,
        rotatedAt: start + 7,
        expiresAt: start + 3600,
        hasEndings: false,
      },
    })
    const end = async () => (await store().findAuthorization(by.authorizationId, start))?.expiresAt
    assert.equal(await end(), start + 3600)
    assert.equal(
      (await store().findStanding(familyOf(request.id, by), start + 3599))?.family.id,
      familyOf(request.id, by),
    )
    assert.deepEqual(await store().redeemBackchannel(redemption, trace()), { outcome: 'used' })
    assert.notEqual(await store().findStanding(familyOf(request.id, by), start + 8), null)
  })

  test('access that is kept ends with the request until it is redeemed, and with its login', async () => {
    const begun = await begin()
    const { id, expiresAt } = begun.request
    const kept = { keptUntil: null, sessionId: begun.session.id }
    const by = approvalBy(begun, { kept })
    await store().approveBackchannel(id, by, trace())
    const find = () => store().findAuthorization(by.authorizationId, start)
    assert.equal((await find())?.expiresAt, expiresAt)
    await store().redeemBackchannel({ ...redemptionOf(id, by), endsAt: null }, trace())
    const after = await find()
    assert.deepEqual([after?.expiresAt, after?.sessionId], [null, begun.session.id])
    await store().endSession(begun.session.id, trace())
    assert.equal(await find(), null)
    const other = await begin()
    const until = approvalBy(other, { kept: { keptUntil: start + 900, sessionId: null } })
    await store().approveBackchannel(other.request.id, until, trace())
    assert.equal((await store().findBackchannel(other.request.id))?.keptUntil, start + 900)
  })

  test('a redemption leaves another end, which was chosen since', async () => {
    const other = await beginApproved()
    const { authorizationId: id } = other.by
    const change = { id, ownerId: other.owner.id, session: other.session.id, expiresAt: start + 9 }
    await store().changeAuthorizationEnd(change, trace())
    await store().redeemBackchannel(redemptionOf(other.request.id, other.by), trace())
    assert.equal((await store().findAuthorization(id, start))?.expiresAt, start + 9)
  })

  test('a denial ends it, with its event', async () => {
    const begun = await begin()
    assert.equal(await deny(begun), true)
    assert.equal(await deny(begun), false)
    const { id } = begun.request
    assert.equal(await store().approveBackchannel(id, approvalBy(begun), trace()), 'over')
    const { rows } = await store().listEvents({ ownerId: begun.owner.id }, null, 10)
    const told = rows.filter(({ type }) => type === 'authorization.denied')
    assert.deepEqual(
      told.map(({ clientId, details }) => ({ clientId, details })),
      [{ clientId: begun.client.id, details: { network: begun.request.network, askedAt: start } }],
    )
  })

  test('nobody else decides, and nobody without a login', async () => {
    const begun = await begin()
    const other = await addPeople(store())
    const session = await logIn(other)
    for (const by of [
      { owner: other.owner, session },
      { owner: begun.owner, session },
      { owner: other.owner, session: begun.session },
    ]) {
      const { id } = begun.request
      assert.equal(await store().approveBackchannel(id, approvalBy(by), trace()), 'over')
      assert.equal(await deny({ ...begun, ...by }), false)
    }
    await store().endSession(begun.session.id, trace())
    assert.equal(await deny(begun), false)
    const { id } = begun.request
    assert.equal(await store().approveBackchannel(id, approvalBy(begun), trace()), 'over')
    assert.equal((await store().findBackchannel(id))?.state, 'pending')
  })

  test('after its end nothing is decided, and nothing earned', async () => {
    const begun = await begin()
    const late = begun.request.expiresAt
    const by = approvalBy(begun)
    const { id } = begun.request
    assert.equal(await store().approveBackchannel(id, by, trace(late)), 'over')
    assert.equal(await deny(begun, late), false)
    assert.equal(await store().approveBackchannel(id, by, trace()), 'approved')
    const redemption = redemptionOf(id, by)
    assert.deepEqual(await store().redeemBackchannel(redemption, trace(late)), { outcome: 'used' })
  })

  const ends: Readonly<Record<string, (people: People) => Promise<unknown>>> = {
    'the client was disabled': ({ client }) =>
      store().changeClient(client.id, { newSalt, disabled: true }, trace()),
    'the client was deleted': ({ client }) => store().deleteClient(client.id, trace()),
    'the owner was disabled': ({ owner }) =>
      store().changeOwner(owner.id, { disabled: true }, trace()),
    'the owner was deleted': ({ owner }) => store().deleteOwner(owner.id, trace()),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`nothing is approved or earned once ${name}`, async () => {
      const waiting = await begin()
      await end(waiting)
      const { id } = waiting.request
      assert.equal(await store().approveBackchannel(id, approvalBy(waiting), trace()), 'over')
      const approved = await beginApproved()
      await end(approved)
      const redemption = redemptionOf(approved.request.id, approved.by)
      assert.deepEqual(await store().redeemBackchannel(redemption, trace()), { outcome: 'ended' })
      assert.equal(await store().isRedeemed(redemption.familyId), false)
    })
  }

  test('nothing is earned once the tokens of the client, or the authorization, ended', async () => {
    const client = await beginApproved()
    await store().endClientTokens(client.client.id, { own: 'one', family: 'two' }, trace())
    const authorization = await beginApproved()
    await store().endAuthorization(authorization.by.authorizationId, null, trace())
    for (const { request, by } of [client, authorization]) {
      const redemption = redemptionOf(request.id, by)
      assert.deepEqual(await store().redeemBackchannel(redemption, trace()), { outcome: 'ended' })
    }
  })

  test('nothing is approved for a paused application, and an approval waits for its end', async () => {
    const settled = await settle(store())
    const session = await logIn(settled)
    const of = { ownerId: settled.owner.id, clientId: settled.client.id }
    const [first, second] = [sampleRequest(settled), sampleRequest(settled)]
    for (const request of [first, second]) await store().startBackchannel(request, wide)
    const by = approvalBy({ ...settled, session })
    assert.equal(await store().approveBackchannel(first.id, by, trace()), 'approved')
    await store().pauseAuthorizations(of, trace())
    const other = approvalBy({ ...settled, session })
    assert.equal(await store().approveBackchannel(second.id, other, trace()), 'paused')
    const redemption = redemptionOf(first.id, by)
    assert.deepEqual(await store().redeemBackchannel(redemption, trace()), { outcome: 'paused' })
    await store().resumeAuthorizations({ ...of, session: null }, trace())
    assert.equal((await store().redeemBackchannel(redemption, trace())).outcome, 'redeemed')
    assert.equal(await store().approveBackchannel(second.id, other, trace()), 'approved')
  })

  test('a paused delegation stops nothing that its client asks for by itself', async () => {
    const { owner, authorization, familyId } = await settleFamily(store())
    const begun = await begin({ ownerId: owner.id })
    const session = await logIn({ ...begun, owner })
    const { client } = begun
    const chain = [{ familyId, tokenId: `${familyId}.0`, salt: authorization.salt }]
    await store().delegate(sampleDelegation(chain, authorization, client), trace())
    const of = { ownerId: owner.id, clientId: client.id, parentId: authorization.id }
    assert.equal(await store().pauseAuthorizations(of, trace()), 1)
    const by = approvalBy({ owner, session })
    assert.equal(await store().approveBackchannel(begun.request.id, by, trace()), 'approved')
  })

  test('a ping is due with the decision, and one node at a time sends it', async () => {
    const claim = (now: number, busy: readonly ClientId[] = []) =>
      store().claimBackchannelPings({ ...claimed, busy, until: now + 30 }, now)
    const begun = await begin({ ping: 'wrapped' })
    const { id, clientId, ownerId, expiresAt, ofStranger } = begun.request
    await deny(await begin())
    assert.deepEqual(await claim(start), [])
    await deny(begun)
    assert.deepEqual(await claim(start, [clientId]), [])
    const about = { id, clientId, ownerId, expiresAt, ofStranger }
    const first = { ...about, ping: 'wrapped', tries: 1 }
    assert.deepEqual(await claim(start), [first])
    assert.deepEqual(await claim(start + 29), [])
    assert.deepEqual(await claim(start + 30), [{ ...first, tries: 2 }])
    assert.equal(await store().postponeBackchannelPing(first, start + 31), false)
    const second = { ...first, tries: 2 }
    assert.equal(await store().postponeBackchannelPing(second, start + 35), true)
    const claims = await together(5, () => claim(start + 35))
    assert.deepEqual(claims.flat(), [{ ...first, tries: 3 }])
    assert.equal((await store().findBackchannel(id))?.ping, 'wrapped')
    assert.equal(await store().postponeBackchannelPing({ ...first, tries: 3 }, null), true)
    assert.equal((await store().findBackchannel(id))?.ping, null)
    assert.deepEqual(await claim(start + 1000), [])
  })

  test('of many pings of one client, one is claimed at a time', async () => {
    const begun = await begin({ ping: 'wrapped' })
    const other = sampleRequest(begun, { ping: 'wrapped' })
    await store().startBackchannel(other, wide)
    await deny(begun)
    await deny({ ...begun, request: other })
    const claim = async () => (await store().claimBackchannelPings(claimed, start)).length
    assert.deepEqual([await claim(), await claim(), await claim()], [1, 1, 0])
  })

  test('of many pings about one owner, one is claimed at a time, and none where that is busy', async () => {
    const begun = await begin({ ping: 'wrapped' })
    const { client } = await addPeople(store())
    const other = sampleRequest({ ...begun, client }, { ping: 'wrapped' })
    await store().startBackchannel(other, wide)
    await deny(begun)
    await deny({ ...begun, request: other })
    const claim = async (busyOwners: readonly OwnerId[] = []) =>
      (await store().claimBackchannelPings({ ...claimed, busyOwners }, start)).length
    assert.deepEqual([await claim([begun.owner.id]), await claim(), await claim()], [0, 1, 1])
  })

  test('pings of strangers are claimed apart', async () => {
    await deny(await begin({ ping: 'wrapped', ofStranger: true }))
    const claim = async (ofStranger: boolean) =>
      (await store().claimBackchannelPings({ ...claimed, ofStranger }, start)).length
    assert.deepEqual([await claim(false), await claim(true), await claim(true)], [0, 1, 0])
  })

  test('the owners of a client are listed, the latest first', async () => {
    const { client, owner } = await settle(store())
    assert.deepEqual(await store().listAuthorizers(client.id, 10), [owner.id])
    const { client: other } = await addPeople(store())
    assert.deepEqual(await store().listAuthorizers(other.id, 10), [])
  })

  test('RC-06 of twenty who redeem one approved request at once, one does', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { request, by } = await beginApproved()
      const redemption = redemptionOf(request.id, by)
      const outcomes = await together(20, () => store().redeemBackchannel(redemption, trace()))
      assert.deepEqual(tally(outcomes.map(({ outcome }) => outcome)), { redeemed: 1, used: 19 })
      assert.notEqual(await store().findStanding(familyOf(request.id, by), start), null)
    }
  })

  test('of approvals and denials at once, one holds', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const begun = await begin()
      const { id } = begun.request
      const decisions = await together<unknown>(10, (i) =>
        i % 2 === 0 ? deny(begun) : store().approveBackchannel(id, approvalBy(begun), trace()),
      )
      const state = (await store().findBackchannel(id))?.state
      const approvals = decisions.filter((done) => done === 'approved').length
      const denials = decisions.filter((done) => done === true).length
      assert.deepEqual([approvals, denials], state === 'approved' ? [1, 0] : [0, 1])
    }
  })

  test('nothing that a redemption earns outlives the end of its authorization beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { request, by } = await beginApproved()
      await together<unknown>(2, (i) =>
        i === round % 2
          ? store().endAuthorization(by.authorizationId, null, trace())
          : store().redeemBackchannel(redemptionOf(request.id, by), trace()),
      )
      assert.equal(await store().findStanding(familyOf(request.id, by), start), null)
    }
  })

  test('nothing that is approved outlives the end of its client or owner beside it', async () => {
    for (const end of Object.values(ends)) {
      for (let round = 0; round < 4; round++) {
        const begun = await begin()
        const by = approvalBy(begun)
        await together<unknown>(2, (i) =>
          i === round % 2 ? end(begun) : store().approveBackchannel(begun.request.id, by, trace()),
        )
        const redemption = redemptionOf(begun.request.id, by)
        assert.notEqual((await store().redeemBackchannel(redemption, trace())).outcome, 'redeemed')
      }
    }
  })
}
