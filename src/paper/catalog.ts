/**
 * Catalogs: every text that people read on a page. English stands beside the code that uses it; other
 * languages are files with the same keys (docs/languages.md).
 */
import { english as englishLanguage, type Language } from '../model/language.ts'
import type { Markup } from './markup.ts'
import { type GivenFor, type Kinds, plainText, speaker } from './message.ts'

const isMessage = Symbol('message')

/** A text with placeholders. */
export interface WordMessage<Of extends Kinds = Kinds> {
  readonly [isMessage]: true
  /** ICU MessageFormat. */
  readonly source: string
  readonly kinds: Of
}

/** A message in English, such as `message('{count} items', { count: 'number' })`. */
export const message = <const Of extends Kinds>(source: string, kinds: Of): WordMessage<Of> => ({
  [isMessage]: true,
  source,
  kinds,
})

/** The English words of an area: texts and messages, in groups. */
export interface WordTree {
  readonly [key: string]: string | WordMessage | WordTree
}

type SpokenAs<Of extends Kinds> = 'markup' extends Of[keyof Of] ? Markup : string

/** Words as a page uses them: a message is a function of its values. */
export type Words<Tree> =
  Tree extends WordMessage<infer Of>
    ? (given: GivenFor<Of>) => SpokenAs<Of>
    : Tree extends string
      ? string
      : { readonly [Key in keyof Tree]: Words<Tree[Key]> }

/** Answers with its words in a language. */
export interface Area<Tree> {
  (language: Language): Words<Tree>
  readonly english: Tree
}

/** A message of English: its text, and its placeholders if it has any. */
export type EnglishMessage = string | WordMessage

/** By their keys. */
export type EnglishMessages = ReadonlyMap<string, EnglishMessage>

const isLeaf = (of: EnglishMessage | WordTree): of is EnglishMessage =>
  typeof of === 'string' || isMessage in of

const speak = (leaf: EnglishMessage, key: string, language: Language): unknown => {
  const own = language.messages.get(key)
  if (typeof leaf === 'string') return plainText(own ?? leaf)
  const { dates } = own === undefined ? englishLanguage : language
  return speaker(own ?? leaf.source, leaf.kinds, dates)
}

const speakAll = (tree: WordTree, path: string, language: Language): object =>
  Object.fromEntries(
    Object.entries(tree).map(([name, of]) => {
      const key = `${path}.${name}`
      return [name, isLeaf(of) ? speak(of, key, language) : speakAll(of, key, language)]
    }),
  )

/** The English of each area, as far as its module is loaded. Each module adds its own once. */
const areas = new Map<string, WordTree>()

/**
 * The words of one area in any language.
 *
 * @param area such as the name of a page: the beginning of the keys
 * @param english says which keys there are
 */
export const speakWords = <const Tree extends WordTree>(
  area: string,
  english: Tree,
): Area<Tree> => {
  const spoken = new WeakMap<Language, Words<Tree>>()
  const words = (language: Language): Words<Tree> => {
    const known = spoken.get(language)
    if (known !== undefined) return known
    const made = speakAll(english, area, language) as Words<Tree>
    spoken.set(language, made)
    return made
  }
  return Object.assign(words, { english })
}

/** The same for an area of the service: files of languages translate it. */
export const defineWords = <const Tree extends WordTree>(
  area: string,
  english: Tree,
): Area<Tree> => {
  areas.set(area, english)
  return speakWords(area, english)
}

const leavesOf = (tree: WordTree, path: string): readonly (readonly [string, EnglishMessage])[] =>
  Object.entries(tree).flatMap(([name, of]) => {
    const key = `${path}.${name}`
    return isLeaf(of) ? [[key, of] as const] : leavesOf(of, key)
  })

/** The messages in English of all modules that are loaded, by their keys, area by area. */
export const loadedMessages = (): EnglishMessages => {
  const sorted = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.flatMap(([area, english]) => leavesOf(english, area)))
}
