/** The store contract for checks of directories: whom a directory disables and enables, and races. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkedPerson } from '../../../src/features/leavers/contract.ts'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, start, together, trace } from '../moments.ts'
import { sampleClient, sampleOwner } from '../sample.ts'

export const leaverContract = (store: () => Store): void => {
  const link = async (ownerId: OwnerId, upstream: string): Promise<LinkedPerson> => {
    const account = { upstream, issuer: 'dc=example', subject: next('subject') }
    const made = { ...account, ownerId, label: '', createdAt: start, lastUsedAt: null }
    const roles = (await store().findOwner(ownerId))?.roles ?? []
    assert.equal(await store().linkByOperator(made, roles, trace()), 'linked')
    return { ...account, ownerId, disabledAt: null }
  }
  const add = async (upstream: string, change: Partial<Owner> = {}) => {
    const owner = sampleOwner({ roles: [], ...change })
    await store().createOwner(owner, trace())
    return link(owner.id, upstream)
  }
  const bound = { most: 2, since: start - 10 }
  const disable = (person: LinkedPerson, most = bound.most, at = start) =>
    store().disableLeaver(person, { ...bound, most }, trace(at))
  const enable = (person: LinkedPerson) => store().enableReturner(person, trace())
  const isDisabled = async ({ ownerId }: LinkedPerson) =>
    (await store().findOwner(ownerId, 'disabled'))?.disabled

  test('a directory disables its people up to a bound, and enables those it disabled alone', async () => {
    const upstream = next('company')
    assert.equal(await store().claimDirectoryCheck(upstream, 100, start), true)
    const [a, b, c] = [await add(upstream), await add(upstream), await add(upstream)]
    const elsewhere = await add(next('other'))
    const list = async (after: string | null = null, limit = 9) => {
      const page = await store().listLinkedPeople(a, after, limit)
      return page.rows.map((one) => [one.subject, one.disabledAt])
    }
    assert.deepEqual(
      await list(null, 2),
      [a, b].map(({ subject }) => [subject, null]),
    )
    assert.deepEqual(await list(b.subject), [[c.subject, null]])
    assert.equal(await disable({ ...elsewhere, upstream }), 'changed_meanwhile')
    assert.equal(await disable({ ...a, subject: b.subject }), 'changed_meanwhile')
    assert.equal(await disable(a), 'disabled')
    assert.equal(await disable(a), 'changed_meanwhile')
    const [event] = (await store().listEvents({ ownerId: a.ownerId }, null, 1)).rows
    assert.deepEqual(event?.type, 'owner.changed')
    assert.deepEqual([event?.details.upstream, event?.details.disabled], [upstream, true])
    assert.equal(await disable(b), 'disabled')
    assert.equal(await disable(c), 'held')
    assert.deepEqual(await list(), [
      [a.subject, start],
      [b.subject, start],
      [c.subject, null],
    ])
    // Who was disabled longer ago does not count.
    assert.equal(
      await store().disableLeaver(c, { most: 2, since: start }, trace(start + 1)),
      'disabled',
    )
    assert.equal(await enable({ ...a, upstream: elsewhere.upstream }), false)
    assert.deepEqual([await enable(a), await enable(a), await isDisabled(a)], [true, false, false])
    // An operator has decided since.
    await store().changeOwner(b.ownerId, { disabled: true }, trace())
    assert.deepEqual([await enable(b), await isDisabled(b)], [false, true])
    assert.deepEqual(await list(), [
      [a.subject, null],
      [c.subject, start + 1],
    ])
    await store().changeOwner(c.ownerId, { disabled: false }, trace())
    // Who was enabled again counts, too, and each time counts.
    assert.deepEqual([await disable(c), await disable(c, 4)], ['held', 'disabled'])
    assert.deepEqual([await enable(c), await disable(c, 4)], [true, 'held'])
    assert.deepEqual([await disable(c, 5), await disable(a, 5)], ['disabled', 'held'])
    // Another directory disables the same owner, and has a mark and a count of its own.
    const twice = await link(c.ownerId, next('other'))
    assert.equal(await enable(c), true)
    assert.equal(await disable(twice, 1), 'disabled')
    assert.equal(await store().findDisabler(c.ownerId), twice.upstream)
    assert.deepEqual(
      [await enable(c), await enable(twice), await enable(twice)],
      [false, true, false],
    )
    assert.equal(await store().findDisabler(c.ownerId), null)
    assert.deepEqual([await disable(a, 5), await disable(c, 6)], ['held', 'disabled'])
    await store().deleteOwner(c.ownerId, trace())
    assert.deepEqual(await list(), [[a.subject, null]])
    const client = sampleClient({ scope: ['scim'] })
    await store().createClient(client, trace())
    const kept = sampleOwner({ roles: [] })
    const note = { externalId: '', formatted: '' }
    await store().createScimUser(client.id, kept, note, trace())
    const ofClient = await link(kept.id, upstream)
    assert.deepEqual(await list(), [[a.subject, null]])
    assert.equal(await disable(ofClient, 9), 'changed_meanwhile')
  })

  test('of nodes at once, one checks a directory; a clock that was ahead keeps nobody from it', async () => {
    const upstream = next('company')
    const claim = (at: number) => store().claimDirectoryCheck(upstream, 100, at)
    const winners = async (at: number) =>
      (await together(4, () => claim(at))).filter((isDue) => isDue).length
    assert.equal(await winners(start), 1)
    assert.equal(await winners(start + 99), 0)
    assert.equal(await winners(start + 100), 1)
    assert.equal(await winners(start + 9000), 1)
    assert.equal(await winners(start + 200), 1)
    const list = async (since: number) =>
      (await store().listDirectoryChecks(since)).filter((one) => one.upstream === upstream)
    await store().noteDirectoryCheck({ upstream, missing: 3, checkedAt: null })
    assert.deepEqual(await list(start + 199), [{ upstream, missing: 3, checkedAt: start }])
    await store().noteDirectoryCheck({ upstream, missing: 0, checkedAt: start + 200 })
    assert.deepEqual(await list(start + 199), [{ upstream, missing: 0, checkedAt: start + 200 }])
    assert.deepEqual(await list(start + 200), [])
  })

  test('directories at once disable neither the last operator nor more than the bound', async () => {
    const { rows } = await store().listOwnersBy({ role: 'operator' }, null, 1000)
    const others = rows.filter(({ disabled }) => !disabled)
    for (const { id } of others) await store().changeOwner(id, { disabled: true }, trace())
    for (let round = 0; round < raceRounds / 2; round++) {
      const [one, two] = [next('company'), next('company')]
      for (const upstream of [one, two]) await store().claimDirectoryCheck(upstream, 100, start)
      const operators = [
        await add(one, { roles: ['operator'] }),
        await add(two, { roles: ['operator'] }),
      ]
      const last = await Promise.all(operators.map((person) => disable(person)))
      assert.deepEqual(last.sort(), ['disabled', 'last_operator'])
      for (const { ownerId } of operators) await store().deleteOwner(ownerId, trace())
      const [kept, demoted] = [
        await add(one, { roles: ['operator'] }),
        await add(two, { roles: ['operator'] }),
      ]
      const order: unknown[] = []
      const note = (outcome: unknown) => order.push(outcome)
      await Promise.all([
        store()
          .changeOwner(demoted.ownerId, { roles: [] }, trace())
          .then(() => note('demoted')),
        disable(kept).then(note),
      ])
      assert.ok(
        ['demoted last_operator', 'last_operator demoted', 'disabled demoted'].includes(
          order.join(' '),
        ),
        order.join(' '),
      )
      await store().deleteOwner(kept.ownerId, trace())
      const people = await together(4, () => add(one))
      const outcomes = await Promise.all(people.map((person) => disable(person, 2)))
      const disabled = outcomes.filter((outcome) => outcome === 'disabled').length
      // Deleted operators count no more.
      assert.deepEqual([disabled, outcomes.includes('held')], [2, true])
      const [person] = people.filter((_, i) => outcomes[i] === 'disabled')
      assert.ok(person)
      const change = { disabled: true }
      await Promise.all([enable(person), store().changeOwner(person.ownerId, change, trace())])
      assert.equal(await isDisabled(person), true)
    }
    for (const { id } of others) await store().changeOwner(id, { disabled: false }, trace())
  })
}
