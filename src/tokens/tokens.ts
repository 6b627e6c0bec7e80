/** Codes and tokens of the service, opened once: rooms and operations have no other way to them. */

import type { Resources } from '../access/resources.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { Settings } from '../config/settings.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { UsedUp } from '../events/used-up.ts'
import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import type { FamilyId } from '../model/ids.ts'
import type { Meter, TokenKind } from '../model/metric.ts'
import type { Terms } from '../model/terms.ts'
import { pickEnd } from '../model/token.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/contract/trace.ts'
import { storeLimits } from '../store/limits.ts'
import type { OwnedGiven } from '../store/placed-id.ts'
import type { Store } from '../store/store.ts'
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
import { openProofs } from './proofs/index.ts'
import type { ProofOfPossession } from './proofs/proof.ts'
import { openVerifier, type Verifier } from './verify.ts'

const refuseForeign = (owner: string, by: Client | 'operator'): void => {
  if (by === 'operator' || owner === by.id) return
  throw new Refusal(
    'unauthorized_client',
    'token_of_other_client',
    'the token was issued to another client',
  )
}

/**
 * A time before the end of a token that has just expired by our clock. The clock of another node may be
 * behind ours, and there the token has to be dead from now on.
 */
const limitTrace = (trace: Trace, expiresAt: number | null): Trace =>
  expiresAt === null ? trace : { ...trace, at: Math.min(trace.at, expiresAt - 1) }

/**
 * Ends a token (RFC 7009 section 2.1): an access token alone, a refresh token with its whole family. One that only rests,
 * because its owner is disabled, has to be dead when the owner may act again. A token that is
 * unknown, expired or ended already is nothing to do (RFC 7009 section 2.2).
 *
 * @returns what ended, or null
 * @throws Refusal `unauthorized_client` where the token is another client's
 */
const revokeToken = async (
  token: string,
  by: Client | 'operator',
  trace: Trace,
  store: Store,
  { verifyAccess, verifyRefresh }: Verifier,
): Promise<TokenKind | null> => {
  const slowestClock = trace.at - storeLimits.clockSkewSeconds
  const refresh = await verifyRefresh(token, slowestClock, 'revocable')
  if (refresh !== null) {
    refuseForeign(refresh.standing.authorization.clientId, by)
    const { says, standing } = refresh
    const end = pickEnd(says.expiresAt, standing.authorization.expiresAt)
    await store.endFamily(says.familyId, limitTrace(trace, end))
    return 'refresh_token'
  }
  const access = await verifyAccess(token, slowestClock, 'revocable')
  if (access === null) return null
  refuseForeign(access.clientId, by)
  const { clientId, tokenId, expiresAt } = access
  const of =
    access.subject === 'owner'
      ? { familyId: access.familyId, authorizationId: access.authorizationId }
      : { clientId }
  await store.endToken({ of, tokenId, expiresAt }, trace)
  return 'access_token'
}

interface TokensNeeds extends OwnedGiven {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly resources: Resources
  readonly clientKeys: ClientKeys
  readonly meter: Meter
  readonly usedUp: UsedUp
  readonly registries: {
    readonly proofs: readonly ProofOfPossession[]
    readonly tokenFormats: readonly TokenFormat[]
    readonly responseMembers: readonly TokenResponseMember[]
  }
}

export const openTokens = (needs: TokensNeeds) => {
  const { store, keyring, clientKeys } = needs
  const { proofs: known, tokenFormats, responseMembers: members } = needs.registries
  const formats = tokenFormats.map((format) => format.open(needs))
  const encryption = openEncryption(clientKeys)
  const issueIdToken = openIdTokens({ ...needs, ...encryption })
  const { holdKey, ...proofs } = openProofs(known, needs)
  const verifier = openVerifier({ ...needs, formats, holdKey })
  return {
    ...verifier,
    ...proofs,
    ...openIssuer({ ...needs, formats, members, issueIdToken }),
    ...encryption,
    issueIdToken,
    issueCode: (authorization: CodeGround, code: IssuedCode, at: number): string =>
      issueCode(keyring, authorization, code, at),
    redeemCode: (presented: PresentedCode, client: Client, trace: Trace): Promise<EarnedFamily> =>
      redeemCode(presented, client, trace, needs),
    revoke: (token: string, by: Client | 'operator', trace: Trace): Promise<TokenKind | null> =>
      revokeToken(token, by, trace, store, verifier),
    /** The end that its format gives a token without an end of its own; null for none. */
    async findFormatEnd(
      client: Client,
      authorization: Authorization,
      { id: familyId, terms }: { readonly id: FamilyId; readonly terms: Terms },
      at: number,
    ): Promise<number | null> {
      const token = { of: { familyId, generation: 0 }, terms, issuedAt: at, expiresAt: null }
      const format = formats.findLast((known) => known.takes?.(token) ?? true)
      const holder = { client, authorization, salt: authorization.salt }
      return (await format?.endOf?.(token, holder)) ?? null
    },
    inspect: (pasted: string, at: number): Promise<InspectedToken> =>
      inspectToken(pasted, at, { ...needs, ...verifier }),
  }
}

export type Tokens = ReturnType<typeof openTokens>
