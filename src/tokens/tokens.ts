/** Codes and tokens of the service, opened once: rooms and operations have no other way to them. */
import type { Resources } from '../access/resources.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { Settings } from '../config/settings.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Meter, TokenKind } from '../model/meter.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import type { Store, Trace } from '../store/store.ts'
import { type IssuedCode, issueCode, type PresentedCode, redeemCode } from './code.ts'
import { type Encrypter, openEncryption } from './encrypt.ts'
import type { TokenFormat } from './formats/format.ts'
import { type IssueIdToken, openIdTokens } from './id-token.ts'
import { type InspectedToken, inspectToken } from './inspect.ts'
import { type EarnedFamily, type Issuer, openIssuer } from './issue.ts'
import type { Signer } from './keys/signing.ts'
import type { TokenResponseMember } from './members.ts'
import { revokeToken } from './revoke.ts'
import { openVerifier, type Verifier } from './verify.ts'

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

export interface Tokens extends Verifier, Issuer, Encrypter {
  readonly issueIdToken: IssueIdToken
  /** Issuing writes nothing: the code states all that its redemption needs. */
  issueCode(
    authorization: Pick<Authorization, 'id' | 'clientId' | 'salt'>,
    code: IssuedCode,
    at: number,
  ): string
  /** Redeems a code, once. @throws Refusal `invalid_grant`, `invalid_request`, `temporarily_unavailable` */
  redeemCode(presented: PresentedCode, client: Client, trace: Trace): Promise<EarnedFamily>
  /** @throws Refusal `unauthorized_client` where the token is another client's */
  revoke(token: string, by: Client | 'operator', trace: Trace): Promise<TokenKind | null>
  /** What a pasted text is, for operators. */
  inspect(pasted: string, at: number): Promise<InspectedToken>
}

export const openTokens = (needs: TokensNeeds): Tokens => {
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
    issueCode: (authorization, code, at) => issueCode(keyring, authorization, code, at),
    redeemCode: (presented, client, trace) => redeemCode(presented, client, trace, needs),
    revoke: (token, by, trace) => revokeToken(token, by, trace, store, verifier),
    inspect: (pasted, at) => inspectToken(pasted, at, { ...needs, ...verifier }),
  }
}
