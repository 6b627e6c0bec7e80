/** The ledger of one application, for its owner. It stays for a while after the authorization ends. */
import { loggedDays, wholeDays } from '../../../model/use.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { forOwner } from '../../former.ts'
import { showPage } from '../../visit.ts'
import { accountLimits } from '../limits.ts'
import { cursorOf, findLedger } from './find.ts'
import { renderLedger } from './page.ts'
import { shownUses } from './shown-uses.ts'

/** `GET /account/ledger?authorization=ID` */
export const showLedger = forOwner(async (visit, parts) => {
  const { authorization, endedAt, before } = await findLedger(visit, parts)
  const { at, view, csrf } = visit
  const of = { authorizationId: authorization.id, ownerId: authorization.ownerId }
  const { store, settings } = parts
  const days = loggedDays(settings.accessLogSeconds, at)
  const list = (lines: number) => store.listUses(of, days, before, lines, at)
  const page = await list(parameterLimits.pageRows)
  // If one page holds them all, one file does too.
  const file = page.next === null ? page : await list(accountLimits.ledgerRows)
  const html = renderLedger({
    view,
    csrf,
    owner: visit.login.owner,
    ...authorization,
    endedAt,
    days: wholeDays(settings.accessLogSeconds),
    lines: await shownUses(page.rows, view.language, parts),
    before: cursorOf(before),
    next: cursorOf(page.next),
    nextFile: cursorOf(file.next),
  })
  return showPage(visit, html, { hasScript: true })
})
