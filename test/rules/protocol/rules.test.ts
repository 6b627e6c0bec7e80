/** The rules behind refusals: each reason in the source has one, with a source and a fix. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findRule, ruledReasons } from '../../../src/protocol/rules/index.ts'
import { reasonsOf } from '../../shape/indexes.ts'
import { playground, sources } from '../../shape/source.ts'

const product = [...sources, ...playground]
const reasons = reasonsOf(product)

describe('the rules of refusals', () => {
  test('are there for every reason', () => {
    assert.ok(reasons.length > 200)
    const written = reasons.filter((reason) => !reason.includes('*'))
    assert.deepEqual(
      written.filter((reason) => findRule(reason) === null),
      [],
    )
    const families = reasons.filter((reason) => reason.includes('*'))
    assert.deepEqual(
      families.filter((reason) => findRule(reason.replace('*', 'name')) === null),
      [],
    )
  })

  test('are about nothing else', () => {
    const unused = ruledReasons.filter(
      (reason) =>
        !reasons.includes(reason) &&
        !reasons.some((one) => one.endsWith('*') && reason.startsWith(one.slice(0, -1))) &&
        !product.some(({ spoken }) => spoken.includes(`'${reason}'`)) &&
        !reason.endsWith('_closed'),
    )
    assert.deepEqual(unused, [])
  })

  test('have one source each', () => {
    assert.deepEqual(ruledReasons, [...new Set(ruledReasons)])
  })

  test('name a source and a fix', () => {
    for (const reason of [...ruledReasons, 'missing_name', 'repeated_name', 'bad_name']) {
      const rule = findRule(reason)
      assert.match(rule?.source ?? '', /^(RFC \d|OpenID |OAuth 2|Client ID |rule of this service)/)
      assert.match(rule?.fix ?? '', /^[A-Z].*\.$/, reason)
      for (const sentence of (rule?.fix ?? '').split('. ')) {
        assert.ok(sentence.split(' ').length <= 25, sentence)
      }
      if (rule?.toldAs != null) assert.ok(ruledReasons.includes(rule.toldAs))
    }
    assert.equal(findRule('an_extension'), null)
  })
})
