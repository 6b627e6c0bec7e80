/** The words of a page of this service, for a picture of the page that nobody can press. */
import type { Answer } from '../src/http/answer.ts'
import type { PageBlock } from './pages/exchanged.ts'
import { textOf } from './write.ts'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** Text without tags. Pages escape these five signs and no others. */
const readText = (inner: string): string =>
  inner
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')

/** Null for an answer that a browser does not show as a refusal. */
export const readRefusalPage = ({ status, headers, body }: Answer): readonly PageBlock[] | null => {
  const isPage = String(headers['Content-Type']).startsWith('text/html')
  if (!isPage || status < 400) return null
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(textOf(body)) ?? []
  return [...main.matchAll(/<(h1|h2|p|dt|dd|pre)\b[^>]*>([\s\S]*?)<\/\1>/g)].map(
    ([, kind = '', inner = '']) => ({
      kind: kind as PageBlock['kind'],
      // Every second piece is marked: the characters that differ.
      pieces: inner.split(/<mark>([\s\S]*?)<\/mark>/).map(readText),
    }),
  )
}
