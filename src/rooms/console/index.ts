/** Every URL of the console. A further page is a row here. */
import { type FormerRow, page } from '../../route.ts'
import { clientRows } from './clients/client-rows.ts'
import { showFound } from './find.ts'
import { showOverview } from './overview/overview.ts'
import { ownerRows } from './owners/owner-rows.ts'
import { showRefusals } from './refusals/refusals.ts'
import { serviceRows } from './service/service-rows.ts'
import { lookUpToken, showTokenForm } from './token/token.ts'

export const consoleRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/admin', handler: showOverview },
  { ...page, method: 'GET', path: '/admin/find', handler: showFound },
  { ...page, method: 'GET', path: '/admin/explain', handler: showRefusals },
  { ...page, method: 'GET', path: '/admin/token', handler: showTokenForm },
  { ...page, method: 'POST', path: '/admin/token', handler: lookUpToken },
  ...clientRows,
  ...serviceRows,
  ...ownerRows,
]
