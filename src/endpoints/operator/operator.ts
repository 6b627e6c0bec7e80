/** `/operator`: whoever has a code of `latchkey operator` is shown what mends refused requests. */
import { newSecret } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { setCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isSecure } from '../../owners/secure.ts'
import { csrfToken, findVisitor, loggedOut, type Visitor } from '../../owners/session.ts'
import { renderOperator } from '../../pages/operator.ts'
import type { Parts } from '../../parts.ts'
import { readOwnForm } from '../door/forms.ts'
import {
  openOperatorCode,
  operatorUntil,
  removeOperatorCookie,
  setOperatorCookie,
} from '../door/operator-view.ts'
import { refusedBy } from '../door/refused.ts'
import { answerSeeOther, showPage, viewOf } from '../door/view.ts'

const show = (
  reason: 'bad_operator_code' | null,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
): Answer => {
  const browser = visitor.browser ?? newSecret('', parts.random)
  const view = viewOf(exchange, parts)
  const html = renderOperator({
    view,
    csrf: csrfToken(loggedOut({ ...visitor, browser })),
    until: operatorUntil(exchange.request, exchange.at, parts),
    isRefused: reason !== null,
  })
  const cookies = visitor.browser === null ? [setCookie('browser', browser, isSecure(parts))] : []
  return refusedBy(reason, showPage(view, html, reason === null ? 200 : 403, cookies))
}

/** `GET /operator` */
export const showOperatorPage = async (exchange: Exchange, parts: Parts): Promise<Answer> =>
  show(null, await findVisitor(exchange, parts), exchange, parts)

/** Whether the code is right, and was not used before: it is used now. */
const takeCode = async (code: string, at: number, parts: Parts): Promise<boolean> => {
  const ceremony = await openOperatorCode(code, at, parts.keyring)
  return ceremony !== null && (await parts.store.finishCeremony(ceremony))
}

/** `POST /operator`: takes a code, or ends what one began. */
export const changeOperatorView = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, requestId, at } = exchange
  const visitor = await findVisitor(exchange, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const back = (cookie: string): Answer =>
    answerSeeOther('/operator', {}, exchange, parts, [cookie])
  if (form.find('action') === 'end') return back(removeOperatorCookie(parts))
  // Copied out of a terminal, a code may bring blanks along.
  if (!(await takeCode((form.find('code') ?? '').trim(), at, parts))) {
    return show('bad_operator_code', visitor, exchange, parts)
  }
  parts.tell({ level: 'info', message: 'operator is shown details', requestId })
  return back(setOperatorCookie(visitor.browser ?? '', at, parts))
}
