/** Makes the mails of one request: finds out who is meant, and seals the link. */
import { findLanguage } from '../http/language.ts'
import type { OwnerId } from '../model/ids.ts'
import { english, textIn } from '../model/language.ts'
import type { NewBrowser, QueuedMail } from '../model/mail.ts'
import type { Owner } from '../model/owner.ts'
import { handedLinkSeconds, issueLink, type LinkPurpose, linkSeconds } from '../owners/links.ts'
import { signUpMode } from '../owners/ways-in.ts'
import type { ServiceParts } from '../registries.ts'
import { type MailGiven, type MailSubject, renderMail } from './letters.ts'
import { mailLimits } from './limits.ts'
import type { OutgoingMail } from './smtp.ts'

/** A mail, and the account that it is about. */
export interface ComposedMail extends OutgoingMail {
  readonly about: MailSubject
  readonly ownerId: OwnerId | null
}

export type ComposeParts = Pick<
  ServiceParts,
  'settings' | 'languages' | 'store' | 'keyring' | 'random'
>

type Composed = Promise<readonly ComposedMail[]>

const compose = (
  mail: QueuedMail,
  about: MailSubject,
  to: string,
  owner: Owner | null,
  link: Pick<MailGiven, 'url' | 'expiresAt' | 'login'>,
  { settings, languages }: ComposeParts,
): ComposedMail => {
  const language = findLanguage(mail.language, languages) ?? english
  const service = textIn(settings.operatorName, language)
  const username = owner?.username ?? ''
  const { accentColor: accent } = settings
  const { waits } = mail
  const given = { subject: about, language, service, accent, username, waits, ...link }
  return { ...renderMail(given), to, about, ownerId: owner?.id ?? null }
}

/** The operator's link to a new password works as long as one that the operator hands over. */
const spanOf = (
  { kind }: QueuedMail,
  purpose: LinkPurpose,
  { settings }: Pick<ComposeParts, 'settings'>,
): number =>
  kind === 'reset' ? handedLinkSeconds(purpose, settings) : linkSeconds(purpose, settings)

/** A mail with a link of its own. It is made when the mail is sent, so the store never has it. */
const withLink = (
  mail: QueuedMail,
  purpose: LinkPurpose,
  to: string,
  owner: Owner | null,
  at: number,
  parts: ComposeParts,
): ComposedMail => {
  const expiresAt = at + spanOf(mail, purpose, parts)
  const about = { email: to, expiresAt, waits: mail.waits }
  const given = { ...parts, key: parts.keyring.current() }
  const url = `${issueLink(purpose, owner, about, given)}&ui_locales=${mail.language}`
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
  const query = mail.waits ? '?waits=1' : ''
  const link = { url: `${parts.settings.issuer}/login${query}`, expiresAt: null }
  return [compose(mail, 'known', owner.email, owner, link, parts)]
}

/** Its link leads to a page of the account, and so to the login. */
const ofNewBrowser = (mail: QueuedMail, owner: Owner, parts: ComposeParts): ComposedMail => {
  const login = JSON.parse(mail.about) as NewBrowser
  const link = { url: `${parts.settings.issuer}/account/sessions`, expiresAt: null, login }
  return compose(mail, 'browser', login.to, owner, link, parts)
}

const ofOwner = async (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  const owner = mail.ownerId === null ? null : await parts.store.findOwner(mail.ownerId)
  if (owner === null) return []
  const { kind } = mail
  if (kind === 'browser') return [ofNewBrowser(mail, owner, parts)]
  if (kind === 'verify') return [withLink(mail, kind, mail.about, owner, at, parts)]
  if (kind === 'reset' || kind === 'invite') {
    const isUseful = owner.email !== '' && (kind === 'reset' || owner.passwordHash === '')
    return isUseful ? [withLink(mail, kind, owner.email, owner, at, parts)] : []
  }
  const link = { url: `${parts.settings.issuer}/account/password`, expiresAt: null }
  return [compose(mail, 'moving', mail.about, owner, link, parts)]
}

/** None where nobody is meant. Nobody outside learns which it was. */
export const composeMails = (mail: QueuedMail, at: number, parts: ComposeParts): Composed => {
  if (mail.kind === 'forgot') return forgot(mail, at, parts)
  return mail.kind === 'signup' ? signUp(mail, at, parts) : ofOwner(mail, at, parts)
}
