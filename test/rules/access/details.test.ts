/** The parser of `authorization_details`, and narrowing: RFC 9396 sections 2, 5 and 6.1. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { detailLimits } from '../../../src/access/details/limits.ts'
import { isItemOpened, keepDetailsInForce } from '../../../src/access/details/narrow.ts'
import { parseDetails } from '../../../src/access/details/parse.ts'
import { openResources, type Resources } from '../../../src/access/resources.ts'
import { loadSettings } from '../../../src/config/load.ts'
import {
  type Detail,
  intersectDetails,
  makeDetailKey,
  subtractDetails,
} from '../../../src/model/detail.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { sampleClient, sampleResource } from '../../store/sample.ts'

const payments = sampleResource({
  name: 'payments',
  actions: { pay: { en: 'Pay' } },
  details: { amount: { en: 'Amount' }, to: { en: 'To' }, constructor: { en: 'By' } },
})
const notes = sampleResource({ name: 'notes' })

let resources: Resources

before(async () => {
  const store = { listResources: async () => [payments, notes] }
  resources = await openResources({
    settings: { ...loadSettings(), issuer: 'http://127.0.0.1:6749' },
    store: store as never,
    clock: () => 0,
  })
})

const client = sampleClient({ scope: ['notes:read', 'payments:read'] })

const parse = (text: string, of = client) => parseDetails(text, of, resources)

/** The details, or the reason of the refusal. */
const outcomeOf = async (given: unknown, of = client): Promise<unknown> => {
  try {
    return await parse(typeof given === 'string' ? given : JSON.stringify(given), of)
  } catch (fault) {
    assert.ok(fault instanceof Refusal, String(fault))
    assert.equal(fault.code, 'invalid_authorization_details')
    assert.match(fault.description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    return fault.reason
  }
}

const pay = { type: 'payments', actions: ['pay'] }

describe('the parser', () => {
  it('takes what the resource declares, as it was written', async () => {
    const uri = 'http://127.0.0.1:6749/api/payments'
    for (const detail of [
      pay,
      { actions: ['write', 'read', 'pay'], type: 'payments' },
      { ...pay, amount: 12.5, to: '' },
      { ...pay, amount: true, identifier: 'x'.repeat(detailLimits.identifierCharacters) },
      { ...pay, locations: [uri], to: '‮<b>&\u200b' },
      { ...pay, constructor: 'x' },
      { type: 'notes', actions: ['read'] },
    ]) {
      assert.deepEqual(await outcomeOf([detail]), [detail])
    }
  })

  const many = Array.from({ length: detailLimits.details + 1 }, (_, n) => ({ ...pay, amount: n }))
  const long = 'x'.repeat(detailLimits.valueCharacters)
  const refused: readonly (readonly [string, unknown])[] = [
    ['bad_details', '{'],
    ['bad_details', 'null'],
    ['bad_details', '[]'],
    ['bad_details', pay],
    ['bad_details', [[pay]]],
    ['bad_details', ['payments']],
    ['bad_details', '['.repeat(detailLimits.characters)],
    ['too_many_details', many],
    ['details_too_long', ' '.repeat(detailLimits.characters) + JSON.stringify([pay])],
    ['details_too_long', many.slice(0, 7).map((one) => ({ ...one, to: long }))],
    ['details_too_long', [1, 2, 3].map((amount) => ({ ...pay, amount, to: '字'.repeat(240) }))],
    ['repeated_detail', [pay, pay]],
    [
      'repeated_detail',
      [
        { ...pay, actions: ['read', 'pay'] },
        { actions: ['pay', 'read'], type: 'payments' },
      ],
    ],
    ['unknown_detail_type', [{ ...pay, type: 'photos' }]],
    ['unknown_detail_type', [{ ...pay, type: ['payments'] }]],
    ['unknown_detail_type', [{ ...pay, type: 'clients' }]],
    ['unknown_detail_type', [{ actions: ['pay'] }]],
    ['bad_detail_actions', [{ type: 'payments' }]],
    ['bad_detail_actions', [{ ...pay, actions: [] }]],
    ['bad_detail_actions', [{ ...pay, actions: 'pay' }]],
    ['bad_detail_actions', [{ ...pay, actions: ['pay', 'pay'] }]],
    ['bad_detail_actions', [{ ...pay, actions: ['payments:pay'] }]],
    ['bad_detail_actions', [{ type: 'notes', actions: ['pay'] }]],
    ['bad_detail_locations', [{ ...pay, locations: [] }]],
    ['bad_detail_locations', [{ ...pay, locations: 'http://127.0.0.1:6749/api/payments' }]],
    ['bad_detail_locations', [{ ...pay, locations: ['http://127.0.0.1:6749/api/notes'] }]],
    ['bad_detail_identifier', [{ ...pay, identifier: '' }]],
    ['bad_detail_identifier', [{ ...pay, identifier: 7 }]],
    ['bad_detail_identifier', [{ ...pay, identifier: 'a\u0000b' }]],
    ['bad_detail_identifier', [{ ...pay, identifier: `${long}x` }]],
    ['unknown_detail_member', [{ ...pay, amonut: '1' }]],
    ['unknown_detail_member', [{ ...pay, datatypes: ['x'] }]],
    ['unknown_detail_member', [{ ...pay, toString: 'x' }]],
    ['unknown_detail_member', '[{"type":"payments","actions":["pay"],"__proto__":{"to":"x"}}]'],
    ['unknown_detail_member', [{ type: 'notes', actions: ['read'], amount: 1 }]],
    ['bad_detail_value', [{ ...pay, amount: null }]],
    ['bad_detail_value', [{ ...pay, amount: [1] }]],
    ['bad_detail_value', [{ ...pay, amount: { EUR: 1 } }]],
    ['bad_detail_value', [{ ...pay, to: `${long}x` }]],
    ['bad_detail_value', [{ ...pay, to: 'a\nb' }]],
    ['bad_detail_value', [{ ...pay, to: '\ud800' }]],
    ['bad_detail_value', '[{"type":"payments","actions":["pay"],"amount":9007199254740993}]'],
    ['bad_detail_value', '[{"type":"payments","actions":["pay"],"amount":1e999}]'],
  ]
  for (const [reason, given] of refused) {
    it(`${reason}: ${JSON.stringify(given).slice(0, 90)}`, async () => {
      assert.equal(await outcomeOf(given), reason)
    })
  }

  it('knows the types of the client: of its scope, or those registered, or all', async () => {
    const scoped = sampleClient({ scope: ['notes:read', 'clients:read'] })
    assert.equal(await outcomeOf([pay], scoped), 'unknown_detail_type')
    assert.deepEqual(await outcomeOf([{ type: 'notes', actions: ['write'] }], scoped), [
      { type: 'notes', actions: ['write'] },
    ])
    const registered = { ...scoped, openid: { authorization_details_types: ['payments'] } }
    assert.deepEqual(await outcomeOf([pay], registered), [pay])
    assert.equal(
      await outcomeOf([{ type: 'notes', actions: ['read'] }], registered),
      'unknown_detail_type',
    )
    const none = { ...scoped, openid: { authorization_details_types: [] } }
    assert.equal(await outcomeOf([pay], none), 'unknown_detail_type')
    const own = sampleClient({ scope: [], scopeLimits: false })
    assert.deepEqual(await outcomeOf([pay], own), [pay])
  })

  it('any JSON is taken as it is, or refused with a reason', async () => {
    const member = fc.constantFrom(
      'type',
      'actions',
      'locations',
      'identifier',
      'amount',
      'to',
      'x',
    )
    const value = fc.oneof(
      fc.constantFrom('payments', 'notes', ['pay'], ['read', 'write'], 'one'),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const detail = fc.dictionary(member, value, { maxKeys: 7 })
    await fc.assert(
      fc.asyncProperty(fc.array(detail, { maxLength: 3 }), async (given) => {
        const outcome = await outcomeOf(given)
        if (typeof outcome === 'string') return
        assert.deepEqual(outcome, JSON.parse(JSON.stringify(given)))
        for (const one of outcome as readonly Detail[]) {
          assert.ok(['payments', 'notes'].includes(one.type))
          assert.ok(one.actions.length > 0)
        }
      }),
    )
  })
})

const details = fc
  .record({
    type: fc.constantFrom('payments', 'notes'),
    actions: fc.subarray(['read', 'write', 'pay'], { minLength: 1 }),
    amount: fc.option(fc.constantFrom(1, '1', true), { nil: undefined }),
    identifier: fc.option(fc.constantFrom('one', 'two'), { nil: undefined }),
  })
  .map((detail): Detail => JSON.parse(JSON.stringify(detail)))

const shuffle = (detail: Detail): Detail => ({
  ...(Object.fromEntries(Object.entries(detail).toReversed()) as Detail),
  actions: detail.actions.toReversed(),
})

const isDetailWithin = (one: Detail, other: Detail): boolean =>
  intersectDetails([one], [other]).length === 1

const openings = (some: readonly Detail[]): readonly string[] =>
  ['read', 'write', 'pay'].flatMap((action) =>
    ['payments', 'notes'].flatMap((type) =>
      [null, 'one', 'two', 'three'].flatMap((item) =>
        isItemOpened(some, `${type}:${action}`, item) ? [`${type}:${action} ${item}`] : [],
      ),
    ),
  )

describe('narrowing', () => {
  it('whatever lies within a detail opens no more than it', () => {
    fc.assert(
      fc.property(details, details, (one, other) => {
        if (!isDetailWithin(one, other)) return
        const opened = openings([other])
        assert.ok(openings([one]).every((opening) => opened.includes(opening)))
      }),
    )
  })

  it('order says nothing, and each is within itself', () => {
    fc.assert(
      fc.property(details, (one) => {
        assert.equal(makeDetailKey(shuffle(one)), makeDetailKey(one))
        assert.ok(isDetailWithin(shuffle(one), one))
        assert.deepEqual(subtractDetails([one], [shuffle(one)]), [])
      }),
    )
  })

  it('two within each other are equal', () => {
    fc.assert(
      fc.property(details, details, (one, other) => {
        const both = isDetailWithin(one, other) && isDetailWithin(other, one)
        assert.equal(both, makeDetailKey(one) === makeDetailKey(other))
      }),
    )
  })

  it('what is in force is approved, and of a type of the client', () => {
    const some = fc.array(details, { maxLength: 4 })
    const types = fc.option(fc.subarray(['payments', 'notes']), { nil: null })
    fc.assert(
      fc.property(some, some, types, (carried, approved, allowed) => {
        const left = keepDetailsInForce(carried, approved, allowed, resources)
        for (const one of left) {
          assert.ok(approved.some((known) => isDetailWithin(one, known)))
          assert.ok(carried.some((known) => isDetailWithin(one, known)))
          assert.ok(allowed === null || allowed.includes(one.type))
          // `notes` has no action `pay`.
          assert.ok(one.type === 'payments' || !one.actions.includes('pay'))
        }
      }),
    )
  })
})
