/** The ledger of one application, for the owner who allowed it: as a page, and to keep. */
import { limits } from '../config/limits.ts'
import { type Answer, answerJson, answerRedirect } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import type { AuthorizationId } from '../model/ids.ts'
import { type ClientId, isId } from '../model/ids.ts'
import { dayOf, type Use, type UseDay } from '../model/use.ts'
import { csrfToken, findVisitor, type Visitor } from '../owners/session.ts'
import { type LedgerLine, renderLedger } from '../pages/ledger.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { ListedAuthorization, Page } from '../store/store.ts'
import { basePath } from './paths.ts'
import { showPage, viewOf } from './view.ts'

interface Ledger {
  readonly authorization: ListedAuthorization
  readonly page: Page<Use>
}

/** Nobody is meant to read anything into where a page begins. */
const cursorOf = (place: string | null): string | null =>
  place === null ? null : Buffer.from(place).toString('base64url')

const parsePlace = (cursor: string | null): string | null => {
  if (cursor === null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,7} \d{4} [\x20-\x7e]{1,400}$/.test(place) && cursorOf(place) === cursor) return place
  throw new Refusal('invalid_request', 'bad_cursor', 'before has to be the next of an earlier page')
}

/** What is not this owner's looks like what is not there. */
const findLedger = async (
  { request, at }: Exchange,
  { owner }: NonNullable<Visitor['login']>,
  rows: number,
  { store, uses }: Parts,
): Promise<Ledger> => {
  const query = queryOf(request)
  const id = query.require('authorization') as AuthorizationId
  const before = parsePlace(query.find('before'))
  const mine = isId(id)
    ? await store.listAuthorizations({ ownerId: owner.id, id }, null, 1, at)
    : null
  const authorization = mine?.rows[0]
  if (authorization === undefined) {
    throw new Refusal('not_found', 'unknown_authorization', 'there is no such authorization')
  }
  await uses.flush()
  const of = { authorizationId: id, ownerId: owner.id }
  return { authorization, page: await store.listUses(of, before, rows, at) }
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
export const showLedger = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange.request, exchange.at, parts)
  if (visitor.login === null) return answerRedirect(`${basePath(parts)}/login`, 303)
  const { authorization, page } = await findLedger(exchange, visitor.login, limits.pageRows, parts)
  const names = await namesOf(page.rows, parts)
  const view = viewOf(exchange, parts)
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return names.get(resource) ?? resource
    const known = parts.settings.resources.find(({ name }) => name === resource)
    return known?.title[view.language] ?? resource
  }
  const html = renderLedger({
    view,
    csrf: csrfToken(visitor),
    owner: visitor.login.owner,
    id: authorization.id,
    clientName: authorization.clientName,
    lines: page.rows.map((use): LedgerLine => ({ ...use, title: titleOf(use) })),
    next: cursorOf(page.next),
  })
  return showPage(view, html)
}

const iso = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
const isoOrNull = (seconds: number | null): string | null =>
  seconds === null ? null : iso(seconds)

const describeDay = ({ day, ...counts }: UseDay) => ({
  day: iso(day * 86_400).slice(0, 10),
  ...counts,
})

const describeUse = (use: Use) => ({
  minute: iso(use.minute * 60),
  action: use.action,
  ...(use.action === 'check' ? { api: use.resource } : { resource: use.resource }),
  network: use.network === '' ? null : use.network,
  outcome: use.allowed ? 'allowed' : 'refused',
  count: use.uses,
  last_at: iso(use.lastAt),
})

/**
 * `GET /account/ledger.json?authorization=ID`: all of the ledger, so many entries at a time, `next`
 * being where the others are; and the counts of every day that is remembered.
 */
export const downloadLedger = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { at } = exchange
  const { settings, store } = parts
  const visitor = await findVisitor(exchange.request, at, parts)
  if (visitor.login === null) return answerRedirect(`${basePath(parts)}/login`, 303)
  const { authorization, page } = await findLedger(
    exchange,
    visitor.login,
    limits.ledgerRows,
    parts,
  )
  const { id, ownerId } = authorization
  const days = dayOf(settings.eventSeconds) + 1
  const counted = await store.countUses({ authorizationId: id, ownerId }, days, at)
  const next = cursorOf(page.next)
  return answerJson(
    {
      client_id: authorization.clientId,
      client_name: authorization.clientName,
      permissions: authorization.permissions,
      allowed_at: iso(authorization.createdAt),
      expires_at: isoOrNull(authorization.expiresAt),
      last_used_at: isoOrNull(authorization.lastUsedAt),
      taken_at: iso(at),
      days: counted.map(describeDay),
      entries: page.rows.map(describeUse),
      next:
        next === null
          ? null
          : `${settings.issuer}/account/ledger.json?authorization=${id}&before=${next}`,
    },
    200,
    { 'Content-Disposition': 'attachment; filename="ledger.json"' },
  )
}
