/** The key of a token at an API elsewhere: a bound token counts for nothing without a proof of its own. */
import { hashByWebCrypto } from '../crypto/web-digest.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Confirmation } from '../model/terms.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { PresentedToken } from './bearer.ts'
import {
  type DpopProof,
  dpopRefusals,
  parseRequestTarget,
  parseTarget,
  verifyProof,
} from './dpop-proof.ts'
import { guardLimits } from './guard-limits.ts'
import { dpopMethod } from './proof.ts'
import { createProofCheck } from './proof-check.ts'
import { createSeenProofs } from './seen-proofs.ts'

/** A request as the program sees it. Without method or target no proof can be for it. */
export interface GuardedRequest {
  readonly headers: HttpRequest['headers']
  readonly method: string | undefined
  /** The path with its query, or the whole URL. */
  readonly target: string | undefined
}

/** @param resource the URL of this API */
export const createKeyCheck = (resource: string) => {
  const { origin } = new URL(resource)
  const check = createProofCheck()
  const seen = createSeenProofs(guardLimits.rememberedProofs)

  const verify = async (
    text: string,
    { method = '', target = '' }: GuardedRequest,
    token: string,
    at: number,
  ): Promise<DpopProof> => {
    const asked = parseRequestTarget(origin, target)
    const isTarget = (htu: unknown): boolean =>
      asked !== null && parseTarget(htu)?.href === asked.href
    const tokenDigest = await hashByWebCrypto(token)
    return verifyProof(text, { method, isTarget, tokenDigest, at }, check)
  }

  const claim = async (proof: DpopProof, at: number): Promise<void> => {
    const claimed = await seen.claim(proof, at)
    if (claimed === 'again') throw dpopRefusals.replayed()
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
        throw dpopRefusals.unbound()
      }
      if (confirmation.method !== dpopMethod) {
        const said = 'this API cannot check the key that the access token is bound to'
        throw new Refusal('invalid_token', 'unknown_confirmation', said)
      }
      const text = request.headers.get('dpop')
      if (text === null || scheme !== 'DPoP') throw dpopRefusals.missing()
      const proof = await verify(text, request, token, at)
      if (proof.jkt !== confirmation.value) throw dpopRefusals.otherKey()
      await claim(proof, at)
    },
  }
}
