/** The store contract for the counting of guesses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { AttemptCounter, AttemptRule } from '../../../src/store/contract/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { addPeople } from '../settle.ts'

const rule: AttemptRule = {
  freeTries: 5,
  longestWaitSeconds: 8,
  forgetSeconds: 100,
  forgetAfter: 'last try',
}
const counter = (key: string) => ({ key, rule })
const admitted = { outcome: 'admitted' }
/** The keys in alphabetical order, in any order of the request. */
const wait = (seconds: number, ...keys: readonly string[]) => ({
  outcome: 'wait',
  seconds,
  keys: [...keys].sort(),
})

export const attemptContract = (store: () => Store): void => {
  /** Without the waits that the try begins. */
  const admitBy = async (counters: readonly AttemptCounter[], at = start) => {
    const result = await store().admitAttempt(counters, trace(at))
    return result.outcome === 'admitted' ? admitted : result
  }

  const admit = (keys: readonly string[], at = start) => admitBy(keys.map(counter), at)

  /** So many tries that the last of them has to be followed by a wait of one second. */
  const tire = async (keys: readonly string[], at = start) => {
    for (let i = 0; i < 6; i++) assert.deepEqual(await admit(keys, at), admitted)
  }

  test('LG-06 five tries are free, then waits double up to the longest', async () => {
    const keys = [next('owner'), next('address')]
    await tire(keys)
    let at = start
    for (const seconds of [1, 2, 4, 8, 8]) {
      assert.deepEqual(await admit(keys, at), wait(seconds, ...keys))
      assert.deepEqual(await admit(keys, at + seconds - 1), wait(1, ...keys))
      at += seconds
      assert.deepEqual(await admit(keys, at), admitted)
    }
  })

  test('a free try by a clock ahead makes nobody wait by a clock behind', async () => {
    const keys = [next('owner'), next('address')]
    assert.deepEqual(await admit(keys, start + 10), admitted)
    assert.deepEqual(await admit(keys, start), admitted)
  })

  test('LG-07 RC-11 of fifty at once, the five free ones are admitted and one more', async () => {
    const keys = [next('owner'), next('address')]
    const outcomes = await together(50, () => admit(keys))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'admitted').length, 6)
    // Which of the keys it met first is a matter of the race.
    assert.deepEqual({ ...outcomes.at(-1), keys }, { ...wait(1), keys })
  })

  test('where one key has to wait, nothing is counted against the others', async () => {
    const [owner, address] = [next('owner'), next('address')]
    await tire([owner])
    for (let i = 0; i < 50; i++) assert.deepEqual(await admit([address, owner]), wait(1, owner))
    await tire([address])
    assert.deepEqual(await admit([address]), wait(1, address))
  })

  test('a counter that was not touched for long starts anew', async () => {
    const keys = [next('owner')]
    await tire(keys)
    await tire(keys, start + 100)
    assert.deepEqual(await admit(keys, start + 100), wait(1, ...keys))
  })

  test('F-14 a clock that was set back makes nobody wait for longer than the longest', async () => {
    const keys = [next('owner'), next('address')]
    await tire(keys, start + 1_000_000)
    assert.deepEqual(await admit(keys), wait(8, ...keys))
    assert.deepEqual(await admit(keys, start + 7), wait(1, ...keys))
    assert.deepEqual(await admit(keys, start + 8), admitted)
    assert.deepEqual(await admit(keys, start + 8), wait(2, ...keys))
  })

  test('a right attempt clears the first counter and gives the second its try back', async () => {
    const [owner, address] = [next('owner'), next('address')]
    for (let i = 0; i < 4; i++) await admit([owner, address])
    assert.deepEqual(await admit([owner, address]), admitted)
    await store().clearAttempts([counter(owner)], [counter(address)], trace())
    await tire([owner])
    assert.deepEqual(await admit([owner]), wait(1, owner))
    for (let i = 0; i < 2; i++) assert.deepEqual(await admit([address]), admitted)
    assert.deepEqual(await admit([address]), wait(1, address))
  })

  test('a right attempt lifts the wait that it set itself, and none that a wrong one earned', async () => {
    const [owner, address] = [next('owner'), next('address')]
    await tire([address])
    assert.deepEqual(await admit([owner, address], start + 1), admitted)
    assert.deepEqual(await admit([address], start + 1), wait(2, address))
    await store().clearAttempts([counter(owner)], [counter(address)], trace(start + 1))
    assert.deepEqual(await admit([owner, address], start + 1), admitted)
    assert.deepEqual(await admit([address], start + 3), admitted)
    await store().clearAttempts([counter(owner)], [counter(address)], trace(start + 1))
    assert.deepEqual(await admit([address], start + 3), wait(4, address))
    assert.deepEqual(await admit([address], start + 7), admitted)
    assert.deepEqual(await admit([address], start + 7), wait(4, address))
  })

  test('a try that is given back lifts a wait that a later try set, if few are left', async () => {
    const address = next('address')
    for (let i = 0; i < rule.freeTries; i++) await admit([address])
    assert.deepEqual(await admit([address], start + 10), admitted)
    assert.deepEqual(await admit([address], start + 10), wait(1, address))
    await store().clearAttempts([], [counter(address)], trace())
    assert.deepEqual(await admit([address], start + 10), admitted)
  })

  test('each counter has its own rule', async () => {
    const wide = { key: next('network'), rule: { ...rule, freeTries: 7 } }
    for (let i = 0; i < 8; i++) {
      const counters = [wide, counter(next('owner'))]
      assert.deepEqual(await admitBy(counters), admitted)
    }
    const narrow = counter(next('owner'))
    assert.deepEqual(await store().admitAttempt([wide, narrow], trace()), wait(1, wide.key))
    const late = [narrow, { key: wide.key, rule: { ...rule, longestWaitSeconds: 1 } }]
    await store().clearAttempts([], [wide], trace())
    assert.deepEqual(await admitBy(late), admitted)
  })

  test('a counter that is forgotten after its first try starts anew however often it is touched', async () => {
    const hour = { key: next('network'), rule: { ...rule, forgetAfter: 'first try' } as const }
    const admitOne = (at: number) => admitBy([hour], at)
    assert.deepEqual(await admitOne(start), admitted)
    for (let i = 0; i < 5; i++) assert.deepEqual(await admitOne(start + 99), admitted)
    assert.deepEqual(await admitOne(start + 99), wait(1, hour.key))
    for (let i = 0; i < 6; i++) assert.deepEqual(await admitOne(start + 100), admitted)
    assert.deepEqual(await admitOne(start + 100), wait(1, hour.key))
  })

  test('a right attempt clears and gives back several counters at once', async () => {
    const [one, two] = [next('owner'), next('owner')]
    const [wide, site] = [next('network'), next('network')]
    for (const key of [one, two, wide, site]) await tire([key])
    await admit([one, two, wide, site], start + 1)
    const [forget, giveBack] = [[one, two].map(counter), [wide, site].map(counter)]
    await store().clearAttempts(forget, giveBack, trace(start + 1))
    await tire([one, two], start + 1)
    assert.deepEqual(await admit([wide, site], start + 1), admitted)
    assert.deepEqual(await admit([wide, site], start + 1), wait(2, wide, site))
  })

  test('a try tells the waits that it begins, by the key, and so does the owner of the counter', async () => {
    const { owner } = await addPeople(store())
    const [mine, shared] = [next('owner'), next('network')]
    const counters = [{ ...counter(mine), ownerId: owner.id }, counter(shared)]
    const begun = async (at = start) => store().admitAttempt(counters, trace(at))
    for (let i = 0; i < rule.freeTries; i++) {
      assert.deepEqual(await begun(), { outcome: 'admitted', begun: [] })
    }
    assert.deepEqual(await store().listWaits(owner.id, start), [])
    const waiting = await store().countWaitingOwners(start)
    const both = [...counters].sort((a, b) => (a.key < b.key ? -1 : 1))
    assert.deepEqual(await begun(), {
      outcome: 'admitted',
      begun: both.map(({ key }) => ({ key, seconds: 1 })),
    })
    assert.deepEqual(await store().listWaits(owner.id, start), [{ key: mine, until: start + 1 }])
    assert.equal(await store().countWaitingOwners(start), waiting + 1)
    assert.deepEqual(await store().listWaits(owner.id, start + 1), [])
  })

  test('a new password ends the waits of passwords, and none of codes', async () => {
    const { owner } = await addPeople(store())
    const names = ['browser', 'login', 'second', 'second-browser']
    const own = names.map((name) => ({ ...counter(`${name}:${owner.id}`), ownerId: owner.id }))
    for (let i = 0; i <= rule.freeTries; i++) await admitBy(own)
    await store().changePassword(owner.id, { hash: 'new', salt: 'new' }, null, trace())
    const left = (await store().listWaits(owner.id, start)).map(({ key }) => key.split(':')[0])
    left.sort()
    assert.deepEqual(left, ['second', 'second-browser'])
  })

  test('the waits of an owner end at once, of tries that come meanwhile too, and of nobody else', async () => {
    const [{ owner }, other] = [await addPeople(store()), await addPeople(store())]
    const [mine, unowned, theirs] = [next('owner'), next('owner'), next('owner')]
    const own = { ...counter(mine), ownerId: owner.id }
    const foreign = { ...counter(theirs), ownerId: other.owner.id }
    const outcomes = await together(20, async (i) =>
      i % 5 === 4 ? store().endWaits(owner.id, [], trace()) : store().admitAttempt([own], trace()),
    )
    assert.deepEqual(
      outcomes.filter((_, i) => i % 5 === 4),
      [true, true, true, true],
    )
    for (let i = 0; i < 6; i++) await Promise.all([own, foreign].map((one) => admitBy([one])))
    await tire([unowned])
    assert.equal(await store().endWaits(owner.id, [counter(unowned)], trace(), ['other']), false)
    assert.notDeepEqual(await store().listWaits(owner.id, start), [])
    const done = await store().endWaits(owner.id, [counter(unowned)], trace(), owner.roles)
    assert.equal(done, true)
    assert.deepEqual(await store().listWaits(owner.id, start), [])
    await tire([mine, unowned])
    assert.deepEqual(await admit([theirs]), wait(1, theirs))
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 9)
    const told = rows.filter(({ type }) => type === 'owner.unlocked')
    assert.deepEqual(told[0]?.details, { counters: 2 })
    // Without a wait there is nothing to tell.
    await admitBy([own])
    assert.equal(await store().endWaits(owner.id, [], trace()), true)
    const after = await store().listEvents({ ownerId: owner.id, type: 'owner.unlocked' }, null, 9)
    assert.equal(after.rows.length, told.length)
    assert.equal(await store().endWaits(next('nobody') as OwnerId, [], trace()), false)
  })
}
