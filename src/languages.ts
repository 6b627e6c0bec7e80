/** The languages of a service. */
import type { Settings } from './config/settings.ts'
import type { Language } from './model/language.ts'
import { messagesOf } from './paper/catalog.ts'
import type { EnglishMessages } from './paper/languages/check.ts'
import { openLanguages } from './paper/languages/open.ts'

/** All messages in English, by their keys. A service without files of the operator need not read them. */
export const englishMessages = async (): Promise<EnglishMessages> => {
  const { pageAreas } = await import('./areas.ts')
  return new Map(pageAreas.flatMap((area) => [...messagesOf(area)]))
}

/** @throws SettingsFault where a language file is wrong */
export const languagesOf = async ({
  languages,
}: Pick<Settings, 'languages'>): Promise<readonly Language[]> =>
  openLanguages(languages, languages.length === 0 ? new Map() : await englishMessages())
