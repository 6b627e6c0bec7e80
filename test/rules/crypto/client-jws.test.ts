/** JWTs of clients have one spelling: base64url without padding (RFC 7515 section 2). */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { verifyByKey, verifyBySecret } from '../../../src/crypto/client-jws.ts'

const secret = 'a-secret-of-a-client-that-is-long-enough'
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const lattice = generateKeyPairSync('ml-dsa-44')

/** A way to sign what was spelled, and to verify the text. */
const ways = {
  ES256: {
    sign: (text: string) =>
      sign('sha256', Buffer.from(text), { key: elliptic.privateKey, dsaEncoding: 'ieee-p1363' }),
    verify: (text: string) =>
      verifyByKey(text, { ...elliptic.publicKey.export({ format: 'jwk' }) }, 'ES256'),
  },
  'ML-DSA-44': {
    sign: (text: string) => sign(null, Buffer.from(text), lattice.privateKey),
    verify: (text: string) =>
      verifyByKey(text, { ...lattice.publicKey.export({ format: 'jwk' }) }, 'ML-DSA-44'),
  },
  HS256: {
    sign: (text: string) => createHmac('sha256', secret).update(text).digest(),
    verify: (text: string) => verifyBySecret(text, secret, 'HS256'),
  },
} as const

// Each of them needs `+`, `/` and padding in base64.
const claims = { sub: '>>>???>>>???', a: '~~' }

for (const [alg, way] of Object.entries(ways)) {
  describe(alg, () => {
    const spell = (spelling: 'base64' | 'base64url', part: object) =>
      Buffer.from(JSON.stringify(part)).toString(spelling)
    const make = (header: string, payload: string) => `${header}.${payload}`
    const header = { alg, typ: '>>>???' }
    const right = make(spell('base64url', header), spell('base64url', claims))

    test('is right in base64url', async () => {
      const text = `${right}.${way.sign(right).toString('base64url')}`
      assert.deepEqual(await way.verify(text), claims)
    })

    test('is refused in base64, with padding and with white space', async () => {
      const spelled = [
        make(spell('base64', header), spell('base64url', claims)),
        make(spell('base64url', header), spell('base64', claims)),
        `${right}=`,
        `${right} `,
        ` ${right}`,
      ]
      for (const text of spelled) {
        const signature = way.sign(text).toString('base64url')
        assert.equal(await way.verify(`${text}.${signature}`), null, text)
      }
      const signature = way.sign(right).toString('base64url')
      for (const more of ['=', '==', ' ', '\n', '.', '.A']) {
        assert.equal(await way.verify(`${right}.${signature}${more}`), null, more)
      }
    })
  })
}
