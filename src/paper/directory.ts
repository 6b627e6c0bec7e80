/** The form for the name and the password of a directory: for a login, and to link an account. */
import { alert, renderField } from './fields.ts'
import { renderLayout } from './layout.ts'
import { loginWords, waiting } from './login.ts'
import { html, type Markup } from './markup.ts'
import { passwordScript, renderPasswordField } from './password-field.ts'
import { secondStepWords } from './second-step.ts'
import { type UpstreamButton, upstreamWords } from './upstreams.ts'
import { pageUrl, type View } from './view.ts'

type Problem =
  | 'wrong'
  | 'throttled'
  | 'upstreamDown'
  | 'upstreamWrong'
  | 'upstreamRefused'
  | 'upstreamStale'

export interface DirectoryPage {
  readonly view: View
  /** The heading and the button. */
  readonly purpose: 'logIn' | 'link' | 'confirm'
  readonly upstream: UpstreamButton
  readonly action: `/${string}`
  /** The CSRF token, and others that the form carries. */
  readonly fields: Markup
  readonly username: string
  readonly problem: Problem | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds: number | null
  readonly back: string
}

/** @param above ids of the texts above the form: the focus skips them */
const renderDirectoryFields = (
  { view, upstream }: Pick<DirectoryPage, 'view' | 'upstream'>,
  username: string,
  above: readonly string[],
): Markup => {
  const words = upstreamWords(view.language)
  const { title } = upstream
  return html`${renderField({
    name: 'username',
    label: words.directoryUsername({ title }),
    input: html`type="text" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username ? null : html` autofocus`}`,
    describedBy: above,
  })}
${renderPasswordField(view, {
  name: 'password',
  label: words.directoryPassword({ title }),
  kind: 'current-password',
  isFocused: username !== '',
  describedBy: above,
})}`
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
  return renderLayout({
    view,
    title: heading,
    main: html`<h1>${heading}</h1>
${alert(told)}
<form method="post" action="${pageUrl(view, action)}">
${fields}
${renderDirectoryFields(page, username, told ? ['problem'] : [])}
<p class="actions"><button class="primary" type="submit">${submits[purpose]}</button></p>
</form>
<p class="after"><a href="${back}">${purpose === 'logIn' ? words.back : words.linkBack}</a></p>
${passwordScript(view)}`,
  })
}
