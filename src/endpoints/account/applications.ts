/** The list of applications that an owner allowed, and what was just done about one. */
import { resourceOf } from '../../access/permission.ts'
import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { ClientId, OwnerId } from '../../model/ids.ts'
import type { Language } from '../../model/language.ts'
import type { Permission, Permissions } from '../../model/resource.ts'
import { wholeDays } from '../../model/use.ts'
import { csrfToken } from '../../owners/session.ts'
import { type AccountDone, type DoneToAccess, renderAccount } from '../../pages/account.ts'
import type { CardGiven } from '../../pages/application-card.ts'
import type { Parts } from '../../parts.ts'
import type { ListedAuthorization, Page } from '../../store/store.ts'
import { doneOf, parseCursor, type SignedIn } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { choosableDays, dayOfEnd } from './new-end.ts'

/** What the permissions let an application do, resource by resource. */
export const rowsOf = (permissions: Permissions, language: Language, { settings }: Parts) => {
  const has = (name: string, action: 'read' | 'write', text: string) => {
    const permission: Permission = `${name}:${action}`
    return permissions.includes(permission) ? { permission, text } : null
  }
  const touched = new Set(permissions.map(resourceOf))
  return settings.resources
    .filter(({ name }) => touched.has(name))
    .map(({ name, title, read, write }) => ({
      resource: name,
      title: title[language],
      read: has(name, 'read', read[language]),
      write: has(name, 'write', write[language]),
    }))
}

/** Whether a client has more than so many accesses: others may be on another page of the list. */
const hasMore = async (
  than: number,
  clientId: ClientId,
  ownerId: OwnerId,
  at: number,
  { store }: Parts,
): Promise<boolean> => {
  const page = await store.listAuthorizations({ ownerId, clientId }, null, than + 1, at)
  return page.rows.length > than
}

/** The clients of a page that have several accesses: the store is asked only where there are more pages. */
const severalOf = async (
  { rows }: Page<ListedAuthorization>,
  isWhole: boolean,
  ownerId: OwnerId,
  at: number,
  parts: Parts,
): Promise<ReadonlySet<ClientId>> => {
  const found = [...Map.groupBy(rows, ({ clientId }) => clientId)].map(async ([id, accesses]) => {
    const isSeveral =
      accesses.length > 1 || (!isWhole && (await hasMore(1, id, ownerId, at, parts)))
    return isSeveral ? [id] : []
  })
  return new Set((await Promise.all(found)).flat())
}

/** How many accesses an application has left where the one that this was done to was its only one. */
const leaves: Readonly<Record<DoneToAccess, number>> = { narrowed: 1, until: 1, ended: 0, gone: 0 }

const accountDone = async (
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<AccountDone | null> => {
  const done = doneOf(exchange, visitor)
  if (done === null || !Object.hasOwn(leaves, done.what)) return null
  const what = done.what as DoneToAccess
  if (done.clientId === null) return { what, clientName: null, hasOthers: false }
  const { owner } = visitor.login
  const client = await parts.store.findClient(done.clientId, 'disabled')
  const hasOthers = await hasMore(leaves[what], done.clientId, owner.id, exchange.at, parts)
  return { what, clientName: client?.name ?? null, hasOthers }
}

/** An owner's list from where an earlier page ended; from its beginning where nothing is left there. */
const listFor = async (ownerId: OwnerId, exchange: Exchange, { store }: Parts) => {
  const list = (after: string | null) =>
    store.listAuthorizations({ ownerId }, after, limits.pageRows, exchange.at, 'newest first')
  const after = parseCursor(exchange, 'after')
  const page = await list(after)
  return after === null || page.rows.length > 0
    ? { ...page, after }
    : { ...(await list(null)), after: null }
}

/** @param badEnd the end that was asked for, where it can be none */
export const showApplications = async (
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  badEnd: CardGiven['badEnd'],
): Promise<Answer> => {
  const { at } = exchange
  const { owner } = visitor.login
  const { store, settings } = parts
  const drawnDays = Math.min(limits.useDays, wholeDays(settings.accessLogSeconds))
  const page = await listFor(owner.id, exchange, parts)
  const counted = await Promise.all(
    page.rows.map(({ id: authorizationId, ownerId }) =>
      store.countUses({ authorizationId, ownerId }, drawnDays, at),
    ),
  )
  const isWhole = page.after === null && page.next === null
  const several = await severalOf(page, isWhole, owner.id, at, parts)
  const view = viewOf(exchange, parts)
  const html = renderAccount({
    view,
    csrf: csrfToken(visitor),
    owner,
    authorizations: page.rows.map((authorization, i) => ({
      ...authorization,
      counted: counted[i] ?? [],
      hasOthers: several.has(authorization.clientId),
      lastDay: dayOfEnd(authorization.expiresAt),
      rows: rowsOf(authorization.permissions, view.language, parts),
    })),
    days: choosableDays(at),
    drawnDays,
    now: at,
    done: badEnd === null ? await accountDone(visitor, exchange, parts) : null,
    badEnd,
    after: page.after ?? '',
    next: page.next,
  })
  return showPage(view, html, badEnd === null ? 200 : 400)
}
