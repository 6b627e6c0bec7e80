/** Messages in ICU MessageFormat: compiled when they are first spoken, and escaped as every page is. */
import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import { html, type Markup } from './markup.ts'

/** The branches of a plural, from behind one of them, and what follows the plural. */
type InBranches<Source extends string, Value> = Source extends `}${infer Rest}`
  ? Placeholders<Rest, Value>
  : Source extends `${string}{${string}}${infer Rest}`
    ? InBranches<Rest, Value>
    : unknown

/** One placeholder, from behind its opening brace to its first closing one, and what follows. */
type InBraces<
  Inside extends string,
  Rest extends string,
  Value,
> = Inside extends `${infer Name}, ${infer Kind}`
  ? {
      readonly [Key in Name]: Kind extends `select,${string}` ? Value : number
    } & (Kind extends 'number' ? Placeholders<Rest, Value> : InBranches<Rest, Value>)
  : { readonly [Key in Inside]: Value } & Placeholders<Rest, Value>

/**
 * The values for the placeholders of a message, by their names. A plural takes a number, and its
 * branches have no placeholders in English. Texts are escaped, markup is HTML already.
 */
export type Placeholders<
  Source extends string,
  Value,
> = Source extends `${string}{${infer Inside}}${infer Rest}`
  ? InBraces<Inside, Rest, Value>
  : unknown

type PlaceholderValue = string | number | Markup
type PlaceholderValues = Readonly<Record<string, PlaceholderValue>>

/** A tag in a message is text: only placeholders bring markup. */
const options = { ignoreTag: true, shouldParseSkeletons: false }

/** @throws SyntaxError where the message is malformed */
export const parseMessage = (source: string): readonly MessageFormatElement[] =>
  parse(source, options)

/** One for each locale, made when it is first needed: Node reads what it knows of languages only then. */
export const keepPerLocale = <Made>(make: (locale: string) => Made): ((locale: string) => Made) => {
  const all = new Map<string, Made>()
  return (locale) => {
    const known = all.get(locale)
    if (known !== undefined) return known
    const made = make(locale)
    all.set(locale, made)
    return made
  }
}

const numbers = keepPerLocale((locale) => new Intl.NumberFormat(locale))
const cardinals = keepPerLocale((locale) => new Intl.PluralRules(locale))
const ordinals = keepPerLocale((locale) => new Intl.PluralRules(locale, { type: 'ordinal' }))

const pickBranch = (
  { options: branches, offset, pluralType }: PluralElement,
  value: number,
  locale: string,
): readonly MessageFormatElement[] => {
  const exact = branches[`=${value}`]
  if (exact !== undefined) return exact.value
  const rules = pluralType === 'ordinal' ? ordinals(locale) : cardinals(locale)
  const name = rules.select(value - offset)
  return (branches[name] ?? branches.other)?.value ?? []
}

/** The message in pieces, such as the values of its placeholders. */
const formatPieces = (
  elements: readonly MessageFormatElement[],
  values: PlaceholderValues,
  locale: string,
  pound = '',
): readonly PlaceholderValue[] =>
  elements.flatMap((element): readonly PlaceholderValue[] => {
    if (element.type === TYPE.literal) return [element.value]
    if (element.type === TYPE.pound) return [pound]
    if (element.type === TYPE.tag) return []
    const value = values[element.value] ?? ''
    if (element.type === TYPE.plural) {
      const shown = numbers(locale).format(Number(value) - element.offset)
      return formatPieces(pickBranch(element, Number(value), locale), values, locale, shown)
    }
    if (element.type === TYPE.select) {
      const name = String(value)
      const branch = element.options[Object.hasOwn(element.options, name) ? name : 'other']
      return formatPieces(branch?.value ?? [], values, locale, pound)
    }
    return [typeof value === 'number' ? numbers(locale).format(value) : value]
  })

/**
 * Makes a function that speaks a message.
 *
 * @param hasMarkup its values may be markup
 * @param locale the tag whose plurals and numbers the message follows
 */
export const makeSpeaker = (
  source: string,
  hasMarkup: boolean,
  locale: string,
): ((values: PlaceholderValues) => string | Markup) => {
  let elements: readonly MessageFormatElement[] | null = null
  return (values) => {
    elements ??= parseMessage(source)
    const spoken = formatPieces(elements, values, locale)
    return hasMarkup ? html`${spoken}` : spoken.join('')
  }
}

/** A message without placeholders. Most of them need no parser. */
export const formatPlainText = (source: string): string => {
  if (!/[{}]|''/.test(source)) return source
  return formatPieces(parseMessage(source), {}, 'en').join('')
}
