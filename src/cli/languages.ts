/** `latchkey language`: lists the languages of the pages, and writes files for translators. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readLanguage } from '../config/languages.ts'
import { loadSettings } from '../config/load.ts'
import { UsageFault } from '../config/remote.ts'
import { isLanguageTag } from '../config/texts.ts'
import { english, type Language, type LanguageFile } from '../model/language.ts'
import type { Flags } from './store.ts'

/** The texts of the pages, which no other command needs. */
const openTexts = () => import('../languages.ts')

const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']

/** A language that nobody has translated yet. */
const makeLanguage = (tag: string): Language => {
  if (!isLanguageTag(tag))
    throw new UsageFault(`${tag} is no tag of a language, such as fr or pt-BR`)
  const { script = '' } = new Intl.Locale(tag).maximize()
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  const direction = rightToLeft.includes(script) ? 'rtl' : 'ltr'
  return { tag, name, direction, lang: tag, dates: tag, messages: new Map() }
}

const isOf =
  (wanted: string) =>
  ({ tag }: { readonly tag: string }): boolean =>
    tag.toLowerCase() === wanted.toLowerCase()

/**
 * A file for a translator: what is translated, and English for the rest.
 *
 * @param earlier goes before the file of this tag in the folder, and keeps all its messages
 */
export const exportLanguage = async (
  wanted: string,
  flags: Flags,
  earlier: LanguageFile | null = null,
): Promise<string> => {
  const { languages } = loadSettings({ flags })
  const others = languages.filter((file) => earlier === null || !isOf(wanted)(file))
  const { loadEnglishMessages, loadLanguages } = await openTexts()
  const known = await loadLanguages({ languages: earlier === null ? others : [...others, earlier] })
  const language = known.find(isOf(wanted)) ?? makeLanguage(wanted)
  const { tag, name, direction, lang, dates, messages } = language
  const all = [...(await loadEnglishMessages())]
    .filter(([key]) => flags.missing !== true || !messages.has(key))
    .map(([key, of]) => [key, messages.get(key) ?? of])
  const file = {
    tag,
    name,
    direction,
    ...(lang === tag ? {} : { lang }),
    ...(dates === lang ? {} : { dates }),
    messages: Object.fromEntries(all),
  }
  return JSON.stringify(file, null, 2)
}

/** The translation in the file. A file with anything else is refused, and stays as it is. */
const readEarlier = (path: string, wanted: string): LanguageFile | null => {
  if (!existsSync(path)) return null
  const earlier = readLanguage(dirname(path), basename(path))
  if (isOf(wanted)(earlier)) return earlier
  throw new UsageFault(`${path} holds the language ${earlier.tag}: name another file for ${wanted}`)
}

/**
 * Writes it into a file. The translation that was there is read before, and never lost half way.
 *
 * @throws Error with `--missing`, since the file would lose the rest. Or the file holds another
 *   language, or none
 */
export const saveLanguage = async (tag: string, path: string, flags: Flags): Promise<void> => {
  if (flags.missing === true) {
    throw new UsageFault('--missing leaves out what is translated: print it, without --to')
  }
  const text = await exportLanguage(tag, flags, readEarlier(path, tag))
  writeFileSync(`${path}.new`, `${text}\n`)
  renameSync(`${path}.new`, path)
}

/** Each language with the number of its messages. */
export const listLanguages = async (flags: Flags): Promise<string> => {
  const { loadEnglishMessages, loadLanguages } = await openTexts()
  const all = await loadEnglishMessages()
  const rows = (await loadLanguages(loadSettings({ flags }))).map(({ tag, name, messages }) => ({
    tag,
    name,
    missing: tag === english.tag ? 0 : all.size - messages.size,
  }))
  if (flags.json === true) return JSON.stringify(rows, null, 2)
  return rows
    .map(
      ({ tag, name, missing }) =>
        `${tag.padEnd(10)}  ${name}${missing === 0 ? '' : ` (${missing} of ${all.size} messages are in English)`}`,
    )
    .join('\n')
}
