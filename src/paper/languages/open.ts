/** The languages of the pages: English, those of this service, and those of the operator's files. */
import { SettingsFault } from '../../config/load.ts'
import { english, type Language, type LanguageFile } from '../../model/language.ts'
import { type EnglishMessages, fileFaults } from './check.ts'
import de from './de.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** A start tells of so many faults at once. */
const faultsTold = 20

interface Shipped {
  readonly tag: string
  readonly name: string
  readonly direction: string
  readonly lang?: string
  readonly messages: Readonly<Record<string, string>>
}

const shipped = ({ tag, name, direction, lang = tag, messages: all }: Shipped): Language => {
  let messages: Language['messages'] | null = null
  return {
    tag,
    name,
    direction: direction === 'rtl' ? 'rtl' : 'ltr',
    lang,
    dates: lang,
    // A service to which nobody speaks the language need not keep the messages twice.
    get messages() {
      messages ??= new Map(Object.entries(all))
      return messages
    },
  }
}

const changed = (language: Language, file: LanguageFile): Language => ({
  tag: language.tag,
  name: file.name ?? language.name,
  direction: file.direction ?? language.direction,
  lang: file.lang ?? language.lang,
  dates: file.dates ?? file.lang ?? language.dates,
  messages: new Map([...language.messages, ...file.messages]),
})

const added = ({ file, tag, name, direction, lang, dates, messages }: LanguageFile): Language => {
  if (name === null || direction === null) {
    const lacks = name === null ? 'name' : 'direction'
    throw new SettingsFault([`${file} needs "${lacks}", since ${tag} is a new language`])
  }
  return { tag, name, direction, lang: lang ?? tag, dates: dates ?? lang ?? tag, messages }
}

const isOf = (tag: string) => (one: Pick<Language, 'tag'>) =>
  one.tag.toLowerCase() === tag.toLowerCase()

/** English first. A file of a known tag changes that language; any other one adds its own. */
const merged = (known: readonly Language[], file: LanguageFile): readonly Language[] =>
  known.some(isOf(file.tag))
    ? known.map((one) => (isOf(file.tag)(one) ? changed(one, file) : one))
    : [...known, added(file)]

const checkFiles = (files: readonly LanguageFile[], messages: EnglishMessages): void => {
  const twice = files.find((file, index) => files.slice(0, index).some(isOf(file.tag)))
  const faults = [
    ...(twice === undefined ? [] : [`${twice.file} has the tag of another file: ${twice.tag}`]),
    ...files.flatMap((file) => fileFaults(file, messages)),
  ]
  if (faults.length === 0) return
  const more = faults.length - faultsTold
  const told = faults.slice(0, faultsTold)
  throw new SettingsFault(more > 0 ? [...told, `and ${more} more like these`] : told)
}

/**
 * @param messages those of English that the files may translate
 * @throws SettingsFault with all that is wrong in the files
 */
export const openLanguages = (
  files: readonly LanguageFile[],
  messages: EnglishMessages,
): readonly Language[] => {
  checkFiles(files, messages)
  return files.reduce(merged, [english, shipped(de), shipped(zh)])
}
