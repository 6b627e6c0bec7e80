/** Filters and paths of SCIM: any filter is read back as it was written, and any text is bounded. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseFilter, type ScimFilter } from '../../../src/features/scim/filter.ts'
import { scimLimits } from '../../../src/features/scim/limits.ts'
import { isMet } from '../../../src/features/scim/match.ts'
import { parsePath } from '../../../src/features/scim/patch.ts'
import { userKind } from '../../../src/features/scim/schema.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const text = fc.string({ maxLength: 12 })
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le')

type User = Record<string, unknown>

/** A filter as it is written, with what it has to be read as. */
interface Written {
  readonly said: string
  readonly meant: (user: User) => boolean
}

const fold = (value: string) => value.normalize('NFKC').toLowerCase()

const tests: Readonly<Record<string, (a: string, b: string) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  co: (a, b) => a.includes(b),
  sw: (a, b) => a.startsWith(b),
  ew: (a, b) => a.endsWith(b),
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
}

const compared: fc.Arbitrary<Written> = fc
  .record({ name: fc.constantFrom('nickName', 'displayName'), operator, value: text })
  .map(({ name, operator: by, value }) => ({
    said: `${name} ${by} ${JSON.stringify(value)}`,
    meant: (user) => {
      const found = user[name]
      if (typeof found !== 'string' || found === '') return by === 'ne'
      return tests[by]?.(fold(found), fold(value)) ?? assert.fail(by)
    },
  }))

const { filter } = fc.letrec<{ filter: Written }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    compared,
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => ({
      said: `(${a.said}) and (${b.said})`,
      meant: (user: User) => a.meant(user) && b.meant(user),
    })),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => ({
      said: `(${a.said}) or (${b.said})`,
      meant: (user: User) => a.meant(user) || b.meant(user),
    })),
    tie('filter').map((a) => ({ said: `not (${a.said})`, meant: (user: User) => !a.meant(user) })),
  ),
}))

/** Null for a text that is refused. Any other fault fails the test. */
const tryTo = <Parsed>(parse: () => Parsed): Parsed | null => {
  try {
    return parse()
  } catch (fault) {
    assert.ok(fault instanceof Refusal, String(fault))
    assert.equal(fault.status, 400)
    return null
  }
}

const pieces = fc.constantFrom(
  ...['userName', 'emails', '[', ']', '(', ')', 'eq', 'and', 'or', 'not', 'pr', '"a"', '"', '\\'],
  ...[' ', '.', '.value', 'name.familyName', 'true', 'null', '$ref', 'urn:', '\u0000', 'type'],
)
const junk = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''))

describe('a filter of SCIM', () => {
  it('means what it says', () => {
    const user = fc.record({ nickName: text, displayName: text })
    fc.assert(
      fc.property(filter, user, ({ said, meant }, members) => {
        const parsed = tryTo(() => parseFilter(said, userKind))
        const isTooLong = said.length > scimLimits.filterCharacters
        if (parsed === null)
          assert.ok(isTooLong || said.split('"').length > 2 * scimLimits.filterTerms)
        else assert.equal(isMet(parsed, members), meant(members), said)
      }),
    )
  })

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(junk, fc.string()), (said) => {
        const parsed: ScimFilter | null = tryTo(() => parseFilter(said, userKind))
        if (parsed !== null) assert.equal(typeof isMet(parsed, {}), 'boolean')
        tryTo(() => parsePath(said, userKind))
      }),
    )
  })

  it('binds "and" closer than "or", and has limits', () => {
    const user = { nickName: 'a', displayName: 'b' }
    const mixed = 'nickName eq "a" or nickName eq "x" and displayName eq "y"'
    assert.equal(isMet(parseFilter(mixed, userKind), user), true)
    const values = 'emails[type eq "work" and value ew "@b.example"]'
    const emails = [
      { type: 'work', value: 'a@a.example' },
      { type: 'home', value: 'a@b.example' },
    ]
    assert.equal(isMet(parseFilter(values, userKind), { emails }), false)
    const { filterDepth, filterTerms, filterCharacters } = scimLimits
    for (const said of [
      `${'('.repeat(filterDepth)}nickName pr${')'.repeat(filterDepth)}`,
      Array(filterTerms + 1)
        .fill('id pr')
        .join(' or '),
      `nickName eq "${'x'.repeat(filterCharacters)}"`,
      'name eq "x"',
      'active gt true',
      'unknown eq "x"',
      'nickName eq "a" nickName',
      'nickName eq a',
    ]) {
      assert.equal(
        tryTo(() => parseFilter(said, userKind)),
        null,
        said,
      )
    }
  })
})
