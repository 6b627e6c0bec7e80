/** `/operator`: with a code of `latchkey operator`, error pages show how to mend refused requests. */
import type { Answer } from '../../http/answer.ts'
import type { ServiceParts } from '../../registries.ts'
import { readOwnForm } from '../form.ts'
import { forBrowser } from '../former.ts'
import {
  openOperatorCode,
  operatorUntil,
  removeOperatorCookie,
  setOperatorCookie,
} from '../operator-view.ts'
import { answerSeeOther, showPage, type Visit } from '../visit.ts'
import { renderOperator } from './page.ts'

const show = (
  visit: Visit,
  reason: 'bad_operator_code' | null,
  parts: Pick<ServiceParts, 'keyring' | 'settings'>,
): Answer => {
  const { view, csrf, request, at } = visit
  const until = operatorUntil(request, at, parts)
  const html = renderOperator({ view, csrf, until, isRefused: reason !== null })
  return showPage(visit, html, { reason, status: reason === null ? 200 : 403 })
}

/** `GET /operator` */
export const showOperatorPage = forBrowser((visit, parts) => show(visit, null, parts))

/** Whether the code is right, and was not used before: it is used now. */
const takeCode = async (
  code: string,
  at: number,
  parts: Pick<ServiceParts, 'keyring' | 'store'>,
): Promise<boolean> => {
  const ceremony = await openOperatorCode(code, at, parts.keyring)
  return ceremony !== null && (await parts.store.finishCeremony(ceremony))
}

/** `POST /operator`: takes a code, or ends what one began. */
export const changeOperatorView = forBrowser(async (visit, parts) => {
  const { requestId, at } = visit
  const form = await readOwnForm(visit, parts)
  const back = (cookie: string): Answer => answerSeeOther(visit, '/operator', {}, [cookie])
  if (form.find('action') === 'end') return back(removeOperatorCookie(parts))
  // Copied out of a terminal, a code may bring blanks along.
  if (!(await takeCode((form.find('code') ?? '').trim(), at, parts))) {
    return show(visit, 'bad_operator_code', parts)
  }
  parts.tell({ level: 'info', message: 'operator is shown details', requestId })
  return back(setOperatorCookie(visit.browser, at, parts))
})
