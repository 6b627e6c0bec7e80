/** `/account/ended`: what has ended lately, to look back at what was done with it. */
import { limits } from '../../config/limits.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { isId } from '../../model/ids.ts'
import type { Language } from '../../model/language.ts'
import type { Permissions } from '../../model/resource.ts'
import { csrfToken } from '../../owners/session.ts'
import { renderEnded } from '../../pages/ended.ts'
import type { Parts } from '../../parts.ts'
import { forOwner } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { rowsOf } from './applications.ts'
import { endOf } from './find-ledger.ts'

/** Where the list goes on: an end and an id, as an earlier page named them, or its beginning. */
const parsePlace = ({ request }: Exchange): string | null => {
  const [place = null, id = ''] =
    /^\d{1,16}-(.{26})$/.exec(queryOf(request).find('after') ?? '') ?? []
  return isId(id) ? place : null
}

/** What it could do at its end, in plain words. */
const couldDo = (permissions: Permissions, language: Language, parts: Parts): readonly string[] =>
  rowsOf(permissions, language, parts)
    .flatMap(({ read, write }) => [read, write])
    .flatMap((cell) => (cell === null ? [] : [cell.text]))

/** `GET /account/ended` */
export const showEnded = forOwner(async (visitor, exchange, parts) => {
  const { at } = exchange
  const { owner } = visitor.login
  const page = await parts.store.listAuthorizations(
    { ownerId: owner.id, ended: true },
    parsePlace(exchange),
    limits.pageRowsDefault,
    at,
    'latest end first',
  )
  const view = viewOf(exchange, parts)
  const html = renderEnded({
    view,
    csrf: csrfToken(visitor),
    owner,
    accesses: page.rows.map((one) => ({
      ...one,
      endedAt: endOf(one, at),
      could: couldDo(one.permissions, view.language, parts),
    })),
    next: page.next,
  })
  return showPage(view, html)
})
