/** The page at the root. */
import { defineWords } from '../../paper/catalog.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'

const homeWords = defineWords('home', {
  title: 'Welcome',
  heading: 'Give access, keep your password',
  purpose: '{name} lets you allow applications access to your data, and end it at any time.',
  account: 'Your account',
  forApplications: 'For applications:',
})

interface HomePage {
  readonly view: View
  readonly issuer: string
}

export const metadataPath = '/.well-known/oauth-authorization-server'

export const renderHome = ({ view, issuer }: HomePage): string => {
  const words = homeWords(view.language)
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.heading}</h1>
<p>${words.purpose({ name: view.brand.name })}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/account')}">${words.account}</a></p>
<p class="after quiet small">${words.forApplications} <code>${issuer}${metadataPath}</code></p>`,
  })
}
