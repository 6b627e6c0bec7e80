/** A mail, as text and as simple HTML. Neither loads anything from anywhere. */
import { type Language, languages } from '../model/language.ts'
import { html } from './markup.ts'
import { plainName } from './plain-text.ts'
import { momentText } from './time.ts'
import { mailWords } from './words/mails.ts'

/** What a mail is about. `known`: the account that somebody asked for is there already. */
export type MailSubject = 'reset' | 'signup' | 'known' | 'verify' | 'moving'

export interface MailGiven {
  readonly subject: MailSubject
  readonly language: Language
  readonly service: string
  readonly username: string
  readonly url: string
  /** Unix seconds; null where the link is one to a page of everybody's. */
  readonly expiresAt: number | null
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A header is one line, whatever a name holds. */
const oneLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export const renderMail = (given: MailGiven): RenderedMail => {
  const { language, service, url, expiresAt } = given
  const all = mailWords[language]
  const words = all[given.subject]
  const username = plainName(given.username)
  const why = words.why({ service, username })
  const subject = oneLine(words.subject({ service }))
  const once = expiresAt === null ? null : all.once({ end: momentText(expiresAt, language) })
  const paragraphs = [why, `${words.action}:\n${url}`, once, words.otherwise, service]
  const { tag, direction } = languages[language]
  const page = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
<p>${why}</p>
<p><a href="${url}">${words.action}</a></p>
${once === null ? null : html`<p>${once}</p>`}
<p>${words.otherwise}</p>
<p>${service}</p>
</body>
</html>
`
  const text = `${paragraphs.filter((one) => one !== null).join('\n\n')}\n`
  return { subject, text, html: page.toString() }
}
