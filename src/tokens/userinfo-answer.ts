/** The answer of `/userinfo` as its client registered it: JSON, signed, encrypted, or both (section 5.3.2). */
import type { ClientKeys } from '../clients/keys.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject } from '../model/json.ts'
import { encryptFor } from './encrypt.ts'
import type { Signer } from './signing.ts'

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
