/**
 * Links for people without a login: to choose a password, to accept an invitation, to prove an email
 * address. A link is a sealed statement with one purpose. The link holds for the state of its account,
 * ends by itself, and works once: each use inserts its id (`Ceremony`).
 */

import type { Settings } from '../config/settings.ts'
import { isLanguageTag } from '../config/texts.ts'
import { hashText, makeSecret } from '../crypto/digest.ts'
import {
  type Keyring,
  openInTime,
  readSealed,
  type SealedStatement,
  type SealingKey,
  seal,
} from '../crypto/seal.ts'
import { field, flag, number, record, text, type ValueOf, word } from '../model/codec/types.ts'
import type { Event } from '../model/event.ts'
import { isOwnerId, type MailId, makeId, type OwnerId } from '../model/ids.ts'
import { english } from '../model/language.ts'
import { findConsoleRole, type Owner } from '../model/owner.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Ceremony } from '../store/contract/factor.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { makeOwnerEvent } from '../store/trace.ts'
import { type MailParts, queueMail } from './ask-mail.ts'
import { ownerLimits } from './limits.ts'
import { canMail } from './ways-in.ts'

/** What a link is for. `verify` proves an address, which may be a new one. */
const purposes = ['reset', 'invite', 'verify', 'signup'] as const

export type LinkPurpose = (typeof purposes)[number]

/** How long a link of each purpose works once its mail was sent. */
export const linkSeconds = (purpose: LinkPurpose, { limits }: Pick<Settings, 'limits'>): number => {
  const { resetLinkSeconds, inviteLinkSeconds } = limits
  return {
    reset: resetLinkSeconds,
    invite: inviteLinkSeconds,
    verify: ownerLimits.verifySeconds,
    signup: ownerLimits.signUpSeconds,
  }[purpose]
}

/** One that the operator sends or hands over takes longer on its way. */
export const getHandedLinkSeconds = (
  purpose: LinkPurpose,
  settings: Pick<Settings, 'limits'>,
): number => (purpose === 'reset' ? ownerLimits.handedResetSeconds : linkSeconds(purpose, settings))

/** A link about an account that exists. */
export type OwnerLinkPurpose = Exclude<LinkPurpose, 'signup'>

const linkType = record({
  id: field(1, text()),
  purpose: field(2, word(purposes)),
  /** '' for an account that does not exist yet. */
  ownerId: field(3, text()),
  /** The address that its use proves; '' for none. */
  email: field(4, text()),
  /** Unix seconds. */
  expiresAt: field(5, number),
  /** Whether an application waits in the browser that asked for it. */
  waits: field(6, flag),
})

type Link = ValueOf<typeof linkType>

const statement: SealedStatement<Link> = { kind: 'lk_ln_', says: linkType }

/** The state of an account that its links hold for. */
type LinkedOwner = Pick<Owner, 'id' | 'email' | 'passwordHash' | 'roles'>

/**
 * Another password or address is another salt, so it ends every link from before. So does a role in the
 * console: whoever holds an earlier link was not allowed to make one for an operator.
 */
const deriveSalt = (owner: LinkedOwner | null): string => {
  if (owner === null) return hashText('link\n')
  const role = findConsoleRole(owner)
  const state = `${owner.id}\n${owner.email}\n${owner.passwordHash}`
  return hashText(`link\n${state}${role === null ? '' : `\n${role}`}`)
}

/** The URL of a link. The URL is built from the issuer, never from a request. */
const makeUrl = (purpose: LinkPurpose, sealed: string, { issuer }: { readonly issuer: string }) =>
  `${issuer}/${purpose}?link=${sealed}`

/**
 * The id of a link in a mail. The id follows from the mail, so whoever asked for the mail can use the
 * link up before it is made.
 *
 * @param index of the account, where several have the address
 */
export const deriveLinkId = (mail: MailId, index: number): string =>
  hashText(`link of mail\n${mail}\n${index}`)

interface LinkGiven {
  readonly key: SealingKey
  readonly settings: { readonly issuer: string }
}

/**
 * A new link, as a URL. The link is shown or sent once and never stored.
 *
 * @param owner null for `signup`
 */
export const issueLink = (
  purpose: LinkPurpose,
  owner: LinkedOwner | null,
  about: Pick<Link, 'id' | 'email' | 'expiresAt' | 'waits'>,
  { key, settings }: LinkGiven,
): string => {
  const said = { ...about, purpose, ownerId: owner?.id ?? '' }
  return makeUrl(purpose, seal(statement, key, deriveSalt(owner), said), settings)
}

/** A link that was opened. Its id makes it count once. */
export interface OpenedLink {
  readonly link: Ceremony
  readonly email: string
  /** Whether an application waits in the browser that asked for it. */
  readonly waits: boolean
}

export interface OpenedOwnerLink extends OpenedLink {
  readonly owner: Owner
}

/** Opens links. Nothing is used up: a link is opened by programs that look at mail, too. */
export const openLinks = (needs: { readonly store: Store; readonly keyring: Keyring }) => {
  const { store, keyring } = needs

  /** Null unless its seal holds, and it was neither used nor too late. */
  const open = async (
    purpose: LinkPurpose,
    given: string,
    owner: Owner | null,
    at: number,
  ): Promise<OpenedLink | null> => {
    const said = await openInTime(statement, given, deriveSalt(owner), at, keyring)
    if (said?.purpose !== purpose || (await store.isFinished(said.id))) return null
    const { id, email, expiresAt, waits } = said
    return { link: { id, expiresAt }, email, waits }
  }

  return {
    /** Null where it is for something else, too old, used, or from before a new password or address. */
    async openOwnerLink(
      purpose: OwnerLinkPurpose,
      given: string,
      at: number,
    ): Promise<OpenedOwnerLink | null> {
      if (given.length > parameterLimits.tokenCharacters) return null
      const said = readSealed(statement, given)?.says
      if (said?.purpose !== purpose || !isOwnerId(said.ownerId)) return null
      const owner = await store.findOwner(said.ownerId as OwnerId)
      if (owner === null) return null
      const opened = await open(purpose, given, owner, at)
      return opened && { ...opened, owner }
    },
    /** A link to make an account with the address that it was sent to. Null as for other links. */
    openSignUpLink: (given: string, at: number): Promise<OpenedLink | null> =>
      open('signup', given, null, at),
  }
}

/** A link for somebody, as the operator is shown it: once. */
interface HandedOver {
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
  parts: MailParts,
): Promise<void> =>
  parts.store.appendEvent(
    makeOwnerEvent('link.issued', owner.id, details, { ...trace, eventId: makeId(parts) }),
  )

/**
 * Makes a link, and writes an event about it.
 *
 * @throws Refusal `conflict`
 */
export const handOver = async (
  purpose: OwnerLinkPurpose,
  owner: Owner,
  trace: Trace,
  parts: MailParts & { readonly key: SealingKey },
): Promise<HandedOver> => {
  checkUse(purpose, owner)
  const expiresAt = trace.at + getHandedLinkSeconds(purpose, parts.settings)
  const email = purpose === 'verify' ? owner.email : ''
  const id = makeSecret('', parts.random)
  const link = issueLink(purpose, owner, { id, email, expiresAt, waits: false }, parts)
  await noteIssued(owner, { purpose }, trace, parts)
  return { purpose, link, expiresAt }
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
  parts: MailParts,
): Promise<string> => {
  checkUse(purpose, owner)
  if (!canMail(parts)) {
    throw conflict('no_mail', 'this service sends no mail: set LATCHKEY_SMTP, or pass the link on')
  }
  const { id: ownerId, email: about } = owner
  if (about === '') throw conflict('no_email', 'this owner has no email address')
  const { pages, claims } = owner
  // The language that the owner chose, or the one of the claim `locale`.
  const told = isLanguageTag(claims.locale ?? '') ? claims.locale : null
  const language = pages.language ?? told ?? english.tag
  const mail = { kind: purpose, ownerId, about, language, waits: false }
  await queueMail(mail, trace.at, parts)
  await noteIssued(owner, { purpose, by: 'mail' }, trace, parts)
  return about
}
