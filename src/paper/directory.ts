/** The form for the name and the password of a directory: for a login, and to link an account. */
import { alert } from './fields.ts'
import { renderTitled } from './layout.ts'
import { type LoginProblem, loginWords, renderNameAndPassword, waiting } from './login.ts'
import { html, type Markup } from './markup.ts'
import { passwordScript } from './proofs.ts'
import { secondStepWords } from './second-step.ts'
import { type UpstreamButton, upstreamWords } from './upstreams.ts'
import { pageUrl, type View } from './view.ts'

export interface DirectoryPage {
  readonly view: View
  /** The heading and the button. */
  readonly purpose: 'logIn' | 'link' | 'confirm'
  readonly upstream: UpstreamButton
  readonly action: `/${string}`
  /** The CSRF token, and others that the form carries. */
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
  const wait = waitSeconds === null ? null : waiting(waitSeconds, said)
  const told = [problem && said[problem], wait].filter((sentence) => sentence).join(' ')
  const go = secondStepWords(view.language).confirmSubmit
  const submits = { logIn: said.submit, link: words.linkSubmit, confirm: go }
  const heading = words[purpose]({ title: upstream.title })
  return renderTitled(
    view,
    heading,
    html`${alert(told)}
<form method="post" action="${pageUrl(view, action)}">
${fields}
${renderNameAndPassword(view, {
  username,
  labels: {
    username: words.directoryUsername(upstream),
    password: words.directoryPassword(upstream),
  },
  problem: told ? ['problem'] : [],
})}
<p class="actions"><button class="primary" type="submit">${submits[purpose]}</button></p>
</form>
<p class="after"><a href="${back}">${purpose === 'logIn' ? words.back : words.linkBack}</a></p>
${passwordScript(view)}`,
  )
}
