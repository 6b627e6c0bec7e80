/** Authorization codes: issued by sealing, redeemed by one insert (RFC 6749 sections 4.1.2 and 4.1.3). */

import { keepDetailsInForce, narrowDetails } from '../access/details/narrow.ts'
import { intersect, limitScope } from '../access/permission.ts'
import { narrowToResources } from '../access/resource-indicator.ts'
import type { Resources } from '../access/resources.ts'
import type { Settings } from '../config/settings.ts'
import { equalDigests, hashText } from '../crypto/digest.ts'
import { defineStatement, type Keyring, learnKey, verifySeal } from '../crypto/seal.ts'
import type { Authorization } from '../model/authorization.ts'
import { type Client, getDetailTypes, getScopeLimit, isPublic } from '../model/client.ts'
import { type Digest, type FamilyId, idBefore } from '../model/ids.ts'
import { isOnlyOffline } from '../model/scope-word.ts'
import type { Terms } from '../model/terms.ts'
import { type Code, codeType } from '../model/token.ts'
import { findMixUp } from '../protocol/kinds.ts'
import { Refusal, type RefusalNote } from '../protocol/refusal.ts'
import { hashVerifier } from '../requests/pkce.ts'
import type { Redeemed } from '../store/contract/family.ts'
import type { ClientLogin } from '../store/contract/queue.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { findClientLogin } from './id-token.ts'
import { type EarnedFamily, getFamilyEnd } from './issue.ts'
import { pausedRefusal } from './paused.ts'
import { requireSameKey } from './proofs/index.ts'
import type { ProvenKey } from './proofs/proof.ts'

/**
 * The challenge as the code carries it. A holder of the code can read the code, and must not learn the
 * challenge from it (RFC 7636 section 4.4).
 */
const hideChallenge = (challenge: Digest, salt: string): Digest => hashText(`${salt}\n${challenge}`)

/** The family of an access token that comes in the same response as the code. */
export const getFrontFamily = (familyOfCode: FamilyId): FamilyId => idBefore(familyOfCode, 1)

export const { seal: sealCode, read: readCode } = defineStatement('lk_ac_', codeType)

export type CodeGround = Pick<Authorization, 'id' | 'clientId' | 'salt'>

export interface IssuedCode {
  readonly familyId: FamilyId
  readonly redirectUri: string
  readonly challenge: Digest | null
  readonly terms: Terms
}

/** Issuing writes nothing: the code states all that its redemption needs. */
export const issueCode = (
  keyring: Keyring,
  authorization: CodeGround,
  code: IssuedCode,
  at: number,
): string => {
  const { salt } = authorization
  const { familyId, redirectUri, challenge, terms } = code
  return sealCode(keyring, salt, {
    familyId,
    redirectUri: hashText(redirectUri),
    hiddenChallenge: challenge && hideChallenge(challenge, salt),
    terms,
    authorizationId: authorization.id,
    clientId: authorization.clientId,
    issuedAt: at,
  })
}

const invalidGrant = (
  reason: string,
  description: string | null = null,
  recorded: RefusalNote = {},
): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    description ??
      'the code is unknown, expired, used, or was issued for another client or redirect_uri',
    { recorded },
  )

interface CodeParts {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
  readonly resources: Resources
}

interface OpenedCode {
  readonly code: Code
  readonly authorization: Authorization
}

export interface PresentedCode {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string | null
  /** The values of `resource`: they narrow the granted permissions. A wrong one leaves the code unused. */
  readonly indicators: readonly string[]
  readonly key: ProvenKey | null
  /** The value of `authorization_details`, to narrow the details; null where it is absent. */
  readonly details: string | null
}

/**
 * Checks what a stranger could not satisfy; nothing is changed by failing here. The key of a bound code counts to
 * that, and so does a proof that did not come before.
 */
const openCode = async (
  { code: text, redirectUri, key }: PresentedCode,
  client: Client,
  at: number,
  { store, keyring }: CodeParts,
): Promise<OpenedCode> => {
  const sealed = readCode(text)
  if (sealed === null) throw invalidGrant('malformed_code', findMixUp(text, 'lk_ac_'))
  const code = sealed.says
  const authorization = await store.findAuthorization(code.authorizationId, at)
  if (authorization === null) throw invalidGrant('code_of_ended_authorization')
  await learnKey(sealed, keyring)
  if (!verifySeal(sealed, keyring, authorization.salt)) throw invalidGrant('forged_code')
  if (code.clientId !== client.id) throw invalidGrant('code_of_other_client')
  if (!equalDigests(code.redirectUri, hashText(redirectUri))) {
    const recorded = { given: redirectUri, registered: client.redirectUris }
    throw invalidGrant('redirect_uri_differs', null, recorded)
  }
  const { confirmation } = code.terms
  if (confirmation !== null) {
    requireSameKey(confirmation, key?.confirmation)
    await key?.claim()
  }
  return { code, authorization }
}

/** Whether the verifier is right; a request without one is refused before anything is used up. */
const hasRightVerifier = (
  { code, authorization }: OpenedCode,
  verifier: string | null,
  client: Client,
): boolean => {
  if (code.hiddenChallenge === null) {
    // The client became public after its request, so it has no proof of its identity left.
    if (isPublic(client)) throw invalidGrant('public_without_challenge')
    if (verifier === null) return true
    throw new Refusal(
      'invalid_request',
      'verifier_without_challenge',
      'code_verifier came, but the authorization request had no code_challenge',
    )
  }
  if (verifier === null) {
    throw new Refusal(
      'invalid_grant',
      'missing_code_verifier',
      'parameter code_verifier is missing: the authorization request had a code_challenge',
    )
  }
  const challenge = hashVerifier(verifier)
  if (challenge === null) return false
  return equalDigests(hideChallenge(challenge, authorization.salt), code.hiddenChallenge)
}

/** What narrows the tokens of a grant, at their first request. */
type Narrowing = Pick<PresentedCode, 'indicators' | 'details'>

/**
 * The tokens that approved terms would earn, as far as the approval and the client still reach.
 *
 * @throws Refusal
 */
export const narrowTerms = async (
  approved: Terms,
  authorization: Authorization,
  { indicators, details: asked }: Narrowing,
  client: Client,
  resources: Resources,
) => {
  const left = intersect(approved.permissions, authorization.permissions)
  const granted = await resources.keepKnown(limitScope(left, getScopeLimit(client)))
  const { audience } = approved
  const grantedDetails =
    approved.details.length === 0
      ? approved.details
      : keepDetailsInForce(
          approved.details,
          authorization.details,
          getDetailTypes(client),
          resources,
        )
  if (isOnlyOffline(granted) && grantedDetails.length === 0) {
    throw invalidGrant('nothing_left_of_grant')
  }
  const details =
    asked === null ? grantedDetails : await narrowDetails(asked, grantedDetails, client, resources)
  const given = { permissions: granted, details, audience }
  const narrowed = narrowToResources(given, indicators, resources.latest.site)
  const terms = { ...approved, ...narrowed }
  return { told: granted, granted, grantedDetails, audience, originally: granted, terms }
}

/**
 * Redeems a code, once. The store inserts the family under the id of the code, so the second insert
 * fails. A wrong verifier uses the code up. A replay ends the family, and the token beside the code.
 *
 * @throws Refusal `invalid_grant`, `invalid_request`, `temporarily_unavailable`
 */
export const redeemCode = async (
  presented: PresentedCode,
  client: Client,
  trace: Trace,
  parts: CodeParts,
): Promise<EarnedFamily> => {
  const opened = await openCode(presented, client, trace.at, parts)
  const { code, authorization } = opened
  const { settings, store, resources } = parts
  const use = async (burn: boolean, login?: ClientLogin): Promise<Redeemed> => {
    const redeemed = await store.redeemCode(
      {
        familyId: code.familyId,
        authorizationId: authorization.id,
        salt: authorization.salt,
        codeIssuedAt: code.issuedAt,
        burn,
        expiresAt: getFamilyEnd(client, trace.at),
        ...(login === undefined ? {} : { login }),
      },
      trace,
    )
    if (redeemed.outcome === 'replayed') {
      const beside = { ...trace, eventId: idBefore(trace.eventId, 1) }
      await store.endFamily(getFrontFamily(code.familyId), beside)
    }
    return redeemed
  }
  let earned: Awaited<ReturnType<typeof narrowTerms>>
  let isRight: boolean
  try {
    if (code.issuedAt + settings.limits.codeSeconds <= trace.at) throw invalidGrant('code_expired')
    await presented.key?.claim()
    isRight = hasRightVerifier(opened, presented.verifier, client)
    earned = await narrowTerms(code.terms, authorization, presented, client, resources)
  } catch (refusal) {
    // Even if the request has other faults, a replayed code ends the tokens of its family.
    if (!(await store.isRedeemed(code.familyId))) throw refusal
    await use(true)
    throw invalidGrant('code_replayed')
  }
  const { ownerId } = authorization
  const told = { ...earned.terms, permissions: earned.told }
  const login = isRight ? await findClientLogin(client, ownerId, told, trace.at, store) : undefined
  const redeemed = await use(!isRight, login)
  switch (redeemed.outcome) {
    case 'redeemed':
      return { for: 'family', family: redeemed.family, authorization, ...earned }
    case 'burned':
      throw invalidGrant('wrong_code_verifier')
    case 'replayed':
      throw invalidGrant('code_replayed')
    case 'paused':
      throw pausedRefusal()
    case 'ended':
      throw invalidGrant('code_of_ended_authorization')
  }
}
