/**
 * The store contract for a client's credentials: the effects of each change, also of concurrent
 * ones.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, ClientChange } from '../../../src/model/client.ts'
import type { ClientId, Digest } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { raceRounds, start, together, trace } from '../moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleClient,
  sampleRedemption,
  sampleRotation,
} from '../sample.ts'
import { approveIn, settle, settleFamily, told } from '../settle.ts'

const secretDigest = 'another-digest' as Digest

export const credentialContract = (store: () => Store): void => {
  const add = async (change: Partial<Client> = {}): Promise<Client> => {
    const client = sampleClient(change)
    await store().createClient(client, trace())
    return client
  }
  const change = async (
    id: ClientId,
    members: Omit<ClientChange, 'newSalt'>,
    salt = newSalt,
    at = start,
  ): Promise<Client> => {
    const changed = await store().changeClient(id, { ...members, newSalt: salt }, trace(at))
    assert.ok(changed)
    assert.deepEqual(await store().findClient(id, 'disabled'), changed)
    return changed
  }

  test("a change of credentials ends the client's own tokens, and no other change does", async () => {
    const rows: readonly (readonly [Omit<ClientChange, 'newSalt'>, boolean])[] = [
      [{ secretDigest }, true],
      [{ secretDigest: null, authenticationMethod: 'none' }, true],
      [{ authenticationMethod: 'client_secret_post' }, true],
      [{ disabled: true }, true],
      [{ accessTokenSeconds: 3599 }, true],
      [{ disabled: false }, false],
      [{ accessTokenSeconds: 3600 }, false],
      [{ accessTokenSeconds: 3601 }, false],
      [{ accessTokenSeconds: null }, false],
      [{ name: 'New', scope: [], trusted: true, registrationDigest: null }, false],
    ]
    for (const [members, ends] of rows) {
      const { id, salt } = await add()
      const changed = await change(id, members)
      assert.equal(changed.salt, ends ? newSalt : salt, JSON.stringify(members))
    }
  })

  test('enabling a client again brings nothing back', async () => {
    const { id } = await add()
    await change(id, { disabled: true }, 'second')
    assert.equal((await change(id, { disabled: false }, 'third')).salt, 'second')
  })

  test('a planned rotation keeps the old secret with its salt, and a later one ends it', async () => {
    const client = await add()
    const until = start + 60
    const once = await change(client.id, { secretDigest, keepSecretUntil: until }, 'second')
    const old = { digest: client.secretDigest, salt: client.salt, expiresAt: until }
    assert.deepEqual([once.oldSecret, once.salt], [old, 'second'])
    const third = 'third-digest' as Digest
    const twice = await change(client.id, { secretDigest: third, keepSecretUntil: until }, 'third')
    assert.deepEqual(twice.oldSecret, { digest: secretDigest, salt: 'second', expiresAt: until })
    const last = 'last-digest' as Digest
    const ended = await change(client.id, { secretDigest: last }, 'fourth')
    assert.deepEqual([ended.oldSecret, ended.salt], [null, 'fourth'])
  })

  test('a kept secret goes on after its client was disabled, what was got with it does not', async () => {
    const client = await add()
    await change(client.id, { secretDigest, keepSecretUntil: start + 60 }, 'second')
    const { oldSecret, salt } = await change(client.id, { disabled: true }, 'third')
    assert.deepEqual([oldSecret?.digest, oldSecret?.expiresAt], [client.secretDigest, start + 60])
    assert.equal(new Set([salt, oldSecret?.salt, client.salt, 'second']).size, 4)
  })

  test('a rotation that keeps the secret, at once with one that ends it, never brings it back', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const client = await add()
      await together(4, (i) =>
        store().changeClient(
          client.id,
          {
            secretDigest: `digest-${i}` as Digest,
            newSalt: `salt-${i}`,
            ...(i % 2 === 0 ? {} : { keepSecretUntil: start + 60 }),
          },
          trace(),
        ),
      )
      const found = await store().findClient(client.id)
      // All but the first found another secret than this one.
      assert.notEqual(found?.oldSecret?.digest, client.secretDigest)
      assert.notEqual(found?.oldSecret?.salt, client.salt)
    }
  })

  test('a shorter lifetime bounds the tokens from before it, and a longer one frees none', async () => {
    const { client, familyId } = await settleFamily(store())
    const bound = async () => (await store().findStanding(familyId, start))?.clientShortened
    assert.equal(await bound(), null)
    await change(client.id, { accessTokenSeconds: 60 }, 'second', start + 5)
    assert.deepEqual(await bound(), { at: start + 5, seconds: 60 })
    await change(client.id, { accessTokenSeconds: null }, 'third', start + 6)
    assert.deepEqual(await bound(), { at: start + 5, seconds: 60 })
    await change(client.id, { accessTokenSeconds: 600 }, 'fourth', start + 7)
    assert.deepEqual(await bound(), { at: start + 7, seconds: 60 })
    await change(client.id, { accessTokenSeconds: 30 }, 'fifth', start + 8)
    assert.deepEqual(await bound(), { at: start + 8, seconds: 30 })
  })

  describeEnding(store)
  describeHolding(store)
}

/** What a client may change of itself, by its registration token. */
const describeHolding = (store: () => Store): void => {
  const registrationDigest = 'digest-of-the-token' as Digest
  const add = async (change: Partial<Client> = {}): Promise<Client> => {
    const client = sampleClient({ registeredBy: 'itself', registrationDigest, ...change })
    await store().createClient(client, trace())
    return client
  }
  const set = ({ id }: Client, members: Omit<ClientChange, 'newSalt'>) =>
    store().changeClient(id, { ...members, newSalt }, trace())
  const wish = (
    { id }: Client,
    members: Omit<ClientChange, 'newSalt'>,
    registration = registrationDigest,
  ) => store().changeOwnClient(id, registration, { ...members, newSalt }, trace())

  test('a client changes itself while its registration token is in force', async () => {
    const gone = { outcome: 'gone' }
    const client = await add()
    assert.equal((await wish(client, { name: 'New' })).outcome, 'changed')
    assert.deepEqual(await wish(client, { name: 'Newer' }, 'another-digest' as Digest), gone)
    await set(client, { registrationDigest: null })
    assert.deepEqual(await wish(client, { name: 'Newer' }), gone)
    assert.equal((await store().findClient(client.id))?.name, 'New')
    assert.deepEqual(await wish(await add({ disabled: true }), { name: 'New' }), gone)
    assert.deepEqual(await told(store(), { clientId: client.id }), [
      'client.registered',
      'client.changed_itself',
      'client.registration_revoked',
    ])
  })

  test('what the operator set is noted by the names of RFC 7591, and the client changes none of it', async () => {
    const client = await add()
    const after = await set(client, {
      grantTypes: ['authorization_code'],
      secretDigest,
      display: { contacts: ['a@printer.example'] },
      setByOperator: ['redirect_uris'],
    })
    assert.deepEqual(after?.setByOperator, [
      'client_secret',
      'client_uri',
      'grant_types',
      'redirect_uris',
    ])
    const wishes: readonly (readonly [Omit<ClientChange, 'newSalt'>, string])[] = [
      [{ grantTypes: ['implicit'] }, 'grant_types'],
      [{ secretDigest: null, authenticationMethod: 'none' }, 'client_secret'],
      [{ redirectUris: ['https://evil.example/'] }, 'redirect_uris'],
      [{ display: { client_uri: 'https://evil.example/' } }, 'client_uri'],
    ]
    for (const [members, held] of wishes) {
      const refused = await wish(client, { ...members, name: 'New' })
      assert.deepEqual(refused, { outcome: 'held', members: [held] })
    }
    assert.deepEqual(await store().findClient(client.id), after)
    const allowed = { name: 'New', scope: [], grantTypes: ['authorization_code'] }
    assert.equal((await wish(client, allowed)).outcome, 'changed')
    const { ownChanges: _, ...changed } = (await store().findClient(client.id)) ?? {}
    const { ownChanges: __, ...expected } = { ...after, ...allowed }
    assert.deepEqual(changed, expected)
  })

  test('of a client that the operator registered nothing is noted', async () => {
    const client = await add({ registeredBy: 'operator', registrationDigest: null })
    const changed = await set(client, { name: 'New', setByOperator: ['client_name'] })
    assert.deepEqual(changed?.setByOperator, [])
  })
}

/** Ending all that a client holds. */
const describeEnding = (store: () => Store): void => {
  const salts = { own: 'own-salt', family: 'family-salt' }

  test("ending a client's tokens brings new salts to it and to all its authorizations", async () => {
    const { client, authorization, familyId } = await settleFamily(store())
    const ended = await store().endClientTokens(client.id, salts, trace())
    const expected = { ...client, salt: salts.own, familySalt: salts.family }
    assert.deepEqual(ended, expected)
    assert.deepEqual(await store().findClient(client.id), expected)
    const sealed = { ...authorization, salt: `${authorization.salt}${salts.family}` }
    assert.deepEqual(await store().findAuthorization(authorization.id, start), sealed)
    assert.deepEqual((await store().findStanding(familyId, start))?.authorization, sealed)
    const [found] = await store().findAuthorizations(authorization.ownerId, client.id, start)
    assert.deepEqual(found, sealed)
    const [listed] = (await store().listAuthorizations({ clientId: client.id }, null, 1, start))
      .rows
    assert.equal(listed?.salt, sealed.salt)
    const narrowed = await store().narrowAuthorization(
      authorization.id,
      null,
      ['photos:read'],
      trace(),
    )
    assert.equal(narrowed?.salt, sealed.salt)
    assert.deepEqual((await told(store(), { clientId: client.id })).slice(-2), [
      'client.tokens_ended',
      'authorization.narrowed',
    ])
  })

  test('what was sealed before is neither redeemed nor refreshed, what is sealed after is', async () => {
    const { client, authorization, familyId } = await settleFamily(store())
    await store().endClientTokens(client.id, salts, trace())
    const redeem = async (salt: string) =>
      (await store().redeemCode(sampleRedemption(authorization, { salt }), trace())).outcome
    const refresh = async (salt: string) =>
      (await store().rotateRefreshToken(sampleRotation(familyId, 0, { salt }), trace())).outcome
    const now = `${authorization.salt}${salts.family}`
    assert.deepEqual(
      [await redeem(authorization.salt), await refresh(authorization.salt)],
      ['ended', 'ended'],
    )
    assert.deepEqual([await redeem(now), await refresh(now)], ['redeemed', 'rotated'])
  })

  test('an approval that comes later is answered with the salt that its codes need', async () => {
    const settled = await settle(store())
    await store().endClientTokens(settled.client.id, salts, trace())
    for (const duration of ['forever', 'month'] as const) {
      const expiresAt = duration === 'month' ? start + 1000 : null
      const approval = sampleApproval(settled, { duration, expiresAt })
      const approved = await approveIn(store(), approval, trace())
      assert.ok(approved)
      assert.ok(approved.salt.endsWith(salts.family))
      const redeemed = await store().redeemCode(sampleRedemption(approved), trace())
      assert.equal(redeemed.outcome, 'redeemed')
    }
  })

  test('the tokens of another client live on, and those of nobody are null', async () => {
    const other = await settleFamily(store())
    const before = await store().findStanding(other.familyId, start)
    const { client } = await settle(store())
    await store().endClientTokens(client.id, salts, trace())
    assert.deepEqual(await store().findStanding(other.familyId, start), before)
    assert.equal(await store().endClientTokens('nobody' as ClientId, salts, trace()), null)
  })
}
