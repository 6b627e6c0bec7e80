/** The ledger of one application, for the owner who allowed it, also for a while after that has ended. */
import { limits } from '../../config/limits.ts'
import type { ClientId } from '../../model/ids.ts'
import { loggedDays, type Use, wholeDays } from '../../model/use.ts'
import { csrfToken } from '../../owners/session.ts'
import { type LedgerLine, renderLedger } from '../../pages/ledger.ts'
import type { Parts } from '../../parts.ts'
import { forOwner } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { cursorOf, findLedger } from './find-ledger.ts'

/** The names of the APIs that asked, by their client ids; one that is gone is called by its id. */
const namesOf = async (
  uses: readonly Use[],
  { store }: Parts,
): Promise<ReadonlyMap<string, string>> => {
  const ids = uses.filter(({ action }) => action === 'check').map(({ resource }) => resource)
  const found = [...new Set(ids)].map(async (id) => {
    const client = await store.findClient(id as ClientId, 'disabled')
    return [id, client?.name ?? id] as const
  })
  return new Map(await Promise.all(found))
}

/** `GET /account/ledger?authorization=ID` */
export const showLedger = forOwner(async (visitor, exchange, parts) => {
  const { authorization, endedAt, before } = await findLedger(visitor, exchange, parts)
  const { at } = exchange
  const of = { authorizationId: authorization.id, ownerId: authorization.ownerId }
  const { store, settings } = parts
  const days = loggedDays(settings.accessLogSeconds, at)
  const list = (lines: number) => store.listUses(of, days, before, lines, at)
  const page = await list(limits.pageRows)
  // Where one page holds them all, so does one file.
  const file = page.next === null ? page : await list(limits.ledgerRows)
  const names = await namesOf(page.rows, parts)
  const view = viewOf(exchange, parts)
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return names.get(resource) ?? resource
    const known = settings.resources.find(({ name }) => name === resource)
    return known?.title[view.language] ?? resource
  }
  const html = renderLedger({
    view,
    csrf: csrfToken(visitor),
    owner: visitor.login.owner,
    ...authorization,
    endedAt,
    days: wholeDays(settings.accessLogSeconds),
    lines: page.rows.map((use): LedgerLine => ({ ...use, title: titleOf(use) })),
    before: cursorOf(before),
    next: cursorOf(page.next),
    nextFile: cursorOf(file.next),
  })
  return showPage(view, html)
})
