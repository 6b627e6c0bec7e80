/** Languages of the pages, texts that there are in several of them, and the choice for a reader. */

/** A language with its messages. Each page gets the one that it is shown in. */
export interface Language {
  /** As settings, cookies and `ui_locales` name it (BCP 47), such as `zh`. */
  readonly tag: string
  /** Its name in itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** As `lang` and `Content-Language` say it (BCP 47), such as `zh-Hans`. */
  readonly lang: string
  /** The tag of the country whose dates and numbers the pages show. */
  readonly dates: string
  /** By the keys of the catalog, as in `login.title`. English stands in for a missing one. */
  readonly messages: ReadonlyMap<string, string>
}

/** A language as its file holds it. Null: as the language of this tag has it, or as its tag says. */
export interface LanguageFile {
  /** As faults call it, such as `fr.json`. */
  readonly file: string
  readonly tag: string
  readonly name: string | null
  readonly direction: Language['direction'] | null
  readonly lang: string | null
  readonly dates: string | null
  readonly messages: ReadonlyMap<string, string>
}

/** The messages of English are in the source. English is spoken where nobody asked for another language. */
export const english: Language = {
  tag: 'en',
  name: 'English',
  direction: 'ltr',
  lang: 'en',
  // Dates of `en` itself put the month first.
  dates: 'en-GB',
  messages: new Map(),
}

/** The language of a tag, without script and country: `pt` of `pt-BR`. */
export const getPrimary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? ''

/** A text that the operator set, by the tags of languages. At least one exists. */
export type Text = Readonly<Record<string, string>>

/** In this language (of any country), else in English, else in the first that there is. */
export const pickText = (text: Text, { tag }: Pick<Language, 'tag'>): string =>
  text[tag] ?? text[getPrimary(tag)] ?? text.en ?? Object.values(text)[0] ?? ''

/** `ui_locales` and `Accept-Language`, each; longer ones are not looked at. */
const listCharacters = 1024

/** Of each tag in them: language, script, country and one more. */
const tagSubtags = 4

/** The languages by their tags in small letters, and by the language alone. */
const tables = new WeakMap<readonly Language[], ReadonlyMap<string, Language>>()

/** Where several have one tag, the first of them counts. */
const getTable = (languages: readonly Language[]): ReadonlyMap<string, Language> => {
  const known = tables.get(languages)
  if (known !== undefined) return known
  const whole = languages.flatMap((one) => [one.tag, one.lang].map((tag) => [tag, one] as const))
  const alone = languages.map((one) => [getPrimary(one.tag), one] as const)
  const entries = [...whole, ...alone].map(([tag, one]) => [tag.toLowerCase(), one] as const)
  const table = new Map(entries.toReversed())
  tables.set(languages, table)
  return table
}

/**
 * The best language for a tag or range: the longest beginning counts (lookup, RFC 4647 section 3.4),
 * else the same language of another country. Null if the pages lack it.
 */
const findBestFit = (range: string, languages: readonly Language[]): Language | null => {
  const table = getTable(languages)
  const subtags = range.toLowerCase().split('-').slice(0, tagSubtags)
  for (let length = subtags.length; length > 0; length -= 1) {
    const found = table.get(subtags.slice(0, length).join('-'))
    if (found !== undefined) return found
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
  if (header.length > listCharacters) return []
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

/**
 * @param tags `ui_locales` of a request: BCP 47 tags in order of preference, spaces between them, or a
 *   tag alone; unknown ones are passed over (OpenID Connect Core section 3.1.2.1)
 */
export const findLanguage = (
  tags: string | null,
  languages: readonly Language[],
): Language | null => {
  if (tags === null || tags.length > listCharacters) return null
  for (const tag of tags.split(' ')) {
    const language = findBestFit(tag, languages)
    if (language !== null) return language
  }
  return null
}

/** What the browser prefers, else the first one: English. */
export const preferLanguage = (
  acceptLanguage: string | null,
  languages: readonly Language[],
): Language => {
  const ranges = parseRanges(acceptLanguage ?? '')
  const named = ranges.map(({ range }) => findBestFit(range, languages))
  // `*` stands for every language that no other range names.
  const rest = languages.find((language) => !named.includes(language)) ?? null
  for (const { range, weight } of ranges.toSorted((a, b) => b.weight - a.weight)) {
    const language = range === '*' ? rest : findBestFit(range, languages)
    if (language !== null && weight > 0) return language
  }
  return languages[0] ?? english
}
