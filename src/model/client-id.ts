/** Client ids, as they may be written (RFC 6749 section 2.2 leaves that to the server). */
import { type ClientId, isId } from './ids.ts'

/** Characters of a client id at most: of a URL, and of a word. */
export const clientIdCharacters = { url: 2048, word: 200 } as const

/** `.` and `..` mean something else in a path. */
const isWord = (text: string): boolean =>
  text.length <= clientIdCharacters.word && /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(text)

/** Over plain http, only a document on this machine, which only the demo fetches. */
const url = /^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/])[\x21-\x7e]+$/

/** Whether a text can be a client id: a word, or a URL. */
export const isClientId = (text: string): text is ClientId =>
  isWord(text) || (text.length <= clientIdCharacters.url && url.test(text))

/** Whether a URL is in its normal form, with a path. So it has no dot segment, and one spelling. */
const isNormal = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { href, username, password } = new URL(text)
  return href === text && username === '' && password === '' && !text.includes('#')
}

/**
 * Whether a client id can be the URL of a metadata document (draft-ietf-oauth-client-id-metadata-document-02
 * section 3).
 */
export const isDocumentId = (text: string, { demo }: { readonly demo: boolean }): boolean =>
  isClientId(text) && /^https?:/.test(text) && (demo || !text.startsWith('http:')) && isNormal(text)

/**
 * Whether a client id is a URL in its normal form. Ids are compared as text, so two spellings of a URL
 * would be two clients.
 */
export const isUrlClientId = (text: string): boolean => isDocumentId(text, { demo: false })

/** Whether an operator may choose it. The form of generated ids could be that of an owner or of a later client. */
export const isChosenClientId = (text: string): boolean =>
  isWord(text) ? !isId(text) : isUrlClientId(text)
