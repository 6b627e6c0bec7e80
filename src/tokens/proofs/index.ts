/** The proofs of possession of the service. A further one is one file and one line. */
import type { Exchange } from '../../http/exchange.ts'
import type { Client } from '../../model/client.ts'
import type { Confirmation } from '../../model/terms.ts'
import type { Access } from '../../model/token.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { dpopRefusals } from '../../resource/dpop-proof.ts'
import { certificate } from './certificate.ts'
import { dpop } from './dpop.ts'
import type { ProofOfPossession, ProofParts, ProvenKey, ProvenUse } from './proof.ts'

export const proofs: readonly ProofOfPossession[] = [certificate, dpop]

const unknownConfirmation = (): Refusal => {
  const said = 'this service cannot check the key that the token is bound to'
  return new Refusal('invalid_token', 'unknown_confirmation', said)
}

/** @throws Refusal where a code or a refresh token is bound to a key, and the request proves another one or none */
export const requireSameKey = (
  bound: Confirmation,
  shown: Confirmation | null | undefined,
): void => {
  if (bound.method === shown?.method && bound.value === shown.value) return
  const proof = proofs.find(({ method }) => method === bound.method)
  if (proof === undefined) throw unknownConfirmation()
  throw shown == null ? proof.missing() : proof.other()
}

export const openProofs = (known: readonly ProofOfPossession[], parts: ProofParts) => {
  const opened = known.map((proof) => ({ ...proof, ...proof.open(parts) }))
  const offering = opened.flatMap(({ offer }) => offer ?? [])

  /** The key that the request of a client proves; null for none. @throws Refusal for a wrong proof */
  const findKey = async (exchange: Exchange, client: Client): Promise<ProvenKey | null> => {
    let shown: ProvenKey | null = null
    for (const proof of opened) shown ??= await proof.prove(exchange, client)
    return shown
  }

  return {
    findKey,
    /** The same where tokens are issued. @throws Refusal also for a missing proof, if the client needs one */
    async proveKey(exchange: Exchange, client: Client): Promise<ProvenKey | null> {
      const shown = await findKey(exchange, client)
      const method = shown?.confirmation.method
      const lacking = opened.find(
        (proof) => client.openid[proof.member] === true && proof.method !== method,
      )
      if (lacking !== undefined) throw lacking.missing()
      return shown
    },
    /** @throws Refusal unless the request proves the key of its token */
    async holdKey({ confirmation, clientId }: Access, use: ProvenUse): Promise<void> {
      if (confirmation === null) {
        throw dpopRefusals.unbound()
      }
      const proof = opened.find(({ method }) => method === confirmation.method)
      if (proof === undefined) throw unknownConfirmation()
      await proof.hold(confirmation, use, clientId)
    },
    /** Headers of each answer to a request with a proof in the header DPoP. */
    offerHeaders(exchange: Exchange): Readonly<Record<string, string>> | null {
      const offered = offering.map((offer) => offer(exchange)).filter((headers) => headers !== null)
      return offered.length === 0 ? null : Object.assign({}, ...offered)
    },
  }
}
