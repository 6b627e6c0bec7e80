/**
 * Catalogs: every text that people read on a page. English stands beside the code that uses it; other
 * languages are files with the same keys (docs/languages.md).
 */
import { english as englishLanguage, type Language } from '../model/language.ts'
import type { Markup } from './markup.ts'
import { formatPlainText, makeSpeaker, type Placeholders } from './message.ts'

/** A message whose placeholders may be markup. */
export interface MarkupMessage<Source extends string = string> {
  readonly withMarkup: Source
}

/** A message in English whose placeholders may be markup, such as `allowMarkup('by {client}')`. */
export const allowMarkup = <const Source extends string>(
  source: Source,
): MarkupMessage<Source> => ({ withMarkup: source })

/** A message of English, in ICU MessageFormat. Its placeholders stand in braces, such as `'{count, number} items'`. */
type EnglishMessage = string | MarkupMessage

/** The English words of an area: messages, in groups. */
export interface WordTree {
  readonly [key: string]: EnglishMessage | WordTree
}

/** Words as a page uses them: a message with placeholders is a function of their values. */
export type Words<Tree> =
  Tree extends MarkupMessage<infer Source>
    ? (given: Placeholders<Source, Markup>) => Markup
    : Tree extends `${string}{${string}`
      ? (given: Placeholders<Tree, string>) => string
      : Tree extends string
        ? string
        : { readonly [Key in keyof Tree]: Words<Tree[Key]> }

/** Answers with its words in a language. */
export interface Area<Tree> {
  (language: Language): Words<Tree>
  readonly english: Tree
}

/** The texts of all messages of English, in ICU MessageFormat, by their keys. */
export type EnglishMessages = ReadonlyMap<string, string>

const isLeaf = (of: EnglishMessage | WordTree): of is EnglishMessage =>
  typeof of === 'string' || typeof of.withMarkup === 'string'

const getSource = (message: EnglishMessage): string =>
  typeof message === 'string' ? message : message.withMarkup

const speak = (leaf: EnglishMessage, key: string, language: Language): unknown => {
  const own = language.messages.get(key)
  const source = getSource(leaf)
  if (!source.includes('{')) return formatPlainText(own ?? source)
  const { dates } = own === undefined ? englishLanguage : language
  return makeSpeaker(own ?? source, leaf !== source, dates)
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

const listMessages = (tree: WordTree, path: string): readonly (readonly [string, string])[] =>
  Object.entries(tree).flatMap(([name, of]) => {
    const key = `${path}.${name}`
    return isLeaf(of) ? [[key, getSource(of)] as const] : listMessages(of, key)
  })

/** The messages in English of all modules that are loaded, area by area. */
export const collectMessages = (): EnglishMessages => {
  const sorted = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return new Map(sorted.flatMap(([area, english]) => listMessages(english, area)))
}
