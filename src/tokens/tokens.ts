/** Codes and tokens of the service, opened once: rooms and operations have no other way to them. */
import type { Resources } from '../access/resources.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { Settings } from '../config/settings.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { Client } from '../model/client.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Meter, TokenKind } from '../model/meter.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import type { Store, Trace } from '../store/store.ts'
import {
  type CodeGround,
  type IssuedCode,
  issueCode,
  type PresentedCode,
  redeemCode,
} from './code.ts'
import { openEncryption } from './encrypt.ts'
import type { TokenFormat } from './formats/format.ts'
import { openIdTokens } from './id-token.ts'
import { type InspectedToken, inspectToken } from './inspect.ts'
import { type EarnedFamily, openIssuer } from './issue.ts'
import type { Signer } from './keys/signing.ts'
import type { TokenResponseMember } from './members.ts'
import { revokeToken } from './revoke.ts'
import { openVerifier } from './verify.ts'

interface TokensNeeds {
  readonly settings: Settings
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly resources: Resources
  readonly clientKeys: ClientKeys
  readonly meter: Meter
  readonly registries: {
    readonly tokenFormats: readonly TokenFormat[]
    readonly responseMembers: readonly TokenResponseMember[]
  }
}

export const openTokens = (needs: TokensNeeds) => {
  const { store, keyring, clientKeys } = needs
  const { tokenFormats, responseMembers: members } = needs.registries
  const formats = tokenFormats.map((format) => format.open(needs))
  const encryption = openEncryption(clientKeys)
  const issueIdToken = openIdTokens({ ...needs, ...encryption })
  const verifier = openVerifier({ ...needs, formats })
  return {
    ...verifier,
    ...openIssuer({ ...needs, formats, members, issueIdToken }),
    ...encryption,
    issueIdToken,
    issueCode: (authorization: CodeGround, code: IssuedCode, at: number): string =>
      issueCode(keyring, authorization, code, at),
    redeemCode: (presented: PresentedCode, client: Client, trace: Trace): Promise<EarnedFamily> =>
      redeemCode(presented, client, trace, needs),
    revoke: (token: string, by: Client | 'operator', trace: Trace): Promise<TokenKind | null> =>
      revokeToken(token, by, trace, store, verifier),
    inspect: (pasted: string, at: number): Promise<InspectedToken> =>
      inspectToken(pasted, at, { ...needs, ...verifier }),
  }
}

export type Tokens = ReturnType<typeof openTokens>
