/**
 * Who the owner is (OpenID Connect Core section 5.3): `GET|POST /userinfo`. The answer is JSON, signed,
 * encrypted, or both, as the client registered it (section 5.3.2).
 */

import type { ClientKeys } from '../../clients/keys.ts'
import type { FetchAsker } from '../../clients/site-fetch.ts'
import type { Settings } from '../../config/settings.ts'
import { type Answer, answerJson, answerJwt } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Client } from '../../model/client.ts'
import { contentEncryptions, keyEncryptions } from '../../model/client-algorithms.ts'
import type { JsonObject } from '../../model/json.ts'
import { jwsAlgorithms } from '../../model/key.ts'
import { claimNames, scopeWords } from '../../model/scope-word.ts'
import { claimsNamed, userinfoNames } from '../../owners/claims.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { MetadataFragment } from '../../route.ts'
import { encryptFor } from '../../tokens/encrypt.ts'
import type { Signer } from '../../tokens/keys/signing.ts'
import { toldSubject } from '../../tokens/verify.ts'
import { admitToUserinfo, privately } from '../admission.ts'

/**
 * Null where the client wants plain JSON.
 *
 * Anybody may register a client, so a fetch of its keys is bounded.
 * @throws Refusal `temporarily_unavailable`, `invalid_request`
 */
const userinfoJwt = async (
  client: Client,
  claims: JsonObject,
  asker: FetchAsker,
  parts: { readonly settings: Settings; readonly signer: Signer; readonly clientKeys: ClientKeys },
): Promise<string | null> => {
  const { userinfo_signed_response_alg: algorithm, userinfo_encrypted_response_alg: alg } =
    client.openid
  if (algorithm === undefined) {
    if (alg === undefined) return null
    return encryptFor(client, 'userinfo', JSON.stringify(claims), null, asker, parts)
  }
  const meant = { iss: parts.settings.issuer, aud: client.id, ...claims }
  const signed = await parts.signer.sign(meant, algorithm, 'JWT')
  return encryptFor(client, 'userinfo', signed, 'JWT', asker, parts)
}

export const userinfo = async (exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
  const access = await admitToUserinfo(exchange, parts)
  if (access.subject === 'client') {
    // A client must never be taken for an owner (RFC 9700 section 4.15).
    throw new Refusal(
      'insufficient_scope',
      'no_owner',
      'no owner stands behind this access token: it belongs to the client itself',
    )
  }
  const owner = await parts.store.findOwner(access.ownerId)
  const subject = await toldSubject(access, parts)
  if (owner === null || subject === null || subject.client === null) {
    throw new Refusal('invalid_token', 'owner_gone', 'the owner behind the access token is gone')
  }
  const { client, sub } = subject
  const { words } = parts.resources
  const claims = { sub, ...claimsNamed(owner, userinfoNames(access, words), words) }
  const jwt = await userinfoJwt(client, claims, exchange, parts)
  return jwt === null ? answerJson(claims, 200, privately) : answerJwt(jwt, privately)
}

export const userinfoMetadata: MetadataFragment = ({ settings, resources: { words } }) => ({
  userinfo_endpoint: `${settings.issuer}/userinfo`,
  userinfo_signing_alg_values_supported: jwsAlgorithms,
  userinfo_encryption_alg_values_supported: keyEncryptions,
  userinfo_encryption_enc_values_supported: contentEncryptions,
  claims_supported: [
    'sub',
    // Of ID tokens only.
    ...['iss', 'auth_time', 'acr'],
    ...scopeWords(words).flatMap((word) => claimNames(word, words)),
  ],
})
