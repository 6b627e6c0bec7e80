/** Links that the operator hands over: over the admin API and the command line alike. */
import type { Settings } from '../config/settings.ts'
import { isLanguageTag } from '../config/texts.ts'
import type { SealingKey } from '../crypto/seal.ts'
import type { Event } from '../model/event.ts'
import { type Clock, makeId, type Random } from '../model/ids.ts'
import { english } from '../model/language.ts'
import type { Owner } from '../model/owner.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store, Trace } from '../store/store.ts'
import { queueMail } from './ask-mail.ts'
import { handedLinkSeconds, issueLink, type OwnerLinkPurpose } from './links.ts'
import { canMail } from './ways-in.ts'

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

const noteIssued = (
  owner: Owner,
  details: Event['details'],
  trace: Trace,
  parts: { readonly store: Store; readonly clock: Clock; readonly random: Random },
): Promise<void> =>
  parts.store.appendEvent({
    id: makeId(parts),
    at: trace.at,
    type: 'link.issued',
    clientId: null,
    ownerId: owner.id,
    authorizationId: null,
    requestId: trace.requestId,
    actor: trace.actor,
    details,
  })

/**
 * Makes a link, and writes an event about it.
 *
 * @throws Refusal `conflict`
 */
export const handOver = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  trace: Trace,
  parts: {
    readonly settings: Settings
    readonly store: Store
    readonly clock: Clock
    readonly random: Random
  } & { readonly key: SealingKey },
): Promise<HandedOver> => {
  checkUse(purpose, owner)
  const expiresAt = trace.at + handedLinkSeconds(purpose, parts.settings)
  const email = purpose === 'verify' ? owner.email : ''
  const link = issueLink(purpose, owner, { email, expiresAt, waits: false }, parts)
  await noteIssued(owner, { purpose }, trace, parts)
  return { purpose, link, expiresAt }
}

/** The language that the owner chose, or the one of the claim `locale`. */
const languageOf = ({ pages, claims }: Owner): string => {
  const told = claims.locale ?? ''
  return pages.language ?? (isLanguageTag(told) ? told : english.tag)
}

/**
 * Queues a mail with a link, and writes an event about it. The link is made when the mail is sent.
 *
 * @returns the address
 * @throws Refusal `conflict`, also where no mail is sent
 */
export const sendOver = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  trace: Trace,
  parts: {
    readonly settings: Settings
    readonly store: Store
    readonly clock: Clock
    readonly random: Random
  },
): Promise<string> => {
  checkUse(purpose, owner)
  if (!canMail(parts)) {
    throw conflict('no_mail', 'this service sends no mail: set LATCHKEY_SMTP, or pass the link on')
  }
  const { id: ownerId, email: about } = owner
  if (about === '') throw conflict('no_email', 'this owner has no email address')
  const language = languageOf(owner)
  const mail = { kind: purpose, ownerId, about, language, waits: false }
  await queueMail(mail, trace.at, parts)
  await noteIssued(owner, { purpose, by: 'mail' }, trace, parts)
  return about
}
