/** The store contract for clients. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resourceLimits } from '../../../src/config/resource-words.ts'
import { hashText } from '../../../src/crypto/digest.ts'
import type { Client, ClientChange } from '../../../src/model/client.ts'
import {
  type ClientId,
  clientIdCharacters,
  type Digest,
  type ItemId,
  makeClientHolder,
  type OwnerId,
} from '../../../src/model/ids.ts'
import type { ClientLogo } from '../../../src/model/picture.ts'
import { apiLimits } from '../../../src/rooms/api/item-fields.ts'
import type { ClientListFilter } from '../../../src/store/contract/client.ts'
import type { EventFilter } from '../../../src/store/contract/event.ts'
import type { Page } from '../../../src/store/contract/trace.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { newSalt, sampleApproval, sampleClient, sampleOwner } from '../sample.ts'
import { addPeople, settle, told } from '../settle.ts'

export const clientContract = (store: () => Store): void => {
  test('a client is found as it was created', async () => {
    const client = sampleClient({ accessTokenSeconds: null, secretDigest: null, scope: [] })
    assert.equal(await store().createClient(client, trace()), 'created')
    assert.deepEqual(await store().findClient(client.id), client)
    assert.deepEqual(await told(store(), { clientId: client.id }), ['client.registered'])
  })

  test('an id may be the longest URL, wherever it is a part of a key', async () => {
    // Without repetition, so that no engine makes a key shorter than it is.
    const letters = Array.from({ length: 60 }, (_, i) => hashText(String(i))).join('~:/?%')
    const id = `https://app.example/${letters}`.slice(0, clientIdCharacters.url) as ClientId
    assert.equal(id.length, clientIdCharacters.url)
    const client = sampleClient({ id })
    const owner = sampleOwner()
    await store().createClient(client, trace())
    await store().createOwner(owner, trace())
    assert.deepEqual(await store().findClient(id), client)
    const approval = sampleApproval({ client, owner })
    assert.equal((await store().approve(approval, trace())).outcome, 'approved')
    const of = { clientId: id }
    const { rows } = await store().listAuthorizations(of, null, 10, start)
    assert.deepEqual(
      rows.map((row) => [row.id, row.clientId]),
      [[approval.id, id]],
    )
    const item = {
      holder: makeClientHolder(id),
      resource: 'r'.repeat(resourceLimits.nameCharacters),
      id: 'i'.repeat(apiLimits.itemIdCharacters) as ItemId,
    }
    const put = {
      ...item,
      fields: {},
      version: 'v',
      condition: {},
      createOnly: false,
      mostItems: 9,
    }
    assert.equal(await store().putItem(put), 'created')
    assert.deepEqual(await told(store(), of), ['client.registered', 'authorization.approved'])
    assert.equal(await store().deleteClient(id, trace()), true)
    assert.equal(await store().findItem(item.holder, item.resource, item.id), null)
    assert.deepEqual((await store().listAuthorizations(of, null, 10, start)).rows, [])
  })

  test('RC-10 of many who create one client id at once, one does', async () => {
    const client = sampleClient()
    const outcomes = await together(20, (i) =>
      store().createClient({ ...client, name: `Client ${i}` }, trace()),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
    assert.equal(outcomes[0], 'created')
    assert.deepEqual(await store().findClient(client.id), { ...client, name: 'Client 0' })
  })

  test('a client has one logo, the latest, and it goes with the client', async () => {
    const client = sampleClient()
    const { id: clientId } = client
    const logo: ClientLogo = {
      clientId,
      uri: 'https://printer.example/logo.png',
      type: 'image/png',
      version: 'one',
      content: 'iVBORw0KGgo=',
      fetchedAt: start,
    }
    assert.equal(await store().keepClientLogo(logo), false)
    await store().createClient(client, trace())
    assert.equal(await store().findClientLogo(clientId), null)
    assert.equal(await store().keepClientLogo(logo), true)
    assert.deepEqual(await store().findClientLogo(clientId), logo)
    const later = { ...logo, type: 'image/webp', version: 'two', fetchedAt: start + 1 } as const
    assert.equal(await store().keepClientLogo(later), true)
    assert.deepEqual(await store().findClientLogo(clientId), later)
    assert.deepEqual(await store().findClient(clientId), client)
    await store().deleteClient(clientId, trace())
    assert.equal(await store().findClientLogo(clientId), null)
    assert.equal(await store().keepClientLogo(later), false)
  })

  test('wrapped secrets are listed by client, and replaced where nobody else has', async () => {
    const old = { digest: 'd' as Digest, salt: 's', expiresAt: 9, sealed: 'gcm.old.1' }
    const both = sampleClient({ sealedSecret: 'gcm.new.1', oldSecret: old })
    const one = sampleClient({ sealedSecret: 'gcm.new.2' })
    const hashed = sampleClient()
    const gone = sampleClient({ sealedSecret: 'gcm.new.3' })
    for (const client of [both, one, hashed, gone]) await store().createClient(client, trace())
    await store().deleteClient(gone.id, trace())
    const list = async () => {
      const listed: (readonly [ClientId, readonly string[]])[] = []
      let after: string | null = null
      do {
        const page = await store().listClientSecrets(after, 1)
        assert.ok(page.rows.length <= 1)
        listed.push(...page.rows.map(({ clientId, secrets }) => [clientId, secrets] as const))
        after = page.next
      } while (after !== null)
      return listed.filter(([id]) => [both.id, one.id, hashed.id, gone.id].includes(id))
    }
    const byId = (rows: readonly (readonly [ClientId, readonly string[]])[]) =>
      rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
    assert.deepEqual(
      await list(),
      byId([
        [both.id, ['gcm.new.1', 'gcm.old.1']],
        [one.id, ['gcm.new.2']],
      ]),
    )
    // A cached client has to be invalidated as well.
    assert.equal((await store().findClient(both.id))?.sealedSecret, 'gcm.new.1')
    const changes = [
      { clientId: both.id, from: 'gcm.new.1', secret: 'gcm.again.1' },
      { clientId: both.id, from: 'gcm.old.1', secret: 'gcm.again.2' },
      { clientId: one.id, from: 'gcm.other', secret: 'gcm.again.3' },
    ]
    assert.equal(await store().rewrapClientSecrets(changes), 2)
    const found = await store().findClient(both.id)
    assert.deepEqual(
      [found?.sealedSecret, found?.oldSecret?.sealed],
      ['gcm.again.1', 'gcm.again.2'],
    )
    assert.deepEqual(await store().findClient(one.id), one)
  })

  test('a client that nobody created is null, for find, change and delete', async () => {
    const id = 'nobody' as ClientId
    assert.equal(await store().findClient(id), null)
    assert.equal(await store().changeClient(id, { newSalt, name: 'x' }, trace()), null)
    assert.equal(await store().deleteClient(id, trace()), false)
  })

  test('two changes of different fields at once both hold', async () => {
    const client = sampleClient()
    await store().createClient(client, trace())
    const digest = 'another-digest' as Digest
    await Promise.all([
      store().changeClient(client.id, { newSalt, name: 'New Name' }, trace()),
      store().changeClient(client.id, { newSalt, secretDigest: digest }, trace()),
      store().changeClient(client.id, { newSalt, scope: ['photos:read'] }, trace()),
    ])
    const expected = {
      ...client,
      name: 'New Name',
      secretDigest: digest,
      salt: newSalt,
      scope: ['photos:read'],
    }
    assert.deepEqual(await store().findClient(client.id), expected)
    assert.deepEqual(await told(store(), { clientId: client.id }), [
      'client.registered',
      'client.changed',
      'client.secret_rotated',
      'client.changed',
    ])
  })

  describe('a client that changes itself', () => {
    const registrationDigest = 'digest-of-the-token' as Digest
    const change = (id: ClientId, by: Omit<ClientChange, 'newSalt'>, at = start) =>
      store().changeOwnClient(id, registrationDigest, { ...by, newSalt }, trace(at))

    test('is told as that where approvals hold no more', async () => {
      const client = sampleClient({ registeredBy: 'itself', registrationDigest })
      await store().createClient(client, trace())
      const redirectUris = [...client.redirectUris, 'https://evil.example/callback']
      await change(client.id, { name: 'New Name', redirectUris })
      await change(client.id, { refreshTokenSeconds: 9 })
      await change(client.id, {})
      const { rows } = await store().listEvents({ clientId: client.id }, null, 9)
      assert.deepEqual(
        rows.map(({ type, details }) => [type, details]),
        [
          [
            'client.changed',
            {
              changed: 'refreshTokenSeconds',
              refreshTokenSecondsBefore: 86_400,
              refreshTokenSeconds: 9,
            },
          ],
          [
            'client.changed_itself',
            {
              changed: 'name redirectUris',
              redirectUrisAdded: 'https://evil.example/callback',
              nameBefore: 'Photo Printer',
              name: 'New Name',
              hostsBefore: 'printer.example',
              hosts: 'evil.example printer.example',
            },
          ],
          ['client.registered', { registeredBy: 'itself' }],
        ],
      )
    })

    test('does so a bounded number of times a day', async () => {
      const client = sampleClient({ registrationDigest })
      await store().createClient(client, trace())
      for (let times = 0; times < storeLimits.ownChanges; times++) {
        const { outcome } = await change(client.id, { name: `Name ${times}` }, start + times)
        assert.equal(outcome, 'changed')
      }
      const late = start + storeLimits.ownChangesSeconds
      const refused = await change(client.id, { name: 'x' }, late - 1)
      assert.deepEqual(refused, { outcome: 'too_often', seconds: 1 })
      const name = `Name ${storeLimits.ownChanges - 1}`
      assert.equal((await store().findClient(client.id))?.name, name)
      const events = await told(store(), { clientId: client.id })
      assert.equal(events.length, 1 + storeLimits.ownChanges)
      assert.equal((await change(client.id, {}, late - 1)).outcome, 'changed')
      assert.equal((await change(client.id, { name: 'x' }, late)).outcome, 'changed')
    })

    test('is shown to the owners who had approved it, and to nobody else', async () => {
      const { client, owner, authorization } = await settle(store())
      const stranger = await settle(store())
      for (const { id } of [client, stranger.client])
        await store().changeClient(id, { newSalt, registrationDigest }, trace())
      await change(client.id, { name: 'Before' }, authorization.createdAt - 1)
      await change(client.id, { name: 'After' }, authorization.createdAt)
      const seenBy = async (ownerId: OwnerId) => {
        const first = await store().listEvents({ ownerId, ownChanges: true }, null, 1)
        const second = await store().listEvents({ ownerId, ownChanges: true }, first.next, 9)
        return [...first.rows, ...second.rows].map(({ type, details }) => details.name ?? type)
      }
      const filtered = async (of: EventFilter) =>
        (await store().listEvents({ ownerId: owner.id, ownChanges: true, ...of }, null, 9)).rows
      const types = ['client.changed_itself'] as const
      assert.deepEqual(
        (await filtered({ types })).map(({ details }) => details.name),
        ['After'],
      )
      assert.deepEqual(await filtered({ byOperator: true }), [])
      const own = (await told(store(), { ownerId: owner.id })).toReversed()
      assert.deepEqual(await seenBy(owner.id), ['After', ...own])
      assert.equal((await seenBy(stranger.owner.id)).includes('After'), false)
      await change(stranger.client.id, { name: 'Theirs' })
      assert.equal((await seenBy(owner.id)).includes('Theirs'), false)
    })

    test('goes beyond no scope that was narrowed after its change was checked', async () => {
      const client = sampleClient({
        registeredBy: 'itself',
        registrationDigest,
        scope: ['contacts:read', 'photos:read'],
      })
      await store().createClient(client, trace())
      await store().changeClient(client.id, { newSalt, scope: ['photos:read'] }, trace())
      const wider: readonly (readonly [Omit<ClientChange, 'newSalt'>, readonly string[]])[] = [
        [{ scope: ['contacts:read'] }, ['scope']],
        [{ scope: ['contacts:read', 'photos:read'] }, ['scope']],
        [{ requiredScope: ['contacts:read'] }, ['required_scope']],
      ]
      const before = await store().findClient(client.id)
      for (const [by, members] of wider) {
        assert.deepEqual(await change(client.id, by), { outcome: 'held', members })
      }
      assert.deepEqual(await store().findClient(client.id), before)
      const within = await change(client.id, {
        scope: ['photos:read'],
        requiredScope: ['photos:read'],
      })
      assert.equal(within.outcome, 'changed')
    })

    test('deletes itself with the registration token that is in force, and with no other', async () => {
      const client = sampleClient({ registeredBy: 'itself', registrationDigest })
      await store().createClient(client, trace())
      const remove = (digest: Digest, id = client.id) =>
        store().deleteOwnClient(id, digest, trace())
      assert.equal(await remove('another-digest' as Digest), false)
      assert.equal(await remove(registrationDigest, 'nobody' as ClientId), false)
      await store().changeClient(client.id, { newSalt, disabled: true }, trace())
      assert.equal(await remove(registrationDigest), false)
      const enabled = { newSalt, disabled: false, registrationDigest: null }
      await store().changeClient(client.id, enabled, trace())
      assert.equal(await remove(registrationDigest), false)
      await store().changeClient(client.id, { newSalt, registrationDigest }, trace())
      assert.equal(await remove(registrationDigest), true)
      assert.equal(await store().findClient(client.id, 'disabled'), null)
      const events = await told(store(), { clientId: client.id })
      assert.equal(events.at(-1), 'client.deleted')
    })

    test('that nobody created is gone', async () => {
      assert.deepEqual(await change('nobody' as ClientId, { name: 'x' }), { outcome: 'gone' })
    })
  })

  test('redirect URIs that are added at once all hold, and each is there once', async () => {
    const client = sampleClient({ redirectUris: ['https://a.example/'] })
    await store().createClient(client, trace())
    const added = ['b', 'c', 'a', 'c'].map((name) => `https://${name}.example/`)
    await Promise.all(
      added.map((uri) =>
        store().changeClient(client.id, { newSalt, addedRedirectUris: [uri] }, trace()),
      ),
    )
    const redirectUris = ['a', 'b', 'c'].map((name) => `https://${name}.example/`)
    const found = await store().findClient(client.id)
    assert.deepEqual(found, { ...client, redirectUris: found?.redirectUris })
    assert.deepEqual(found?.redirectUris.toSorted(), redirectUris)
    const [event] = (await store().listEvents({ clientId: client.id }, null, 1)).rows
    assert.equal(event?.details.changed, 'redirectUris')
  })

  test('where there would be too many redirect URIs, none is added and nothing else changed', async () => {
    const redirectUris = Array.from(
      { length: storeLimits.redirectUris },
      (_, at) => `https://a/${at}`,
    )
    const client = sampleClient({ redirectUris })
    await store().createClient(client, trace())
    const change = { newSalt, name: 'New', addedRedirectUris: ['https://b/'] }
    assert.deepEqual(await store().changeClient(client.id, change, trace()), client)
    assert.deepEqual(await told(store(), { clientId: client.id }), ['client.registered'])
  })

  test('a disabled client is found only by who asks for it, and is listed', async () => {
    const client = sampleClient()
    await store().createClient(client, trace())
    const disabled = { ...client, salt: newSalt, disabled: true }
    assert.deepEqual(
      await store().changeClient(client.id, { newSalt, disabled: true }, trace()),
      disabled,
    )
    assert.equal(await store().findClient(client.id), null)
    assert.deepEqual(await store().findClient(client.id, 'disabled'), disabled)
    const before = String(client.id).slice(0, -1)
    assert.deepEqual((await store().listClients(before, 1)).rows, [disabled])
    await store().changeClient(client.id, { newSalt, disabled: false }, trace())
    assert.deepEqual(await store().findClient(client.id), { ...disabled, disabled: false })
  })

  test('clients are listed in pages in the order of their ids', async () => {
    const clients = [sampleClient(), sampleClient(), sampleClient()]
    for (const client of clients) await store().createClient(client, trace())
    const before = String(clients[0]?.id).slice(0, -1)
    const first = await store().listClients(before, 2)
    assert.deepEqual(first, { rows: clients.slice(0, 2), next: clients[1]?.id })
    assert.deepEqual(await store().listClients(first.next, 2), {
      rows: clients.slice(2),
      next: null,
    })
  })

  test('clients are listed by who brought them, and by whether they are disabled', async () => {
    const copy = { etag: null, fetchedAt: start, freshUntil: start, usableUntil: start }
    const reason = '"document":{"registeredBy":"itself"'
    const display = { required_scope_reason: reason }
    const byItself = { registeredBy: 'itself' } as const
    const clients = [
      sampleClient({ display }),
      sampleClient({ ...byItself, display, disabled: true }),
      sampleClient({ ...byItself, document: copy }),
      sampleClient({ ...byItself, display }),
    ] as const
    for (const client of clients) await store().createClient(client, trace())
    const [byOperator, disabled, document, active] = clients
    const listed = async (of: ClientListFilter): Promise<readonly Client[]> => {
      const before = String(byOperator.id).slice(0, -1)
      const found: Client[] = []
      let after: string | null = before
      do {
        const page: Page<Client> = await store().listClients(after, 1, of)
        found.push(...page.rows)
        after = page.next
      } while (after !== null && after <= active.id)
      return found.filter(({ id }) => id <= active.id)
    }
    assert.deepEqual(await listed({}), clients)
    assert.deepEqual(await listed({ broughtBy: 'operator' }), [byOperator])
    assert.deepEqual(await listed({ broughtBy: 'document' }), [document])
    assert.deepEqual(await listed({ broughtBy: 'itself' }), [disabled, active])
    assert.deepEqual(await listed({ disabled: true }), [disabled])
    assert.deepEqual(await listed({ broughtBy: 'itself', disabled: false }), [active])
  })

  test('RC-08 deleting a client ends its authorizations and deletes its items', async () => {
    const { client, owner, authorization } = await settle(store())
    const holder = `client:${client.id}` as const
    const id = 'item' as ItemId
    const item = { holder, resource: 'photos', id, fields: {}, version: 'v1', condition: {} }
    await store().putItem({ ...item, createOnly: true, mostItems: 1 })
    assert.equal(await store().deleteClient(client.id, trace()), true)
    assert.equal(await store().findClient(client.id, 'disabled'), null)
    assert.equal(await store().findItem(holder, 'photos', id), null)
    assert.equal(await store().findAuthorization(authorization.id, 0), null)
    // Created anew under the same id it begins with nothing, and with room for its items.
    await store().createClient(client, trace())
    const list = await store().listAuthorizations({ ownerId: owner.id }, null, 10, 0)
    assert.deepEqual(list, { rows: [], next: null })
    const put = await store().putItem({ ...item, createOnly: true, mostItems: 1 })
    assert.equal(put, 'created')
  })

  test('a deleted client is told of by name', async () => {
    const { client } = await addPeople(store())
    const { eventId, at, requestId, actor } = trace()
    await store().deleteClient(client.id, { eventId, at, requestId, actor })
    const [event] = (await store().listEvents({ clientId: client.id }, null, 1)).rows
    assert.deepEqual(event, {
      id: eventId,
      at,
      type: 'client.deleted',
      clientId: client.id,
      ownerId: null,
      authorizationId: null,
      requestId,
      actor,
      details: { name: 'Photo Printer' },
    })
  })
}
