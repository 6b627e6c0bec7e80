/** The form for the name and the password of a directory: for a login, and to link an account. */
import { type PageWithForm, renderForm, renderSubmit, showAlert } from './fields.ts'
import { renderTitled } from './layout.ts'
import { type LoginProblem, loginWords, renderNameAndPassword, tellProblem } from './login.ts'
import { html, type Markup } from './markup.ts'
import { renderPasswordScript } from './proofs.ts'
import { secondStepWords } from './second-step.ts'
import { type UpstreamButton, upstreamWords } from './upstreams.ts'

export interface DirectoryPage extends PageWithForm {
  /** The heading and the button. */
  readonly purpose: 'logIn' | 'link' | 'confirm'
  readonly upstream: UpstreamButton
  readonly action: `/${string}`
  /** Hidden ones that the form carries. */
  readonly fields: Markup
  readonly username: string
  readonly problem: Extract<LoginProblem, 'wrong' | 'throttled' | `upstream${string}`> | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds: number | null
  readonly back: string
}

export const renderDirectoryForm = (page: DirectoryPage): string => {
  const { view, purpose, upstream, action, fields, username, problem, waitSeconds, back } = page
  const words = upstreamWords(view.language)
  const said = loginWords(view.language)
  const told = tellProblem(problem && said[problem], waitSeconds, view.language)
  const go = secondStepWords(view.language).confirmSubmit
  const submits = { logIn: said.submit, link: words.linkSubmit, confirm: go }
  const labels = {
    username: words.directoryUsername(upstream),
    password: words.directoryPassword(upstream),
  }
  const typed = renderNameAndPassword(view, {
    username,
    labels,
    problem: told ? ['problem'] : [],
  })
  return renderTitled(
    view,
    words[purpose]({ title: upstream.title }),
    html`${showAlert(told)}
${renderForm(page, action, [fields, typed, renderSubmit(submits[purpose])])}
<p class="after"><a href="${back}">${purpose === 'logIn' ? words.back : words.linkBack}</a></p>
${renderPasswordScript(view)}`,
  )
}
