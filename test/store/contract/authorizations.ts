/** The store contract for authorizations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { AuthorizationId, FamilyId, OwnerId } from '../../../src/model/ids.ts'
import type { Requester } from '../../../src/model/requester.ts'
import type { Approval, Proof } from '../../../src/store/contract/authorization.ts'
import type { Page } from '../../../src/store/contract/trace.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { nextFamily, start, together, trace } from '../moments.ts'
import { newSalt, sampleApproval, sampleClient, sampleSession } from '../sample.ts'
import { addPeople, approveIn, settle, settleFamily, told } from '../settle.ts'

export const authorizationContract = (store: () => Store): void => {
  test('an approval becomes an authorization', async () => {
    const people = await addPeople(store())
    const approval = sampleApproval(people, { duration: 'day', expiresAt: start + 60 })
    const { asked: _, proof: __, ...said } = approval
    const none = { parentId: null, approvedFor: null, allowedBy: null, paused: null }
    const expected = { ...said, ...none, details: [], createdAt: start }
    assert.equal(await store().isApproved(people.client.id), false)
    const approved = await approveIn(store(), approval, trace())
    assert.deepEqual(approved, expected)
    assert.deepEqual(await store().findAuthorization(said.id, start + 59), expected)
    assert.equal(await store().findAuthorization(said.id, start + 60), null)
    assert.equal(await store().isApproved(people.client.id), true)
    const found = await store().findAuthorizations(people.owner.id, people.client.id, start)
    assert.deepEqual(found, [expected])
    assert.equal(
      (await told(store(), { ownerId: people.owner.id })).at(-1),
      'authorization.approved',
    )
  })

  test('approving again decides what was asked anew and keeps the rest', async () => {
    const settled = await settle(store(), {
      asked: ['contacts:read', 'photos:read', 'photos:write'],
      permissions: ['contacts:read', 'photos:write'],
    })
    const again = sampleApproval(settled, { permissions: ['photos:read'] })
    const expected = { ...settled.authorization, permissions: ['contacts:read', 'photos:read'] }
    assert.deepEqual(await approveIn(store(), again, trace(start + 9)), expected)
    assert.deepEqual(await store().findAuthorization(expected.id, start), expected)
    assert.equal(await store().findAuthorization(again.id, start), null)
  })

  describe('what an approval was given for', () => {
    const requester: Requester = {
      name: 'Printer',
      host: 'a.example',
      responseTypes: 'code',
      method: 'client_secret_basic',
    }
    const { host, ...client } = requester
    const renamed = { ...requester, name: 'Other' }
    /** An approval of both permissions for the requester, and a later one of the same owner. */
    const approveTwice = async (change: Partial<Approval>) => {
      const { owner, client, authorization } = await settle(store(), { requester })
      const later = sampleApproval({ owner, client }, change)
      return { authorization, again: await approveIn(store(), later, trace(start + 9)) }
    }
    const stored = async ({ id }: Authorization) =>
      (await store().findAuthorization(id, start))?.approvedFor

    test('is kept with it', async () => {
      const { authorization } = await settle(store(), { requester })
      const expected = { ...client, hosts: [host] }
      assert.deepEqual(authorization.approvedFor, expected)
      assert.deepEqual(await stored(authorization), expected)
    })

    test('is another host, too, once all was decided again', async () => {
      const { authorization, again } = await approveTwice({
        requester: { ...requester, host: 'b.example' },
      })
      assert.equal(again?.id, authorization.id)
      assert.deepEqual(await stored(authorization), { ...client, hosts: [host, 'b.example'] })
    })

    test('is the client as it has become, and its former hosts no more', async () => {
      const { authorization, again } = await approveTwice({
        requester: { ...renamed, host: 'b.example' },
      })
      assert.equal(again?.id, authorization.id)
      assert.deepEqual(await stored(authorization), {
        ...client,
        name: 'Other',
        hosts: ['b.example'],
      })
    })

    test('stays for what was not decided again, which a changed client does not get', async () => {
      const less = ['photos:read'] as const
      const change = { asked: less, permissions: less, requester: renamed }
      const { authorization, again } = await approveTwice(change)
      assert.ok(again !== null && again.id !== authorization.id)
      assert.deepEqual(again.permissions, less)
      assert.deepEqual(again.approvedFor, { ...client, name: 'Other', hosts: [host] })
      const { approvedFor, permissions } = authorization
      const kept = await store().findAuthorization(authorization.id, start)
      assert.deepEqual([kept?.approvedFor, kept?.permissions], [approvedFor, permissions])
    })

    test('stays where nobody saw the client', async () => {
      const { authorization, again } = await approveTwice({})
      assert.equal(again?.id, authorization.id)
      assert.deepEqual(await stored(authorization), authorization.approvedFor)
    })
  })

  test('what is refused is taken from what was approved for longer or shorter, too', async () => {
    const settled = await settleFamily(store())
    const { owner, client, authorization, familyId } = settled
    const month = { duration: 'month', expiresAt: start + 300 } as const
    const write = { asked: ['photos:write'], permissions: ['photos:write'] } as const
    const brief = await approveIn(store(), sampleApproval(settled, { ...month, ...write }), trace())
    const others = [await settle(store(), { ownerId: owner.id }), await settle(store())]
    const day = { duration: 'day', expiresAt: start + 60 } as const
    const approval = sampleApproval(settled, { ...day, permissions: ['photos:read'] })
    const approved = await approveIn(store(), approval, trace())
    assert.deepEqual(await store().findAuthorizations(owner.id, client.id, start), [
      { ...authorization, permissions: ['photos:read'] },
      approved,
    ])
    const left = (await store().findStanding(familyId, start))?.authorization.permissions
    assert.deepEqual(left, ['photos:read'])
    assert.equal(await store().endAuthorization(brief?.id ?? approval.id, null, trace()), false)
    for (const other of others) {
      const found = await store().findAuthorization(other.authorization.id, start)
      assert.deepEqual(found, other.authorization)
    }
    const refused = 'photos:write'
    const events = (await store().listEvents({ clientId: client.id }, null, 3)).rows
    assert.deepEqual(
      new Map(events.map((event) => [event.authorizationId, [event.type, event.details]])),
      new Map<AuthorizationId, unknown>([
        [
          approval.id,
          ['authorization.approved', { permissions: 'photos:read', refused, duration: 'day' }],
        ],
        [authorization.id, ['authorization.narrowed', { permissions: 'photos:read', refused }]],
        [brief?.id ?? approval.id, ['authorization.ended', { permissions: '', refused }]],
      ]),
    )
    assert.equal(events[0]?.type, 'authorization.approved')
  })

  test('approving all of it again takes the new end date, unless the old has passed: then it begins anew', async () => {
    const settled = await settle(store(), { duration: 'day', expiresAt: start + 10 })
    const longer = sampleApproval(settled, { duration: 'day', expiresAt: start + 20 })
    const prolonged = { ...settled.authorization, expiresAt: start + 20 }
    assert.deepEqual(await approveIn(store(), longer, trace(start + 9)), prolonged)
    const later = sampleApproval(settled, { duration: 'day', expiresAt: start + 40 })
    const begun = await approveIn(store(), later, trace(start + 20))
    assert.equal(begun?.id, later.id)
    assert.equal(await store().findAuthorization(prolonged.id, start), null)
  })

  const everything = ['contacts:read', 'photos:read', 'photos:write'] as const
  const part = ['photos:read', 'photos:write'] as const

  test('approving a part again leaves what was before its old end, in an authorization of its own', async () => {
    for (const duration of ['day', 'month'] as const) {
      const day = { duration, asked: everything, permissions: everything } as const
      const settled = await settle(store(), { ...day, expiresAt: start + 10 })
      const { owner, client, authorization } = settled
      const again = { duration, asked: part, permissions: ['photos:read'] } as const
      const approval = sampleApproval(settled, { ...again, expiresAt: start + 20 })
      const approved = await approveIn(store(), approval, trace(start + 9))
      assert.deepEqual(
        [approved?.id, approved?.permissions, approved?.expiresAt, approved?.createdAt],
        [approval.id, ['photos:read'], start + 20, start + 9],
      )
      const permissions = ['contacts:read', 'photos:read']
      const rest = { ...authorization, duration: 'chosen', permissions }
      const find = (now: number) => store().findAuthorizations(owner.id, client.id, now)
      assert.deepEqual(await find(start + 9), [approved, rest])
      assert.deepEqual(await find(start + 10), [approved])
      const events = (await store().listEvents({ clientId: client.id }, null, 2)).rows
      const refused = 'photos:write'
      assert.deepEqual(
        events.map(({ type, authorizationId, details }) => [type, authorizationId, details]),
        [
          [
            'authorization.approved',
            approval.id,
            { permissions: 'photos:read', refused, duration },
          ],
          [
            'authorization.narrowed',
            authorization.id,
            { permissions: permissions.join(' '), refused },
          ],
        ],
      )
    }
  })

  test('approving a part again with the same end is one authorization still', async () => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    await store().startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    for (const change of [
      { duration: 'day', expiresAt: start + 10 },
      { duration: 'session', sessionId: session.id, expiresAt: session.expiresAt },
      {},
    ] as const) {
      const all = { asked: everything, permissions: everything, ...change }
      const first = await approveIn(store(), sampleApproval(people, all), trace())
      const again = { asked: part, permissions: ['photos:read'], ...change } as const
      const approved = await approveIn(store(), sampleApproval(people, again), trace())
      assert.deepEqual(approved, { ...first, permissions: ['contacts:read', 'photos:read'] })
    }
  })

  test('what has ended is listed for a while, however it ended, and lives by no clock', async () => {
    const people = await addPeople(store())
    const ownerId = people.owner.id
    const session = sampleSession(ownerId)
    const login = { passwordHash: people.owner.passwordHash }
    await store().startSession(session, login, null, trace())
    const approve = async (change: Partial<Approval>) => {
      const approved = await approveIn(store(), sampleApproval(people, change), trace())
      assert.ok(approved)
      return approved
    }
    const taken = await approve({ duration: 'forever' })
    const narrowed = await approve({ duration: 'month' })
    const expired = await approve({ duration: 'day', expiresAt: start + 9 })
    const visit = await approve({ duration: 'session', sessionId: session.id })
    const list = async (now: number, ended: { ended?: true } = { ended: true }) => {
      const { rows } = await store().listAuthorizations({ ownerId, ...ended }, null, 9, now)
      return rows.map(({ id, expiresAt }) => [id, expiresAt])
    }
    assert.deepEqual(await list(start), [])
    assert.equal(await store().endAuthorization(taken.id, ownerId, trace(start + 5)), true)
    await store().narrowAuthorization(narrowed.id, ownerId, [], trace(start + 6))
    await store().endSession(session.id, trace(start + 7))
    const ended = [
      [taken.id, start + 5],
      [narrowed.id, start + 6],
      [expired.id, start + 9],
      [visit.id, start + 7],
    ]
    assert.deepEqual(await list(start + 9), ended)
    const pages = async (limit: number, after: string | null = null): Promise<unknown[][]> => {
      const of = { ownerId, ended: true } as const
      const page = await store().listAuthorizations(of, after, limit, start + 9, 'latest end first')
      const ids = page.rows.map(({ id }) => id)
      return page.next === null ? [ids] : [ids, ...(await pages(limit, page.next))]
    }
    const byEnd = [expired.id, visit.id, narrowed.id, taken.id]
    assert.deepEqual(await pages(4), [byEnd])
    assert.deepEqual(await pages(3), [byEnd.slice(0, 3), byEnd.slice(3)])
    assert.deepEqual(
      await pages(1),
      byEnd.map((id) => [id]),
    )
    assert.deepEqual(await list(start + 9, {}), [])
    assert.deepEqual(await list(start, {}), [[expired.id, start + 9]])
    assert.equal(await store().endAuthorization(taken.id, ownerId, trace()), false)
    assert.equal(await store().narrowAuthorization(taken.id, ownerId, [], trace()), null)
    const again = await approve({ duration: 'forever' })
    assert.deepEqual(await list(start + 10, {}), [[again.id, null]])
    const days = storeLimits.useDays * 86_400
    assert.deepEqual(await list(start + 6 + days), [ended[2], ended[3]])
    assert.deepEqual(await list(start + 9 + days), [])
  })

  test('of those that ended together the newest is the first, on any page', async () => {
    const people = await addPeople(store())
    const ownerId = people.owner.id
    const ids: AuthorizationId[] = []
    for (let i = 0; i < 3; i++) {
      const approved = await approveIn(store(), sampleApproval(people), trace())
      ids.unshift(approved?.id ?? ('' as AuthorizationId))
      await store().endAuthorization(ids[0] as AuthorizationId, ownerId, trace(start + 5))
    }
    const found: AuthorizationId[] = []
    for (let after: string | null = null; ; ) {
      const of = { ownerId, ended: true } as const
      const page: Page<Authorization> = await store().listAuthorizations(
        of,
        after,
        1,
        start + 9,
        'latest end first',
      )
      found.push(...page.rows.map(({ id }) => id))
      after = page.next
      if (after === null) break
    }
    assert.deepEqual(found, ids)
  })

  test('a request that has earned a family approves nothing more', async () => {
    const { authorization, owner, familyId, ...people } = await settleFamily(store())
    const approve = (id: FamilyId) =>
      approveIn(store(), sampleApproval({ owner, ...people }, { familyId: id }), trace())
    assert.equal(await approve(familyId), null)
    assert.deepEqual(await store().findAuthorization(authorization.id, start), authorization)
    await store().endAuthorization(authorization.id, owner.id, trace())
    const twice = await together(5, () => approve(familyId))
    assert.deepEqual(twice, [null, null, null, null, null])
    assert.deepEqual(await store().findAuthorizations(owner.id, people.client.id, start), [])
    assert.notEqual(await approve(nextFamily({ ownerId: owner.id })), null)
  })

  test('RC-09 approvals at once become one authorization', async () => {
    const people = await addPeople(store())
    const approved = await together(20, () => approveIn(store(), sampleApproval(people), trace()))
    assert.equal(new Set(approved.map((one) => one?.id)).size, 1)
  })

  test('each duration is an authorization of its own, the longest-lasting first', async () => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    await store().startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    const visit = { duration: 'session', sessionId: session.id, expiresAt: null } as const
    for (const change of [
      visit,
      { duration: 'day', expiresAt: start + 10 },
      { duration: 'forever', expiresAt: null },
      { duration: 'month', expiresAt: start + 300 },
    ] as const) {
      await approveIn(store(), sampleApproval(people, change), trace())
    }
    const find = async (now: number) =>
      (await store().findAuthorizations(people.owner.id, people.client.id, now)).map(
        ({ duration }) => duration,
      )
    assert.deepEqual(await find(start), ['forever', 'month', 'day', 'session'])
    assert.deepEqual(await find(start + 10), ['forever', 'month', 'session'])
    assert.deepEqual(await find(session.expiresAt), ['forever'])
  })

  test('nothing is approved for who is gone, disabled or logged out', async () => {
    const people = await addPeople(store())
    const other = await addPeople(store())
    const session = sampleSession(other.owner.id)
    await store().startSession(session, { passwordHash: other.owner.passwordHash }, null, trace())
    const approve = (change: object) => approveIn(store(), sampleApproval(people, change), trace())
    assert.equal(await approve({ ownerId: 'nobody' }), null)
    assert.equal(await approve({ clientId: 'nobody' }), null)
    assert.equal(await approve({ duration: 'session', sessionId: 'none' }), null)
    // The session of somebody else will not do.
    assert.equal(await approve({ duration: 'session', sessionId: session.id }), null)
    await store().changeOwner(people.owner.id, { disabled: true }, trace())
    assert.equal(await approve({}), null)
    await store().changeOwner(people.owner.id, { disabled: false }, trace())
    await store().changeClient(people.client.id, { newSalt, disabled: true }, trace())
    assert.equal(await approve({}), null)
    await store().changeClient(people.client.id, { newSalt, disabled: false }, trace())
    assert.notEqual(await approve({}), null)
  })

  test('RC-08 nothing is approved, nor changed, once what was proven no longer holds', async () => {
    const people = await addPeople(store())
    const { id, passwordHash } = people.owner
    const session = sampleSession(id)
    await store().startSession(session, { passwordHash }, null, trace())
    const approve = (proof: Proof | null, at = start) =>
      approveIn(store(), sampleApproval(people, { proof }), trace(at))
    const proofs: readonly Proof[] = [{ passwordHash }, { session: session.id }]
    for (const proof of proofs) assert.notEqual(await approve(proof), null)
    const stranger = sampleApproval(await addPeople(store()), { proof: { session: session.id } })
    assert.equal(await approveIn(store(), stranger, trace()), null)
    assert.equal(await approve({ session: session.id }, session.expiresAt), null)
    await store().changePassword(id, { hash: 'new', salt: 'new' }, null, trace())
    for (const proof of proofs) assert.equal(await approve(proof), null)
    const [first] = await store().findAuthorizations(id, people.client.id, start)
    await store().endAuthorization(first?.id ?? ('' as AuthorizationId), id, trace())
    for (const proof of proofs) assert.equal(await approve(proof), null)
    assert.notEqual(await approve({ passwordHash: 'new' }), null)
    // An extension grant vouches for the owner itself.
    assert.notEqual(await approve(null), null)
  })

  test('RC-08 what stands is found in a login only while that lives', async () => {
    const { owner, client, authorization } = await settle(store())
    const session = sampleSession(owner.id)
    await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const find = (now: number) => store().findAuthorizations(owner.id, client.id, now, session.id)
    assert.deepEqual(await find(session.expiresAt - 1), [authorization])
    assert.deepEqual(await find(session.expiresAt), [])
    await store().changePassword(owner.id, { hash: 'new', salt: 'new' }, null, trace())
    assert.deepEqual(await find(start), [])
  })

  test('an authorization for a visit ends with it', async () => {
    for (const end of ['logout', 'new password', 'another login'] as const) {
      const people = await addPeople(store())
      const session = sampleSession(people.owner.id)
      await store().startSession(
        session,
        { passwordHash: people.owner.passwordHash },
        null,
        trace(),
      )
      const visit = { duration: 'session', sessionId: session.id } as const
      const approved = await approveIn(store(), sampleApproval(people, visit), trace())
      const id = approved?.id ?? ('' as AuthorizationId)
      assert.deepEqual(await store().findAuthorization(id, start), approved)
      assert.equal(await store().findAuthorization(id, session.expiresAt), null)
      if (end === 'logout') await store().endSession(session.id, trace())
      else if (end === 'another login') {
        const { id: ownerId, passwordHash } = people.owner
        await store().startSession(sampleSession(ownerId), { passwordHash }, session.id, trace())
      } else {
        const password = { hash: 'hash', salt: 'salt' }
        await store().changePassword(people.owner.id, password, null, trace())
      }
      assert.equal(await store().findAuthorization(id, start), null, end)
    }
  })

  test('a disabled client or owner hides an authorization, which stays on the list', async () => {
    const { client, owner, authorization } = await settle(store())
    const listed = {
      ...authorization,
      clientName: client.name,
      clientRegisteredBy: 'operator',
      parentClientName: null,
      clientUri: 'https://printer.example',
      clientDisabled: true,
      clientLikeness: null,
      clientLogo: null,
      username: owner.username,
      lastUsedAt: null,
    }
    await store().changeClient(client.id, { newSalt, disabled: true }, trace())
    assert.equal(await store().findAuthorization(authorization.id, start), null)
    assert.deepEqual(await store().findAuthorizations(owner.id, client.id, start), [])
    const list = await store().listAuthorizations({ ownerId: owner.id }, null, 10, start)
    assert.deepEqual(list, { rows: [listed], next: null })
    assert.equal(await store().endAuthorization(authorization.id, owner.id, trace()), true)
  })

  test('a listed authorization names the kept picture of its client, unless it is of another address', async () => {
    const logo_uri = 'https://printer.example/logo.png'
    const painted = sampleClient({ display: { logo_uri } })
    await store().createClient(painted, trace())
    const { owner } = await settle(store(), { clientId: painted.id })
    const shown = async () => {
      const { rows } = await store().listAuthorizations({ ownerId: owner.id }, null, 1, start)
      return rows[0]?.clientLogo
    }
    assert.equal(await shown(), null)
    const logo = { clientId: painted.id, uri: logo_uri, type: 'image/png', version: 'v1' } as const
    await store().keepClientLogo({ ...logo, content: 'AA==', fetchedAt: start })
    assert.equal(await shown(), 'v1')
    const display = { logo_uri: 'https://printer.example/other.png' }
    await store().changeClient(painted.id, { newSalt, display }, trace())
    assert.equal(await shown(), null)
  })

  test('a listed authorization tells who registered its client, and what page that names', async () => {
    const stranger = sampleClient({ registeredBy: 'itself', display: {} })
    await store().createClient(stranger, trace())
    const { owner } = await settle(store(), { clientId: stranger.id })
    const shown = async () => {
      const { rows } = await store().listAuthorizations({ ownerId: owner.id }, null, 1, start)
      return rows.map((row) => [row.clientRegisteredBy, row.clientUri, row.clientDisabled])
    }
    assert.deepEqual(await shown(), [['itself', null, false]])
    const display = { client_uri: 'https://shop.example/' }
    await store().changeClient(stranger.id, { newSalt, display }, trace())
    assert.deepEqual(await shown(), [['itself', display.client_uri, false]])
  })

  test('a listed authorization tells what its client looks like, unless the operator changed it', async () => {
    const redirectUris = [
      'https://b.example/1',
      'http://127.0.0.1:9/',
      'https://b.example/2',
      'app:/',
    ]
    const stranger = sampleClient({ registeredBy: 'itself', display: {}, redirectUris })
    await store().createClient(stranger, trace())
    const { owner } = await settle(store(), { clientId: stranger.id })
    const likeness = async () => {
      const { rows } = await store().listAuthorizations({ ownerId: owner.id }, null, 1, start)
      return rows[0]?.clientLikeness
    }
    const hosts = ['127.0.0.1', 'app', 'b.example']
    assert.equal(await likeness(), JSON.stringify(['', stranger.name, hosts]))
    const setByOperator = ['redirect_uris']
    await store().changeClient(stranger.id, { newSalt, setByOperator }, trace())
    assert.equal(await likeness(), null)
  })

  test('authorizations are listed by owner, by client and by both, in pages', async () => {
    const one = await settle(store())
    const two = await settle(store(), {
      clientId: one.client.id,
      duration: 'day',
      expiresAt: start + 9,
    })
    const page = await store().listAuthorizations({ clientId: one.client.id }, null, 1, start)
    assert.deepEqual(
      [page.rows.map(({ id }) => id), page.next],
      [[one.authorization.id], one.authorization.id],
    )
    const ids = async (of: object, after: string | null, now: number) =>
      (await store().listAuthorizations(of, after, 10, now)).rows.map(({ id }) => id)
    const clientId = one.client.id
    assert.deepEqual(await ids({ clientId }, page.next, start), [two.authorization.id])
    assert.deepEqual(await ids({ clientId }, page.next, start + 9), [])
    assert.deepEqual(await ids({ ownerId: two.owner.id }, null, start), [two.authorization.id])
    assert.deepEqual(await ids({ clientId, ownerId: one.owner.id }, null, start), [
      one.authorization.id,
    ])
    assert.deepEqual((await ids({}, page.next, start))[0], two.authorization.id)
    const newest = (after: string | null, limit: number) =>
      store().listAuthorizations({ clientId }, after, limit, start, 'newest first')
    const [latest, rest] = [await newest(null, 1), await newest(two.authorization.id, 1)]
    assert.deepEqual(
      [latest, rest].map(({ rows, next }) => [rows.map(({ id }) => id), next]),
      [
        [[two.authorization.id], two.authorization.id],
        [[one.authorization.id], null],
      ],
    )
  })

  test('SC-07 narrowing keeps what is kept of what there was, for its owner only', async () => {
    const { owner, authorization } = await settle(store())
    const { id } = authorization
    const stranger = 'somebody' as OwnerId
    assert.equal(await store().narrowAuthorization(id, stranger, [], trace()), null)
    const keep = ['calendar:read', 'photos:read'] as const
    const expected = { ...authorization, permissions: ['photos:read'] }
    assert.deepEqual(await store().narrowAuthorization(id, owner.id, keep, trace()), expected)
    assert.deepEqual(await store().findAuthorization(id, start), expected)
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'authorization.narrowed')
  })

  test('an authorization of which all is kept stays as it is, and nothing is told', async () => {
    const { owner, client, authorization } = await settle(store())
    const { id, permissions } = authorization
    const before = await told(store(), { clientId: client.id })
    for (const keep of [permissions, [...permissions, 'calendar:read']] as const) {
      const kept = await store().narrowAuthorization(id, owner.id, keep, trace())
      assert.deepEqual(kept, authorization)
    }
    assert.deepEqual(await told(store(), { clientId: client.id }), before)
  })

  test('SC-07 an authorization of which nothing is kept ends', async () => {
    for (const keep of [[], ['calendar:read']] as const) {
      const { owner, client, authorization, familyId } = await settleFamily(store())
      const { id } = authorization
      const none = await store().narrowAuthorization(id, owner.id, keep, trace())
      assert.deepEqual(none, { ...authorization, permissions: [] })
      assert.equal(await store().findStanding(familyId, start), null)
      const list = await store().listAuthorizations({ ownerId: owner.id }, null, 10, start)
      assert.deepEqual(list.rows, [])
      assert.equal(await store().narrowAuthorization(id, owner.id, keep, trace()), null)
      const types = (await told(store(), { clientId: client.id })).slice(-2)
      assert.deepEqual(types, ['authorization.approved', 'authorization.ended'])
    }
  })

  test('two who narrow at once leave what both keep', async () => {
    const { authorization } = await settle(store())
    const { id } = authorization
    await Promise.all([
      store().narrowAuthorization(id, null, ['photos:read'], trace()),
      store().narrowAuthorization(id, null, ['photos:write'], trace()),
    ])
    assert.equal(await store().findAuthorization(id, start), null)
  })

  test('an authorization ends once, for its owner only', async () => {
    const { owner, authorization } = await settle(store())
    const { id } = authorization
    assert.equal(await store().endAuthorization(id, 'somebody' as OwnerId, trace()), false)
    const ended = await together(5, () => store().endAuthorization(id, owner.id, trace()))
    assert.deepEqual(ended, [true, false, false, false, false])
    assert.equal(await store().findAuthorization(id, start), null)
    assert.equal(await store().narrowAuthorization(id, null, [], trace()), null)
    const types = (await told(store(), { ownerId: owner.id })).slice(-2)
    assert.deepEqual(types, ['authorization.approved', 'authorization.ended'])
  })
}
