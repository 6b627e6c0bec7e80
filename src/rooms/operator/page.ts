/** The page on which the operator begins, and ends, to be shown more of refused requests. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { alert, hidden } from '../../paper/fields.ts'
import { renderTitled } from '../../paper/layout.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { moment } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'

const operatorWords = defineWords('operator', {
  title: 'For the operator',
  purpose:
    'Refused requests are told to strangers in few words. The operator’s browser also shows the value received, the value expected, and a command as the remedy.',
  how: allowMarkup('Run {command} beside the service, and enter the printed code.'),
  refused: 'This code does not count: it is wrong, older than ten minutes, or was used before.',
  code: 'Code',
  begin: 'Show me more',
  until: allowMarkup('This browser is shown more until {when}.'),
  end: 'Show me no more',
  reference: allowMarkup(
    'The reference on a refused page is the {field} of that request in the log.',
  ),
})

interface OperatorPage {
  readonly view: View
  readonly csrf: string
  /** Unix seconds; null where this browser is not the operator's. */
  readonly until: number | null
  /** Whether a code was given that does not count. */
  readonly isRefused: boolean
}

const command: Markup = html`<code>latchkey operator</code>`

const codeForm = ({ view, csrf, isRefused }: OperatorPage): Markup => {
  const words = operatorWords(view.language)
  return html`<p>${words.how({ command })}</p>
${alert(isRefused ? words.refused : null)}
<form method="post" action="${pageUrl(view, '/operator')}">
${hidden('csrf', csrf)}
<label class="field"><span>${words.code}</span>
<input type="text" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus${isRefused ? html` aria-describedby="problem"` : null}></label>
<p class="actions"><button class="primary" type="submit">${words.begin}</button></p>
</form>`
}

const endForm = ({ view, csrf }: OperatorPage, until: number): Markup => {
  const words = operatorWords(view.language)
  return html`<p class="notice">${words.until({ when: moment(until, view.language) })}</p>
<form method="post" action="${pageUrl(view, '/operator')}">
${hidden('csrf', csrf)}
<p class="actions"><button class="primary" type="submit" name="action" value="end">${words.end}</button></p>
</form>`
}

export const renderOperator = (page: OperatorPage): string => {
  const { view, until } = page
  const words = operatorWords(view.language)
  return renderTitled(
    view,
    words.title,
    html`<p>${words.purpose}</p>
${until === null ? codeForm(page) : endForm(page, until)}
<p class="quiet">${words.reference({ field: html`<code>requestId</code>` })}</p>`,
  )
}
