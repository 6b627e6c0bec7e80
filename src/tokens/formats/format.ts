/** What a token format is: one way to write access tokens. */
import type { Resources } from '../../access/resources.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Authorization } from '../../model/authorization.ts'
import type { Client } from '../../model/client.ts'
import type { Clock } from '../../model/ids.ts'
import type { AccessToken } from '../../model/token.ts'
import type { Subjects } from '../../owners/pairwise-secret.ts'
import type { ProfileSettings } from '../../protocol/profile.ts'
import type { Store } from '../../store/store.ts'
import type { Signer } from '../keys/signing.ts'

export interface FormatParts {
  readonly settings: ProfileSettings
  readonly store: Store
  readonly resources: Resources
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly clock: Clock
}

export interface TokenHolder {
  readonly client: Client
  /** Null for a token of the client itself. */
  readonly authorization: Authorization | null
  /** Goes into the signature, so that a new salt in the row ends the token. */
  readonly salt: string
}

/** An access token that was read. Trust nothing in it before `verify`. */
export interface ClaimedAccessToken {
  readonly says: AccessToken
  /** Await it before `verify`: the key may be new to this node. */
  learnKey(keyring: Keyring): Promise<void>
  /** @param salt of the row that the token is about */
  verify(keyring: Keyring, salt: string): boolean
}

export interface OpenFormat {
  /** Whether it writes this token; without this, it writes any. Of several, the last of the registry is used. */
  takes?(token: AccessToken): boolean
  /** The end of the token (unix seconds, null = unlimited), where the format has a say in it. */
  endOf?(token: AccessToken, holder: TokenHolder): Promise<number | null>
  write(token: AccessToken, holder: TokenHolder): string | Promise<string>
  /** Null where a text is not in this format. */
  read(text: string): ClaimedAccessToken | null | Promise<ClaimedAccessToken | null>
}

export interface TokenFormat {
  /** The value of `access_token_format`. */
  readonly name: string
  open(parts: FormatParts): OpenFormat
}
