/** The setting `languages`: a folder with one file for each language of the operator. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isObject } from '../model/json.ts'
import type { LanguageFile } from '../model/language.ts'
import { isLanguageTag, mostLanguages } from './texts.ts'
import type { Parse } from './values.ts'

const fileBytes = 1024 * 1024
const nameCharacters = 60

/** What a file lacks or has too much of. Its message follows the name of the file. */
class LanguageFileFault extends Error {}

const form = 'the path of a folder with language files (see docs/languages.md)'
const members = ['tag', 'name', 'direction', 'lang', 'dates', 'messages']

const isKnownLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const tagIn = (content: Readonly<Record<string, unknown>>, member: string): string | null => {
  const given = content[member]
  if (given === undefined) return null
  if (typeof given === 'string' && isLanguageTag(given) && isKnownLocale(given)) return given
  throw new LanguageFileFault(`needs as "${member}" a tag such as fr or pt-BR`)
}

const nameIn = ({ name }: Readonly<Record<string, unknown>>): string | null => {
  if (name === undefined) return null
  const most = nameCharacters
  if (typeof name === 'string' && name.trim() !== '' && name.length <= most) return name
  throw new LanguageFileFault(
    `needs as "name" the name of the language in itself, of at most ${most} characters`,
  )
}

const directionIn = ({ direction }: Readonly<Record<string, unknown>>): 'ltr' | 'rtl' | null => {
  if (direction === undefined) return null
  if (direction === 'ltr' || direction === 'rtl') return direction
  throw new LanguageFileFault('needs as "direction" "ltr" or "rtl"')
}

const messagesIn = ({ messages }: Readonly<Record<string, unknown>>): LanguageFile['messages'] => {
  if (!isObject(messages)) throw new LanguageFileFault('needs as "messages" an object')
  const entries = Object.entries(messages).map(([key, text]) => {
    if (typeof text === 'string') return [key, text] as const
    throw new LanguageFileFault(`needs a text for the message "${key}"`)
  })
  return new Map(entries)
}

const parseFile = (file: string, text: string): LanguageFile => {
  if (text === '') throw new LanguageFileFault('is empty: remove it, or write it anew')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new LanguageFileFault('is not valid JSON')
  }
  if (!isObject(content)) throw new LanguageFileFault('must hold one JSON object')
  const unknown = Object.keys(content).find((key) => !members.includes(key))
  if (unknown !== undefined) throw new LanguageFileFault(`has an unknown member "${unknown}"`)
  const tag = tagIn(content, 'tag')
  if (tag === null) throw new LanguageFileFault('needs as "tag" a tag such as fr or pt-BR')
  return {
    file,
    tag,
    name: nameIn(content),
    direction: directionIn(content),
    lang: tagIn(content, 'lang'),
    dates: tagIn(content, 'dates'),
    messages: messagesIn(content),
  }
}

/** @throws Error with the name of the file and its fault */
export const readLanguage = (folder: string, file: string): LanguageFile => {
  try {
    const path = join(folder, file)
    if (statSync(path).size > fileBytes) {
      throw new LanguageFileFault(`is larger than ${fileBytes / 1024} KiB`)
    }
    return parseFile(file, readFileSync(path, 'utf8'))
  } catch (fault) {
    const said = fault instanceof LanguageFileFault ? fault.message : 'cannot be read'
    throw new LanguageFileFault(`${file} ${said}`)
  }
}

export const parseLanguages: Parse<readonly LanguageFile[]> = (given, cwd) => {
  if (typeof given !== 'string' || given === '') return { expected: form }
  const folder = resolve(cwd, given)
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
    if (files.length > mostLanguages) {
      return { expected: `${form}, at most ${mostLanguages} of them` }
    }
    return { value: files.sort().map((file) => readLanguage(folder, file)) }
  } catch (fault) {
    return fault instanceof LanguageFileFault
      ? { expected: `${form}, but ${fault.message}` }
      : { expected: `${form}, which can be read` }
  }
}
