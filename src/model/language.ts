/** The languages of the pages, and texts that there are in each of them. */

export type Language = 'en' | 'zh'

interface LanguageTraits {
  /** As `lang` and `Content-Language` say it (BCP 47). */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

/** The first one is spoken where nobody asked for another. */
export const languages: Readonly<Record<Language, LanguageTraits>> = {
  en: { tag: 'en', direction: 'ltr' },
  zh: { tag: 'zh-Hans', direction: 'ltr' },
}

/** A text that the operator set, in every language. */
export type Text = Readonly<Record<Language, string>>
