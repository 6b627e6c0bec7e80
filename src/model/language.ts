/** Languages of the pages, and texts that there are in several of them. */

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
