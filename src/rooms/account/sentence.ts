/** The permissions of an application as one sentence: `See and change photos, see contacts`. */
import type { Resources } from '../../access/resources.ts'
import { getPrimary, type Language } from '../../model/language.ts'
import type { Permissions } from '../../model/resource.ts'
import { isTold, type OwnClaims, type ScopeWord } from '../../model/scope-word.ts'
import { getCells } from '../../paper/resource-row.ts'
import { formatList } from '../../paper/time.ts'
import { explain } from '../../paper/words/about.ts'
import { listAllowed } from './accesses.ts'
import { sentenceWords } from './applications/words.ts'

/** In these languages a noun begins with a capital letter. */
const withCapitals: readonly string[] = ['de', 'lb']

/** A name such as `iCloud` or `API keys` stays as it is. */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text

const raiseFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

type AllowedRow = ReturnType<typeof listAllowed>['rows'][number]

/** The first two are hard to undo, so a short line has them too. */
const kinds = ['seesAndDestroys', 'destroys', 'seesAndChanges', 'changes', 'sees'] as const

/** What a row lets an application do with the resource. Further actions have words of their own. */
const pickKind = ({ read, write }: AllowedRow): (typeof kinds)[number] | null => {
  if (write === null) return read === null ? null : 'sees'
  if (write.isDestructive) return read === null ? 'destroys' : 'seesAndDestroys'
  return read === null ? 'changes' : 'seesAndChanges'
}

/** In the middle of a sentence, as the language writes it. */
export const writeThing = (text: string, { tag }: Language): string =>
  withCapitals.includes(getPrimary(tag)) ? text : lowerFirst(text)

/** What words of a scope tell an application. */
export const listKnown = (
  words: readonly ScopeWord[],
  own: readonly OwnClaims[],
  language: Language,
): readonly string[] => {
  const of: Readonly<Record<string, string>> = sentenceWords(language).of
  // A name or an address says who somebody is.
  const told = words.length === 1 ? words : words.filter((word) => word !== 'openid')
  return told.map((word) => of[word] ?? writeThing(explain(word, own, language).title, language))
}

export const sumUpAllowed = (
  permissions: Permissions,
  language: Language,
  resources: Resources,
) => {
  const words = sentenceWords(language)
  const { rows, about } = listAllowed(permissions, language, resources)
  const byKind = Map.groupBy(rows, pickKind)
  const tell = (kind: (typeof kinds)[number]): readonly string[] => {
    const titles = (byKind.get(kind) ?? []).map(({ title }) => writeThing(title, language))
    return titles.length === 0 ? [] : [words[kind]({ things: formatList(titles, language) })]
  }
  const further = rows.flatMap((row) => row.further)
  const actions = (isDestructive: boolean): readonly string[] =>
    further
      .filter((one) => one.isDestructive === isDestructive)
      .map(({ text }) => writeThing(text, language))
  const told = about.map(({ word }) => word).filter(isTold)
  const known = listKnown(told, resources.words, language)
  const [seesAndDestroys, destroys, ...others] = kinds
  const parts = [
    ...tell(seesAndDestroys),
    ...tell(destroys),
    ...actions(true),
    ...others.flatMap(tell),
    ...actions(false),
    ...(known.length === 0 ? [] : [words.knows({ things: formatList(known, language) })]),
  ]
  return {
    what: raiseFirst(parts.join(words.comma)),
    isDestructive: rows.flatMap(getCells).some((cell) => cell.isDestructive),
  }
}
