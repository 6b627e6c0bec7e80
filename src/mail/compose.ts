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

export interface ComposedMail extends OutgoingMail {
  readonly about: MailSubject
  readonly ownerId: OwnerId | null
}

export type ComposeParts = Pick<
  ServiceParts,
  'settings' | 'languages' | 'store' | 'keyring' | 'random'
>

const openLetters = ({ settings, languages, keyring, random }: ComposeParts) => {
  const compose = (
    mail: QueuedMail,
    about: MailSubject,
    to: string,
    owner: Owner | null,
    link: Pick<MailGiven, 'url' | 'expiresAt' | 'login'>,
  ): ComposedMail => {
    const language = findLanguage(mail.language, languages) ?? english
    const service = textIn(settings.operatorName, language)
    const username = owner?.username ?? ''
    const { accentColor: accent } = settings
    const { waits } = mail
    const given = { subject: about, language, service, accent, username, waits, ...link }
    return { ...renderMail(given), to, about, ownerId: owner?.id ?? null }
  }
  /** A mail with a link of its own. The link is made when the mail is sent, so the store never has it. */
  const withLink = (
    mail: QueuedMail,
    purpose: LinkPurpose,
    to: string,
    owner: Owner | null,
    at: number,
  ): ComposedMail => {
    // The operator's link to a new password works as long as one that the operator hands over.
    const secondsOf = mail.kind === 'reset' ? handedLinkSeconds : linkSeconds
    const expiresAt = at + secondsOf(purpose, settings)
    const about = { email: to, expiresAt, waits: mail.waits }
    const given = { settings, random, key: keyring.current() }
    const url = `${issueLink(purpose, owner, about, given)}&ui_locales=${mail.language}`
    return compose(mail, purpose, to, owner, { url, expiresAt })
  }
  return { compose, withLink }
}

/** Makes the mails of a request: none where nobody is meant. Nobody outside learns which it was. */
export type ComposeMails = (mail: QueuedMail, at: number) => Promise<readonly ComposedMail[]>

export const openComposer = (parts: ComposeParts): ComposeMails => {
  const { settings, store } = parts
  const { issuer } = settings
  const { compose, withLink } = openLetters(parts)
  /** The enabled owners of an address; `any`: the disabled ones, too. */
  const ownersOf = async (email: string, any?: 'disabled'): Promise<readonly Owner[]> => {
    const ids = await store.listOwnersOfEmail(email, mailLimits.ownersOfAddress)
    const found = await Promise.all(ids.map((id) => store.findOwner(id, any)))
    return found.filter((owner) => owner !== null)
  }
  /** Mails go to the stored address, never to the typed one: two spellings may be two mailboxes. */
  const forgot: ComposeMails = async (mail, at) => {
    const named = await store.findOwnerByName(mail.about)
    const owners = named === null ? await ownersOf(mail.about) : [named]
    return owners
      .filter(({ email }) => email !== '')
      .map((owner) => withLink(mail, 'reset', owner.email, owner, at))
  }
  const signUp: ComposeMails = async (mail, at) => {
    if (signUpMode(parts) !== 'open') return []
    const { about: email } = mail
    const named = await store.findOwnerByName(email)
    const [owner = named] = await ownersOf(email, 'disabled')
    if (owner === null) return [withLink(mail, 'signup', email, null, at)]
    // The address of an account may be another one by now than its name.
    if (owner.email === '') return []
    const link = { url: `${issuer}/login${mail.waits ? '?waits=1' : ''}`, expiresAt: null }
    return [compose(mail, 'known', owner.email, owner, link)]
  }
  const ofOwner: ComposeMails = async (mail, at) => {
    const { kind, ownerId, about } = mail
    const owner = ownerId === null ? null : await store.findOwner(ownerId)
    if (owner === null) return []
    if (kind === 'browser') {
      const login = JSON.parse(about) as NewBrowser
      // This link leads to a page of the account, and so to the login.
      const link = { url: `${issuer}/account/sessions`, expiresAt: null, login }
      return [compose(mail, kind, login.to, owner, link)]
    }
    if (kind === 'verify') return [withLink(mail, kind, about, owner, at)]
    if (kind === 'reset' || kind === 'invite') {
      const isUseful = owner.email !== '' && (kind === 'reset' || owner.passwordHash === '')
      return isUseful ? [withLink(mail, kind, owner.email, owner, at)] : []
    }
    const link = { url: `${issuer}/account/password`, expiresAt: null }
    return [compose(mail, 'moving', about, owner, link)]
  }
  return (mail, at) => {
    if (mail.kind === 'forgot') return forgot(mail, at)
    return mail.kind === 'signup' ? signUp(mail, at) : ofOwner(mail, at)
  }
}
