/** A mail, as text and as simple HTML. Neither loads anything from anywhere. */
import type { Language } from '../model/language.ts'
import type { NewBrowser } from '../model/mail.ts'
import { html } from '../paper/markup.ts'
import { plainName } from '../paper/plain-text.ts'
import { momentText } from '../paper/time.ts'
import { browserName, sessionWords } from '../paper/words/sessions.ts'
import { mailWords } from './words.ts'

/** What a mail is about. `known`: the account that somebody asked for is there already. */
export type MailSubject = 'reset' | 'signup' | 'known' | 'verify' | 'moving' | 'browser' | 'invite'

export interface MailGiven {
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

export interface RenderedMail {
  /** The name of the service, in the language of the mail. */
  readonly sender: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A header is one line, whatever a name holds. */
const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** Such as `Firefox on Linux, network 192.0.2.*, 21 November 2026, 12:00 UTC`. */
const loginLine = (login: NewBrowser, language: Language): string => {
  const words = sessionWords(language)
  const { at, network } = login
  const place = network === '' ? words.unknownNetwork : words.networkText({ network })
  const facts = [browserName(login, words), place, momentText(at, language)]
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

export const renderMail = (given: MailGiven): RenderedMail => {
  const { language, service, accent, url, expiresAt, login } = given
  const all = mailWords(language)
  const words = all[given.subject]
  const username = plainName(given.username)
  const why = words.why({ service, username })
  const subject = oneLine(words.subject({ service }))
  const once = expiresAt === null ? null : all.once({ end: momentText(expiresAt, language) })
  const waits = given.waits ? all.waits : null
  const facts = login === undefined ? null : loginLine(login, language)
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
  return { sender: oneLine(service), subject, text, html: page.toString() }
}
