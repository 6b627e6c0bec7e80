/** Accesses of an owner: the applications that they are, and their permissions in the words of the pages. */

import { dropWords, getResource, selectWords } from '../../access/permission.ts'
import type { Resources } from '../../access/resources.ts'
import { isCommandLine } from '../../clients/command-line.ts'
import { findClient } from '../../clients/find.ts'
import { hashText } from '../../crypto/digest.ts'
import { commandLineId } from '../../model/client.ts'
import { type Detail, listDetailNames, makeDetailKey } from '../../model/detail.ts'
import { type AuthorizationId, isId, type OwnerId } from '../../model/ids.ts'
import { type Language, pickText, type Text } from '../../model/language.ts'
import { type ConsoleRole, findConsoleRole, type Owner } from '../../model/owner.ts'
import type { Permission, Permissions, Resource } from '../../model/resource.ts'
import { listWords } from '../../model/scope-word.ts'
import { findHarm, getCells } from '../../paper/resource-row.ts'
import { explain } from '../../paper/words/about.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ListedAuthorization } from '../../store/contract/authorization.ts'
import type { Store } from '../../store/store.ts'
import type { OwnerVisit } from '../owner-visit.ts'
import { accountLimits } from './limits.ts'

/** All live authorizations of an owner, the newest first. */
export const listAll = async (
  ownerId: OwnerId,
  at: number,
  store: Store,
): Promise<readonly ListedAuthorization[]> => {
  const all: ListedAuthorization[] = []
  const { accessesAtOnce } = accountLimits
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.listAuthorizations>> =
      await store.listAuthorizations({ ownerId }, after, accessesAtOnce, at, 'newest first')
    all.push(...page.rows)
    if (page.next === null) return all
    after = page.next
  }
}

/** When an access that lives no more has ended: one for a visit may have had a later end. */
export const endOf = ({ expiresAt }: ListedAuthorization, now: number): number =>
  Math.min(expiresAt ?? now, now)

/**
 * An authorization of an owner, live or ended lately.
 *
 * @throws Refusal `not_found`, also for the authorization of another owner
 */
export const requireAccess = async (
  id: string,
  { login, at }: OwnerVisit,
  store: Store,
): Promise<{ readonly access: ListedAuthorization; readonly isEnded: boolean }> => {
  if (isId(id)) {
    const of = { ownerId: login.owner.id, id: id as AuthorizationId }
    const [living] = (await store.listAuthorizations(of, null, 1, at)).rows
    if (living) return { access: living, isEnded: false }
    const [past] = (await store.listAuthorizations({ ...of, ended: true }, null, 1, at)).rows
    if (past) return { access: past, isEnded: true }
  }
  throw new Refusal('not_found', 'unknown_authorization', 'there is no such authorization')
}

/** One application: a single access, or those of all its installations. */
export interface Application {
  readonly newest: ListedAuthorization
  /** The newest first. */
  readonly accesses: readonly ListedAuthorization[]
  readonly installations: number
}

export const countInstallations = (accesses: readonly ListedAuthorization[]): number =>
  new Set(accesses.map(({ clientId }) => clientId)).size

export const isApproved = ({ parentId }: Pick<ListedAuthorization, 'parentId'>): boolean =>
  parentId === null

/** The root of the tree of an access: the owner approved the root. A root is its own. */
export const findApproved = (
  access: ListedAuthorization,
  all: readonly ListedAuthorization[],
): ListedAuthorization => {
  const parent = all.find(({ id }) => id === access.parentId)
  return parent === undefined ? access : findApproved(parent, all)
}

/** What the owner approved, by applications. @param all the newest first */
export const groupApplications = (all: readonly ListedAuthorization[]): readonly Application[] =>
  [
    ...Map.groupBy(
      all.filter(isApproved),
      ({ id, clientLikeness }) => clientLikeness ?? id,
    ).values(),
  ].flatMap((alike) => {
    const installations = countInstallations(alike)
    const apart = installations > 1 ? [alike] : alike.map((access) => [access])
    return apart.flatMap((accesses) => {
      const [newest] = accesses
      return newest === undefined ? [] : [{ newest, accesses, installations }]
    })
  })

/** Names a detail in a form. Its values stay out of there. */
export const hashDetail = (detail: Detail): string => hashText(makeDetailKey(detail)).slice(0, 22)

/** Stands for details among the permissions that were taken. No permission has such a name. */
export const detailsLost = ':details'

/**
 * The other accesses of an application: of the same client, or of installations that look like it. A
 * client that acts for another one has a single access there.
 */
export const listOthers = (
  {
    id,
    parentId,
    clientId,
    clientLikeness,
  }: Pick<ListedAuthorization, 'id' | 'parentId' | 'clientId' | 'clientLikeness'>,
  all: readonly ListedAuthorization[],
): readonly ListedAuthorization[] =>
  all.filter(
    (one) =>
      one.id !== id &&
      parentId === null &&
      isApproved(one) &&
      (one.clientId === clientId ||
        (clientLikeness !== null && one.clientLikeness === clientLikeness)),
  )

/**
 * What permissions and words allow an application, in the words of the pages. Refresh tokens are issued with
 * or without `offline_access`, so a box for it would do nothing.
 */
export const listAllowed = (permissions: Permissions, language: Language, resources: Resources) => {
  const cellOf = (resource: Resource, action: string, words: Text) => {
    const permission: Permission = `${resource.name}:${action}`
    if (!permissions.includes(permission)) return null
    const isDestructive = findHarm(resource, action) !== null
    return { permission, text: pickText(words, language), isDestructive }
  }
  const touched = new Set(dropWords(permissions).map(getResource))
  const rows = resources
    .list()
    .filter(({ name }) => touched.has(name))
    .map((resource) => ({
      resource: resource.name,
      title: pickText(resource.title, language),
      read: cellOf(resource, 'read', resource.read),
      write: cellOf(resource, 'write', resource.write),
      further: Object.entries(resource.actions)
        .map(([action, words]) => cellOf(resource, action, words))
        .filter((cell) => cell !== null),
    }))
  const granted = selectWords(permissions)
  const about = listWords(resources.words)
    .filter((word) => granted.includes(word))
    .map((word) => {
      const { title, text } = explain(word, resources.words, language)
      const cell = { permission: word, text, isFixed: word === 'offline_access' }
      return { word, title, cell }
    })
  return { rows, about }
}

/** For the command line: the role of its owner, which is all that it may do. Null for other applications. */
export const findActsAs = async (
  accesses: readonly Pick<ListedAuthorization, 'clientId'>[],
  owner: Owner,
  parts: { readonly store: Store },
): Promise<ConsoleRole | null> => {
  if (accesses.every(({ clientId }) => clientId !== commandLineId)) return null
  const client = await findClient(commandLineId, parts, 'disabled')
  return client !== null && isCommandLine(client) ? findConsoleRole(owner) : null
}

/** What an access allows in all, and in detail. */
export const listAllAllowed = ({
  permissions,
  details,
}: Pick<ListedAuthorization, 'permissions' | 'details'>): Permissions =>
  details.length === 0 ? permissions : [...new Set([...permissions, ...listDetailNames(details)])]

export const tellAllowed = (...given: Parameters<typeof listAllowed>): readonly string[] => {
  const { rows, about } = listAllowed(...given)
  return [...rows.flatMap(getCells), ...about.map(({ cell }) => cell)].map(({ text }) => text)
}
