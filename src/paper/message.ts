/** Messages in ICU MessageFormat: compiled when they are first spoken, and escaped as every page is. */
import {
  type MessageFormatElement,
  type PluralElement,
  parse,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import { html, type Markup } from './markup.ts'

/** What may stand for a placeholder. Texts are escaped, markup is HTML already. */
export interface PlaceholderKinds {
  readonly text: string
  readonly number: number
  readonly markup: Markup
}

export type Kinds = Readonly<Record<string, keyof PlaceholderKinds>>

/** The values for a message with these placeholders. */
export type GivenFor<Of extends Kinds> = {
  readonly [Name in keyof Of]: PlaceholderKinds[Of[Name]]
}

type PlaceholderValue = PlaceholderKinds[keyof PlaceholderKinds]
type PlaceholderValues = Readonly<Record<string, PlaceholderValue>>

/** A tag in a message is text: only placeholders bring markup. */
const options = { ignoreTag: true, shouldParseSkeletons: false }

/** @throws SyntaxError where the message is malformed */
export const parseMessage = (source: string): readonly MessageFormatElement[] =>
  parse(source, options)

/** One for each locale, made when it is first needed: Node reads what it knows of languages only then. */
export const perLocale = <Made>(make: (locale: string) => Made): ((locale: string) => Made) => {
  const all = new Map<string, Made>()
  return (locale) => {
    const known = all.get(locale)
    if (known !== undefined) return known
    const made = make(locale)
    all.set(locale, made)
    return made
  }
}

const numbers = perLocale((locale) => new Intl.NumberFormat(locale))
const cardinals = perLocale((locale) => new Intl.PluralRules(locale))
const ordinals = perLocale((locale) => new Intl.PluralRules(locale, { type: 'ordinal' }))

const branchOf = (
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
const pieces = (
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
      return pieces(branchOf(element, Number(value), locale), values, locale, shown)
    }
    if (element.type === TYPE.select) {
      const name = String(value)
      const branch = element.options[Object.hasOwn(element.options, name) ? name : 'other']
      return pieces(branch?.value ?? [], values, locale, pound)
    }
    return [typeof value === 'number' ? numbers(locale).format(value) : value]
  })

/**
 * A function that speaks a message.
 *
 * @param locale the tag whose plurals and numbers the message follows
 */
export const speaker = (
  source: string,
  kinds: Kinds,
  locale: string,
): ((values: PlaceholderValues) => string | Markup) => {
  const isMarkup = Object.values(kinds).includes('markup')
  let elements: readonly MessageFormatElement[] | null = null
  return (values) => {
    elements ??= parseMessage(source)
    const spoken = pieces(elements, values, locale)
    return isMarkup ? html`${spoken}` : spoken.join('')
  }
}

/** A message without placeholders. Most of them need no parser. */
export const plainText = (source: string): string => {
  if (!/[{}]|''/.test(source)) return source
  return pieces(parseMessage(source), {}, 'en').join('')
}
