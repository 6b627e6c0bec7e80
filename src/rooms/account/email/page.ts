/** The account page for the email address: confirm it, or ask for another one. */

import { hidden, named, renderField } from '../../../paper/fields.ts'
import { loginWords, waiting } from '../../../paper/login.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { emailWords } from './words.ts'

export type EmailProblem = 'bad' | 'same' | 'throttled'

export interface EmailPage extends AccountPageGiven {
  readonly email: string
  readonly isVerified: boolean
  /** What was typed before; '' at first. */
  readonly typed: string
  /** Whether links can be sent. */
  readonly canMail: boolean
  readonly problem: EmailProblem | null
  /** How long the next request has to wait; null = not at all. */
  readonly waitSeconds: number | null
  readonly notice?: string | null
}

const verifyForm = ({ view, csrf }: EmailPage): Markup =>
  html`<form method="post" action="${pageUrl(view, '/account/email')}">
${hidden('csrf', csrf)}
<p class="actions"><button type="submit" name="action" value="verify">${emailWords(view.language).verify}</button></p>
</form>`

const changeForm = (page: EmailPage, problem: string): Markup => {
  const { view, csrf, typed } = page
  const words = emailWords(view.language)
  return html`<form class="card" method="post" action="${pageUrl(view, '/account/email')}">
${hidden('csrf', csrf)}
${renderField({
  name: 'email',
  label: words.next,
  input: html`type="email" value="${typed}" autocomplete="email" required${problem === '' ? null : html` autofocus`}`,
  hint: words.effect,
  problem,
})}
<p class="actions"><button class="primary" type="submit" name="action" value="change">${words.change}</button></p>
</form>`
}

export const renderEmail = (page: EmailPage): string => {
  const { view, email, isVerified, canMail, waitSeconds } = page
  const words = emailWords(view.language)
  const wait = waitSeconds === null ? null : waiting(waitSeconds, loginWords(view.language))
  const said = page.problem && words.problem[page.problem]
  const problem = [said, wait].filter((sentence) => sentence !== null).join(' ')
  const isOpen = email !== '' && !isVerified && canMail
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    notice: page.notice ?? null,
    problem: canMail ? null : problem,
    main: html`<p>${email === '' ? words.none : words[isVerified ? 'confirmed' : 'unconfirmed']({ email: named(email) })}</p>
${isOpen ? verifyForm(page) : null}
${canMail ? changeForm(page, problem) : html`<p class="quiet">${words.off}</p>`}`,
  })
}
