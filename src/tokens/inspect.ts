/**
 * Describes a presented token for an operator: its kind, client, owner, and the reason of a refusal.
 * Nothing is said of a token before its seal was verified. Looking changes nothing, and notes no use.
 */
import { listAudiences } from '../access/audience.ts'
import { keepDetailsInForce } from '../access/details/narrow.ts'
import { intersect, limitScope } from '../access/permission.ts'
import type { Resources } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import type { Settings } from '../config/settings.ts'
import { type Keyring, learnKey, verifySeal } from '../crypto/seal.ts'
import type { Detail } from '../model/detail.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { type Access, type AccessToken, makeTokenId, pickEnd } from '../model/token.ts'
import type { Store } from '../store/store.ts'
import { readCode } from './code.ts'
import type { ClaimedAccessToken } from './formats/format.ts'
import type { Signer } from './keys/signing.ts'
import { readRefreshToken, type Verifier } from './verify.ts'

type InspectedKind =
  | 'access_token'
  | 'refresh_token'
  | 'authorization_code'
  | 'id_token'
  | 'client_secret'
  | 'registration_token'
  | 'link'
  | 'operator_code'
  | 'unknown'

/** Why a token is refused, with the sentence that explains it. */
export const refusalsOfTokens = {
  unknown: 'This is nothing that the service has issued.',
  forged:
    'The seal does not fit. The token was changed or forged, or it was ended. A new password ends it, and so do "end tokens", a new secret and a change of the application.',
  expired: 'It has expired.',
  ended:
    'It has ended: the grant it belongs to was revoked or has expired, or its user or application was deleted. Or so was a token that it was exchanged for.',
  disabled: 'Its user or its application is disabled. It works again once that is enabled.',
  paused: 'The user paused this application. It works again once that is resumed.',
  revoked: 'This one token was revoked.',
  used: 'It was used before. It works only once.',
  no_permissions:
    'None of its permissions is left: they were taken back, or their resources are gone.',
  no_access:
    'It opens no API. It is a secret all the same: whoever has seen it can use it, so replace it.',
} as const

type InspectedRefusal = keyof typeof refusalsOfTokens

export interface InspectedToken {
  readonly kind: InspectedKind
  /** Null where it is accepted. */
  readonly refused: InspectedRefusal | null
  readonly clientId: string | null
  /** Null for a token of the client itself. */
  readonly owner: { readonly id: string; readonly username: string } | null
  readonly authorizationId: string | null
  readonly tokenId: string | null
  readonly permissions: Permissions
  readonly details: readonly Detail[]
  readonly audience: readonly string[]
  /** Unix seconds. */
  readonly issuedAt: number | null
  /** Unix seconds; null = unlimited, or not known. */
  readonly expiresAt: number | null
}

export const makeUnknown = (kind: InspectedKind, refused: InspectedRefusal): InspectedToken => ({
  kind,
  refused,
  clientId: null,
  owner: null,
  authorizationId: null,
  tokenId: null,
  permissions: [],
  details: [],
  audience: [],
  issuedAt: null,
  expiresAt: null,
})

type InspectParts = Verifier & {
  readonly settings: Settings
  readonly store: Store
  readonly keyring: Keyring
  readonly signer: Signer
  readonly resources: Resources
}

const isEmpty = ({ permissions, details }: Access): boolean =>
  permissions.length === 0 && details.length === 0

const describeAccess = (
  access: Access,
  refused: InspectedRefusal | null,
  parts: InspectParts,
): InspectedToken => {
  const isOwners = access.subject === 'owner'
  return {
    kind: 'access_token',
    refused: refused ?? (isEmpty(access) ? 'no_permissions' : null),
    clientId: access.clientId,
    owner: isOwners ? { id: access.ownerId, username: access.username } : null,
    authorizationId: isOwners ? access.authorizationId : null,
    tokenId: access.tokenId,
    permissions: access.permissions,
    details: access.details,
    audience: listAudiences(access, parts.resources.latest.site),
    issuedAt: access.issuedAt,
    expiresAt: isOwners ? pickEnd(access.expiresAt, access.authorizationEnd) : access.expiresAt,
  }
}

/** Whether what the token says it hangs on is still there. */
const isStanding = async (
  { of, issuedAt, terms }: AccessToken,
  { store }: InspectParts,
): Promise<boolean> => {
  if ('clientId' in of) return (await findClient(of.clientId, { store }, 'disabled')) !== null
  for (const { familyId } of [of, ...terms.exchanged]) {
    if ((await store.findStanding(familyId, issuedAt, 'disabled')) === null) return false
  }
  for (const above of terms.exchanged) {
    if (await store.isTokenEnded(makeTokenId(above))) return false
  }
  return true
}

const inspectAccess = async (
  text: string,
  claimed: ClaimedAccessToken,
  at: number,
  parts: InspectParts,
): Promise<InspectedToken> => {
  const { says } = claimed
  const live = await parts.verifyAccess(text, at, 'paused')
  if (live !== null) {
    const isPaused = live.subject === 'owner' && live.isPaused
    return describeAccess(live, isPaused ? 'paused' : null, parts)
  }
  const resting = await parts.verifyAccess(text, at, 'revocable')
  if (resting !== null) {
    const isRevoked = await parts.store.isTokenEnded(resting.tokenId)
    return describeAccess(resting, isRevoked ? 'revoked' : 'disabled', parts)
  }
  // When it was issued it had not expired, whatever made it expire.
  const earlierOn = await parts.verifyAccess(text, says.issuedAt, 'revocable')
  if (earlierOn !== null) return describeAccess(earlierOn, 'expired', parts)
  return makeUnknown('access_token', (await isStanding(says, parts)) ? 'forged' : 'ended')
}

const getUsername = async (id: OwnerId, { store }: InspectParts): Promise<string> =>
  (await store.findOwner(id, 'disabled'))?.username ?? ''

const inspectRefreshToken = async (
  text: string,
  at: number,
  parts: InspectParts,
): Promise<InspectedToken | null> => {
  const presented = readRefreshToken(text)
  if (presented === null) return null
  const { issuedAt, familyId } = presented.says
  const found =
    (await parts.verifyRefresh(text, at, 'revocable')) ??
    (await parts.verifyRefresh(text, issuedAt, 'revocable'))
  if (found === null) {
    const standing = await parts.store.findStanding(familyId, issuedAt, 'disabled')
    return makeUnknown('refresh_token', standing === null ? 'ended' : 'forged')
  }
  const { says, standing } = found
  const { authorization, family } = standing
  const permissions = limitScope(
    intersect(says.terms.permissions, authorization.permissions),
    standing.clientScope,
  )
  const details = keepDetailsInForce(
    says.terms.details,
    authorization.details,
    standing.clientDetailTypes,
    parts.resources,
  )
  const expiresAt = pickEnd(says.expiresAt, authorization.expiresAt)
  const refused = (): InspectedRefusal | null => {
    if (says.generation !== family.generation) return 'used'
    if (expiresAt !== null && expiresAt <= at) return 'expired'
    if (standing.isDisabled) return 'disabled'
    return authorization.paused === null ? null : 'paused'
  }
  return {
    kind: 'refresh_token',
    refused: refused(),
    clientId: authorization.clientId,
    owner: { id: authorization.ownerId, username: standing.username },
    authorizationId: authorization.id,
    tokenId: null,
    permissions,
    details,
    audience: listAudiences({ permissions, details }, parts.resources.latest.site),
    issuedAt: says.issuedAt,
    expiresAt,
  }
}

const inspectCode = async (
  text: string,
  at: number,
  parts: InspectParts,
): Promise<InspectedToken | null> => {
  const sealed = readCode(text)
  if (sealed === null) return null
  const { says } = sealed
  const { store, keyring } = parts
  const authorization = await store.findAuthorization(says.authorizationId, says.issuedAt)
  if (authorization === null) return makeUnknown('authorization_code', 'ended')
  await learnKey(sealed, keyring)
  if (!verifySeal(sealed, keyring, authorization.salt)) {
    return makeUnknown('authorization_code', 'forged')
  }
  const expiresAt = says.issuedAt + parts.settings.limits.codeSeconds
  const isUsed = await store.isRedeemed(says.familyId)
  const { ownerId, clientId, id } = authorization
  return {
    kind: 'authorization_code',
    refused: isUsed ? 'used' : expiresAt <= at ? 'expired' : null,
    clientId,
    owner: { id: ownerId, username: await getUsername(ownerId, parts) },
    authorizationId: id,
    tokenId: null,
    permissions: says.terms.permissions,
    details: says.terms.details,
    audience: listAudiences(says.terms, parts.resources.latest.site),
    issuedAt: says.issuedAt,
    expiresAt,
  }
}

/** An ID token tells its client who logged in. No API takes it. */
const inspectIdToken = async (
  text: string,
  parts: InspectParts,
): Promise<InspectedToken | null> => {
  const claims = await parts.signer.read(text, 'JWT')
  // Only ID tokens name an authorized party.
  if (claims?.azp === undefined) return null
  const [audience] = [claims.aud].flat()
  const seconds = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return {
    ...makeUnknown('id_token', 'no_access'),
    clientId: typeof audience === 'string' ? audience : null,
    issuedAt: seconds(claims.iat),
    expiresAt: seconds(claims.exp),
  }
}

/** Secrets by their prefix. Such secrets are not looked for. */
const kinds: readonly (readonly [string, InspectedKind, InspectedRefusal])[] = [
  ['lk_at_', 'access_token', 'forged'],
  ['lk_rt_', 'refresh_token', 'forged'],
  ['lk_ac_', 'authorization_code', 'forged'],
  ['lk_cs_', 'client_secret', 'no_access'],
  ['lk_reg_', 'registration_token', 'no_access'],
  ['lk_ln_', 'link', 'no_access'],
  ['lk_op_', 'operator_code', 'no_access'],
]

const describePrefix = (text: string): InspectedToken => {
  const found = kinds.find(([prefix]) => text.startsWith(prefix))
  return found === undefined ? makeUnknown('unknown', 'unknown') : makeUnknown(found[1], found[2])
}

/** @param at unix seconds */
export const inspectToken = async (
  pasted: string,
  at: number,
  parts: InspectParts,
): Promise<InspectedToken> => {
  const text = pasted.trim()
  const claimed = await parts.readClaim(text)
  if (claimed !== null) return inspectAccess(text, claimed, at, parts)
  return (
    (await inspectRefreshToken(text, at, parts)) ??
    (await inspectCode(text, at, parts)) ??
    (await inspectIdToken(text, parts)) ??
    describePrefix(text)
  )
}
