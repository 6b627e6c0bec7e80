/** The list of applications with access, and a notice of the last change. */

import { permissionsIn, resourceOf, wordsIn } from '../../access/permission.ts'
import { findClient } from '../../clients/find.ts'
import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { ClientId, OwnerId } from '../../model/ids.ts'
import type { Language, Text } from '../../model/language.ts'
import type { Permission, Permissions, Resource } from '../../model/resource.ts'
import { shownWords } from '../../model/scope-word.ts'
import { wholeDays } from '../../model/use.ts'
import { type AccountDone, type DoneToAccess, renderAccount } from '../../pages/account.ts'
import type { CardGiven } from '../../pages/application-card.ts'
import { aboutWords } from '../../pages/words/about.ts'
import type { Parts } from '../../parts.ts'
import type { ListedAuthorization, Page } from '../../store/store.ts'
import { showPage } from '../door/page.ts'
import { doneOf, type OwnerVisit, parseCursor } from '../door/signed-in.ts'
import { choosableDays, dayOfEnd } from './new-end.ts'

/** What the permissions let an application do, resource by resource. */
export const rowsOf = (
  permissions: Permissions,
  language: Language,
  resources: readonly Resource[],
) => {
  const cellOf = ({ name, destructive }: Resource, action: string, words: Text) => {
    const permission: Permission = `${name}:${action}`
    if (!permissions.includes(permission)) return null
    return { permission, text: words[language], isDestructive: destructive.includes(action) }
  }
  const touched = new Set(permissionsIn(permissions).map(resourceOf))
  return resources
    .filter(({ name }) => touched.has(name))
    .map((resource) => ({
      resource: resource.name,
      title: resource.title[language],
      read: cellOf(resource, 'read', resource.read),
      write: cellOf(resource, 'write', resource.write),
      further: Object.entries(resource.actions)
        .map(([action, words]) => cellOf(resource, action, words))
        .filter((cell) => cell !== null),
    }))
}

/**
 * What the words let an application know. Refresh tokens are issued with or without `offline_access`, so
 * a switch for it would do nothing.
 */
export const aboutOf = (permissions: Permissions, language: Language) => {
  const words = wordsIn(permissions)
  return shownWords
    .filter((word) => words.includes(word))
    .map((word) => ({
      word,
      cell: {
        permission: word,
        text: aboutWords[language].of[word].text,
        isFixed: word === 'offline_access',
      },
    }))
}

/** Whether a client has more than so many accesses. Some may be on another page of the list. */
const hasMore = async (
  than: number,
  clientId: ClientId,
  ownerId: OwnerId,
  at: number,
  { store }: Pick<Parts, 'store'>,
): Promise<boolean> => {
  const page = await store.listAuthorizations({ ownerId, clientId }, null, than + 1, at)
  return page.rows.length > than
}

/** The clients of a page with several accesses. Asks the store only if the list has more pages. */
const severalOf = async (
  { rows }: Page<ListedAuthorization>,
  isWhole: boolean,
  ownerId: OwnerId,
  at: number,
  parts: Pick<Parts, 'store'>,
): Promise<ReadonlySet<ClientId>> => {
  const found = [...Map.groupBy(rows, ({ clientId }) => clientId)].map(async ([id, accesses]) => {
    const isSeveral =
      accesses.length > 1 || (!isWhole && (await hasMore(1, id, ownerId, at, parts)))
    return isSeveral ? [id] : []
  })
  return new Set((await Promise.all(found)).flat())
}

/** How many accesses are left after a change to an application's only one. */
const leaves: Readonly<Record<DoneToAccess, number>> = {
  narrowed: 1,
  until: 1,
  paused: 1,
  resumed: 1,
  ended: 0,
  gone: 0,
}

const accountDone = async (
  visit: OwnerVisit,
  parts: Pick<Parts, 'store'>,
): Promise<AccountDone | null> => {
  const done = doneOf(visit)
  if (done === null || !Object.hasOwn(leaves, done.what)) return null
  const what = done.what as DoneToAccess
  if (done.clientId === null) return { what, clientName: null, hasOthers: false }
  const { owner } = visit.login
  const client = await findClient(done.clientId, parts, 'disabled')
  const hasOthers = await hasMore(leaves[what], done.clientId, owner.id, visit.at, parts)
  return { what, clientName: client?.name ?? null, hasOthers }
}

/** An owner's list after the end of an earlier page. If nothing is left there: from the beginning. */
const listFor = async (visit: OwnerVisit, { store }: Pick<Parts, 'store'>) => {
  const { id: ownerId } = visit.login.owner
  const list = (after: string | null) =>
    store.listAuthorizations({ ownerId }, after, limits.pageRows, visit.at, 'newest first')
  const after = parseCursor(visit, 'after')
  const page = await list(after)
  return after === null || page.rows.length > 0
    ? { ...page, after }
    : { ...(await list(null)), after: null }
}

/** @param badEnd the end in the form, if an authorization cannot end then */
export const showApplications = async (
  visit: OwnerVisit,
  badEnd: CardGiven['badEnd'],
  parts: Pick<Parts, 'store' | 'settings' | 'resources'>,
): Promise<Answer> => {
  const { at, view, csrf } = visit
  const { owner } = visit.login
  const { store, settings } = parts
  const drawnDays = Math.min(limits.useDays, wholeDays(settings.accessLogSeconds))
  const page = await listFor(visit, parts)
  const counted = await Promise.all(
    page.rows.map(({ id: authorizationId, ownerId }) =>
      store.countUses({ authorizationId, ownerId }, drawnDays, at),
    ),
  )
  const isWhole = page.after === null && page.next === null
  const several = await severalOf(page, isWhole, owner.id, at, parts)
  const html = renderAccount({
    view,
    csrf,
    owner,
    authorizations: page.rows.map((authorization, i) => ({
      ...authorization,
      counted: counted[i] ?? [],
      hasOthers: several.has(authorization.clientId),
      lastDay: dayOfEnd(authorization.expiresAt),
      rows: rowsOf(authorization.permissions, view.language, parts.resources.list()),
      about: aboutOf(authorization.permissions, view.language),
    })),
    days: choosableDays(at),
    drawnDays,
    now: at,
    done: badEnd === null ? await accountDone(visit, parts) : null,
    badEnd,
    after: page.after ?? '',
    next: page.next,
  })
  return showPage(visit, html, { status: badEnd === null ? 200 : 400 })
}
