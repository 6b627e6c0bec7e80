/** The key of a token at an API elsewhere: a bound token counts for nothing without a proof of its own. */
import { hashByWebCrypto } from '../crypto/web-digest.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Confirmation } from '../model/terms.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { PresentedToken } from './bearer.ts'
import { type DpopProof, parseAsked, verifyProof } from './dpop-proof.ts'
import { guardLimits } from './guard-limits.ts'
import { dpopMethod } from './proof.ts'
import { createSeenProofs } from './seen-proofs.ts'

/** A request as the program sees it. Without method or target no proof can be for it. */
export interface GuardedRequest {
  readonly headers: HttpRequest['headers']
  readonly method: string | undefined
  /** The path with its query, or the whole URL. */
  readonly target: string | undefined
}

const refuseToken = (reason: string, description: string): never => {
  throw new Refusal('invalid_token', reason, description)
}

/** @param resource the URL of this API */
export const createKeyCheck = (resource: string) => {
  const { origin } = new URL(resource)
  const seen = createSeenProofs(guardLimits.rememberedProofs)

  const verify = async (
    text: string,
    { method = '', target = '' }: GuardedRequest,
    token: string,
    at: number,
  ): Promise<DpopProof> => {
    const asked = parseAsked(origin, target)
    const isTarget = (url: URL): boolean => url.href === asked?.href
    return verifyProof(text, { method, isTarget, tokenDigest: await hashByWebCrypto(token), at })
  }

  const claim = async (proof: DpopProof, at: number): Promise<void> => {
    const claimed = await seen.claim(proof, at)
    if (claimed === 'again') {
      const said = 'the DPoP proof was used before: each request needs one with a jti of its own'
      throw new Refusal('invalid_dpop_proof', 'dpop_replayed', said)
    }
    if (claimed === 'first') return
    const said = 'too many DPoP proofs came to remember one more'
    const headers = { 'Retry-After': '1' }
    throw new Refusal('temporarily_unavailable', 'too_many_proofs', said, { headers })
  }

  return {
    /**
     * @param at unix seconds
     * @throws Refusal unless the request proves the key of its token, and comes under the scheme for it
     */
    async hold(
      confirmation: Confirmation | null,
      { token, scheme }: Pick<PresentedToken, 'token' | 'scheme'>,
      request: GuardedRequest,
      at: number,
    ): Promise<void> {
      if (confirmation === null) {
        if (scheme === 'Bearer') return
        return refuseToken(
          'unbound_token',
          'the access token is bound to no key: send it as Bearer',
        )
      }
      if (confirmation.method !== dpopMethod) {
        const said = 'this API cannot check the key that the access token is bound to'
        return refuseToken('unknown_confirmation', said)
      }
      const text = request.headers.get('dpop')
      if (text === null || scheme !== 'DPoP') {
        const said =
          'the access token is bound to a key: send it as DPoP, with a proof in the DPoP header'
        throw new Refusal('invalid_token', 'bound_token_without_proof', said, { scheme: 'DPoP' })
      }
      const proof = await verify(text, request, token, at)
      if (proof.jkt !== confirmation.value) {
        const said = 'the access token is bound to another key than the one of the DPoP proof'
        return refuseToken('other_dpop_key', said)
      }
      await claim(proof, at)
    },
  }
}
