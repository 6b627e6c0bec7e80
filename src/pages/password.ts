/** The page on which an owner chooses another password. */
import { limits } from '../config/limits.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden } from './fields.ts'
import { waiting } from './login.ts'
import { html, type Markup } from './markup.ts'
import { pageUrl } from './view.ts'
import { loginWords } from './words/login.ts'
import { passwordWords } from './words/password.ts'

export type PasswordProblem =
  | 'wrong'
  | 'length'
  | 'common'
  | 'names'
  | 'differ'
  | 'same'
  | 'throttled'

export interface PasswordPage extends AccountPageGiven {
  readonly leastCharacters: number
  readonly problem: PasswordProblem | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds: number | null
  readonly notice?: string | null
}

const field = (name: string, label: string, autocomplete: string, described: string): Markup =>
  html`<label class="field"><span>${label}</span>
<input type="password" name="${name}" autocomplete="${autocomplete}" required aria-describedby="${described}"></label>
`

export const renderPassword = (page: PasswordPage): string => {
  const { language } = page.view
  const words = passwordWords[language]
  const wait = page.waitSeconds === null ? null : waiting(page.waitSeconds, loginWords[language])
  const said = page.problem && words.problem[page.problem]
  const problem = [said, wait].filter((sentence) => sentence !== null).join(' ')
  const about = problem === '' ? 'rule' : 'rule problem'
  const { leastCharacters: least } = page
  const { passwordBytes: most } = limits
  return renderAccountPage(page, {
    part: 'password',
    heading: words.heading,
    notice: page.notice ?? null,
    problem,
    main: html`<form class="card" method="post" action="${pageUrl(page.view, '/account/password')}">
<p>${words.effect}</p>
${hidden('csrf', page.csrf)}
${field('password', words.old, 'current-password', about)}${field('new_password', words.next, 'new-password', about)}${field('new_password_again', words.again, 'new-password', about)}<p class="quiet" id="rule">${words.rule({ least, most })}</p>
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>`,
  })
}
