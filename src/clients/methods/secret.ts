/** Client secrets: one check for both methods that send the secret itself. */
import { limits } from '../../config/limits.ts'
import { digest, equalDigests, noDigest } from '../../crypto/digest.ts'
import { withOldSecret } from '../../model/client.ts'
import { mixedUp } from '../../protocol/kinds.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { invalidClient, type PresentedCredentials } from './method.ts'

/** The digest is made here, so an unknown client id costs as much time as a known one. */
export const presentSecret = (id: string, secret: string): PresentedCredentials | Refusal => {
  if (secret.length > limits.tokenCharacters) return invalidClient('oversized_credentials')
  const mixed = mixedUp(secret, 'lk_cs_')
  if (mixed !== null) return invalidClient('other_kind_of_secret', mixed)
  const given = digest(secret)
  return {
    id,
    verify(client, at) {
      const { secretDigest, oldSecret } = client
      const isRight = equalDigests(given, secretDigest ?? noDigest)
      if (secretDigest === null) return invalidClient('missing_secret')
      if (isRight) return client
      if (oldSecret === null || !equalDigests(given, oldSecret.digest)) {
        return invalidClient('wrong_secret')
      }
      if (oldSecret.expiresAt <= at) return invalidClient('old_secret')
      return withOldSecret(client, oldSecret)
    },
  }
}
