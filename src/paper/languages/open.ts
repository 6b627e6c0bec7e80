/** The languages of the pages: English, those of this service, and those of the operator's files. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { SettingsFault } from '../../config/load.ts'
import { findNearest } from '../../config/nearest.ts'
import { english, type Language, type LanguageFile } from '../../model/language.ts'
import type { EnglishMessages } from '../catalog.ts'
import { parseMessage } from '../message.ts'
import de from './de.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** A fault in a message. */
class MessageFault extends Error {}

/** The names of the placeholders of a message. A number may also stand in a plural. */
type Kinds = Readonly<Record<string, 'text' | 'number'>>

const isNumber = ({ type }: MessageFormatElement): boolean =>
  type === TYPE.plural || type === TYPE.number

type Placeholder = Exclude<
  MessageFormatElement,
  { readonly type: TYPE.literal | TYPE.pound | TYPE.tag }
>

/** The placeholders in a message and in the branches of its plurals. @throws MessageFault */
const listPlaceholders = (elements: readonly MessageFormatElement[]): readonly Placeholder[] =>
  elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.tag) throw new MessageFault('has a tag')
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element]
    const branches = Object.values(element.options)
    return [element, ...branches.flatMap(({ value }) => listPlaceholders(value))]
  })

const readKinds = (source: string): Kinds =>
  Object.fromEntries(
    listPlaceholders(parseMessage(source)).map((one) => [
      one.value,
      isNumber(one) ? 'number' : 'text',
    ]),
  )

const formatNames = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `{${name}}`).join(', ')

/** A placeholder may be a number also in a plural, a text alone or in a select. */
const checkPlaceholder = (element: Placeholder, kinds: Kinds) => {
  const { type, value: name } = element
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind === undefined) {
    throw new MessageFault(
      `has an unknown placeholder {${name}}; expected ${formatNames(Object.keys(kinds))}`,
    )
  }
  if (isNumber(element) && kind !== 'number') {
    throw new MessageFault(`uses {${name}} as a number, and it is none: write {${name}}`)
  }
  const isPlain = type === TYPE.argument || type === TYPE.select || isNumber(element)
  const isStyled = 'style' in element && element.style !== undefined && element.style !== null
  if (!isPlain || isStyled) {
    throw new MessageFault(`has a format that pages do not use: write {${name}}`)
  }
}

const parseIcu = (text: string): readonly MessageFormatElement[] => {
  try {
    return parseMessage(text)
  } catch (fault) {
    throw new MessageFault(`is no ICU message (${String(fault).replace('SyntaxError: ', '')})`)
  }
}

const checkMessage = (text: string, expected: string): void => {
  const most = messageCharacters
  if (text.trim() === '') throw new MessageFault('is empty')
  if (text.length > most) throw new MessageFault(`has more than ${most} characters`)
  if (/\p{Cc}/u.test(text)) throw new MessageFault('has a control character')
  const kinds = readKinds(expected)
  const found = listPlaceholders(parseIcu(text))
  for (const one of found) checkPlaceholder(one, kinds)
  const missing = Object.keys(kinds).filter((name) => !found.some(({ value }) => value === name))
  if (missing.length > 0) throw new MessageFault(`lacks ${formatNames(missing)}`)
}

/** What is wrong with a message; null = nothing. */
const findMessageFault = (key: string, text: string, english: EnglishMessages): string | null => {
  const expected = english.get(key)
  if (expected === undefined) {
    const meant = findNearest(key, [...english.keys()])
    return `is unknown${meant === null ? '' : `; did you mean "${meant}"?`}`
  }
  try {
    checkMessage(text, expected)
    return null
  } catch (fault) {
    if (fault instanceof MessageFault) return fault.message
    throw fault
  }
}

/** All that is wrong with the messages of a file. */
const messageCharacters = 2000
/** Faults of one file that are told. */
const faultsTold = 20

export const listFileFaults = (
  { file, messages }: Pick<LanguageFile, 'file' | 'messages'>,
  english: EnglishMessages,
): readonly string[] =>
  [...messages].flatMap(([key, text]) => {
    const fault = findMessageFault(key, text, english)
    return fault === null ? [] : [`${file}: "${key}" ${fault}`]
  })

interface Shipped {
  readonly tag: string
  readonly name: string
  readonly direction: string
  readonly lang?: string
  readonly messages: Readonly<Record<string, string>>
}

const makeShipped = ({ tag, name, direction, lang = tag, messages: all }: Shipped): Language => {
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

const changeLanguage = (language: Language, file: LanguageFile): Language => ({
  tag: language.tag,
  name: file.name ?? language.name,
  direction: file.direction ?? language.direction,
  lang: file.lang ?? language.lang,
  dates: file.dates ?? file.lang ?? language.dates,
  messages: new Map([...language.messages, ...file.messages]),
})

const add = ({ file, tag, name, direction, lang, dates, messages }: LanguageFile): Language => {
  if (name === null || direction === null) {
    const lacks = name === null ? 'name' : 'direction'
    throw new SettingsFault([`${file} needs "${lacks}", since ${tag} is a new language`])
  }
  return { tag, name, direction, lang: lang ?? tag, dates: dates ?? lang ?? tag, messages }
}

const isOf = (tag: string) => (one: Pick<Language, 'tag'>) =>
  one.tag.toLowerCase() === tag.toLowerCase()

/** English first. A file of a known tag changes that language; any other one adds its own. */
const mergeFile = (known: readonly Language[], file: LanguageFile): readonly Language[] =>
  known.some(isOf(file.tag))
    ? known.map((one) => (isOf(file.tag)(one) ? changeLanguage(one, file) : one))
    : [...known, add(file)]

const checkFiles = (files: readonly LanguageFile[], messages: EnglishMessages): void => {
  const twice = files.find((file, index) => files.slice(0, index).some(isOf(file.tag)))
  const faults = [
    ...(twice === undefined ? [] : [`${twice.file} has the tag of another file: ${twice.tag}`]),
    ...files.flatMap((file) => listFileFaults(file, messages)),
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
  return files.reduce(mergeFile, [english, makeShipped(de), makeShipped(zh)])
}
