/** Groups by an upstream: only mapped values count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mapRights } from '../../src/upstreams/mapped.ts'

const groups = {
  from: 'groups',
  map: new Map([
    ['dev', ['Engineering']],
    ['ops', ['Operations', 'Engineering']],
  ]),
  roles: new Map([['ops', ['operator']]]),
}
const none = { groups: [], roles: [] }

test('mapped values count, each group once', () => {
  const given = { groups: ['Engineering', 'Operations'], roles: ['operator'] }
  assert.deepEqual(mapRights(['ops', 'dev', 'ops'], groups), given)
  assert.deepEqual(mapRights('dev', groups), { groups: ['Engineering'], roles: [] })
})

test('attack: a claim with 10,000 groups, control characters, and wrong types', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `group ${i}`)
  assert.deepEqual(mapRights(many, groups), none)
  assert.deepEqual(mapRights([...many, 'dev'], groups).groups, ['Engineering'])
  const wrong = [undefined, null, 7, true, {}, { ops: 'ops' }, [['ops']], [{ ops: 1 }], 'ops\u0000']
  for (const one of wrong) assert.deepEqual(mapRights(one, groups), none)
  for (const one of ['OPS', ' ops', 'ops\n', '__proto__', 'constructor', 'operator']) {
    assert.deepEqual(mapRights([one], groups), none)
  }
})

test('property: nothing comes out that was not mapped', () => {
  const allowed = [...groups.map.values(), ...groups.roles.values()].flat()
  fc.assert(
    fc.property(fc.jsonValue(), (said) => {
      const { groups: named, roles } = mapRights(said, groups)
      assert.ok([...named, ...roles].every((name) => allowed.includes(name)))
    }),
  )
})
