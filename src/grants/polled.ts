/**
 * Grants of clients that poll `/token` until an owner has decided (RFC 8628 sections 3.4 and 3.5, OpenID CIBA sections
 * 10.1 and 11). What a client hears is the same; the words and the reasons differ.
 */
import { equalDigests } from '../crypto/digest.ts'
import type { FamilyId } from '../model/ids.ts'
import { findMixUp } from '../protocol/kinds.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { PolledRedeemed, PolledRedemption, PolledRequest } from '../store/contract/polled.ts'
import type { Store } from '../store/store.ts'
import type { EarnedFamily } from '../tokens/issue.ts'
import { pausedRefusal } from '../tokens/paused.ts'
import { findEarned, openPolls, parsePollCode } from '../tokens/polled-request.ts'
import type { Grant, GrantParts, GrantRequest } from './grant.ts'

type ApprovedRequest = Omit<PolledRedemption, 'expiresAt'>

type FoundApproval = NonNullable<Awaited<ReturnType<typeof findEarned>>>

/** The outcome, and what is earned otherwise than the approval says. */
interface RedeemedRequest {
  readonly redeemed: PolledRedeemed
  readonly otherwise?: Partial<EarnedFamily>
}

/** What its client hears, with the words and the reason of the kind. */
interface PolledRefusals
  extends Readonly<
    Record<
      'unknown' | 'foreign' | 'used' | 'ended' | 'pending' | 'denied' | 'expired',
      () => Refusal
    >
  > {
  /** @param said names what came instead of a code; null for anything else */
  malformed(said: string | null): Refusal
  tooSoon(isRoutine: boolean): Refusal
}

/** The client asks again and again, so this is neither counted nor kept. */
export const refusePending = (reason: string): Refusal =>
  new Refusal('authorization_pending', reason, 'nobody has decided yet: ask again', {
    isRoutine: true,
  })

export const refuseTooSoon = (reason: string, isRoutine: boolean): Refusal => {
  const said = 'ask again after five more seconds than before'
  return new Refusal('slow_down', reason, said, isRoutine ? { isRoutine } : {})
}

export const refuseDenied = (reason: string): Refusal =>
  new Refusal('access_denied', reason, 'the resource owner denied access', { status: 400 })

export interface PolledKind<Found extends PolledRequest> extends Pick<Grant, 'type' | 'clients'> {
  /** The parameter with the code, and the beginning of each code. */
  readonly parameter: string
  readonly prefix: Parameters<typeof findMixUp>[1]
  readonly refusals: PolledRefusals
  find(id: FamilyId, store: Store): Promise<Found | null>
  redeem(
    request: ApprovedRequest,
    approval: FoundApproval,
    found: Found,
    by: GrantRequest,
    parts: GrantParts,
  ): Promise<RedeemedRequest>
}

export const definePolledGrant = <Found extends PolledRequest>(kind: PolledKind<Found>): Grant => {
  const { refusals } = kind

  /** Checks what a stranger could not satisfy. Nothing is changed by failing here. */
  const find = async ({ client, parameters }: GrantRequest, store: Store): Promise<Found> => {
    const text = parameters.require(kind.parameter)
    const presented = parsePollCode(kind.prefix, text)
    if (presented === null) {
      throw refusals.malformed(findMixUp(text, kind.prefix))
    }
    const found = await kind.find(presented.id, store)
    if (found === null || !equalDigests(found.secretDigest, presented.secretDigest)) {
      throw refusals.unknown()
    }
    if (found.clientId !== client.id) throw refusals.foreign()
    return found
  }

  /** Redeems an approved request, once. */
  const redeem = async (
    found: Found,
    request: GrantRequest,
    parts: GrantParts,
  ): Promise<EarnedFamily> => {
    const approval = await findEarned(found, request, parts)
    if (approval === null) throw refusals.ended()
    const { authorization, salt, earned, login } = approval
    const familyId = parts.shardKeys.place(found.id, authorization.ownerId)
    const of = { id: found.id, familyId, authorizationId: authorization.id, salt }
    const approved = { ...of, terms: found.terms ?? '', ...login }
    const { redeemed, otherwise } = await kind.redeem(approved, approval, found, request, parts)
    switch (redeemed.outcome) {
      case 'redeemed':
        return { for: 'family', family: redeemed.family, authorization, ...earned, ...otherwise }
      // The next poll hears what its owner has decided in the place of that.
      case 'changed':
        throw refusals.pending()
      case 'used':
      case 'ended':
        throw refusals[redeemed.outcome]()
      case 'paused':
        throw pausedRefusal()
    }
  }

  return {
    type: kind.type,
    clients: kind.clients,
    takesDetails: true,
    isPolled: true,
    open: (parts) => {
      const polls = openPolls(parts.settings.limits.deviceIntervalSeconds)
      return async (request) => {
        const found = await find(request, parts.store)
        const { at } = request.trace
        if (found.state === 'redeemed') throw refusals.used()
        if (found.expiresAt <= at) throw refusals.expired()
        if (found.state === 'denied') throw refusals.denied()
        // Only a client that waits can be told to wait longer: any other answer is the last.
        if (found.state === 'pending') {
          const isTooSoon = polls.isTooSoon(found.id, at)
          throw isTooSoon ? refusals.tooSoon(polls.isRoutine(found.id)) : refusals.pending()
        }
        const earned = await redeem(found, request, parts)
        polls.forget(found.id)
        return earned
      }
    },
  }
}
