/** Client ids, as they may be written (RFC 6749 section 2.2 leaves that to the server). */
import { limits } from '../config/limits.ts'
import { type ClientId, isId } from './ids.ts'

/** `.` and `..` mean something else in a path. */
const isWord = (text: string): boolean =>
  text.length <= limits.clientIdCharacters.word && /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(text)

/** Whether a text can be a client id: a word, or an https URL. */
export const isClientId = (text: string): text is ClientId =>
  isWord(text) ||
  (text.length <= limits.clientIdCharacters.url && /^https:\/\/[\x21-\x7e]+$/.test(text))

/**
 * Whether a client id is a URL in its normal form. Ids are compared as text, so two spellings of a URL
 * would be two clients.
 */
export const isUrlClientId = (text: string): boolean => {
  if (!isClientId(text) || !text.startsWith('https://') || !URL.canParse(text)) return false
  const { href, username, password } = new URL(text)
  return href === text && username === '' && password === '' && !text.includes('#')
}

/** Whether an operator may choose it. The form of generated ids could be that of an owner or of a later client. */
export const isChosenClientId = (text: string): boolean =>
  isWord(text) ? !isId(text) : isUrlClientId(text)
