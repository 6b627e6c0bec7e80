/** `/account/ended`: authorizations that ended lately, with links to their access logs. */
import { limits } from '../../config/limits.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { isId } from '../../model/ids.ts'
import type { Language } from '../../model/language.ts'
import type { Permissions } from '../../model/resource.ts'
import { renderEnded } from '../../pages/ended.ts'
import { cellsOf } from '../../pages/permission-table.ts'
import type { KnownResources } from '../../parts.ts'
import { showPage } from '../door/page.ts'
import { forOwner } from '../door/signed-in.ts'
import { aboutOf, rowsOf } from './applications.ts'
import { endOf } from './find-ledger.ts'

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: Pick<Exchange, 'request'>): string | null => {
  const [place = null, id = ''] =
    /^\d{1,16}-(.{26})$/.exec(queryOf(request).find('after') ?? '') ?? []
  return isId(id) ? place : null
}

/** The permissions at its end, in plain words. */
const couldDo = (
  permissions: Permissions,
  language: Language,
  resources: KnownResources,
): readonly string[] =>
  [
    ...rowsOf(permissions, language, resources.list()).flatMap(cellsOf),
    ...aboutOf(permissions, language, resources.words).map(({ cell }) => cell),
  ].map(({ text }) => text)

/** `GET /account/ended` */
export const showEnded = forOwner(async (visit, { store, resources }) => {
  const { at, view, csrf } = visit
  const { owner } = visit.login
  const page = await store.listAuthorizations(
    { ownerId: owner.id, ended: true },
    parsePlace(visit),
    limits.pageRowsDefault,
    at,
    'latest end first',
  )
  const accesses = page.rows.map((one) => ({
    ...one,
    endedAt: endOf(one, at),
    could: couldDo(one.permissions, view.language, resources),
  }))
  return showPage(visit, renderEnded({ view, csrf, owner, accesses, next: page.next }))
})
