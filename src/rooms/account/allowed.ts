/** What permissions and words allow an application, in the words of the pages. */

import type { Askable } from '../../access/permission.ts'
import { permissionsIn, resourceOf, wordsIn } from '../../access/permission.ts'
import { type Language, type Text, textIn } from '../../model/language.ts'
import type { OwnClaims } from '../../model/own-word.ts'
import type { Permission, Permissions, Resource } from '../../model/resource.ts'
import { shownWords } from '../../model/scope-word.ts'
import { cellsOf } from '../../paper/resource-row.ts'
import { textsOf } from '../../paper/words/about.ts'
import { accountWords } from './applications/words.ts'

/** What the permissions let an application do, resource by resource. */
export const rowsOf = (
  permissions: Permissions,
  language: Language,
  resources: readonly Resource[],
) => {
  const cellOf = ({ name, destructive }: Resource, action: string, words: Text) => {
    const permission: Permission = `${name}:${action}`
    if (!permissions.includes(permission)) return null
    return {
      permission,
      text: textIn(words, language),
      isDestructive: destructive.includes(action),
    }
  }
  const touched = new Set(permissionsIn(permissions).map(resourceOf))
  return resources
    .filter(({ name }) => touched.has(name))
    .map((resource) => ({
      resource: resource.name,
      title: textIn(resource.title, language),
      read: cellOf(resource, 'read', resource.read),
      write: cellOf(resource, 'write', resource.write),
      further: Object.entries(resource.actions)
        .map(([action, words]) => cellOf(resource, action, words))
        .filter((cell) => cell !== null),
    }))
}

/**
 * What the words let an application know. Refresh tokens are issued with or without `offline_access`, so
 * a box for it would do nothing.
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

/** Each permission in plain words. */
export const tellAllowed = (
  permissions: Permissions,
  language: Language,
  resources: Askable,
): readonly string[] =>
  [
    ...rowsOf(permissions, language, resources.list()).flatMap(cellsOf),
    ...aboutOf(permissions, language, resources.words).map(({ cell }) => cell),
  ].map(({ text }) => text)

/** All of it in a few words, for one line of a list. A narrow one cuts off its end, so changes come first. */
export const sumUpAllowed = (permissions: Permissions, language: Language, resources: Askable) => {
  const { sees, changes, knows, comma } = accountWords(language)
  const rows = rowsOf(permissions, language, resources.list())
  const titles = (has: (row: (typeof rows)[number]) => boolean): string =>
    rows
      .filter(has)
      .map(({ title }) => title)
      .join(comma)
  const known = aboutOf(permissions, language, resources.words)
    .filter(({ cell }) => !cell.isFixed)
    .map(({ word }) => textsOf(word, resources.words, language).title)
    .join(comma)
  const read = titles((row) => row.read !== null)
  const write = titles((row) => row.write !== null)
  const further = rows.flatMap((row) => row.further.map(({ text }) => text))
  return {
    what: [
      ...(write === '' ? [] : [changes({ things: write })]),
      ...further,
      ...(read === '' ? [] : [sees({ things: read })]),
      ...(known === '' ? [] : [knows({ things: known })]),
    ],
    isDestructive: rows.flatMap(cellsOf).some((cell) => cell.isDestructive),
  }
}
