/** The parameters of a backchannel request: the message, the expiry and the token of pings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  parseExpiry,
  parseMessage,
  parseNotificationToken,
} from '../../../src/features/backchannel/asked.ts'
import type { Client } from '../../../src/model/client.ts'
import { Parameters } from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'

const formOf = (name: string, value: string): Parameters =>
  new Parameters(new Map([[name, [value]]]))

/** Null for a refusal with this code. */
const unlessRefused = <Value>(code: string, parse: () => Value): Value | 'refused' => {
  try {
    return parse()
  } catch (fault) {
    assert.ok(fault instanceof Refusal && fault.code === code, String(fault))
    return 'refused'
  }
}

describe('binding_message', () => {
  const parse = (text: string) =>
    unlessRefused('invalid_binding_message', () => parseMessage(formOf('binding_message', text)))

  it('is kept as it is, or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }), (text) => {
        const isRight = [...text].length <= 100 && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
        assert.equal(parse(text), isRight ? text : 'refused')
      }),
    )
  })

  it('has at most a hundred characters, of any script', () => {
    for (const one of ['a', 'é', '漢', '😀']) {
      assert.equal(parse(one.repeat(100)), one.repeat(100))
      assert.equal(parse(one.repeat(101)), 'refused')
    }
  })

  it('may be absent', () => {
    assert.equal(parseMessage(new Parameters(new Map())), null)
  })
})

describe('requested_expiry', () => {
  const parse = (text: string) =>
    unlessRefused('invalid_request', () => parseExpiry(formOf('requested_expiry', text), 300))

  it('is a whole number from 1 on, between the least and the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (seconds) => {
        assert.equal(parse(String(seconds)), Math.min(Math.max(seconds, 10), 300))
      }),
    )
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(!/^\d{1,9}$/.test(text) || Number(text) === 0)
        assert.equal(parse(text), 'refused')
      }),
    )
    for (const text of ['0', '-1', '1.5', '1e2', ' 1', '1000000000', '٣']) {
      assert.equal(parse(text), 'refused', text)
    }
    assert.equal(parseExpiry(new Parameters(new Map()), 300), 300)
  })
})

describe('client_notification_token', () => {
  const pinged = { openid: { backchannel_token_delivery_mode: 'ping' } } as Client

  it('is a bearer token: no other text reaches a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (text) => {
        const parsed = unlessRefused('invalid_request', () =>
          parseNotificationToken(formOf('client_notification_token', text), pinged),
        )
        assert.equal(parsed, /^[A-Za-z0-9._~+/-]+=*$/.test(text) ? text : 'refused')
      }),
    )
  })

  it('is not read of a client that polls', () => {
    const form = formOf('client_notification_token', 'a token?')
    assert.equal(parseNotificationToken(form, { openid: {} } as Client), null)
  })
})
