/** Permissions as sets: what two of them share, and how they are written. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  addNames,
  dropWords,
  formatScope,
  getResource,
  hasAll,
  intersect,
  limitScope,
  listAllPermissions,
  listGrantable,
  listOwnerPermissions,
  readScope,
  selectWords,
  subtract,
} from '../../../src/access/permission.ts'
import { defaultResources } from '../../../src/config/resources.ts'
import { operatorPermissions, type Permissions } from '../../../src/model/resource.ts'
import { clientPermissions, isScopeWord } from '../../../src/model/scope-word.ts'

const askable = { list: () => defaultResources, words: [] }
const universe = listAllPermissions(askable)
const sets = fc.subarray([...universe])

const isCanonical = (permissions: Permissions): boolean =>
  permissions.every((permission, i) => i === 0 || (permissions[i - 1] ?? '') < permission)

describe('sets', () => {
  it('both is what each has, in the same order', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        assert.deepEqual(intersect(a, b), intersect(b, a))
        assert.ok(hasAll(a, intersect(a, b)) && hasAll(b, intersect(a, b)))
        assert.ok(isCanonical(intersect(a, b)))
      }),
    )
  })

  it('without is the rest: together they are the whole, and they share nothing', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        assert.deepEqual([...intersect(a, b), ...subtract(a, b)].sort(), a)
        assert.deepEqual(intersect(subtract(a, b), b), [])
      }),
    )
  })

  it('covers is having all that is wanted', () => {
    fc.assert(
      fc.property(sets, sets, (have, wanted) => {
        assert.equal(hasAll(have, wanted), subtract(wanted, have).length === 0)
      }),
    )
    assert.ok(hasAll([], []))
    assert.equal(hasAll(['photos:read'], ['photos:write']), false)
  })
})

describe('words beside permissions', () => {
  it('are told apart, and nothing is lost', () => {
    fc.assert(
      fc.property(sets, (set) => {
        assert.deepEqual(addNames(dropWords(set), selectWords(set)), set)
        assert.ok(dropWords(set).every((name) => !isScopeWord(name)))
        assert.ok(selectWords(set).every((name) => !name.includes(':')))
      }),
    )
  })

  it('are within every scope of a client, and permissions are not', () => {
    fc.assert(
      fc.property(sets, sets, (set, scope) => {
        const within = limitScope(set, scope)
        assert.deepEqual(selectWords(within), selectWords(set))
        assert.deepEqual(dropWords(within), intersect(dropWords(set), dropWords(scope)))
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
    assert.equal(getResource('photos:read'), 'photos')
    assert.equal(getResource('photo-albums:write'), 'photo-albums')
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
    assert.deepEqual(listOwnerPermissions(defaultResources), expected)
    assert.deepEqual(listOwnerPermissions([...defaultResources].reverse()), expected)
    assert.deepEqual(listOwnerPermissions([]), [])
  })

  it("the operator's are none that owners have", () => {
    assert.deepEqual(intersect(listOwnerPermissions(defaultResources), operatorPermissions), [])
    const others = [...operatorPermissions, ...clientPermissions]
    assert.deepEqual(universe, [...listGrantable(askable), ...others].sort())
    assert.ok(isCanonical(universe))
  })
})
