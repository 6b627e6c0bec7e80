/** The store contract for links to accounts at upstreams. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UpstreamLink } from '../../../src/model/factor.ts'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { ByOwner, Ceremony, Login } from '../../../src/store/contract/factor.ts'
import type { Trace } from '../../../src/store/contract/trace.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, start, together, trace } from '../moments.ts'
import { sampleOwner, samplePasskey, sampleSession } from '../sample.ts'

const newCeremony = (): Ceremony => ({ id: next('ceremony'), expiresAt: start + 600 })

export const upstreamContract = (store: () => Store): void => {
  const linkOf = (ownerId: OwnerId, change: Partial<UpstreamLink> = {}): UpstreamLink => ({
    upstream: 'google',
    issuer: 'https://accounts.example',
    subject: next('subject'),
    ownerId,
    label: 'alice@example.com',
    createdAt: start,
    lastUsedAt: null,
    madeBy: 'owner',
    ...change,
  })

  const addOwner = async (change: Partial<Owner> = {}) => {
    const owner = sampleOwner(change)
    await store().createOwner(owner, trace())
    const session = sampleSession(owner.id)
    const login = { passwordHash: owner.passwordHash }
    assert.equal(await store().startSession(session, login, null, trace()), 'accepted')
    return { owner, by: { ownerId: owner.id, session: session.id } }
  }

  const link = (one: UpstreamLink, by: ByOwner, ceremony = newCeremony()) =>
    store().linkUpstream(one, ceremony, by, trace())

  const logIn = (owner: Owner, one: UpstreamLink, more: Partial<Login> = {}) => {
    const login: Login = { upstream: one, ceremony: newCeremony(), isStrong: false, ...more }
    return store().startSession(sampleSession(owner.id), login, null, trace())
  }

  test('roles of an upstream come and go, and roles that others gave stay', async () => {
    const { owner, by } = await addOwner({ roles: ['clerk'] })
    for (const upstream of ['google', 'company']) await link(linkOf(owner.id, { upstream }), by)
    const rolesOf = async () => (await store().findOwner(owner.id))?.roles
    const set = (roles: readonly string[], upstream = 'google') =>
      store().setUpstreamRoles(owner.id, upstream, roles, null, trace())
    assert.equal(await set(['auditor', 'clerk']), true)
    assert.deepEqual(await rolesOf(), ['auditor', 'clerk'])
    await set(['auditor'], 'company')
    await set([])
    assert.deepEqual(await rolesOf(), ['auditor', 'clerk'])
    const [event] = (await store().listEvents({ ownerId: owner.id }, null, 1)).rows
    assert.equal(event?.details.upstream, 'google')
    await set([], 'company')
    assert.deepEqual(await rolesOf(), ['clerk'])
    await together(4, (i) => set(i % 2 === 0 ? ['auditor'] : ['operator']))
    const left = (await rolesOf())?.join(' ') ?? ''
    assert.ok(['auditor clerk', 'clerk operator'].includes(left), left)
    await set([])
    assert.deepEqual(await rolesOf(), ['clerk'])
    const nobody = 'nobody' as OwnerId
    assert.equal(await store().setUpstreamRoles(nobody, 'google', [], null, trace()), false)
  })

  test('attack: a role of the console by a link that others made, or by no link', async () => {
    const set = async ({ owner, by }: Awaited<ReturnType<typeof addOwner>>, keep = by.session) => {
      const roles = ['clerk', 'operator']
      await store().setUpstreamRoles(owner.id, 'google', roles, keep, trace())
      const isKept = (await store().findSession(by.session, start)) !== null
      const [made] = await store().listUpstreamLinks(owner.id)
      return [made?.madeBy, (await store().findOwner(owner.id))?.roles, isKept]
    }
    const [none, addressed, byHand, own] = await Promise.all(
      Array.from({ length: 4 }, () => addOwner({ roles: [] })),
    )
    assert.ok(none && addressed && byHand && own)
    assert.deepEqual(await set(none), [undefined, [], true])
    await store().linkByAddress(linkOf(addressed.owner.id), addressed.owner.email, trace())
    assert.deepEqual(await set(addressed), ['address', ['clerk'], true])
    // The same person links it again: whoever had the account before is still in.
    await store().unlinkUpstream('google', [], addressed.by, trace())
    await link(linkOf(addressed.owner.id), addressed.by)
    assert.deepEqual(await set(addressed), ['', ['clerk'], true])
    await store().linkByOperator(linkOf(byHand.owner.id), [], trace())
    assert.deepEqual(await set(byHand), ['operator', ['clerk'], true])
    await link(linkOf(own.owner.id), own.by)
    const login = { passwordHash: own.owner.passwordHash }
    const other = sampleSession(own.owner.id)
    assert.equal(await store().startSession(other, login, null, trace()), 'accepted')
    assert.deepEqual(await set(own, other.id), ['owner', ['clerk', 'operator'], false])
    assert.ok(await store().findSession(other.id, start))
  })

  test('a link by a program is a hand in the account', async () => {
    const { owner, by } = await addOwner({ roles: [] })
    const program = { type: 'operator', clientId: 'program', network: '203.0.113.*' } as const
    const made = { ...trace(), actor: program } as Trace
    assert.equal(await store().linkByOperator(linkOf(owner.id), [], made), 'linked')
    await link(linkOf(owner.id, { upstream: 'company' }), by)
    const ways = await store().listWaysOfOthers(owner.id, 'client:another')
    assert.ok(['upstream:google', 'upstream:company'].every((id) => ways.some((w) => w.id === id)))
    // The roles of a dropped link leave with it.
    await store().setUpstreamRoles(owner.id, 'google', ['clerk'], null, trace())
    const given = await store().giveRoles(owner.id, { roles: ['clerk', 'operator'] }, [], trace())
    assert.equal(given.outcome, 'given')
    assert.deepEqual((await store().findOwner(owner.id))?.roles, ['operator'])
  })

  test('a confirmed address links its owner, once, and nobody who may do more', async () => {
    const byAddress = (one: UpstreamLink, email: string) =>
      store().linkByAddress(one, email, trace())
    for (const unfit of [{ emailVerified: false }, { disabled: true }, { roles: ['operator'] }]) {
      const other = sampleOwner(unfit)
      await store().createOwner(other, trace())
      assert.equal(await byAddress(linkOf(other.id), other.email), null)
    }
    const { owner } = await addOwner({ roles: [] })
    const wide = String.fromCodePoint((owner.email.codePointAt(0) ?? 0) + 0xfee0)
    for (const alike of [`ä${owner.email}`, wide + owner.email.slice(1)]) {
      assert.equal(await byAddress(linkOf(owner.id), alike), null)
    }
    // Lower case makes an ASCII letter of the Kelvin sign.
    const kelvin = sampleOwner({ roles: [], email: `\u212a${next('kelvin')}@example.com` })
    await store().createOwner(kelvin, trace())
    assert.equal(await byAddress(linkOf(kelvin.id), kelvin.email.toLowerCase()), null)
    const links = Array.from({ length: 4 }, () => linkOf('' as OwnerId))
    const linked = await Promise.all(links.map((one) => byAddress(one, owner.email.toUpperCase())))
    assert.deepEqual(
      linked.filter((one) => one !== null).map(({ id }) => id),
      [owner.id],
    )
    const [another] = links
    assert.ok(another)
    assert.equal(
      await store().linkByOperator({ ...linkOf(owner.id), upstream: 'company' }, ['x'], trace()),
      'refused',
    )
    assert.equal(await store().linkByOperator(linkOf(owner.id), [], trace()), 'full')
  })

  test('a linked account finds its owner', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    assert.equal(await store().findUpstreamOwner(one), null)
    assert.equal(await link(one, by), 'linked')
    assert.deepEqual(await store().findUpstreamOwner(one), owner)
    assert.deepEqual(await store().listUpstreamLinks(owner.id), [one])
    const others = [
      { ...one, upstream: 'other' },
      { ...one, issuer: 'https://other.example' },
      { ...one, subject: `${one.subject}x` },
    ]
    for (const other of others) assert.equal(await store().findUpstreamOwner(other), null)
    const [event] = (await store().listEvents({ ownerId: owner.id }, null, 1)).rows
    assert.deepEqual(
      [event?.type, event?.details],
      ['upstream.linked', { upstream: 'google', label: 'alice@example.com' }],
    )
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.equal(await store().findUpstreamOwner(one), null)
  })

  test('an account is linked to one owner, and an owner to one account of an upstream', async () => {
    const [first, second] = [await addOwner(), await addOwner()]
    const one = linkOf(first.owner.id)
    const ceremony = newCeremony()
    assert.equal(await link(one, first.by, ceremony), 'linked')
    assert.equal(await link(one, first.by, ceremony), 'used')
    assert.equal(await link(one, first.by), 'taken')
    assert.equal(await link(one, second.by), 'taken')
    assert.equal(await link(linkOf(first.owner.id), first.by), 'full')
    assert.deepEqual(await store().listUpstreamLinks(second.owner.id), [])
  })

  test('of two owners who link one account at once, one gets it', async () => {
    const [first, second] = [await addOwner(), await addOwner()]
    const one = linkOf(first.owner.id)
    const outcomes = await together(2, (i) => link(one, i === 0 ? first.by : second.by))
    assert.deepEqual(outcomes.toSorted(), ['linked', 'taken'])
  })

  test('linking and unlinking need a live session', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    assert.equal(await link(one, by), 'linked')
    await store().endSession(by.session, trace())
    assert.equal(await link(linkOf(owner.id, { upstream: 'other' }), by), 'refused')
    assert.equal(await store().unlinkUpstream('google', [], by, trace()), 'refused')
    assert.deepEqual(await store().listUpstreamLinks(owner.id), [one])
  })

  test('the last way in stays', async () => {
    const { owner, by } = await addOwner({ passwordHash: '' })
    const unlink = (upstream: string, ways: readonly string[] = ['google', 'other']) =>
      store().unlinkUpstream(upstream, ways, by, trace())
    await link(linkOf(owner.id), by)
    assert.equal(await unlink('other'), 'unknown')
    assert.equal(await unlink('google'), 'last')
    await link(linkOf(owner.id, { upstream: 'other' }), by)
    assert.equal(await unlink('google', ['google']), 'last')
    assert.equal(await unlink('google', []), 'last')
    assert.equal(await unlink('google'), 'unlinked')
    assert.equal(await unlink('other'), 'last')
    await store().addPasskey(samplePasskey(owner.id), 3, newCeremony(), by, trace())
    assert.equal(await unlink('other'), 'unlinked')
    assert.deepEqual(await store().listUpstreamLinks(owner.id), [])
    const { by: withPassword, owner: other } = await addOwner()
    await link(linkOf(other.id), withPassword)
    assert.equal(await store().unlinkUpstream('google', [], withPassword, trace()), 'unlinked')
  })

  test('a login by a link counts once, and only while there is the link', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    assert.equal(await logIn(owner, one), 'refused')
    await link(one, by)
    const ceremony = newCeremony()
    assert.equal(await logIn(owner, one, { ceremony }), 'accepted')
    assert.equal(await logIn(owner, one, { ceremony }), 'finished')
    assert.equal(await logIn((await addOwner()).owner, one), 'refused')
    assert.deepEqual(await store().listUpstreamLinks(owner.id), [{ ...one, lastUsedAt: start }])
    const [event] = (await store().listEvents({ ownerId: owner.id }, null, 1)).rows
    assert.deepEqual(
      [event?.type, event?.details.upstream, event?.actor],
      ['login.succeeded', 'google', { type: 'owner', ownerId: owner.id, network: '203.0.113.*' }],
    )
  })

  test('an owner with a second factor needs it beside the link, unless the login was strong', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    await link(one, by)
    const codes = { secret: 'gcm.nonce.wrapped', lastStep: 100 }
    await store().setOneTimeCodes(codes, newCeremony(), by, trace())
    assert.equal(await logIn(owner, one), 'refused')
    const factor = { kind: 'one-time code', step: 101, ceremony: newCeremony() } as const
    assert.equal(await logIn(owner, one, { factor }), 'accepted')
    assert.equal(await logIn(owner, one, { isStrong: true }), 'accepted')
  })

  test('a new owner is made with the link, or not at all', async () => {
    const owner = sampleOwner({ passwordHash: '' })
    const one = linkOf(owner.id)
    const create = (made: Owner, of: UpstreamLink, ceremony = newCeremony()) =>
      store().createLinkedOwner(made, of, ceremony, trace())
    const ceremony = newCeremony()
    assert.equal(await create(owner, one, ceremony), 'created')
    assert.deepEqual(await store().findUpstreamOwner(one), owner)
    const second = sampleOwner()
    assert.equal(await create(second, linkOf(second.id), ceremony), 'used')
    assert.equal(await create(second, { ...one, ownerId: second.id }), 'linked')
    const named = { ...second, username: owner.username.toUpperCase() }
    assert.equal(await create(named, linkOf(second.id)), 'taken')
    assert.equal(await store().findOwner(second.id), null)
  })

  test('links go with their owner', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    await link(one, by)
    await store().deleteOwner(owner.id, trace())
    assert.deepEqual(await store().listUpstreamLinks(owner.id), [])
    const other = await addOwner()
    assert.equal(await link(one, other.by), 'linked')
  })

  test('a linked account confirms a session, once for each trip', async () => {
    const { owner, by } = await addOwner()
    const one = linkOf(owner.id)
    await link(one, by)
    const confirm = (account: UpstreamLink, at: number, ceremony = newCeremony()) =>
      store().confirmSession(by, { upstream: account, ceremony }, trace(at))
    const confirmedAt = async () =>
      (await store().findSession(by.session, start))?.session.confirmedAt
    const ceremony = newCeremony()
    assert.equal(await confirm(one, start + 5, ceremony), 'accepted')
    assert.equal(await confirm(one, start + 9, ceremony), 'finished')
    const stranger = await addOwner()
    const theirs = linkOf(stranger.owner.id)
    await link(theirs, stranger.by)
    assert.equal(await confirm(theirs, start + 9), 'refused')
    assert.equal(await confirm({ ...one, subject: 'unknown' }, start + 9), 'refused')
    assert.equal(await confirmedAt(), start + 5)
    assert.equal((await store().listUpstreamLinks(owner.id))[0]?.lastUsedAt, start + 5)
  })

  test('the last passkey stays where it is the last way in', async () => {
    const { owner, by } = await addOwner({ passwordHash: '' })
    const passkey = samplePasskey(owner.id)
    await store().addPasskey(passkey, 9, newCeremony(), by, trace())
    await link(linkOf(owner.id), by)
    const remove = (ways: readonly string[]) => store().removePasskey(passkey.id, ways, by, trace())
    assert.equal(await remove([]), 'last')
    assert.equal(await remove(['other']), 'last')
    assert.equal(await remove(['google']), 'removed')
    assert.equal(await store().unlinkUpstream('google', ['google'], by, trace()), 'last')
  })

  test('of the last two ways in, one stays, whichever go at once', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { owner, by } = await addOwner({ passwordHash: '' })
      const passkey = samplePasskey(owner.id)
      await store().addPasskey(passkey, 9, newCeremony(), by, trace())
      await link(linkOf(owner.id), by)
      const outcomes = await Promise.all([
        store().removePasskey(passkey.id, ['google'], by, trace()),
        store().unlinkUpstream('google', ['google'], by, trace()),
      ])
      assert.equal(outcomes.filter((outcome) => outcome === 'last').length, 1)
    }
  })
}
