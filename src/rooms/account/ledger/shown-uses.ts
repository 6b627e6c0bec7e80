/** Uses by an application, as pages show them: with the names of what was used. */
import { findClient } from '../../../clients/find.ts'
import { type Language, textIn } from '../../../model/language.ts'
import { type OwnClaims, type ScopeWord, shownWords } from '../../../model/scope-word.ts'
import type { Use } from '../../../model/use.ts'
import { aboutWords, textsOf } from '../../../paper/words/about.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { Store } from '../../../store/store.ts'
import { eventWords } from '../events/words.ts'
import type { LedgerLine } from './page.ts'

/** The names of the APIs that asked, by client id. A deleted one keeps its id as name. */
const namesOf = async (
  uses: readonly Use[],
  store: Pick<Store, 'findClient'>,
): Promise<ReadonlyMap<string, string>> => {
  const ids = uses.filter(({ action }) => action === 'check').map(({ resource }) => resource)
  const found = [...new Set(ids)].map(async (id) => {
    const client = await findClient(id, { store }, 'disabled')
    return [id, client?.name ?? id] as const
  })
  return new Map(await Promise.all(found))
}

/** What `/userinfo` was asked for. */
const titleOfWords = (
  words: readonly ScopeWord[],
  language: Language,
  own: readonly OwnClaims[],
): string => {
  const { heading } = aboutWords(language)
  const titles = words.map((word) => textsOf(word, own, language).title)
  return `${heading} (${titles.join(eventWords(language).separator)})`
}

export const shownUses = async (
  uses: readonly Use[],
  language: Language,
  { store, resources }: Pick<ServiceParts, 'store' | 'resources'>,
): Promise<readonly LedgerLine[]> => {
  const names = await namesOf(uses, store)
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return names.get(resource) ?? resource
    const own = resources.words
    const used = resource.split('+')
    const words = shownWords(own).filter((word) => used.includes(word))
    if (words.length > 0) return titleOfWords(words, language, own)
    const known = resources.list().find(({ name }) => name === resource)
    return known ? textIn(known.title, language) : resource
  }
  return uses.map((use) => ({ ...use, title: titleOf(use) }))
}
