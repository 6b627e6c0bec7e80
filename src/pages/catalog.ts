/** Catalogs: every text that people read on a page, in every language, held complete by the compiler. */
import type { Markup } from './markup.ts'

/**
 * The same keys with other words. A function keeps its argument and what it returns, text or markup;
 * a group of words is one more level.
 */
export type Translation<Words> = Words extends Markup
  ? Markup
  : Words extends string
    ? string
    : Words extends (given: infer Given) => infer Told
      ? (given: Given) => Told extends Markup ? Markup : string
      : { readonly [Key in keyof Words]: Translation<Words[Key]> }

export interface Catalog<Words> {
  readonly en: Words
  readonly zh: Translation<Words>
}

/** The words of one area. English says which keys there are; one more or one less is a type error. */
export const defineWords = <Words extends object>(
  en: Words,
  zh: Translation<NoInfer<Words>>,
): Catalog<Words> => ({ en, zh })
