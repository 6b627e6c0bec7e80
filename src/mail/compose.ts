/**
 * Makes the mails of one request: finds out who is meant, seals the link, and writes text and simple
 * HTML. Neither loads anything from anywhere.
 */
import { featureWaiting } from '../features/waiting.ts'
import type { OwnerId } from '../model/ids.ts'
import { english, findLanguage, type Language, pickText } from '../model/language.ts'
import type { NewBrowser, QueuedMail } from '../model/mail.ts'
import type { Owner } from '../model/owner.ts'
import { normalizeName } from '../model/plain/line.ts'
import { ownerLimits } from '../owners/limits.ts'
import {
  deriveLinkId,
  getHandedLinkSeconds,
  issueLink,
  type LinkPurpose,
  linkSeconds,
} from '../owners/links.ts'
import { signUpMode } from '../owners/ways-in.ts'
import { html } from '../paper/markup.ts'
import { formatMoment } from '../paper/time.ts'
import { formatBrowser, sessionWords } from '../paper/words/sessions.ts'
import type { ServiceParts } from '../registries.ts'
import { mailWords } from './words.ts'

/** What a mail is about. `known`: the account that somebody asked for is there already. */
type MailSubject = Exclude<QueuedMail['kind'], 'forgot'> | 'known'

interface MailGiven {
  readonly subject: MailSubject
  readonly language: Language
  readonly service: string
  /** The colour of the operator on light pages. */
  readonly accent: string
  readonly username: string
  readonly url: string
  /** Whether an application waits in the browser that asked. */
  readonly waits: boolean
  /** Unix seconds; null where the link is one to a page of everybody's. */
  readonly expiresAt: number | null
  readonly login?: NewBrowser
}

interface RenderedMail {
  /** The name of the service, in the language of the mail. */
  readonly sender: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A header is one line, whatever a name holds. */
const joinLines = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** Such as `Firefox on Linux, network 192.0.2.*, 21 November 2026, 12:00 UTC`. */
const describeLogin = (login: NewBrowser, language: Language): string => {
  const words = sessionWords(language)
  const { at, network } = login
  const place = network === '' ? words.unknownNetwork : words.networkText({ network })
  const facts = [formatBrowser(login, words), place, formatMoment(at, language)]
  return facts.join(mailWords(language).separator)
}

/** Mail programs drop stylesheets, so each element has its own. Nothing in them is loaded. */
const styles = {
  body: 'margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1f2328;background:#ffffff',
  column: 'max-width:32em;margin:0 auto',
  brand: 'font-size:20px;font-weight:bold;color:',
  facts: 'padding:12px;background:#f3f4f6',
  button:
    'display:inline-block;padding:12px 20px;border-radius:6px;font-weight:bold;text-decoration:none;color:#ffffff;background:',
} as const

const renderMail = (given: MailGiven): RenderedMail => {
  const { language, service, accent, url, expiresAt, login } = given
  const all = mailWords(language)
  const words = all[given.subject]
  const username = normalizeName(given.username)
  const why = words.why({ service, username })
  const subject = joinLines(words.subject({ service }))
  const once = expiresAt === null ? null : all.once({ end: formatMoment(expiresAt, language) })
  const waits = given.waits ? all.waits : null
  const facts = login === undefined ? null : describeLogin(login, language)
  const action = `${words.action}:\n${url}`
  const paragraphs = [why, facts, action, waits, once, words.otherwise, service]
  const { lang, direction } = language
  const page = html`<!doctype html>
<html lang="${lang}" dir="${direction}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="${styles.body}">
<div style="${styles.column}">
<p style="${styles.brand}${accent}">${service}</p>
<p>${why}</p>
${facts === null ? null : html`<p style="${styles.facts}">${facts}</p>`}
<p><a href="${url}" style="${styles.button}${accent}">${words.action}</a></p>
${waits === null ? null : html`<p>${waits}</p>`}
${once === null ? null : html`<p>${once}</p>`}
<p>${words.otherwise}</p>
</div>
</body>
</html>
`
  const text = `${paragraphs.filter((one) => one !== null).join('\n\n')}\n`
  return { sender: joinLines(service), subject, text, html: page.toString() }
}

export interface OutgoingMail extends RenderedMail {
  readonly to: string
}

export interface ComposedMail extends OutgoingMail {
  readonly about: MailSubject
  readonly ownerId: OwnerId | null
}

export type ComposeParts = Pick<ServiceParts, 'settings' | 'languages' | 'store' | 'keyring'>

const openLetters = ({ settings, languages, keyring }: ComposeParts) => {
  const compose = (
    mail: QueuedMail,
    about: MailSubject,
    to: string,
    owner: Owner | null,
    link: Pick<MailGiven, 'url' | 'expiresAt' | 'login'>,
  ): ComposedMail => {
    const language = findLanguage(mail.language, languages) ?? english
    const service = pickText(settings.operatorName, language)
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
    index = 0,
  ): ComposedMail => {
    // The operator's link to a new password works as long as one that the operator hands over.
    const secondsOf = mail.kind === 'reset' ? getHandedLinkSeconds : linkSeconds
    const expiresAt = at + secondsOf(purpose, settings)
    const id = deriveLinkId(mail.id, index)
    const about = { id, email: to, expiresAt, waits: mail.waits }
    const given = { settings, key: keyring.current() }
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
    const ids = await store.listOwnersOfEmail(email, ownerLimits.linksOfMail)
    const found = await Promise.all(ids.map((id) => store.findOwner(id, any)))
    return found.filter((owner) => owner !== null)
  }
  /** A thief of a directory's token may have set the address, and a link would be the account. */
  const isMailable = async ({ id, email, emailVerified }: Owner): Promise<boolean> =>
    email !== '' && (emailVerified || !(await store.isKeptOwner(id)))
  /** Mails go to the stored address, never to the typed one: two spellings may be two mailboxes. */
  const forgot: ComposeMails = async (mail, at) => {
    const named = await store.findOwnerByName(mail.about)
    const owners = named === null ? await ownersOf(mail.about) : [named]
    const mailable = await Promise.all(owners.map(isMailable))
    return owners
      .filter((_, index) => mailable[index])
      .map((owner, index) => withLink(mail, 'reset', owner.email, owner, at, index))
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
      // This link leads to the guided page of the account, and so to the login.
      const which = login.session === undefined ? {} : { session: login.session }
      const query = new URLSearchParams({ why: 'not-me', ...which })
      const link = { url: `${issuer}/account/lost?${query}`, expiresAt: null, login }
      return [compose(mail, kind, login.to, owner, link)]
    }
    if (kind === 'asked') {
      const link = { url: issuer + about, expiresAt: null }
      const waiting = await Promise.all(featureWaiting.map((isOne) => isOne(store, owner.id, at)))
      return owner.emailVerified && waiting.includes(true)
        ? [compose(mail, kind, owner.email, owner, link)]
        : []
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
