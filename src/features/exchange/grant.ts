/**
 * The token exchange grant (RFC 8693): a client with the token of another one acts for its owner. The new
 * token allows no more, and ends with the old one (decision 104).
 */
import { keepDetailsInForce, narrowDetails } from '../../access/details/narrow.ts'
import { intersect, limitScope } from '../../access/permission.ts'
import { narrowToResources } from '../../access/resource-indicator.ts'
import { parseScope, selectNamed, tellNames } from '../../access/scope.ts'
import { makeSalt } from '../../crypto/digest.ts'
import type { Grant, GrantParts, GrantRequest } from '../../grants/grant.ts'
import type { Standing } from '../../model/authorization.ts'
import { getDetailTypes, getScopeLimit } from '../../model/client.ts'
import { intersectDetails } from '../../model/detail.ts'
import type { AuthorizationId, FamilyId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import { type ExchangedToken, type Extent, fillTerms } from '../../model/terms.ts'
import { makeTokenId, type OwnerAccess, pickEnd } from '../../model/token.ts'
import { invalidRequest, Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { AttemptRule } from '../../store/contract/owner.ts'
import { makeOwnedId } from '../../store/placed-id.ts'
import { type Chain, mostActors } from '../../tokens/exchanged.ts'
import { type EarnedFamily, getFamilyEnd } from '../../tokens/issue.ts'
import { pausedRefusal } from '../../tokens/paused.ts'
import { findActor, findSubject, issuedTokenType } from './subject.ts'

/** @throws Refusal `invalid_scope` for a name outside the subject token */
const narrowScope = (scope: string | null, left: Permissions): Permissions => {
  if (scope === null) return left
  const names = parseScope(scope)
  const beyond = names.filter((name) => selectNamed([name], left).length === 0)
  if (beyond.length === 0) return selectNamed(names, left)
  const said = `scope asks for more than the subject_token allows this client${tellNames(beyond)}`
  throw new Refusal('invalid_scope', 'scope_beyond_subject', said)
}

/**
 * The part of the subject token that the client may have, as far as the request asks for it.
 *
 * @throws Refusal `invalid_scope`, `invalid_target`, `invalid_authorization_details`
 */
const narrowExtent = async (
  subject: OwnerAccess,
  { client, parameters }: GrantRequest,
  { resources }: GrantParts,
): Promise<Extent> => {
  const given = (['resource', 'audience'] as const).filter((name) => parameters.find(name) !== null)
  const indicators = given.flatMap((name) => parameters.all(name))
  if (given.includes('audience')) await resources.learn()
  const lasting = subject.permissions.filter((name) => name !== 'offline_access')
  const allowed = limitScope(lasting, getScopeLimit(client))
  const types = getDetailTypes(client)
  const granted = keepDetailsInForce(subject.details, subject.details, types, resources)
  if (allowed.length + granted.length === 0) {
    const said = 'the subject_token allows nothing that this client may have'
    throw new Refusal('invalid_scope', 'nothing_to_exchange', said)
  }
  const permissions = narrowScope(parameters.find('scope'), allowed)
  const asked = parameters.find('authorization_details')
  const details = asked === null ? granted : await narrowDetails(asked, granted, client, resources)
  const left = { permissions, details, audience: subject.audience }
  return narrowToResources(left, indicators, resources.latest.site, given.join(' or '))
}

/** The subject token and all above it, the nearest first. @throws Refusal `invalid_request` */
const listExchanged = (subject: OwnerAccess): readonly ExchangedToken[] => {
  const { familyId, tokenId, authorizationId, clientId, issuedAt, expiresAt } = subject
  const generation = Number(tokenId.slice(familyId.length + 1))
  const token = { familyId, generation, authorizationId, clientId, issuedAt, expiresAt }
  const exchanged = [token, ...subject.exchanged]
  if (exchanged.length <= mostActors) return exchanged
  const said = `the subject_token was exchanged ${mostActors} times already: no further client may act`
  throw invalidRequest('too_many_actors', said)
}

/** When the earliest login session ends that an approval above is for (unix seconds); null = none. */
const findVisitEnd = async (
  { standings }: Chain,
  at: number,
  { store }: GrantParts,
): Promise<number | null> => {
  let end: number | null = null
  for (const { authorization } of standings) {
    if (authorization.sessionId === null) continue
    const found = await store.findSession(authorization.sessionId, at)
    end = pickEnd(end, found?.session.expiresAt ?? at)
  }
  return end
}

const makeLiving =
  (exchanged: readonly ExchangedToken[]) =>
  ({ authorization: { salt } }: Standing, i: number) => {
    const token = exchanged[i]
    if (token === undefined) throw new Error('the chain is shorter than what was exchanged')
    return { familyId: token.familyId, tokenId: makeTokenId(token), salt }
  }

/** Begins the family of the new token. @throws Refusal where nothing is there for it to stand on */
const startDelegated = async (
  { permissions, details }: Extent,
  { authTime, ownerId }: OwnerAccess,
  exchanged: readonly ExchangedToken[],
  chain: Chain,
  lastsUntil: number | null,
  { client, trace }: GrantRequest,
  parts: GrantParts,
) => {
  const [nearest] = chain.standings
  const delegated =
    nearest === undefined
      ? null
      : await parts.store.delegate(
          {
            id: makeOwnedId<AuthorizationId>(ownerId, parts),
            familyId: makeOwnedId<FamilyId>(ownerId, parts),
            clientId: client.id,
            parent: nearest.authorization,
            chain: chain.standings.map(makeLiving(exchanged)),
            loggedInAt: authTime,
            permissions,
            details,
            salt: makeSalt(parts.random),
            expiresAt: pickEnd(getFamilyEnd(client, trace.at), lastsUntil),
          },
          trace,
        )
  if (delegated === 'paused') throw pausedRefusal()
  if (delegated === 'taken') {
    throw new Refusal(
      'invalid_grant',
      'delegation_taken',
      'the access of this client was ended or narrowed: the user has to log in again at the application that the user approved',
    )
  }
  if (delegated !== null) return delegated
  throw invalidRequest('subject_token_ended', 'the subject_token has just ended')
}

/**
 * Exchanges of a client that registered itself, for one owner. Each writes a row that stays as long as its token. The
 * operator answers for the other clients.
 */
const exchangesOfStranger: AttemptRule = {
  freeTries: 300,
  forgetSeconds: 3600,
  forgetAfter: 'first try',
  longestWaitSeconds: 60,
  isQuota: true,
}

/** @throws Refusal `too_many_requests` with `Retry-After` */
const limitExchanges = async (
  { ownerId }: OwnerAccess,
  { client, trace }: GrantRequest,
  { store }: GrantParts,
): Promise<void> => {
  if (client.registeredBy !== 'itself') return
  const counter = { key: `exchange:${ownerId} ${client.id}`, rule: exchangesOfStranger }
  const admitted = await store.admitAttempt([counter], trace)
  if (admitted.outcome === 'admitted') return
  const said = 'too many exchanges for this user: use each token until it expires'
  throw refuseForNow('too_many_exchanges', said, admitted.seconds)
}

const exchange = async (request: GrantRequest, parts: GrantParts): Promise<EarnedFamily> => {
  const { trace, key } = request
  const subject = await findSubject(request, parts)
  const actor = await findActor(request, parts)
  const exchanged = listExchanged(subject)
  const extent = await narrowExtent(subject, request, parts)
  const chain = await parts.tokens.readChain(exchanged, trace.at)
  if (chain === null) {
    throw invalidRequest('subject_token_ended', 'the subject_token has just ended')
  }
  const ends = [subject.expiresAt, chain.expiresAt, chain.authorizationEnd]
  ends.push(actor?.expiresAt ?? null, await findVisitEnd(chain, trace.at, parts))
  const lastsUntil = ends.reduce(pickEnd, null)
  await limitExchanges(subject, request, parts)
  await key?.claim()
  const { family, authorization } = await startDelegated(
    extent,
    subject,
    exchanged,
    chain,
    lastsUntil,
    request,
    parts,
  )
  const permissions = intersect(extent.permissions, authorization.permissions)
  const details = intersectDetails(extent.details, authorization.details)
  const { audience } = extent
  const { authTime, methods, claims } = subject
  return {
    for: 'family',
    family,
    authorization: { ...authorization, salt: authorization.salt + chain.salt },
    terms: fillTerms(permissions, { audience, details, authTime, methods, claims, exchanged }),
    told: [],
    granted: permissions,
    grantedDetails: details,
    audience,
    originally: permissions,
    lastsUntil,
    members: { issued_token_type: issuedTokenType },
  }
}

export const tokenExchange: Grant = {
  type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  clients: 'confidential',
  takesDetails: true,
  takesAudience: true,
  members: ['issued_token_type'],
  open: (parts) => (request) => exchange(request, parts),
}
