/** The language of a page: the client's wish, else the browser's preference, else English. */
import { limits } from '../config/limits.ts'
import { type Language, languages } from '../model/language.ts'

const known = Object.keys(languages) as readonly Language[]

/**
 * The language at the beginning of a tag or range (lookup, RFC 4647 section 3.4); null if the pages
 * lack it.
 */
const primary = (tag: string): Language | null => {
  const first = tag.split('-')[0]?.toLowerCase()
  return known.find((language) => language === first) ?? null
}

/**
 * @param tags `ui_locales`: BCP 47 tags in order of preference, spaces between them; unknown ones are
 *   passed over (OpenID Connect Core section 3.1.2.1)
 */
const fromLocales = (tags: string): Language | null => {
  if (tags.length > limits.languageCharacters) return null
  for (const tag of tags.split(' ')) {
    const language = primary(tag)
    if (language !== null) return language
  }
  return null
}

interface Range {
  readonly range: string
  readonly weight: number
}

const form =
  /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/** The ranges of `Accept-Language` (RFC 9110 section 12.5.4); none where any of it is malformed. */
const parseRanges = (header: string): readonly Range[] => {
  if (header.length > limits.languageCharacters) return []
  const ranges: Range[] = []
  for (const entry of header.split(',')) {
    const text = entry.replace(/^[ \t]+|[ \t]+$/g, '')
    if (text === '') continue
    const [, range, weight = '1'] = form.exec(text) ?? []
    if (range === undefined) return []
    ranges.push({ range, weight: Number(weight) })
  }
  return ranges
}

/** `*` stands for every language that no other range names. */
const fromRanges = (ranges: readonly Range[]): Language | null => {
  const named = ranges.map(({ range }) => primary(range))
  const rest = known.find((language) => !named.includes(language)) ?? null
  for (const { range, weight } of ranges.toSorted((a, b) => b.weight - a.weight)) {
    const language = range === '*' ? rest : primary(range)
    if (language !== null && weight > 0) return language
  }
  return null
}

/** @param tags `ui_locales` of a request, or a tag alone; null or unknown ones find none */
export const findLanguage = (tags: string | null): Language | null => fromLocales(tags ?? '')

/** What the browser prefers, else English. */
export const preferredLanguage = (acceptLanguage: string | null): Language =>
  fromRanges(parseRanges(acceptLanguage ?? '')) ?? 'en'
