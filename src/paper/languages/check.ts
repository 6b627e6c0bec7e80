/** Compares the messages of a language file with English: each fault names file, key and expectation. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { nearest } from '../../config/nearest.ts'
import type { LanguageFile } from '../../model/language.ts'
import type { WordMessage } from '../catalog.ts'
import { type Kinds, parseMessage } from '../message.ts'

/** Of one message. English has none of a quarter of that. */
const messageCharacters = 2000

/** A message of English: its text, and its placeholders if it has any. */
export type EnglishMessage = string | WordMessage

export type EnglishMessages = ReadonlyMap<string, EnglishMessage>

/** A fault in a message. */
class MessageFault extends Error {}

const kindsOf = (message: EnglishMessage): Kinds =>
  typeof message === 'string' ? {} : message.kinds

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `{${name}}`).join(', ')

/** What a placeholder may be used as: a number also in a plural, a text alone or in a select. */
const checkUse = (element: MessageFormatElement & { readonly value: string }, kinds: Kinds) => {
  const { type, value: name } = element
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind === undefined) {
    throw new MessageFault(
      `has an unknown placeholder {${name}}; expected ${listed(Object.keys(kinds))}`,
    )
  }
  const wantsNumber = type === TYPE.plural || type === TYPE.number
  if (wantsNumber && kind !== 'number') {
    throw new MessageFault(`uses {${name}} as a number, and it is none: write {${name}}`)
  }
  const isPlain = type === TYPE.argument || type === TYPE.select || wantsNumber
  const isStyled = 'style' in element && element.style !== undefined && element.style !== null
  if (!isPlain || isStyled) {
    throw new MessageFault(`has a format that pages do not use: write {${name}}`)
  }
}

/** The placeholders of a message. @throws MessageFault */
const placeholdersIn = (
  elements: readonly MessageFormatElement[],
  kinds: Kinds,
): readonly string[] =>
  elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.tag) throw new MessageFault('has a tag')
    checkUse(element, kinds)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element.value]
    const branches = Object.values(element.options)
    return [element.value, ...branches.flatMap(({ value }) => placeholdersIn(value, kinds))]
  })

const parsed = (text: string): readonly MessageFormatElement[] => {
  try {
    return parseMessage(text)
  } catch (fault) {
    throw new MessageFault(`is no ICU message (${String(fault).replace('SyntaxError: ', '')})`)
  }
}

const checkMessage = (text: string, expected: EnglishMessage): void => {
  const most = messageCharacters
  if (text.trim() === '') throw new MessageFault('is empty')
  if (text.length > most) throw new MessageFault(`has more than ${most} characters`)
  if (/\p{Cc}/u.test(text)) throw new MessageFault('has a control character')
  const kinds = kindsOf(expected)
  const found = placeholdersIn(parsed(text), kinds)
  const missing = Object.keys(kinds).filter((name) => !found.includes(name))
  if (missing.length > 0) throw new MessageFault(`lacks ${listed(missing)}`)
}

/** What is wrong with a message; null = nothing. */
const messageFault = (key: string, text: string, english: EnglishMessages): string | null => {
  const expected = english.get(key)
  if (expected === undefined) {
    const meant = nearest(key, [...english.keys()])
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
export const fileFaults = (
  { file, messages }: Pick<LanguageFile, 'file' | 'messages'>,
  english: EnglishMessages,
): readonly string[] =>
  [...messages].flatMap(([key, text]) => {
    const fault = messageFault(key, text, english)
    return fault === null ? [] : [`${file}: "${key}" ${fault}`]
  })
