/** Every URL of the console. A further page is a row here. */
import type { RouteRow } from '../enter.ts'
import { clientRows } from './clients/client-rows.ts'
import { showFound } from './find.ts'
import { showOverview } from './overview/overview.ts'
import { ownerRows } from './owners/owner-rows.ts'
import { showRefusals } from './refusals/refusals.ts'
import { serviceRows } from './service/service-rows.ts'
import { lookUpToken, showTokenForm } from './token/token.ts'

export const consoleRows: readonly RouteRow[] = [
  ['GET', '/admin', showOverview, 'page', 'closed'],
  ['GET', '/admin/find', showFound, 'page', 'closed'],
  ['GET', '/admin/explain', showRefusals, 'page', 'closed'],
  ['GET', '/admin/token', showTokenForm, 'page', 'closed'],
  ['POST', '/admin/token', lookUpToken, 'page', 'closed'],
  ...clientRows,
  ...serviceRows,
  ...ownerRows,
]
