/** The account page for the email address: confirm it, or ask for another one. */
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden, named } from './fields.ts'
import { waiting } from './login.ts'
import { html, type Markup } from './markup.ts'
import { pageUrl } from './view.ts'
import { emailWords } from './words/email.ts'
import { loginWords } from './words/login.ts'

export type EmailProblem = 'bad' | 'same' | 'throttled'

export interface EmailPage extends AccountPageGiven {
  readonly email: string
  readonly isVerified: boolean
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
<p class="actions"><button type="submit" name="action" value="verify">${emailWords[view.language].verify}</button></p>
</form>`

const changeForm = ({ view, csrf }: EmailPage): Markup => {
  const words = emailWords[view.language]
  return html`<form class="card" method="post" action="${pageUrl(view, '/account/email')}">
${hidden('csrf', csrf)}
<label class="field"><span>${words.next}</span>
<input type="email" name="email" autocomplete="email" required aria-describedby="effect"></label>
<p class="quiet" id="effect">${words.effect}</p>
<p class="actions"><button class="primary" type="submit" name="action" value="change">${words.change}</button></p>
</form>`
}

export const renderEmail = (page: EmailPage): string => {
  const { view, email, isVerified, canMail, problem, waitSeconds } = page
  const words = emailWords[view.language]
  const wait = waitSeconds === null ? null : waiting(waitSeconds, loginWords[view.language])
  const said = problem && words.problem[problem]
  const isOpen = email !== '' && !isVerified && canMail
  return renderAccountPage(page, {
    part: 'email',
    heading: words.heading,
    notice: page.notice ?? null,
    problem: [said, wait].filter((sentence) => sentence !== null).join(' '),
    main: html`<p>${email === '' ? words.none : words.is({ email: named(email), isVerified })}</p>
${isOpen ? verifyForm(page) : null}
${canMail ? changeForm(page) : html`<p class="quiet">${words.off}</p>`}`,
  })
}
