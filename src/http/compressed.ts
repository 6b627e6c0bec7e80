/**
 * Texts that pages load, compressed (RFC 9110 section 8.4.1.3). Pages are not: a page has secrets
 * beside text of others, and its compressed length would tell of them.
 */
import { gzipSync } from 'node:zlib'
import { type Answer, answerAsset } from './answer.ts'

/** Whether `Accept-Encoding` names gzip, and not to refuse it. */
const readsGzip = (accepted: string | null): boolean =>
  (accepted ?? '')
    .split(',')
    .some((one) => /^\s*gzip\s*(;|$)/i.test(one) && !/;\s*q=0(\.0*)?\s*$/i.test(one))

/** Answers a text by what the browser reads. A text is compressed once, as long as it is the same. */
export const answerText = (
  type: string,
): ((text: string, acceptEncoding: string | null) => Answer) => {
  let kept = { text: '', compressed: new Uint8Array() }
  return (text, acceptEncoding) => {
    const plain = answerAsset(type, text)
    const headers = { ...plain.headers, Vary: 'Accept-Encoding' }
    if (!readsGzip(acceptEncoding)) return { ...plain, headers }
    if (kept.text !== text) kept = { text, compressed: new Uint8Array(gzipSync(text)) }
    const body = kept.compressed
    return { ...plain, headers: { ...headers, 'Content-Encoding': 'gzip' }, body }
  }
}
