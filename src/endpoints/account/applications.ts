/** The list of applications with access, and a notice of the last change. */

import { permissionsIn, resourceOf, wordsIn } from '../../access/permission.ts'
import { findClient } from '../../clients/find.ts'
import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { Language, Text } from '../../model/language.ts'
import { likenessOf } from '../../model/likeness.ts'
import type { OwnClaims } from '../../model/own-word.ts'
import type { Permission, Permissions, Resource } from '../../model/resource.ts'
import { shownWords } from '../../model/scope-word.ts'
import { wholeDays } from '../../model/use.ts'
import { type AccountDone, type DoneToAccess, renderAccount } from '../../pages/account.ts'
import type { CardGiven } from '../../pages/application-card.ts'
import { textsOf } from '../../pages/words/about.ts'
import type { Parts } from '../../parts.ts'
import type { ListedAuthorization } from '../../store/store.ts'
import { showPage } from '../door/page.ts'
import { doneOf, type OwnerVisit, parseCursor } from '../door/signed-in.ts'
import { applicationsOf, listAll, pageOfApplications } from './alike.ts'
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
export const aboutOf = (
  permissions: Permissions,
  language: Language,
  own: readonly OwnClaims[],
) => {
  const words = wordsIn(permissions)
  return shownWords(own)
    .filter((word) => words.includes(word))
    .map((word) => ({
      word,
      cell: {
        permission: word,
        text: textsOf(word, own, language).text,
        isFixed: word === 'offline_access',
      },
    }))
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
  all: readonly ListedAuthorization[],
  parts: Pick<Parts, 'store'>,
): Promise<AccountDone | null> => {
  const done = doneOf(visit)
  if (done === null || !Object.hasOwn(leaves, done.what)) return null
  const what = done.what as DoneToAccess
  if (done.clientId === null) return { what, clientName: null, hasOthers: false }
  const client = await findClient(done.clientId, parts, 'disabled')
  const likeness = client && likenessOf(client)
  const isAlike = ({ clientId, clientLikeness }: ListedAuthorization): boolean =>
    clientLikeness !== null && clientLikeness === likeness && clientId !== done.clientId
  const own = all.filter(({ clientId }) => clientId === done.clientId)
  const hasOthers = own.length > leaves[what] || all.some(isAlike)
  return { what, clientName: client?.name ?? null, hasOthers }
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
  const all = await listAll(owner.id, at, parts)
  const page = pageOfApplications(applicationsOf(all), parseCursor(visit, 'after'))
  const shown = page.rows.flatMap(({ accesses, installations }) =>
    accesses.slice(0, limits.pageRows).map((access) => ({
      ...access,
      ...(installations === 1
        ? {}
        : { installations: { newest: accesses[0]?.id ?? '', count: installations } }),
    })),
  )
  const counted = await Promise.all(
    shown.map(({ id: authorizationId, ownerId }) =>
      store.countUses({ authorizationId, ownerId }, drawnDays, at),
    ),
  )
  const accessesOf = Map.groupBy(all, ({ clientId }) => clientId)
  const html = renderAccount({
    view,
    csrf,
    owner,
    authorizations: shown.map((authorization, i) => ({
      ...authorization,
      counted: counted[i] ?? [],
      hasOthers: (accessesOf.get(authorization.clientId)?.length ?? 0) > 1,
      lastDay: dayOfEnd(authorization.expiresAt),
      rows: rowsOf(authorization.permissions, view.language, parts.resources.list()),
      about: aboutOf(authorization.permissions, view.language, parts.resources.words),
    })),
    days: choosableDays(at),
    drawnDays,
    now: at,
    done: badEnd === null ? await accountDone(visit, all, parts) : null,
    badEnd,
    after: page.after ?? '',
    next: page.next,
  })
  return showPage(visit, html, { status: badEnd === null ? 200 : 400 })
}
