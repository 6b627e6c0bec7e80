/** The answer of `/userinfo` as its client registered it: JSON, signed, encrypted, or both (section 5.3.2). */
import type { Client } from '../model/client.ts'
import type { JsonObject } from '../model/json.ts'
import type { FetchAsker, Parts } from '../parts.ts'
import { encryptFor } from './encrypt.ts'

/**
 * Null where the client wants plain JSON.
 *
 * Anybody may register a client, so a fetch of its keys is bounded.
 * @throws Refusal `temporarily_unavailable`, `invalid_request`
 */
export const userinfoJwt = async (
  client: Client,
  claims: JsonObject,
  asker: FetchAsker,
  parts: Pick<Parts, 'settings' | 'signer' | 'clientKeys'>,
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
