/** The ledger of one application, for the owner who allowed it, also for a while after that has ended. */
import { limits } from '../../config/limits.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { type AuthorizationId, type ClientId, isId } from '../../model/ids.ts'
import { loggedDays, type Use, wholeDays } from '../../model/use.ts'
import { csrfToken } from '../../owners/session.ts'
import { type LedgerLine, renderLedger } from '../../pages/ledger.ts'
import type { Parts } from '../../parts.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ListedAuthorization } from '../../store/store.ts'
import { forOwner, type SignedIn } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'

export interface Ledger {
  readonly authorization: ListedAuthorization
  /** Unix seconds; null while it lives. */
  readonly endedAt: number | null
  /** Where its lines are asked for from; null = the newest. */
  readonly before: string | null
}

/** Nobody is meant to read anything into where a page begins. */
export const cursorOf = (place: string | null): string | null =>
  place === null ? null : Buffer.from(place).toString('base64url')

const parsePlace = (cursor: string | null): string | null => {
  if (cursor === null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,7} \d{4} [\x20-\x7e]{1,400}$/.test(place) && cursorOf(place) === cursor) return place
  throw new Refusal('invalid_request', 'bad_cursor', 'before has to be the next of an earlier page')
}

/** When an access that lives no more has ended: one for a visit may have had a later end. */
export const endOf = ({ expiresAt }: ListedAuthorization, now: number): number =>
  Math.min(expiresAt ?? now, now)

/** What is not this owner's looks like what is not there. */
export const findLedger = async (
  { login }: SignedIn,
  { request, at }: Exchange,
  { store, uses }: Parts,
): Promise<Ledger> => {
  const query = queryOf(request)
  const id = query.require('authorization')
  const before = parsePlace(query.find('before'))
  // First, so that the last use that it tells is the last of its lines.
  await uses.catchUp()
  const find = async (of: { readonly ended?: true }) => {
    if (!isId(id)) return undefined
    const mine = { ownerId: login.owner.id, id: id as AuthorizationId, ...of }
    return (await store.listAuthorizations(mine, null, 1, at)).rows[0]
  }
  const living = await find({})
  const authorization = living ?? (await find({ ended: true }))
  if (authorization === undefined) {
    throw new Refusal('not_found', 'unknown_authorization', 'there is no such authorization')
  }
  return { authorization, endedAt: living ? null : endOf(authorization, at), before }
}

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
