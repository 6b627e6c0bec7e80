/** For an operator who logged in with one factor: the console needs two. */
import { ownerLine } from '../../paper/fields.ts'
import { renderTitled } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { consoleWords } from './words.ts'

export interface SecondFactorPage {
  readonly view: View
  readonly owner: { readonly username: string; readonly name: string }
  /** Whether the owner has a passkey or one-time codes already. */
  readonly hasFactor: boolean
  /** The name of the page of the console to go to. */
  readonly next: string
}

export const renderSecondFactor = ({ view, owner, hasFactor, next }: SecondFactorPage): string => {
  const words = consoleWords(view.language).secondFactor
  const again = pageUrl(view, '/login', { next, switch: '1' })
  const setUp = pageUrl(view, '/account/security')
  const [first, word] = hasFactor
    ? ([again, words.logInAgain] as const)
    : ([setUp, words.setUp] as const)
  return renderTitled(
    view,
    words.title,
    html`<p>${words.intro({ owner: ownerLine(owner) })}</p>
<p>${hasFactor ? words.how : words.none}</p>
<p class="actions"><a class="button primary" href="${first}">${word}</a></p>
${hasFactor ? null : html`<p class="after"><a href="${again}">${words.logInAgain}</a></p>`}`,
  )
}
