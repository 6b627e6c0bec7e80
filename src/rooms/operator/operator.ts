/** `/operator`: with a code of `latchkey operator`, error pages show how to mend refused requests. */
import type { Answer } from '../../http/answer.ts'
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { hide, type PageWithForm, renderForm, renderSubmit, showAlert } from '../../paper/fields.ts'
import { renderTitled } from '../../paper/layout.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { sayMoment } from '../../paper/time.ts'
import type { ServiceParts } from '../../registries.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import {
  findOperatorEnd,
  openOperatorCode,
  removeOperatorCookie,
  setOperatorCookie,
} from '../operator-view.ts'
import type { Pages } from '../pages.ts'
import { answerSeeOther, showPage, type Visit } from '../visit.ts'

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

interface OperatorPage extends PageWithForm {
  /** Unix seconds; null where this browser is not the operator's. */
  readonly until: number | null
  readonly isRefused: boolean
}

const command: Markup = html`<code>latchkey operator</code>`

const renderCodeForm = (page: OperatorPage): Markup => {
  const words = operatorWords(page.view.language)
  const described = page.isRefused ? html` aria-describedby="problem"` : null
  const field = html`<label class="field"><span>${words.code}</span>
<input type="text" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus${described}></label>`
  return html`<p>${words.how({ command })}</p>
${showAlert(page.isRefused ? words.refused : null)}
${renderForm(page, '/operator', [field, renderSubmit(words.begin)])}`
}

const endForm = (page: OperatorPage, until: number): Markup => {
  const { language } = page.view
  const words = operatorWords(language)
  return html`<p class="notice">${words.until({ when: sayMoment(until, language) })}</p>
${renderForm(page, '/operator', [hide('action', 'end'), renderSubmit(words.end)])}`
}

export const renderOperator = (page: OperatorPage): string => {
  const { view, until } = page
  const words = operatorWords(view.language)
  return renderTitled(
    view,
    words.title,
    html`<p>${words.purpose}</p>
${until === null ? renderCodeForm(page) : endForm(page, until)}
<p class="quiet">${words.reference({ field: html`<code>requestId</code>` })}</p>`,
  )
}

export const openOperatorPage = (
  needs: Pick<ServiceParts, 'settings' | 'keyring' | 'store' | 'tell'>,
  { forBrowser, readForm }: Pages,
): readonly RouteRow[] => {
  const { keyring, store, tell } = needs

  const show = (visit: Visit, reason: 'bad_operator_code' | null = null): Answer => {
    const { view, csrf, request, at } = visit
    const until = findOperatorEnd(request, at, needs)
    const html = renderOperator({ view, csrf, until, isRefused: reason !== null })
    return showPage(visit, html, { reason, status: reason === null ? 200 : 403 })
  }

  /** Whether the code is right, and was not used before: it is used now. */
  const takeCode = async (code: string, at: number): Promise<boolean> => {
    const ceremony = await openOperatorCode(code, at, keyring)
    return ceremony !== null && (await store.finishCeremony(ceremony))
  }

  /** Takes a code, or ends what one began. */
  const change = forBrowser(async (visit) => {
    const { requestId, at } = visit
    const form = await readForm(visit)
    const back = (cookie: string): Answer => answerSeeOther(visit, '/operator', {}, [cookie])
    if (form.find('action') === 'end') return back(removeOperatorCookie(needs))
    // Copied out of a terminal, a code may bring blanks along.
    if (!(await takeCode((form.find('code') ?? '').trim(), at))) {
      return show(visit, 'bad_operator_code')
    }
    tell({ level: 'info', message: 'operator is shown details', requestId })
    return back(setOperatorCookie(visit.browser, at, needs))
  })

  const showForm = forBrowser((visit) => show(visit))
  return makeRows('/operator', showForm, change)
}
