/** The page that posts an authorization response to the client (OAuth 2.0 Form Post Response Mode, section 2). */

import { allowMarkup, defineWords } from '../../../paper/catalog.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { renderLayout } from '../../../paper/layout.ts'
import { html } from '../../../paper/markup.ts'
import type { View } from '../../../paper/view.ts'

const formPostWords = defineWords('form-post', {
  title: 'Back to the application',
  heading: allowMarkup('Back to {client}'),
  where: allowMarkup('Press the button to go on to {host}.'),
  submit: 'Go on',
})

export interface FormPostPage {
  readonly view: View
  readonly clientName: string
  readonly redirectHost: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

export const renderFormPost = (page: FormPostPage): string => {
  const { view, clientName, redirectHost, action, fields } = page
  const words = formPostWords(view.language)
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.heading({ client: sayName(clientName) })}</h1>
<p>${words.where({ host: html`<strong>${redirectHost}</strong>` })}</p>
<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => hide(name, value))}
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>
<script src="${view.base}/assets/form-post.js"></script>`,
  })
}
