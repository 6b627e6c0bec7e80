/** The rows of the store as the download of an owner tells them: without hashes, tokens and codes. */

import { getNetwork } from '../../http/address.ts'
import type { Event } from '../../model/event.ts'
import type { Factors, Passkey, UpstreamLink } from '../../model/factor.ts'
import type { Owner } from '../../model/owner.ts'
import type { OwnerPicture } from '../../model/picture.ts'
import { deriveContext, type Session } from '../../model/session.ts'
import type { Use, UseDay } from '../../model/use.ts'
import { formatIso } from '../../paper/time.ts'
import type { ListedAuthorization } from '../../store/contract/authorization.ts'
import type { Membership } from '../../store/contract/group.ts'
import { endOf } from './accesses.ts'

export const formatIsoOrNull = (seconds: number | null): string | null =>
  seconds === null ? null : formatIso(seconds)

export const describeOwner = (owner: Owner, picture: OwnerPicture | null) => ({
  id: owner.id,
  username: owner.username,
  name: owner.name,
  email: owner.email,
  email_verified: owner.emailVerified,
  claims: owner.claims,
  attributes: owner.attributes,
  roles: owner.roles,
  language: owner.pages.language,
  time_zone: owner.pages.zone,
  ...(picture && { picture_file: { media_type: picture.type, base64: picture.content } }),
  created_at: formatIso(owner.createdAt),
  updated_at: formatIso(owner.updatedAt),
  password_changed_at: owner.passwordChangedAt === 0 ? null : formatIso(owner.passwordChangedAt),
})

const describePasskey = (passkey: Passkey) => ({
  id: passkey.id,
  name: passkey.name,
  public_key: passkey.publicKey,
  transports: passkey.transports,
  may_be_copied: passkey.backupEligible,
  is_copied: passkey.backedUp,
  uses_counted: passkey.counter,
  created_at: formatIso(passkey.createdAt),
  last_used_at: formatIsoOrNull(passkey.lastUsedAt),
})

const describeLink = (link: UpstreamLink) => ({
  upstream: link.upstream,
  issuer: link.issuer,
  subject: link.subject,
  label: link.label,
  created_at: formatIso(link.createdAt),
  last_used_at: formatIsoOrNull(link.lastUsedAt),
})

export const describeWaysIn = (factors: Factors, links: readonly UpstreamLink[]) => ({
  passkeys: factors.passkeys.map(describePasskey),
  passkey_required: factors.passkeyOnly,
  one_time_codes_since: formatIsoOrNull(factors.oneTimeCodes?.createdAt ?? null),
  recovery_codes_left: factors.recoveryCodes,
  linked_logins: links.map(describeLink),
})

/** Groups, and who put the owner in: upstreams, or an operator. */
export const describeGroups = (groups: readonly Membership[]) =>
  groups.map(({ name, byOperator, upstreams }) => ({ name, by_operator: byOperator, upstreams }))

export const describeSession = (session: Session) => ({
  id: session.handle,
  user_agent: session.userAgent,
  network: session.network,
  amr: session.methods,
  acr: deriveContext(session),
  started_at: formatIso(session.startedAt),
  confirmed_at: formatIso(session.confirmedAt),
  seen_at: formatIso(session.seenAt),
  expires_at: formatIso(session.expiresAt),
})

/** Who opened it in place of the owner. */
export const describeAllowedBy = ({ allowedBy }: Pick<ListedAuthorization, 'allowedBy'>) =>
  allowedBy === null ? {} : { allowed_by: { issuer: allowedBy.issuer, title: allowedBy.title } }

/** @param now null for one that lives */
export const describeAccess = (access: ListedAuthorization, now: number | null) => ({
  id: access.id,
  client_id: access.clientId,
  client_name: access.clientName,
  ...(access.parentId === null
    ? {}
    : { acts_for: access.parentClientName, under: access.parentId }),
  permissions: access.permissions,
  ...(access.details.length === 0 ? {} : { authorization_details: access.details }),
  ...describeAllowedBy(access),
  duration: access.duration,
  allowed_at: formatIso(access.createdAt),
  expires_at: now === null ? formatIsoOrNull(access.expiresAt) : null,
  ended_at: now === null ? null : formatIso(endOf(access, now)),
  paused_at: formatIsoOrNull(access.paused?.at ?? null),
  last_used_at: formatIsoOrNull(access.lastUsedAt),
})

export const describeDay = ({ day, ...counts }: UseDay) => ({
  day: formatIso(day * 86_400).slice(0, 10),
  ...counts,
})

export const describeUse = (use: Use) => ({
  minute: formatIso(use.minute * 60),
  minutes: use.minutes,
  action: use.action,
  ...(use.action === 'check' ? { api: use.resource } : { resource: use.resource }),
  ...(use.target === undefined ? {} : { target: use.target }),
  network: use.network === '' ? null : use.network,
  outcome: use.allowed ? 'allowed' : 'refused',
  count: use.uses,
  last_at: formatIso(use.lastAt),
})

/** Who acted, as the owner is told. Operators stay without a name, and other people without an id. */
const describeActor = ({ actor, ownerId }: Event) => {
  switch (actor?.type) {
    case 'owner':
      return { by: actor.ownerId === ownerId ? 'you' : null, network: actor.network }
    case 'client':
      return { by: 'application', application: actor.clientId, network: actor.network }
    case 'operator':
    case 'cli':
      return { by: 'operator', network: null }
    case 'service':
      return { by: 'service', network: null }
    default:
      return { by: null, network: actor?.network ?? null }
  }
}

/** The address of a failed try may be somebody else's: as on the page, its network is told. */
const describeDetails = ({ details: { address, ...details } }: Event) =>
  typeof address === 'string' ? { ...details, network: getNetwork(address) } : details

export const describeEvent = (event: Event) => ({
  id: event.id,
  at: formatIso(event.at),
  type: event.type,
  client_id: event.clientId,
  authorization_id: event.authorizationId,
  request_id: event.requestId,
  ...describeActor(event),
  details: describeDetails(event),
})
