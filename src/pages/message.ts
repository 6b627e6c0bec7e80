/** A neutral page that says one thing. */
import { renderLayout } from './layout.ts'
import { html } from './markup.ts'

export interface MessagePage {
  readonly base?: string
  readonly title: string
  readonly message: string
}

export const renderMessage = ({ base, title, message }: MessagePage): string =>
  renderLayout({
    title,
    base,
    main: html`<h1>${title}</h1>
<p>${message}</p>`,
  })
