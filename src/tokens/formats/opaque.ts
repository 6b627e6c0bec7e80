/** Opaque access tokens: sealed statements, which only this service reads. */
import { learnKey, verifySeal } from '../../crypto/seal.ts'
import { readAccessToken, sealAccessToken } from '../seals.ts'
import type { TokenFormat } from './format.ts'

export const opaque: TokenFormat = {
  name: 'opaque',
  takes: () => true,
  write: (token, salt, keyring) => sealAccessToken({ keyring }, salt, token),
  read(text) {
    const sealed = readAccessToken(text)
    return (
      sealed && {
        says: sealed.says,
        learnKey: (keyring) => learnKey(sealed, keyring),
        verify: (keyring, salt) => verifySeal(sealed, keyring, salt),
      }
    )
  },
}
