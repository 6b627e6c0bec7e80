/** The store contract for second factors: each counts as often as it may, and what it opens needs it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLineId } from '../../../src/model/client.ts'
import type { Passkey } from '../../../src/model/factor.ts'
import type {
  Digest,
  EventId,
  FamilyId,
  OwnerId,
  PasskeyId,
  SessionId,
} from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { ByOwner, Ceremony, UsedPasskey } from '../../../src/store/contract/factor.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, nextOwned, raceRounds, start, together, trace } from '../moments.ts'
import {
  sampleApproval,
  sampleClient,
  sampleOwner,
  samplePasskey,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, told } from '../settle.ts'

const newCeremony = (): Ceremony => ({ id: next('ceremony'), expiresAt: start + 600 })

const used = ({ id }: Passkey, counter: number, ceremony = newCeremony()): UsedPasskey => ({
  kind: 'passkey',
  id,
  counter,
  backedUp: true,
  ceremony,
})

const codes = { secret: 'gcm.nonce.wrapped', lastStep: 100 }

const none = {
  passkeys: [],
  oneTimeCodes: null,
  recoveryCodes: 0,
  passkeyOnly: false,
  formerPassword: null,
}

export const factorContract = (store: () => Store): void => {
  /** Logged in by the password alone, before there was anything else. */
  const settleOwner = async (): Promise<{ owner: Owner; by: ByOwner }> => {
    const owner = sampleOwner()
    await store().createOwner(owner, trace())
    const session = sampleSession(owner.id)
    const { passwordHash } = owner
    assert.equal(await store().startSession(session, { passwordHash }, null, trace()), 'accepted')
    return { owner, by: { ownerId: owner.id, session: session.id } }
  }

  const add = (passkey: Passkey, by: ByOwner, most = 3, ceremony = newCeremony()) =>
    store().addPasskey(passkey, most, ceremony, by, trace())

  const settlePasskey = async (change: Partial<Passkey> = {}) => {
    const settled = await settleOwner()
    const passkey = samplePasskey(settled.owner.id, change)
    assert.equal(await add(passkey, settled.by), 'added')
    return { ...settled, passkey }
  }

  const logIn = ({ id }: Owner, login: Parameters<Store['startSession']>[1]) =>
    store().startSession(sampleSession(id), login, null, trace())

  const passkeysOf = async (id: OwnerId) => (await store().findFactors(id)).passkeys

  const setRecoveryCodes = (names: readonly string[], by: ByOwner) =>
    store().setRecoveryCodes(names as readonly Digest[], newCeremony(), by, trace())

  const recovery = (code: string, ceremony = newCeremony()) => ({
    kind: 'recovery code' as const,
    code: code as Digest,
    eventId: next('event') as EventId,
    ceremony,
  })

  const requirePasskey = async (by: ByOwner): Promise<void> => {
    assert.equal(await add(samplePasskey(by.ownerId), by), 'added')
    assert.equal(await setRecoveryCodes(['one'], by), 'added')
    assert.equal(await store().setPasskeyOnly(true, by, trace()), 'set')
  }

  test('nobody has a second factor at first', async () => {
    const { owner } = await settleOwner()
    assert.deepEqual(await store().findFactors(owner.id), none)
    assert.deepEqual(await store().findFactors('nobody' as OwnerId), none)
    assert.equal(await store().findPasskey('none' as PasskeyId), null)
  })

  test('a passkey is found by its id with its owner, until either is gone', async () => {
    const { owner, by, passkey } = await settlePasskey()
    assert.deepEqual(await store().findPasskey(passkey.id), { passkey, owner })
    const second = samplePasskey(owner.id, { createdAt: start + 1 })
    await add(second, by)
    assert.deepEqual(await passkeysOf(owner.id), [passkey, second])
    assert.equal(await store().removePasskey(passkey.id, [], by, trace()), 'removed')
    assert.equal(await store().removePasskey(passkey.id, [], by, trace()), 'unknown')
    assert.equal(await store().findPasskey(passkey.id), null)
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.equal(await store().findPasskey(second.id), null)
    const events = ['factor.added', 'factor.added', 'factor.removed', 'owner.changed']
    assert.deepEqual((await told(store(), { ownerId: owner.id })).slice(2), events)
  })

  test('a credential id belongs to one owner, and an owner has so many at most', async () => {
    const { passkey, by } = await settlePasskey()
    const other = await settleOwner()
    assert.equal(await add({ ...passkey, ownerId: other.owner.id }, other.by), 'taken')
    assert.equal(await add(samplePasskey(by.ownerId), by, 1), 'full')
    assert.deepEqual(await passkeysOf(other.owner.id), [])
  })

  test('only a live session of the owner changes factors', async () => {
    const { by, passkey, owner } = await settlePasskey()
    const stranger = await settleOwner()
    const ended = { ...by, session: stranger.by.session }
    assert.equal(await add(samplePasskey(owner.id), ended), 'refused')
    assert.equal(await store().setOneTimeCodes(codes, newCeremony(), ended, trace()), 'refused')
    assert.equal(await setRecoveryCodes(['a'], ended), 'refused')
    assert.equal(await store().removePasskey(passkey.id, [], ended, trace()), 'refused')
    assert.equal(await store().removePasskey(passkey.id, [], stranger.by, trace()), 'unknown')
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    assert.equal(await store().removeOneTimeCodes(ended, trace()), false)
    await store().endSession(by.session, trace())
    assert.equal(await store().removePasskey(passkey.id, [], by, trace()), 'refused')
    assert.equal((await passkeysOf(owner.id)).length, 1)
  })

  test('a ceremony is finished once, whatever it was for', async () => {
    const { by, owner } = await settleOwner()
    const ceremony = newCeremony()
    const outcomes = await together(20, () => add(samplePasskey(owner.id), by, 30, ceremony))
    assert.deepEqual(outcomes.sort(), ['added', ...Array(19).fill('used')])
    assert.equal(await store().setOneTimeCodes(codes, ceremony, by, trace()), 'used')
    const [passkey] = await passkeysOf(owner.id)
    assert.ok(passkey)
    assert.equal(await logIn(owner, { passkey: used(passkey, 5, ceremony) }), 'finished')
    assert.equal(await store().isFinished(ceremony.id), true)
    assert.equal(await store().isFinished(newCeremony().id), false)
    assert.equal(await store().finishCeremony(ceremony), false)
  })

  test('a ceremony that nothing else comes of is finished once', async () => {
    const ceremony = newCeremony()
    const outcomes = await together(20, () => store().finishCeremony(ceremony))
    assert.deepEqual(outcomes.filter(Boolean), [true])
    assert.equal(await store().isFinished(ceremony.id), true)
  })

  test('a password alone opens nothing for an owner who requires a second factor', async () => {
    for (const what of ['passkey', 'one-time codes']) {
      const { client } = await addPeople(store())
      const { owner, by } = await settleOwner()
      const { passwordHash } = owner
      if (what === 'passkey') await requirePasskey(by)
      else await store().setOneTimeCodes(codes, newCeremony(), by, trace())
      assert.equal(await logIn(owner, { passwordHash }), 'refused')
      const approval = sampleApproval({ client, owner }, { proof: { passwordHash } })
      assert.equal(await approveIn(store(), approval, trace()), null)
      const familyId = nextOwned<FamilyId>('family', owner.id)
      const family = { familyId, under: approval, expiresAt: null }
      assert.equal(await store().startFamily(family, trace()), null)
      const approved = await approveIn(
        store(),
        { ...approval, proof: { session: by.session } },
        trace(),
      )
      assert.notEqual(approved, null)
    }
  })

  test('a password that was right before a passkey was required begins no session after it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { owner, by } = await settleOwner()
      const { passwordHash } = owner
      const sessions = Array.from({ length: 6 }, () => sampleSession(owner.id))
      await add(samplePasskey(owner.id), by)
      await setRecoveryCodes(['one'], by)
      const [set, ...outcomes] = await Promise.all([
        store().setPasskeyOnly(true, by, trace()),
        ...sessions.map((one) => store().startSession(one, { passwordHash }, null, trace())),
      ])
      assert.equal(set, 'set')
      assert.ok(outcomes.every((outcome) => ['accepted', 'refused'].includes(outcome)))
      assert.equal(await logIn(owner, { passwordHash }), 'refused')
    }
  })

  test('a passkey logs in alone, and with the password; its use is noted', async () => {
    const { owner, passkey } = await settlePasskey()
    const { passwordHash } = owner
    assert.equal(await logIn(owner, { passkey: used(passkey, 1) }), 'accepted')
    assert.equal(await logIn(owner, { passwordHash, factor: used(passkey, 2) }), 'accepted')
    const noted = { counter: 2, backedUp: true, lastUsedAt: start }
    assert.deepEqual(await passkeysOf(owner.id), [{ ...passkey, ...noted }])
  })

  test('a passkey logs in nobody but its owner, and nobody who is disabled', async () => {
    const { owner, passkey } = await settlePasskey()
    const { owner: other } = await settleOwner()
    assert.equal(await logIn(other, { passkey: used(passkey, 1) }), 'refused')
    const { passwordHash } = other
    assert.equal(await logIn(other, { passwordHash, factor: used(passkey, 1) }), 'refused')
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.equal(await logIn(owner, { passkey: used(passkey, 1) }), 'refused')
  })

  test('a counter that does not grow is refused and told; one that is always 0 is none', async () => {
    const { owner, passkey } = await settlePasskey({ counter: 7 })
    for (const counter of [7, 3, 0]) {
      assert.equal(await logIn(owner, { passkey: used(passkey, counter) }), 'regressed')
    }
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'passkey.counter_regressed')
    assert.equal((await passkeysOf(owner.id))[0]?.lastUsedAt, null)
    assert.equal(await logIn(owner, { passkey: used(passkey, 8) }), 'accepted')
    const { owner: other, passkey: uncounted } = await settlePasskey({ counter: 0 })
    for (let i = 0; i < 2; i++) {
      assert.equal(await logIn(other, { passkey: used(uncounted, 0) }), 'accepted')
    }
  })

  test('of twenty who replay one signature at once, one logs in', async () => {
    const { owner, passkey } = await settlePasskey({ counter: 0 })
    const ceremony = newCeremony()
    const outcomes = await together(20, () => logIn(owner, { passkey: used(passkey, 0, ceremony) }))
    assert.deepEqual(outcomes.sort(), ['accepted', ...Array(19).fill('finished')])
  })

  test('a time step is used once, and no earlier one after it', async () => {
    const { owner, by } = await settleOwner()
    const { passwordHash } = owner
    await store().setOneTimeCodes(codes, newCeremony(), by, trace(start + 5))
    const { oneTimeCodes } = await store().findFactors(owner.id)
    assert.deepEqual(oneTimeCodes, { ...codes, createdAt: start + 5 })
    const show = (step: number) =>
      logIn(owner, {
        passwordHash,
        factor: { kind: 'one-time code', step, ceremony: newCeremony() },
      })
    assert.equal(await show(100), 'used')
    const outcomes = await together(20, () => show(102))
    assert.deepEqual(outcomes.sort(), ['accepted', ...Array(19).fill('used')])
    assert.equal(await show(101), 'used')
    assert.equal(await show(103), 'accepted')
  })

  test('recovery codes end with the last factor, whichever that is', async () => {
    for (const last of ['passkey', 'one-time codes']) {
      const { owner, by, passkey } = await settlePasskey()
      await store().setOneTimeCodes(codes, newCeremony(), by, trace())
      await setRecoveryCodes(['one', 'two'], by)
      const removePasskey = async () =>
        (await store().removePasskey(passkey.id, [], by, trace())) === 'removed'
      const removeCodes = () => store().removeOneTimeCodes(by, trace())
      const removals =
        last === 'passkey' ? [removeCodes, removePasskey] : [removePasskey, removeCodes]
      assert.equal(await removals[0]?.(), true)
      assert.equal((await store().findFactors(owner.id)).recoveryCodes, 2)
      assert.equal(await removals[1]?.(), true)
      assert.deepEqual(await store().findFactors(owner.id), none)
    }
  })

  test('new one-time codes come in place of the old ones', async () => {
    const { owner, by } = await settleOwner()
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    const other = { secret: 'gcm.nonce.other', lastStep: 50 }
    await store().setOneTimeCodes(other, newCeremony(), by, trace())
    const { oneTimeCodes } = await store().findFactors(owner.id)
    assert.deepEqual(oneTimeCodes, { ...other, createdAt: start })
    assert.equal(await store().removeOneTimeCodes(by, trace()), true)
    assert.equal(await store().removeOneTimeCodes(by, trace()), false)
    assert.equal((await store().findFactors(owner.id)).oneTimeCodes, null)
  })

  test('of twenty who show one recovery code at once, one logs in', async () => {
    const { owner, by } = await settlePasskey()
    const { passwordHash } = owner
    await setRecoveryCodes(['one', 'two', 'three'], by)
    const show = (code: string) => logIn(owner, { passwordHash, factor: recovery(code) })
    const outcomes = await together(20, () => show('two'))
    assert.deepEqual(outcomes.sort(), ['accepted', ...Array(19).fill('used')])
    assert.equal((await store().findFactors(owner.id)).recoveryCodes, 2)
    assert.deepEqual((await store().listRecoveryCodes(owner.id)).toSorted(), ['one', 'three'])
    const events = await told(store(), { ownerId: owner.id })
    assert.equal(events.filter((type) => type === 'recovery_code.used').length, 1)
    assert.equal(await show('none'), 'used')
    assert.equal(await show('one'), 'accepted')
  })

  test('the second step of one login is taken once, with whatever code', async () => {
    const { owner, by } = await settlePasskey()
    const { passwordHash } = owner
    await setRecoveryCodes(['one', 'two'], by)
    const ceremony = newCeremony()
    const show = (code: string) => logIn(owner, { passwordHash, factor: recovery(code, ceremony) })
    assert.equal(await show('wrong'), 'used')
    assert.equal(await show('one'), 'accepted')
    assert.equal(await show('one'), 'finished')
    assert.equal(await show('two'), 'finished')
    assert.equal((await store().findFactors(owner.id)).recoveryCodes, 1)
  })

  test('a replay is no sign of a second device, and a regressed counter uses up nothing', async () => {
    const { owner, passkey } = await settlePasskey({ counter: 7 })
    const ceremony = newCeremony()
    assert.equal(await logIn(owner, { passkey: used(passkey, 7, ceremony) }), 'regressed')
    const outcomes = await together(20, () => logIn(owner, { passkey: used(passkey, 8, ceremony) }))
    assert.deepEqual(outcomes.sort(), ['accepted', ...Array(19).fill('finished')])
    const events = await told(store(), { ownerId: owner.id })
    assert.equal(events.filter((type) => type === 'passkey.counter_regressed').length, 1)
  })

  test('recovery codes stand in for another factor, and go with the last one', async () => {
    const { owner, by } = await settleOwner()
    assert.equal(await setRecoveryCodes(['one'], by), 'refused')
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    const passkey = samplePasskey(owner.id)
    await add(passkey, by)
    assert.equal(await setRecoveryCodes(['one', 'two'], by), 'added')
    assert.equal(await setRecoveryCodes(['three'], by), 'added')
    assert.equal((await store().findFactors(owner.id)).recoveryCodes, 1)
    await store().removeOneTimeCodes(by, trace())
    assert.equal((await store().findFactors(owner.id)).recoveryCodes, 1)
    await store().removePasskey(passkey.id, [], by, trace())
    assert.equal((await store().findFactors(owner.id)).recoveryCodes, 0)
    assert.equal(await logIn(owner, { passwordHash: owner.passwordHash }), 'accepted')
  })

  test('an owner of whom the password changed meanwhile is not let in by the factor', async () => {
    const { owner, passkey } = await settlePasskey()
    await store().changePassword(owner.id, { hash: 'new', salt: 'new' }, null, trace())
    const login = { passwordHash: owner.passwordHash, factor: used(passkey, 9) }
    assert.equal(await logIn(owner, login), 'refused')
    assert.equal(await logIn(owner, { passkey: used(passkey, 9) }), 'accepted')
  })

  test('a login is confirmed by its own password or passkey, and lasts no longer for it', async () => {
    const { owner, by, passkey } = await settlePasskey()
    const { passwordHash } = owner
    const confirm = (login: Parameters<Store['confirmSession']>[1], at: number, who = by) =>
      store().confirmSession(who, login, trace(at))
    const found = async () => (await store().findSession(by.session, start))?.session
    const before = await found()
    assert.equal(await confirm({ passwordHash: 'another' }, start + 5), 'refused')
    assert.deepEqual(await found(), before)
    assert.equal(await confirm({ passwordHash }, start + 5), 'accepted')
    assert.deepEqual(await found(), { ...before, confirmedAt: start + 5 })
    const ceremony = newCeremony()
    assert.equal(await confirm({ passkey: used(passkey, 4, ceremony) }, start + 9), 'accepted')
    assert.equal(await confirm({ passkey: used(passkey, 5, ceremony) }, start + 99), 'finished')
    assert.deepEqual(await found(), { ...before, confirmedAt: start + 9 })
    const stranger = await settlePasskey()
    const theirs = { passkey: used(stranger.passkey, 1) }
    assert.equal(await confirm(theirs, start + 10), 'refused')
    assert.equal(await confirm({ passwordHash }, start + 1000), 'refused')
  })

  test('the operator takes all factors away at once', async () => {
    const { owner, by } = await settlePasskey()
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    await setRecoveryCodes(['one', 'two'], by)
    assert.equal(await store().resetFactors(owner.id, trace()), true)
    assert.equal(await store().resetFactors(owner.id, trace()), false)
    assert.deepEqual(await store().findFactors(owner.id), none)
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'factor.removed')
    assert.equal(await logIn(owner, { passwordHash: owner.passwordHash }), 'accepted')
  })

  const factorEnds = [
    (passkey: Passkey, by: ByOwner) => store().removePasskey(passkey.id, [], by, trace()),
    (_: Passkey, by: ByOwner) => store().removeOneTimeCodes(by, trace()),
    (_: Passkey, by: ByOwner) => store().setOneTimeCodes(codes, newCeremony(), by, trace()),
    (_: Passkey, by: ByOwner) => store().unlinkUpstream('acme', [], by, trace()),
    (_: Passkey, { ownerId }: ByOwner) => store().resetFactors(ownerId, trace()),
  ]

  /** With every kind of factor, and an account at an upstream. */
  const settleAll = async (roles: readonly string[] = []) => {
    const settled = await settlePasskey()
    const { owner, by } = settled
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    const account = { upstream: 'acme', issuer: 'https://acme.example', subject: next('subject') }
    const link = { ...account, ownerId: owner.id, label: '', createdAt: start, lastUsedAt: null }
    assert.equal(await store().linkUpstream(link, newCeremony(), by, trace()), 'linked')
    await store().changeOwner(owner.id, { roles }, trace())
    return settled
  }

  test('a factor or a role that goes ends the command line of its owner, and nothing else', async () => {
    const commandLine = sampleClient({ id: commandLineId })
    await store().createClient(commandLine, trace())
    const { client: other } = await addPeople(store())
    for (const end of [
      ...factorEnds,
      (_: Passkey, { ownerId }: ByOwner) =>
        store().changeOwner(ownerId, { roles: ['auditor'] }, trace()),
    ]) {
      const { owner, by, passkey } = await settleAll()
      const live = () => store().findAuthorizations(owner.id, commandLineId, start, by.session)
      const visit = { duration: 'session', sessionId: by.session } as const
      for (const client of [commandLine, other]) {
        await approveIn(store(), sampleApproval({ client, owner }, visit), trace())
      }
      await store().changeOwner(owner.id, { name: 'Alice' }, trace())
      assert.equal((await live()).length, 1)
      await Promise.all([end(passkey, by), end(passkey, by)])
      assert.equal((await live()).length, 0)
      const kept = await store().findAuthorizations(owner.id, other.id, start, by.session)
      assert.equal(kept.length, 1)
    }
  })

  test('a login has to be proved anew once a factor went, and so an approval that was asked before is void', async () => {
    const client = sampleClient({ id: commandLineId })
    await store().createClient(client, trace())
    const found = async (id: SessionId) => (await store().findSession(id, start))?.session
    for (const end of factorEnds) {
      const { owner, by, passkey } = await settleAll(['operator'])
      const visit = { duration: 'session', sessionId: by.session } as const
      const proof = { session: by.session, confirmedSince: start }
      const approval = sampleApproval({ client, owner }, { ...visit, proof })
      await Promise.all([end(passkey, by), approveIn(store(), approval, trace())])
      assert.equal((await found(by.session))?.confirmedAt, 0)
      assert.equal(await approveIn(store(), approval, trace()), null)
      const live = await store().findAuthorizations(owner.id, client.id, start, by.session)
      assert.deepEqual(live, [])
    }
    // Of others, the login in use stays as it is.
    const { by, passkey, owner } = await settleAll()
    const beside = sampleSession(owner.id)
    const login = { passkey: used(passkey, 9) }
    assert.equal(await store().startSession(beside, login, null, trace()), 'accepted')
    assert.equal(await store().removePasskey(passkey.id, [], by, trace()), 'removed')
    assert.equal((await found(by.session))?.confirmedAt, start)
    assert.equal((await found(beside.id))?.confirmedAt, 0)
  })

  test('a passkey leaves the password as it is', async () => {
    const { owner, by } = await settlePasskey()
    await setRecoveryCodes(['one'], by)
    assert.equal(await logIn(owner, { passwordHash: owner.passwordHash }), 'accepted')
  })

  test('a passkey is required only of an owner who has one, and recovery codes', async () => {
    const { owner, by } = await settleOwner()
    const require = (isOn: boolean) => store().setPasskeyOnly(isOn, by, trace())
    assert.equal(await require(true), 'unready')
    await add(samplePasskey(owner.id), by)
    assert.equal(await require(true), 'unready')
    await setRecoveryCodes(['one'], by)
    assert.deepEqual([await require(true), await require(true)], ['set', 'set'])
    assert.equal((await store().findFactors(owner.id)).passkeyOnly, true)
    assert.deepEqual([await require(false), await require(false)], ['set', 'set'])
    assert.equal(await logIn(owner, { passwordHash: owner.passwordHash }), 'accepted')
    const events = ['factor.added', 'factor.added', 'factor.added', 'factor.removed']
    const all = await told(store(), { ownerId: owner.id })
    assert.deepEqual(
      all.filter((type) => type.startsWith('factor.')),
      events,
    )
    await store().endSession(by.session, trace())
    assert.equal(await require(true), 'refused')
  })

  test('neither the password nor an earlier login confirms for whoever requires a passkey, or has a console role', async () => {
    const { owner, by } = await settleOwner()
    const login = { passwordHash: owner.passwordHash }
    const other = sampleSession(owner.id)
    await store().startSession(other, login, null, trace())
    const confirm = () => store().confirmSession(by, login, trace())
    assert.equal(await confirm(), 'accepted')
    await requirePasskey(by)
    assert.equal(await confirm(), 'refused')
    const found = async (id: SessionId) => (await store().findSession(id, start))?.session
    assert.equal((await found(other.id))?.confirmedAt, 0)
    assert.notEqual((await found(by.session))?.confirmedAt, 0)
    const operator = await settleOwner()
    await store().changeOwner(operator.owner.id, { roles: ['staff', 'operator'] }, trace())
    const { passwordHash } = operator.owner
    const outcome = await store().confirmSession(operator.by, { passwordHash }, trace())
    assert.equal(outcome, 'refused')
  })

  test('a required passkey is no longer required once the last one is gone', async () => {
    const { owner, by } = await settleOwner()
    await requirePasskey(by)
    const second = samplePasskey(owner.id)
    await add(second, by)
    await store().removePasskey(second.id, [], by, trace())
    assert.equal((await store().findFactors(owner.id)).passkeyOnly, true)
    const [last] = await passkeysOf(owner.id)
    await store().removePasskey(last?.id ?? second.id, [], by, trace())
    assert.deepEqual(await store().findFactors(owner.id), none)
    assert.equal(await logIn(owner, { passwordHash: owner.passwordHash }), 'accepted')
  })

  test('of a required passkey and a removed one, at most one comes about at once', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { owner, by, passkey } = await settlePasskey()
      await setRecoveryCodes(['one'], by)
      await Promise.all([
        store().setPasskeyOnly(true, by, trace()),
        store().removePasskey(passkey.id, [], by, trace()),
      ])
      assert.deepEqual(await store().findFactors(owner.id), none)
    }
  })

  test('the time of the former password is known after a change', async () => {
    const { owner } = await settleOwner()
    const change = (at: number) =>
      store().changePassword(owner.id, { hash: 'h', salt: 's' }, null, { ...trace(), at })
    await change(start + 10)
    const first = { from: 0, until: start + 10 }
    assert.deepEqual((await store().findFactors(owner.id)).formerPassword, first)
    await change(start + 30)
    const second = { from: start + 10, until: start + 30 }
    assert.deepEqual((await store().findFactors(owner.id)).formerPassword, second)
  })

  test('deleting an owner deletes the factors', async () => {
    const { owner, by, passkey } = await settlePasskey()
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    await setRecoveryCodes(['one'], by)
    await store().deleteOwner(owner.id, trace())
    assert.deepEqual(await store().findFactors(owner.id), none)
    assert.equal(await store().findPasskey(passkey.id), null)
  })
}
