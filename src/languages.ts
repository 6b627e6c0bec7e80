/** The languages of a service. */
import type { Settings } from './config/settings.ts'
import type { Language } from './model/language.ts'
import { collectMessages, type EnglishMessages } from './paper/catalog.ts'
import { openLanguages } from './paper/languages/open.ts'

/**
 * All messages in English, by their keys, once every page and mail is loaded. The playground speaks
 * English only. A service without files of the operator need not read them.
 */
export const loadEnglishMessages = async (): Promise<EnglishMessages> => {
  await Promise.all([import('./routes.ts'), import('./mail/words.ts')])
  return new Map([...collectMessages()].filter(([key]) => !key.startsWith('playground.')))
}

/** @throws SettingsFault where a language file is wrong */
export const loadLanguages = async ({
  languages,
}: Pick<Settings, 'languages'>): Promise<readonly Language[]> =>
  openLanguages(languages, languages.length === 0 ? new Map() : await loadEnglishMessages())
