/** Links that the operator hands over: over the admin API and the command line alike. */
import { linkLimits } from '../config/link-limits.ts'
import type { SealingKey } from '../crypto/seal.ts'
import type { Owner } from '../model/owner.ts'
import { makeId, type Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/store.ts'
import { issueLink, type OwnerLinkPurpose } from './links.ts'

/** A link for somebody, as the operator is shown it: once. */
export interface HandedOver {
  readonly purpose: OwnerLinkPurpose
  readonly link: string
  /** Unix seconds. */
  readonly expiresAt: number
}

const conflict = (reason: string, description: string): Refusal =>
  new Refusal('conflict', reason, description)

/** @throws Refusal `conflict` where a link would be of no use */
const checkUse = (purpose: OwnerLinkPurpose, owner: Owner): void => {
  if (owner.disabled) throw conflict('owner_disabled', 'this owner is disabled: enable it first')
  if (purpose === 'invite' && owner.passwordHash !== '') {
    throw conflict('has_password', 'this owner has chosen a password: make a link to reset it')
  }
  if (purpose !== 'verify') return
  if (owner.email === '') throw conflict('no_email', 'this owner has no email address')
  if (owner.emailVerified) {
    throw conflict('email_verified', 'the email address of this owner is verified')
  }
}

/**
 * Makes a link, and writes an event about it.
 *
 * @throws Refusal `conflict`
 */
export const handOver = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  trace: Trace,
  parts: Pick<Parts, 'settings' | 'store' | 'clock' | 'random'> & { readonly key: SealingKey },
): Promise<HandedOver> => {
  checkUse(purpose, owner)
  const expiresAt = trace.at + linkLimits.handedOverSeconds[purpose]
  const email = purpose === 'verify' ? owner.email : ''
  const link = issueLink(purpose, owner, email, expiresAt, parts)
  await parts.store.appendEvent({
    id: makeId(parts),
    at: trace.at,
    type: 'link.issued',
    clientId: null,
    ownerId: owner.id,
    authorizationId: null,
    requestId: trace.requestId,
    actor: trace.actor,
    details: { purpose },
  })
  return { purpose, link, expiresAt }
}
