/** The page at the root. */
import { defineWords } from '../../paper/catalog.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'

const homeWords = defineWords('home', {
  title: 'Welcome',
  heading: 'Your data, your say',
  purpose: '{name} lets applications see what you allow, for as long as you allow it.',
  logIn: 'Log in',
  signUp: 'Create an account',
  forDevelopers: 'For developers',
})

interface HomePage {
  readonly view: View
  /** Whether people may make accounts themselves. */
  readonly isOpen: boolean
}

/** What programs learn about the service (RFC 8414 section 3). */
export const metadataPath = '/.well-known/oauth-authorization-server'

export const renderHome = ({ view, isOpen }: HomePage): string => {
  const words = homeWords(view.language)
  const signUp = html`<a class="button" href="${pageUrl(view, '/signup')}">${words.signUp}</a>`
  return renderLayout({
    view,
    title: words.title,
    width: 'front',
    main: html`<div class="poster alone"><div>
<h1>${words.heading}</h1>
<p class="lead">${words.purpose({ name: view.brand.name })}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/account')}">${words.logIn}</a>${isOpen ? signUp : null}</p>
</div></div>`,
    foot: html`<li><a href="${view.base}${metadataPath}">${words.forDevelopers}</a></li>
`,
  })
}
