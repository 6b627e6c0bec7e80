/** `/account/ended`: authorizations that ended lately, with links to their access logs. */
import { type Exchange, queryOf } from '../../../http/exchange.ts'
import { isId } from '../../../model/ids.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { forOwner } from '../../former.ts'
import { clientLogoPath } from '../../paths.ts'
import { showPage } from '../../visit.ts'
import { sumUpAllowed } from '../allowed.ts'
import { endOf } from '../ledger/find.ts'
import { renderEnded } from './page.ts'

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: Pick<Exchange, 'request'>): string | null => {
  const [place = null, id = ''] =
    /^\d{1,16}-(.{26})$/.exec(queryOf(request).find('after') ?? '') ?? []
  return isId(id) ? place : null
}

/** `GET /account/ended` */
export const showEnded = forOwner(async (visit, parts) => {
  const { store, resources } = parts
  const { at, view, csrf } = visit
  const { owner } = visit.login
  const page = await store.listAuthorizations(
    { ownerId: owner.id, ended: true },
    parsePlace(visit),
    parameterLimits.pageRowsDefault,
    at,
    'latest end first',
  )
  const accesses = page.rows.map((one) => ({
    ...one,
    endedAt: endOf(one, at),
    could: sumUpAllowed(one.permissions, view.language, resources).what,
    logoPath: clientLogoPath(one.clientId, one.clientLogo, parts),
  }))
  return showPage(visit, renderEnded({ view, csrf, owner, accesses, now: at, next: page.next }), {
    hasScript: true,
  })
})
