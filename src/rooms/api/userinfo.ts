/**
 * Who the owner is (OpenID Connect Core section 5.3): `GET|POST /userinfo`. The answer is JSON, signed,
 * encrypted, or both, as the client registered it (section 5.3.2).
 */

import { getUserinfoUri } from '../../access/audience.ts'
import { answerJson, answerJwt } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Client } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import { contentEncryptions, jwsAlgorithms, keyEncryptions } from '../../model/key.ts'
import { claimNames, isScopeWord, isTold, sortWords } from '../../model/scope-word.ts'
import { listUserinfoNames, pickClaims } from '../../owners/claims.ts'
import { findToldGroups } from '../../owners/told-groups.ts'
import { getProfile, pickAlgorithm } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { readBearer } from '../../resource/bearer.ts'
import { bearer, type Handler, type MetadataFragment, type RouteRow } from '../../route.ts'
import { openAdmission, privately } from './admission.ts'
import type { ApiNeeds } from './needs.ts'

const describeUserinfo: MetadataFragment = ({ settings, resources: { words } }) => ({
  userinfo_endpoint: `${settings.issuer}/userinfo`,
  userinfo_signing_alg_values_supported: jwsAlgorithms,
  userinfo_encryption_alg_values_supported: keyEncryptions,
  userinfo_encryption_enc_values_supported: contentEncryptions,
  claims_supported: [
    'sub',
    // Of ID tokens only.
    ...['iss', 'auth_time', 'acr'],
    ...sortWords(words).flatMap((word) => claimNames(word, words)),
  ],
})

/** Any of its words suffices. */
const scope = 'openid'

export const openUserinfo = (needs: ApiNeeds): readonly RouteRow[] => {
  const { settings, store, signer, resources, tokens } = needs
  const { verify, admit } = openAdmission(needs)
  const audience = getUserinfoUri(settings.issuer)

  /**
   * Null where the client wants plain JSON. Anybody may register a client, so a fetch of its keys is bounded.
   *
   * @throws Refusal `temporarily_unavailable`, `invalid_request`
   */
  const writeJwt = async (
    client: Client,
    claims: JsonObject,
    exchange: Exchange,
  ): Promise<string | null> => {
    const { openid } = client
    const chosen = openid.userinfo_signed_response_alg
    if (chosen === undefined) {
      if (openid.userinfo_encrypted_response_alg === undefined) return null
      return tokens.encryptFor(client, 'userinfo', JSON.stringify(claims), null, exchange)
    }
    const meant = { iss: settings.issuer, aud: client.id, ...claims }
    const algorithm = pickAlgorithm(chosen, getProfile(client, settings))
    const signed = await signer.sign(meant, algorithm, 'JWT')
    return tokens.encryptFor(client, 'userinfo', signed, 'JWT', exchange)
  }

  const userinfo: Handler = async (exchange) => {
    const presented = await readBearer(exchange.request)
    const access = await verify(presented, scope, exchange)
    // The access log names the words of the token. No name of a resource has a `+`.
    const told = access.permissions.filter((name) => isScopeWord(name) && isTold(name))
    const used = `${told.join('+') || 'openid'}:read` as const
    // A client has no claims, whatever its token carries.
    const allowed = told.length > 0 || access.subject === 'client'
    admit(access, presented, { allowed, used, scope, audience }, exchange)
    if (access.subject === 'client') {
      // A client must never be taken for an owner (RFC 9700 section 4.15).
      const said = 'no owner stands behind this access token: it belongs to the client itself'
      throw new Refusal('insufficient_scope', 'no_owner', said)
    }
    const owner = await store.findOwner(access.ownerId)
    const subject = await tokens.tellSubject(access)
    if (owner === null || subject === null || subject.client === null) {
      throw new Refusal('invalid_token', 'owner_gone', 'the owner behind the access token is gone')
    }
    const { client, sub } = subject
    const { words } = resources
    const names = listUserinfoNames(access, words)
    const groups = await findToldGroups(client, owner.id, names, store)
    const claims = { sub, ...pickClaims(owner, names, words, groups) }
    const jwt = await writeJwt(client, claims, exchange)
    return jwt === null ? answerJson(claims, 200, privately) : answerJwt(jwt, privately)
  }

  return [
    { ...bearer, method: 'GET', path: '/userinfo', handler: userinfo, metadata: describeUserinfo },
    { ...bearer, method: 'POST', path: '/userinfo', handler: userinfo },
  ]
}
