/**
 * The JWT bearer grant (RFC 7523 section 2.1): an issuer that the operator trusts opens access for an owner. What it
 * opened is an authorization, so its owner sees, narrows and ends it.
 */
import { intersect } from '../../access/permission.ts'
import { isIndicator, narrowToResources } from '../../access/resource-indicator.ts'
import { listAskableOfOwner, listAsked, listImplied, selectNamed } from '../../access/scope.ts'
import { hashText, makeSalt } from '../../crypto/digest.ts'
import type { Grant, GrantParts, GrantRequest } from '../../grants/grant.ts'
import { type AuthorizationId, type FamilyId, isOwnerId, type OwnerId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import { isOnlyOffline } from '../../model/scope-word.ts'
import { type Extent, fillTerms } from '../../model/terms.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { makeOwnedId } from '../../store/placed-id.ts'
import type { EarnedFamily } from '../../tokens/issue.ts'
import { pausedRefusal } from '../../tokens/paused.ts'
import { type ProvenAssertion, proveAssertion, refuseGrant } from './assertion.ts'
import type { AssertionRedeemed } from './contract.ts'

/** The owner of the assertion, by the kind of name that the operator chose; null for nobody. */
const findOwnerId = async (
  { issuer, claims }: ProvenAssertion,
  { store }: GrantParts,
): Promise<OwnerId | null> => {
  const { sub, email = sub, email_verified: isVerified } = claims
  if (typeof sub !== 'string' || typeof email !== 'string') return null
  switch (issuer.owner) {
    case 'username':
      return (await store.findOwnerByName(sub))?.id ?? null
    case 'sub':
      return isOwnerId(sub) ? ((await store.findOwner(sub as OwnerId))?.id ?? null) : null
    case 'email':
      // An issuer may tell of addresses that its people only typed.
      return isVerified === false ? null : store.findOwnerIdByConfirmedEmail(email)
  }
}

/** The most that the assertion opens for the client. @throws Refusal */
const listAllowed = (
  { issuer, kind, claims }: ProvenAssertion,
  { client }: GrantRequest,
  { resources }: GrantParts,
): Permissions => {
  const ofIssuer = selectNamed(issuer.scope, listAskableOfOwner(client, resources, false))
  const { scope } = claims
  if (kind !== 'id-jag' || scope === undefined) return ofIssuer
  if (typeof scope !== 'string')
    throw refuseGrant('grant_scope', 'scope of the assertion has to be a text')
  return selectNamed(scope.split(/[ ,]+/), ofIssuer)
}

/** The resources of the assertion: no other audience. Empty for an assertion without any. @throws Refusal */
const readResources = async (
  { kind, claims: { resource } }: ProvenAssertion,
  { resources }: GrantParts,
): Promise<readonly string[]> => {
  if (kind !== 'id-jag' || resource === undefined) return []
  const named: readonly unknown[] = Array.isArray(resource) ? resource : [resource]
  const isKnown = (uri: unknown): uri is string =>
    typeof uri === 'string' && isIndicator(uri, resources.latest.site)
  if (!named.every(isKnown)) await resources.learn()
  if (named.length > 0 && named.every(isKnown)) return named
  throw refuseGrant('grant_resource', 'resource of the assertion names no API that is known here')
}

/** What the resource of the assertion leaves of its permissions. @throws Refusal */
const narrowToNamed = (
  permissions: Permissions,
  named: readonly string[],
  { latest: { site } }: GrantParts['resources'],
): Extent => {
  try {
    return narrowToResources({ permissions, details: [], audience: [] }, named, site)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    const said = 'the assertion opens nothing of the API that its resource names'
    throw refuseGrant('grant_resource', said)
  }
}

/** The extent of the request, within that of the assertion. @throws Refusal */
const findExtent = async (
  proven: ProvenAssertion,
  request: GrantRequest,
  parts: GrantParts,
): Promise<Extent> => {
  const { parameters, client } = request
  const { resources } = parts
  const allowed = listAllowed(proven, request, parts)
  if (isOnlyOffline(allowed)) {
    const said = 'the assertion opens nothing that its issuer and the client may have here'
    throw refuseGrant('grant_opens_nothing', said)
  }
  const named = await readResources(proven, parts)
  const most = narrowToNamed(allowed, named, resources)
  const indicators = parameters.all('resource')
  const isSaid = proven.kind === 'id-jag' && proven.claims.scope !== undefined
  const implied = isSaid
    ? most.permissions
    : listImplied(client, most.permissions, [...named, ...indicators])
  const permissions = listAsked(parameters.find('scope'), most.permissions, implied)
  return narrowToResources({ ...most, permissions }, indicators, resources.latest.site)
}

const refuseRedemption = ({
  outcome,
}: Exclude<AssertionRedeemed, { outcome: 'redeemed' }>): Refusal => {
  switch (outcome) {
    case 'paused':
      return pausedRefusal()
    case 'replayed':
      return refuseGrant(
        'grant_replayed',
        'the assertion was used before: get a new one for each request',
      )
    case 'ended':
      return refuseGrant(
        'grant_ended',
        'the resource owner or the operator has ended this access: one of them can allow it again',
      )
    case 'taken':
      return refuseGrant(
        'grant_taken',
        'the resource owner has taken away all that the assertion asks for',
      )
    case 'impossible':
      return refuseGrant('grant_owner', unknownOwner)
  }
}

/** The same for an unknown owner and for a disabled one. */
const unknownOwner = 'the assertion names nobody here for whom it could open anything'

/** What an assertion opened, beside the extent of the request. */
interface OpenedExtent extends Pick<Extent, 'permissions' | 'audience'> {
  readonly redeemed: AssertionRedeemed
}

const redeemOnce = async (request: GrantRequest, parts: GrantParts): Promise<OpenedExtent> => {
  const { client, key, trace } = request
  const { accessTokenSeconds: seconds } = client
  const proven = await proveAssertion(request, parts)
  const { issuer, jti, expiresAt } = proven
  const { permissions, audience } = await findExtent(proven, request, parts)
  const ownerId = await findOwnerId(proven, parts)
  if (ownerId === null) throw refuseGrant('grant_owner', unknownOwner)
  await key?.claim()
  const id = hashText(JSON.stringify(['issuer assertion', issuer.issuer, jti]))
  const redemption = {
    ...{ issuer, clientId: client.id, ownerId, permissions },
    used: jti === null ? null : { id, expiresAt },
    authorizationId: makeOwnedId<AuthorizationId>(ownerId, parts),
    familyId: makeOwnedId<FamilyId>(ownerId, parts),
    salt: makeSalt(parts.random),
    // That of its only token.
    expiresAt: seconds === null ? null : trace.at + seconds,
  }
  let redeemed: AssertionRedeemed = { outcome: 'replayed' }
  await parts.usedUp.claim('assertion', client, trace.at, async () => {
    redeemed = await parts.store.redeemAssertion(redemption, trace)
    return redeemed.outcome === 'replayed' ? 'again' : 'first'
  })
  return { redeemed, permissions, audience }
}

const redeem = async (request: GrantRequest, parts: GrantParts): Promise<EarnedFamily> => {
  const first = await redeemOnce(request, parts)
  // The issuer may have been changed meanwhile, and may allow it still.
  const isOver = first.redeemed.outcome !== 'impossible'
  return makeEarned(isOver ? first : await redeemOnce(request, parts))
}

const makeEarned = ({ redeemed, permissions: asked, audience }: OpenedExtent): EarnedFamily => {
  if (redeemed.outcome !== 'redeemed') throw refuseRedemption(redeemed)
  const { family, authorization } = redeemed
  const permissions = intersect(asked, authorization.permissions)
  return {
    ...{ for: 'family', family, authorization, audience },
    terms: fillTerms(permissions, { audience }),
    told: [],
    granted: permissions,
    grantedDetails: [],
    originally: permissions,
    // The issuer decides anew each time.
    lastsUntil: null,
  }
}

export const jwtBearer: Grant = {
  type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  clients: 'confidential',
  metadata: {
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  },
  open: (parts) => (request) => redeem(request, parts),
}
