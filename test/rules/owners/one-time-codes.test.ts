/** One-time codes of an owner: for an application to take in, and under which root secret they open. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeCode } from '../../../src/crypto/one-time-code.ts'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { Notice } from '../../../src/model/notice.ts'
import {
  formatSecret,
  makeCodeSecret,
  makeSetupUri,
  stepOfCode,
  wrapSecret,
} from '../../../src/owners/one-time-codes.ts'
import { sampleOwner } from '../../store/sample.ts'
import { vaultOf } from '../../support/root.ts'

const random = (bytes: number) => randomBytes(bytes)
const alice = 'alice' as OwnerId
const at = 1_000_000_000
const step = Math.floor(at / 30)

describe('one-time codes', () => {
  test('have 160 random bits, in groups that can be typed', () => {
    const secret = makeCodeSecret({ random })
    assert.match(formatSecret(secret), /^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
    assert.notEqual(secret, makeCodeSecret({ random }))
  })

  test('name service and owner to the application, whatever they are called', () => {
    const owner = sampleOwner({ username: 'a&b=c:d é' })
    const uri = makeSetupUri(Buffer.alloc(20).toString('base64url'), owner, 'Käse & Co: x')
    assert.equal(
      uri,
      `otpauth://totp/K%C3%A4se%20%26%20Co%3A%20x:a%26b%3Dc%3Ad%20%C3%A9?secret=${'A'.repeat(32)}&issuer=K%C3%A4se%20%26%20Co%3A%20x&algorithm=SHA1&digits=6&period=30`,
    )
  })

  test('are of a step for their owner, under their root secret, whether it was used or not', () => {
    const told: Notice[] = []
    const tell = (notice: Notice) => told.push(notice)
    const vault = vaultOf('root secret', random)
    const secret = makeCodeSecret({ random })
    const code = makeCode(Buffer.from(secret, 'base64url'), step)
    const codes = (lastStep: number) => ({
      secret: wrapSecret(secret, alice, { vault }),
      lastStep,
      createdAt: at,
    })
    assert.equal(stepOfCode(codes(step - 1), ` ${code}\n`, alice, at, { vault, tell }), step)
    assert.equal(stepOfCode(codes(step + 1), code, alice, at, { vault, tell }), step)
    assert.equal(stepOfCode(codes(0), '000', alice, at, { vault, tell }), null)
    assert.deepEqual(told, [])
    const other = { vault: vaultOf('another', random), tell }
    assert.equal(stepOfCode(codes(0), code, alice, at, other), null)
    assert.equal(stepOfCode(codes(0), code, 'bob' as OwnerId, at, { vault, tell }), null)
    assert.deepEqual(
      told.map(({ level }) => level),
      ['error', 'error'],
    )
  })
})
