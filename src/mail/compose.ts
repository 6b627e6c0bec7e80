/** Makes the mails of one request: finds out who is meant, and seals the link. */
import { linkLimits } from '../config/link-limits.ts'
import { mailLimits } from '../config/mail-limits.ts'
import type { OwnerId } from '../model/ids.ts'
import type { QueuedMail } from '../model/mail.ts'
import type { Owner } from '../model/owner.ts'
import { issueLink, type LinkPurpose } from '../owners/links.ts'
import { signUpMode } from '../owners/ways-in.ts'
import { type MailSubject, renderMail } from '../pages/mail.ts'
import type { Parts } from '../parts.ts'
import type { OutgoingMail } from './transport.ts'

/** A mail, and the account that it is about. */
export interface ComposedMail extends OutgoingMail {
  readonly about: MailSubject
  readonly ownerId: OwnerId | null
}

export type ComposeParts = Pick<Parts, 'settings' | 'store' | 'keyring' | 'random'>

type Composed = Promise<readonly ComposedMail[]>

const compose = (
  { language }: QueuedMail,
  about: MailSubject,
  to: string,
  owner: Owner | null,
  link: { readonly url: string; readonly expiresAt: number | null },
  { settings }: ComposeParts,
): ComposedMail => {
  const service = settings.operatorName[language]
  const given = { subject: about, language, service, username: owner?.username ?? '', ...link }
  return { ...renderMail(given), to, about, ownerId: owner?.id ?? null }
}

/** A mail with a link of its own. It is made when the mail is sent, so the store never has it. */
const withLink = (
  mail: QueuedMail,
  purpose: Exclude<LinkPurpose, 'invite'>,
  to: string,
  owner: Owner | null,
  at: number,
  parts: ComposeParts,
): ComposedMail => {
  const expiresAt = at + linkLimits.seconds[purpose]
  const proves = purpose === 'reset' ? '' : to
  const given = { ...parts, key: parts.keyring.current() }
  const url = `${issueLink(purpose, owner, proves, expiresAt, given)}&ui_locales=${mail.language}`
  return compose(mail, purpose, to, owner, { url, expiresAt }, parts)
}

/** The enabled owners of an address; `any`: the disabled ones, too. */
const ownersOf = async (
  email: string,
  { store }: ComposeParts,
  any?: 'disabled',
): Promise<readonly Owner[]> => {
  const ids = await store.listOwnersOfEmail(email, mailLimits.ownersOfAddress)
  const found = await Promise.all(ids.map((id) => store.findOwner(id, any)))
  return found.filter((owner) => owner !== null)
}

/** Mails go to the stored address, never to the typed one: two spellings may be two mailboxes. */
const forgot = async (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  const named = await parts.store.findOwnerByName(mail.about)
  const owners = named === null ? await ownersOf(mail.about, parts) : [named]
  return owners
    .filter(({ email }) => email !== '')
    .map((owner) => withLink(mail, 'reset', owner.email, owner, at, parts))
}

const signUp = async (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  if (signUpMode(parts) !== 'open') return []
  const { about: email } = mail
  const named = await parts.store.findOwnerByName(email)
  const [owner = named] = await ownersOf(email, parts, 'disabled')
  if (owner === null) return [withLink(mail, 'signup', email, null, at, parts)]
  // The address of an account may be another one by now than its name.
  if (owner.email === '') return []
  const link = { url: `${parts.settings.issuer}/login`, expiresAt: null }
  return [compose(mail, 'known', owner.email, owner, link, parts)]
}

const ofOwner = async (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  const owner = mail.ownerId === null ? null : await parts.store.findOwner(mail.ownerId)
  if (owner === null) return []
  if (mail.kind === 'verify') return [withLink(mail, 'verify', mail.about, owner, at, parts)]
  const link = { url: `${parts.settings.issuer}/account/password`, expiresAt: null }
  return [compose(mail, 'moving', mail.about, owner, link, parts)]
}

/** None where nobody is meant. Nobody outside learns which it was. */
export const composeMails = (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  if (mail.kind === 'forgot') return forgot(mail, at, parts)
  return mail.kind === 'signup' ? signUp(mail, at, parts) : ofOwner(mail, at, parts)
}
