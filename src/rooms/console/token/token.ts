/** `/admin/token`: what a pasted token is. It comes in the body, and nothing of it is kept. */

import { readOwnForm } from '../../form.ts'
import { showPage } from '../../visit.ts'
import { consolePage } from '../visit.ts'
import { renderToken } from './token-page.ts'

export const showTokenForm = consolePage((visit) =>
  showPage(visit, renderToken(visit.given, null), { hasScript: true }),
)

/** It changes nothing, so auditors may do it, too. */
export const lookUpToken = consolePage(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const inspected = await parts.tokens.inspect(form.find('token') ?? '', visit.at)
  return showPage(visit, renderToken(visit.given, inspected), { hasScript: true })
})
