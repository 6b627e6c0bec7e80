/** Forges sealed statements: changes what one says, and keeps its seal. */
import assert from 'node:assert/strict'
import { type Keyring, makeSealingKey } from '../../src/crypto/seal.ts'

const tagLength = 43

/** Changes the bytes of a statement. @param prefix such as `lk_at_`; '' for kinds without one */
export const forge = (sealed: string, prefix: string, change: (said: string) => string): string => {
  const said = Buffer.from(sealed.slice(prefix.length, -tagLength), 'base64url').toString('latin1')
  const changed = change(said)
  assert.notEqual(changed, said, 'the forgery changes nothing')
  return withSealOf(sealed, `${prefix}${Buffer.from(changed, 'latin1').toString('base64url')}`)
}

/** A statement with the seal of another one. @param forged without a seal */
export const withSealOf = (sealed: string, forged: string): string =>
  forged + sealed.slice(-tagLength)

export const withoutSeal = (sealed: string): string => sealed.slice(0, -tagLength)

/** Another key under the id of a key of the service. */
export const impostor = (keyId: string): Keyring => {
  const key = makeSealingKey(keyId, new Uint8Array(32).fill(3), 'http://127.0.0.1')
  return { current: () => key, find: () => key, learn: async () => {} }
}
