/** The page with the secret of an application that was just made: it is shown once. */
import type { Answer } from '../../../http/answer.ts'
import type { JsonRow } from '../../../operations/surface/said.ts'
import { sayName } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, getSubjectPath, renderFact, renderOnce } from '../frame.ts'
import type { ConsoleVisit } from '../visit.ts'
import { consoleClientsWords } from './words.ts'

export const renderNewSecret = (
  given: ConsolePageGiven,
  { id, name }: { readonly id: string; readonly name: string },
  secret: string,
): string => {
  const words = consoleClientsWords(given.view.language)
  return renderOnce(given, {
    part: 'clients',
    heading: words.newSecret({ client: sayName(name) }),
    title: words.secretHeading,
    shown: html`<dl class="facts">
${renderFact(words.id, html`<code>${id}</code>`)}
${renderFact(words.secretHeading, html`<code>${secret}</code>`)}</dl>`,
    copy: words.copy,
    back: [getSubjectPath('clients', id), words.back],
  })
}

/** A secret is shown once, in the answer to the form. */
export const showNewSecret = (said: JsonRow, visit: ConsoleVisit): Answer | null => {
  const { client_id: id, client_name: name, client_secret: secret } = said
  if (secret === undefined) return null
  const client = { id: String(id), name: String(name) }
  return showPage(visit, renderNewSecret(visit.given, client, String(secret)))
}
