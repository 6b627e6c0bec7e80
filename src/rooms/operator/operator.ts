/** `/operator`: with a code of `latchkey operator`, error pages show how to mend refused requests. */
import type { Answer } from '../../http/answer.ts'
import type { ServiceParts } from '../../registries.ts'
import { formRows, type RouteRow } from '../../route.ts'
import {
  openOperatorCode,
  operatorUntil,
  removeOperatorCookie,
  setOperatorCookie,
} from '../operator-view.ts'
import type { Pages } from '../pages.ts'
import { answerSeeOther, showPage, type Visit } from '../visit.ts'
import { renderOperator } from './page.ts'

export const openOperatorPage = (
  needs: Pick<ServiceParts, 'settings' | 'keyring' | 'store' | 'tell'>,
  { forBrowser, readForm }: Pages,
): readonly RouteRow[] => {
  const { keyring, store, tell } = needs

  const show = (visit: Visit, reason: 'bad_operator_code' | null = null): Answer => {
    const { view, csrf, request, at } = visit
    const until = operatorUntil(request, at, needs)
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
  return formRows('/operator', showForm, change)
}
