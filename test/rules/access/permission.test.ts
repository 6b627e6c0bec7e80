/** Permissions as sets: what two of them share, and how they are written. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  allPermissions,
  covers,
  difference,
  formatScope,
  grantableNames,
  intersection,
  ownerPermissions,
  permissionsIn,
  readScope,
  resourceOf,
  withinScope,
  withWords,
  wordsIn,
} from '../../../src/access/permission.ts'
import { defaultResources } from '../../../src/config/resources.ts'
import { adminPermissions, type Permissions } from '../../../src/model/resource.ts'

const askable = { list: () => defaultResources, words: [] }
const universe = allPermissions(askable)
const sets = fc.subarray([...universe])

const isCanonical = (permissions: Permissions): boolean =>
  permissions.every((permission, i) => i === 0 || (permissions[i - 1] ?? '') < permission)

describe('sets', () => {
  it('both is what each has, in the same order', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        assert.deepEqual(intersection(a, b), intersection(b, a))
        assert.ok(covers(a, intersection(a, b)) && covers(b, intersection(a, b)))
        assert.ok(isCanonical(intersection(a, b)))
      }),
    )
  })

  it('without is the rest: together they are the whole, and they share nothing', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        assert.deepEqual([...intersection(a, b), ...difference(a, b)].sort(), a)
        assert.deepEqual(intersection(difference(a, b), b), [])
      }),
    )
  })

  it('covers is having all that is wanted', () => {
    fc.assert(
      fc.property(sets, sets, (have, wanted) => {
        assert.equal(covers(have, wanted), difference(wanted, have).length === 0)
      }),
    )
    assert.ok(covers([], []))
    assert.equal(covers(['photos:read'], ['photos:write']), false)
  })
})

describe('words beside permissions', () => {
  it('are told apart, and nothing is lost', () => {
    fc.assert(
      fc.property(sets, (set) => {
        assert.deepEqual(withWords(permissionsIn(set), wordsIn(set)), set)
        assert.ok(permissionsIn(set).every((name) => name.includes(':')))
        assert.ok(wordsIn(set).every((name) => !name.includes(':')))
      }),
    )
  })

  it('are within every scope of a client, and permissions are not', () => {
    fc.assert(
      fc.property(sets, sets, (set, scope) => {
        const within = withinScope(set, scope)
        assert.deepEqual(wordsIn(within), wordsIn(set))
        assert.deepEqual(
          permissionsIn(within),
          intersection(permissionsIn(set), permissionsIn(scope)),
        )
      }),
    )
  })
})

describe('on the wire', () => {
  it('is read as it was written', () => {
    fc.assert(fc.property(sets, (set) => assert.deepEqual(readScope(formatScope(set)), set)))
  })

  it('is separated by single spaces', () => {
    assert.equal(formatScope(['contacts:read', 'photos:write']), 'contacts:read photos:write')
    assert.equal(formatScope([]), '')
    assert.deepEqual(readScope(''), [])
  })
})

describe('of resources', () => {
  it('the name before the last colon', () => {
    assert.equal(resourceOf('photos:read'), 'photos')
    assert.equal(resourceOf('photo-albums:write'), 'photo-albums')
  })

  it('two for each, in alphabetical order, however the resources stand', () => {
    const expected = [
      'calendar:read',
      'calendar:write',
      'contacts:read',
      'contacts:write',
      'photos:read',
      'photos:write',
    ]
    assert.deepEqual(ownerPermissions(defaultResources), expected)
    assert.deepEqual(ownerPermissions([...defaultResources].reverse()), expected)
    assert.deepEqual(ownerPermissions([]), [])
  })

  it("the operator's are none that owners have", () => {
    assert.deepEqual(intersection(ownerPermissions(defaultResources), adminPermissions), [])
    assert.deepEqual(universe, [...grantableNames(askable), ...adminPermissions].sort())
    assert.ok(isCanonical(universe) && isCanonical(adminPermissions))
  })
})
