/** Opaque access tokens: sealed statements, which only this service reads. */
import { learnKey, type Sealed, verifySeal } from '../../crypto/seal.ts'
import type { AccessToken } from '../../model/token.ts'
import { readAccessToken, sealAccessToken } from '../seals.ts'
import type { ClaimedAccessToken, TokenFormat } from './format.ts'

/** A token whose content is sealed. */
export const claimOf = (sealed: Sealed<AccessToken> | null): ClaimedAccessToken | null =>
  sealed && {
    says: sealed.says,
    learnKey: (keyring) => learnKey(sealed, keyring),
    verify: (keyring, salt) => verifySeal(sealed, keyring, salt),
  }

export const opaque: TokenFormat = {
  name: 'opaque',
  takes: () => true,
  write: (token, { salt }, parts) => sealAccessToken(parts, salt, token),
  read: (text) => claimOf(readAccessToken(text)),
}
