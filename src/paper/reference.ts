/** The reference of a refused form, for whoever asks why. The error page has a line of its own. */
import { html } from './markup.ts'
import type { View } from './view.ts'
import { errorWords } from './words/error.ts'

/** A page has it once: text from elsewhere is escaped. */
const end = '</main>'

/** A page that shows a form again because of a refusal, with the reference at its end. */
export const withReference = (page: string, { requestId, language }: View): string => {
  const { reference } = errorWords(language)
  const line = html`<p class="quiet small reference">${reference} <code>${requestId}</code></p>`
  return page.replace(end, () => `${line}\n${end}`)
}
