/** The setting `languages`: a folder with one file for each language of the operator. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isObject, parseJson } from '../model/json.ts'
import type { LanguageFile } from '../model/language.ts'
import { MemberFault } from './members.ts'
import { isLanguageTag, mostLanguages } from './texts.ts'
import type { Parse } from './values.ts'

const fileBytes = 1024 * 1024
const nameCharacters = 60

const form = 'the path of a folder with language files (see docs/languages.md)'
const members = ['tag', 'name', 'direction', 'lang', 'dates', 'messages']

const isKnownLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const isTag = (given: unknown): given is string =>
  typeof given === 'string' && isLanguageTag(given) && isKnownLocale(given)

const isName = (given: unknown): given is string =>
  typeof given === 'string' && given.trim() !== '' && given.length <= nameCharacters

const isDirection = (given: unknown): given is 'ltr' | 'rtl' => given === 'ltr' || given === 'rtl'

type FileMembers = Readonly<Record<string, unknown>>

/** A member; null where it is not there. */
const readMember = <Value>(
  content: FileMembers,
  member: string,
  isRight: (given: unknown) => given is Value,
  needed: string,
): Value | null => {
  const given = content[member]
  if (given === undefined) return null
  if (isRight(given)) return given
  throw new MemberFault(`needs as "${member}" ${needed}`)
}

const tagForm = 'a tag such as fr or pt-BR'

const readMessages = ({ messages }: FileMembers): LanguageFile['messages'] => {
  if (!isObject(messages)) throw new MemberFault('needs as "messages" an object')
  const entries = Object.entries(messages).map(([key, text]) => {
    if (typeof text === 'string') return [key, text] as const
    throw new MemberFault(`needs a text for the message "${key}"`)
  })
  return new Map(entries)
}

const parseFile = (file: string, text: string): LanguageFile => {
  if (text === '') throw new MemberFault('is empty: remove it, or write it anew')
  const content = parseJson(text)
  if (content === undefined) throw new MemberFault('is not valid JSON')
  if (!isObject(content)) throw new MemberFault('must hold one JSON object')
  const unknown = Object.keys(content).find((key) => !members.includes(key))
  if (unknown !== undefined) throw new MemberFault(`has an unknown member "${unknown}"`)
  const tagIn = (member: string) => readMember(content, member, isTag, tagForm)
  const tag = tagIn('tag')
  if (tag === null) throw new MemberFault(`needs as "tag" ${tagForm}`)
  return {
    file,
    tag,
    name: readMember(
      content,
      'name',
      isName,
      `the name of the language in itself, of at most ${nameCharacters} characters`,
    ),
    direction: readMember(content, 'direction', isDirection, '"ltr" or "rtl"'),
    lang: tagIn('lang'),
    dates: tagIn('dates'),
    messages: readMessages(content),
  }
}

/** @throws Error with the name of the file and its fault */
export const readLanguage = (folder: string, file: string): LanguageFile => {
  try {
    const path = join(folder, file)
    if (statSync(path).size > fileBytes) {
      throw new MemberFault(`is larger than ${fileBytes / 1024} KiB`)
    }
    return parseFile(file, readFileSync(path, 'utf8'))
  } catch (fault) {
    const said = fault instanceof MemberFault ? fault.message : 'cannot be read'
    throw new MemberFault(`${file} ${said}`)
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
    return fault instanceof MemberFault
      ? { expected: `${form}, but ${fault.message}` }
      : { expected: `${form}, which can be read` }
  }
}
