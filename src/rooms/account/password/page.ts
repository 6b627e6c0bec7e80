/** The page on which an owner chooses another password. */

import { hidden } from '../../../paper/fields.ts'
import { loginWords, waiting } from '../../../paper/login.ts'
import { html } from '../../../paper/markup.ts'
import { passwordScript, renderPasswordField } from '../../../paper/password-field.ts'
import { pageUrl } from '../../../paper/view.ts'
import { passwordWords } from '../../../paper/words/password.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'

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

export const renderPassword = (page: PasswordPage): string => {
  const { view } = page
  const { language } = view
  const words = passwordWords(language)
  const wait = page.waitSeconds === null ? null : waiting(page.waitSeconds, loginWords(language))
  const said = page.problem && words.problem[page.problem]
  const problem = [said, wait].filter((sentence) => sentence !== null).join(' ')
  const describedBy = problem === '' ? [] : ['problem']
  const { leastCharacters: least } = page
  return renderAccountPage(page, {
    part: 'security',
    heading: words.heading,
    notice: page.notice ?? null,
    problem,
    main: html`<form class="card" method="post" action="${pageUrl(view, '/account/password')}">
<p>${words.effect}</p>
${hidden('csrf', page.csrf)}
${renderPasswordField(view, { name: 'password', label: words.old, kind: 'current-password', describedBy })}
${renderPasswordField(view, { name: 'new_password', label: words.next, kind: 'new-password', hint: words.rule({ least }), describedBy })}
${renderPasswordField(view, { name: 'new_password_again', label: words.again, kind: 'new-password', describedBy })}
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>
${passwordScript(view)}`,
  })
}
