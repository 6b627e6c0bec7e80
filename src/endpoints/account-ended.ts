/** `/account/ended`: what has ended lately, to look back at what was done with it. */
import { limits } from '../config/limits.ts'
import { csrfToken } from '../owners/session.ts'
import { renderEnded } from '../pages/ended.ts'
import { endOf } from './ledger.ts'
import { forOwner, parseCursor } from './signed-in.ts'
import { showPage, viewOf } from './view.ts'

/** `GET /account/ended` */
export const showEnded = forOwner(async (visitor, exchange, parts) => {
  const { at } = exchange
  const { owner } = visitor.login
  const of = { ownerId: owner.id, ended: true } as const
  const after = parseCursor(exchange, 'after')
  const order = 'newest first'
  const page = await parts.store.listAuthorizations(of, after, limits.pageRowsDefault, at, order)
  const view = viewOf(exchange, parts)
  const html = renderEnded({
    view,
    csrf: csrfToken(visitor),
    owner,
    accesses: page.rows.map((one) => ({ ...one, endedAt: endOf(one, at) })),
    next: page.next,
  })
  return showPage(view, html)
})
