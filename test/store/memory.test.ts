/** The cache of the embedded store: its content, its invalidations, and its end. */
import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { FamilyId, Holder, ItemId } from '../../src/model/ids.ts'
import { Marks } from '../../src/store/cache/marks.ts'
import { Remembered } from '../../src/store/cache/remembered.ts'
import { engineLimits } from '../../src/store/limits.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { sampleUse } from './contract/uses.ts'
import { newPath } from './folder.ts'
import { openGuided } from './guided.ts'
import { next, start, trace } from './moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from './sample.ts'
import { addPeople, approveIn, settleFamily } from './settle.ts'

const open = async () => {
  const guided = openGuided()
  const { client, owner, authorization, familyId } = await settleFamily(guided.remembering)
  const holder: Holder = `owner:${owner.id}`
  const put = (id: string) => ({
    holder,
    resource: 'photos',
    id: id as ItemId,
    fields: { title: 'Sunset' },
    version: 'v1',
    condition: {},
    createOnly: false,
    mostItems: 100,
  })
  await guided.remembering.putItem(put('a'))
  const asks = {
    client: (store: Store) => store.findClient(client.id),
    standing: (store: Store) => store.findStanding(familyId, start),
    authorization: (store: Store) => store.findAuthorization(authorization.id, start),
    page: (store: Store) => store.listItems(holder, 'photos', null, 10),
    item: (store: Store) => store.findItem(holder, 'photos', 'a' as ItemId),
  }
  type Asked = keyof typeof asks
  const all = Object.keys(asks) as Asked[]
  /** Which of them has to be read. */
  const readFor = async (...asked: readonly Asked[]): Promise<readonly Asked[]> => {
    const read: Asked[] = []
    for (const name of asked) {
      const before = guided.reads()
      const answer: Promise<unknown> = asks[name](guided.remembering)
      if (guided.reads() > before) read.push(name)
      assert.deepEqual(await answer, await asks[name](guided.plain))
    }
    return read
  }
  await readFor(...all)
  await readFor(...all)
  assert.deepEqual(await readFor(...all), [])
  return { guided, client, owner, authorization, familyId, put, all, readFor }
}

type Opened = Awaited<ReturnType<typeof open>>

/** The reads that miss the cache after a step: exactly these. */
const steps: Readonly<
  Record<string, readonly [(opened: Opened, store: Store) => Promise<unknown>, readonly string[]]>
> = {
  'a change of the client': [
    ({ client }, store) => store.changeClient(client.id, { newSalt, name: 'New' }, trace()),
    ['client', 'standing'],
  ],
  "an end of the client's tokens": [
    ({ client }, store) =>
      store.endClientTokens(client.id, { own: 'own', family: 'family' }, trace()),
    ['client', 'standing'],
  ],
  'a change of another client': [
    async (_, store) => {
      const { client } = await addPeople(store)
      return store.changeClient(client.id, { newSalt, disabled: true }, trace())
    },
    [],
  ],
  'a revoked token of the client itself': [
    ({ client: { id: clientId } }, store) =>
      store.endToken({ of: { clientId }, tokenId: 'one', expiresAt: null }, trace()),
    ['client'],
  ],
  'a change of the owner': [
    ({ owner }, store) => store.changeOwner(owner.id, { name: 'New' }, trace()),
    ['standing'],
  ],
  'a new password': [
    ({ owner }, store) =>
      store.changePassword(owner.id, { hash: 'new', salt: 'new' }, null, trace()),
    ['standing'],
  ],
  narrowing: [
    ({ authorization }, store) =>
      store.narrowAuthorization(authorization.id, null, ['photos:read'], trace()),
    ['standing'],
  ],
  'an approval': [
    (people, store) => approveIn(store, sampleApproval(people), trace()),
    ['standing'],
  ],
  'a family begun by an approval': [
    (people, store) => {
      const familyId = next('family') as FamilyId
      const under = sampleApproval(people, { permissions: ['photos:read'] })
      return store.startFamily({ familyId, under, expiresAt: null }, trace())
    },
    ['standing'],
  ],
  'a noted use': [
    ({ authorization: { id } }, store) => {
      const uses = [sampleUse(id, { lastAt: start + 5 }), sampleUse(id, { allowed: false })]
      return store.recordUses({ collector: next('collector'), turn: 1, uses })
    },
    [],
  ],
  'another family under the same authorization': [
    ({ authorization }, store) => store.redeemCode(sampleRedemption(authorization), trace()),
    [],
  ],
  'a refresh, whose outcome is known': [
    ({ familyId }, store) => store.rotateRefreshToken(sampleRotation(familyId, 0), trace()),
    [],
  ],
  'a revoked access token': [
    ({ familyId, authorization: { id: authorizationId } }, store) =>
      store.endToken(
        { of: { familyId, authorizationId }, tokenId: 'one', expiresAt: null },
        trace(),
      ),
    ['standing'],
  ],
  'a further revoked access token of the same family': [
    async ({ familyId, authorization: { id: authorizationId }, readFor }, store) => {
      const end = (tokenId: string) =>
        store.endToken({ of: { familyId, authorizationId }, tokenId, expiresAt: null }, trace())
      await end('one')
      await readFor('standing')
      await end('two')
    },
    [],
  ],
  'the end of the family': [
    ({ familyId }, store) => store.endFamily(familyId, trace()),
    ['standing'],
  ],
  'a new item': [({ put }, store) => store.putItem(put('b')), ['page', 'item']],
  'an item of another resource': [
    ({ put }, store) => store.putItem({ ...put('a'), resource: 'contacts' }),
    [],
  ],
}

describe('I3 what is asked for a third time is read no more; read again is', () => {
  for (const [name, [step, forgotten]] of Object.entries(steps)) {
    test(`after ${name}: ${forgotten.join(', ') || 'nothing'}`, async () => {
      const opened = await open()
      const { guided, all, readFor } = opened
      await step(opened, guided.remembering)
      assert.deepEqual(await readFor(...all), forgotten)
      if (!name.startsWith('the end')) assert.deepEqual(await readFor(...all), [])
    })
  }
})

describe('I3 while a step is under way', () => {
  const hold = async () => {
    const opened = await open()
    const { guided, familyId, client } = opened
    guided.hold()
    const read = () => guided.remembering.findStanding(familyId, start)
    const readNow = () => guided.plain.findStanding(familyId, start)
    return { ...opened, store: guided.remembering, read, readNow, client }
  }

  test('it is asked what is true, before and after it is done', async () => {
    const { guided, store, client, read, readNow } = await hold()
    const disabled = store.changeClient(client.id, { newSalt, disabled: true }, trace())
    const [before, isTrue] = [read(), await readNow()]
    await guided.goOn(0)
    const after = read()
    await guided.settle()
    assert.deepEqual(await before, isTrue)
    assert.equal(await after, null)
    assert.equal((await disabled)?.disabled, true)
  })

  test('what was read before it and arrives after it is not remembered', async () => {
    const { guided, store, client, familyId, read } = await hold()
    const enabled = store.changeClient(client.id, { newSalt, name: 'New' }, trace())
    await guided.settle()
    await enabled
    const late = [read(), store.findClient(client.id), store.findClient(client.id)]
    const ended = store.endFamily(familyId, trace())
    const disabled = store.changeClient(client.id, { newSalt, disabled: true }, trace())
    for (let turn = 0; turn < 4; turn++) await guided.goOn(0)
    assert.deepEqual(await Promise.all([ended, disabled.then((one) => one?.disabled)]), [
      true,
      true,
    ])
    await guided.answerReads()
    for (const answer of await Promise.all(late)) assert.notEqual(answer, null)
    const now = [read(), store.findClient(client.id)]
    await guided.settle()
    assert.deepEqual(await Promise.all(now), [null, null])
  })

  test('of two at once, neither outcome is taken for how it ended', async () => {
    const { guided, store, familyId, read } = await hold()
    const rotated = store.rotateRefreshToken(sampleRotation(familyId, 0), trace())
    const ended = store.endFamily(familyId, trace())
    // The refresh is done, then the end is done and answered, then the refresh is answered.
    for (const which of [0, 0, 1, 0]) await guided.goOn(which)
    assert.equal((await rotated).outcome, 'rotated')
    assert.equal(await ended, true)
    const now = read()
    await guided.settle()
    assert.equal(await now, null)
  })

  const changes: Readonly<Record<string, (opened: Opened) => Promise<unknown>>> = {
    'authorization ends': ({ guided, authorization }) =>
      guided.remembering.endAuthorization(authorization.id, null, trace()),
    'client is disabled': ({ guided, client }) =>
      guided.remembering.changeClient(client.id, { newSalt, disabled: true }, trace()),
  }
  for (const [name, change] of Object.entries(changes)) {
    test(`a refresh looks at everything while its ${name}`, async () => {
      const opened = await open()
      const { guided, familyId } = opened
      guided.hold()
      const changed = change(opened)
      const rotation = sampleRotation(familyId, 0)
      const rotated = guided.remembering.rotateRefreshToken(rotation, trace())
      await guided.settle()
      await changed
      assert.deepEqual(await rotated, { outcome: 'ended' })
    })

    test(`a refresh from before its ${name} reads nothing but its family`, async () => {
      const opened = await open()
      const { guided, familyId } = opened
      guided.hold()
      const rotation = sampleRotation(familyId, 0)
      const rotated = guided.remembering.rotateRefreshToken(rotation, trace())
      const changed = change(opened)
      // No writer changes the order. It is changed here to show what the refresh reads.
      await guided.goOn(1)
      await guided.settle()
      await changed
      assert.equal((await rotated).outcome, 'rotated')
      assert.equal(await guided.plain.findStanding(familyId, start), null)
    })
  }

  test('one that fails, done or not, is forgotten as one that does not', async () => {
    const { guided, store, familyId, read } = await hold()
    guided.setFate('lost')
    const ended = store.endFamily(familyId, trace())
    const refused = assert.rejects(ended, { reason: 'indeterminate' })
    await guided.settle()
    await refused
    const now = read()
    await guided.settle()
    assert.equal(await now, null)
  })
})

test('what a revocation reads is remembered, unless client or owner is disabled', async () => {
  const { guided, client, familyId } = await open()
  const store = guided.remembering
  const readsOf = async (times: number) => {
    const before = guided.reads()
    for (let time = 0; time < times; time++) {
      const standing = await store.findStanding(familyId, start, 'disabled')
      assert.equal(standing?.family.id, familyId)
    }
    return guided.reads() - before
  }
  await store.changeClient(client.id, { newSalt, name: 'New' }, trace())
  assert.equal(await readsOf(3), 1)
  await store.changeClient(client.id, { newSalt, disabled: true }, trace())
  assert.equal(await readsOf(3), 3)
  assert.equal(await store.findStanding(familyId, start), null)
})

test('what has expired and was purged is gone for a request that came before, too', async () => {
  const { guided, client, owner } = await open()
  const store = guided.remembering
  const people = { client, owner }
  const until = { duration: 'day', expiresAt: start + 50 } as const
  const authorization = await approveIn(store, sampleApproval(people, until), trace())
  assert.ok(authorization)
  const find = (from: Store) => from.findAuthorization(authorization.id, start + 45)
  for (let time = 0; time < 3; time++) assert.notEqual(await find(store), null)
  await store.purge(start + 51, { events: start, accessLog: start }, 100)
  assert.equal(await find(guided.plain), null)
  assert.equal(await find(store), null)
})

test('what is approved for a visit ends with the session, which is asked each time', async () => {
  const { guided, client, owner } = await open()
  const store = guided.remembering
  const session = sampleSession(owner.id)
  await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
  const visit = { duration: 'session', sessionId: session.id } as const
  const authorization = await approveIn(store, sampleApproval({ client, owner }, visit), trace())
  assert.ok(authorization)
  const redemption = sampleRedemption(authorization, { expiresAt: null })
  await store.redeemCode(redemption, trace())
  const find = (now: number) => store.findStanding(redemption.familyId, now)
  for (let time = 0; time < 3; time++) assert.notEqual(await find(session.expiresAt - 1), null)
  assert.equal(await find(session.expiresAt), null)
  await store.endSession(session.id, trace())
  assert.equal(await find(start), null)
})

describe('nothing is remembered any more', () => {
  const openWarm = async (path: string) => {
    const first = await openSqliteStore({ path })
    const { client } = await addPeople(first)
    await first.close()
    const store = await openSqliteStore({ path })
    const find = () => store.findClient(client.id)
    for (let time = 0; time < 3; time++) assert.notEqual(await find(), null)
    return { store, client, find }
  }

  test('once the store is closed', async (t) => {
    const { store, find } = await openWarm(newPath(t))
    await store.close()
    await assert.rejects(find(), { name: 'StoreFault', reason: 'closed' })
  })

  test('once the disk has failed (F-08)', async (t) => {
    const path = newPath(t)
    const { store, find } = await openWarm(path)
    writeFileSync(path, Buffer.alloc(statSync(path).size, 'damage'))
    await assert.rejects(store.listEvents({}, null, 100), { name: 'StoreFault' })
    await assert.rejects(find(), { name: 'StoreFault', reason: 'broken' })
    await store.close()
  })

  test('of before somebody else wrote to the file, from the next step on', async (t) => {
    const path = newPath(t)
    const { store, client, find } = await openWarm(path)
    const stranger = new DatabaseSync(path)
    stranger.prepare('update clients set disabled = 1 where id = ?').run(client.id)
    stranger.close()
    await store.ping()
    assert.equal(await find(), null)
    await store.close()
  })
})

describe('the memory', () => {
  const things = ['a thing']

  const fill = (memory: Remembered<string>, count: number, answer: string): readonly number[] => {
    const ids = Array.from({ length: count }, (_, i) => i)
    for (const id of ids) memory.keep(`${id}`, answer, things)
    return ids.filter((id) => memory.find(`${id}`) !== undefined)
  }

  test('holds so many bytes, and lets go of the oldest', () => {
    const memory = new Remembered<string>(new Marks(), 100_000)
    const kept = fill(memory, 1000, 'x'.repeat(1000))
    assert.ok(kept.length > 60 && kept.length < 100, `${kept.length} are kept`)
    assert.deepEqual(
      kept,
      Array.from({ length: kept.length }, (_, i) => 1000 - kept.length + i),
    )
  })

  test('counts two bytes for each character of a text that goes beyond Latin-1', () => {
    const kept = (text: string): number =>
      fill(new Remembered<string>(new Marks(), 100_000), 1000, text).length
    assert.equal(kept('é'.repeat(1000)), kept('x'.repeat(1000)))
    assert.equal(kept('園'.repeat(1000)), kept('x'.repeat(2000)))
    assert.equal(kept(`園${'x'.repeat(999)}`), kept('x'.repeat(2000)))
  })

  test('does not take what is larger than a part of it', () => {
    const memory = new Remembered<string>(new Marks(), 100_000)
    assert.deepEqual(fill(memory, 1, 'x'.repeat(10_000)), [])
  })

  test('expects what was asked for before, unless that is long ago', () => {
    const memory = new Remembered<string>(new Marks(), 100_000)
    assert.deepEqual([memory.expects('a'), memory.expects('a')], [false, true])
    memory.keep('a', 'answer', things)
    assert.equal(memory.expects('a'), true)
    assert.equal(memory.expects('b'), false)
    for (let i = 0; i < engineLimits.idsNoted; i++) memory.expects(`other ${i}`)
    assert.equal(memory.expects('b'), false)
  })

  test('keeps a mark for as long as an answer rests on it', () => {
    const marks = new Marks()
    const memory = new Remembered<string>(marks, 100_000)
    const markOf = () => {
      const taken = marks.take(things) ?? []
      marks.giveBack(taken)
      return taken[0]
    }
    memory.keep('a', 'answer', things)
    const mark = markOf()
    assert.equal(markOf(), mark)
    memory.forget('a')
    assert.notEqual(markOf(), mark)
  })

  test('does not take what was being read when everything was forgotten', async () => {
    const marks = new Marks()
    const read = async (): Promise<string> => {
      marks.invalidateAll()
      return 'old'
    }
    assert.equal(await marks.read(read, () => assert.fail('it is remembered')), 'old')
  })

  test('takes what was being read, unless that was changed elsewhere meanwhile', async () => {
    const marks = new Marks()
    const memory = new Remembered<string>(marks, 100_000)
    const readWhile = (meanwhile: () => void): Promise<string> =>
      marks.read(
        async () => {
          meanwhile()
          return 'answer'
        },
        (answer) => memory.keep('a', answer, things),
      )
    await readWhile(() => marks.invalidate(things))
    assert.equal(memory.find('a'), undefined)
    await readWhile(() => marks.invalidate(['another thing']))
    assert.equal(memory.find('a'), 'answer')
    marks.invalidate(things)
    assert.equal(memory.find('a'), undefined)
    const tooMany = Array.from({ length: engineLimits.idsNoted + 1 }, (_, i) => `thing ${i}`)
    await readWhile(() => marks.invalidate(tooMany))
    assert.equal(memory.find('a'), undefined)
  })

  test('finds nothing after a change, and the next answer again', async () => {
    const marks = new Marks()
    const memory = new Remembered<string>(marks, 100_000)
    memory.keep('a', 'old', things)
    await marks.change(things, async () => {
      memory.keep('a', 'old', things)
      assert.equal(memory.find('a'), undefined)
    })
    assert.equal(memory.find('a'), undefined)
    memory.keep('a', 'new', things)
    assert.equal(memory.find('a'), 'new')
    await marks.change(['another thing'], async () => {})
    assert.equal(memory.find('a'), 'new')
  })
})
