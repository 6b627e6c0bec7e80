/** What a token format is: one way to write access tokens. */
import type { Keyring } from '../../crypto/seal.ts'
import type { AccessToken } from '../../model/token.ts'

/** An access token that was read. Trust nothing in it before `verify`. */
export interface ClaimedAccessToken {
  readonly says: AccessToken
  /** Await it before `verify`: the key may be new to this node. */
  learnKey(keyring: Keyring): Promise<void>
  /** @param salt of the row that the token is about */
  verify(keyring: Keyring, salt: string): boolean
}

export interface TokenFormat {
  /** The value of `access_token_format`. */
  readonly name: string
  /** Whether it writes this token. If several do, the last of the registry is used. */
  takes(token: AccessToken): boolean
  /** @param salt goes into the signature, so that a new salt in the row ends the token */
  write(token: AccessToken, salt: string, keyring: Keyring): string
  /** Null where a text is not in this format. */
  read(text: string): ClaimedAccessToken | null
}
