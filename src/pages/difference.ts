/** Where two redirect URIs differ, marked: they are compared character by character (RFC 9700 section 4.1.3). */
import { html, type Markup } from './markup.ts'
import { spelledOut } from './plain-text.ts'

interface Parts {
  readonly start: string
  readonly middle: string
  readonly end: string
}

const commonStart = (a: readonly string[], b: readonly string[]): number => {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

const cut = (text: readonly string[], start: number, end: number): Parts => ({
  start: text.slice(0, start).join(''),
  middle: text.slice(start, text.length - end).join(''),
  end: text.slice(text.length - end).join(''),
})

/** Both texts, each cut where they begin and cease to differ. Linear: strangers choose the lengths. */
export const differenceOf = (one: string, other: string): readonly [Parts, Parts] => {
  const a = [...one]
  const b = [...other]
  const start = commonStart(a, b)
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse())
  return [cut(a, start, end), cut(b, start, end)]
}

/** The text with the differing part in `mark`; unseen characters are spelled out. */
export const marked = ({ start, middle, end }: Parts): Markup =>
  html`<code>${spelledOut(start)}${middle ? html`<mark>${spelledOut(middle)}</mark>` : null}${spelledOut(end)}</code>`

/** Of several texts the one that shares the most with `received`. */
export const nearest = (received: string, candidates: readonly string[]): string => {
  const shared = (candidate: string): number => {
    const [{ start, end }] = differenceOf(received, candidate)
    return start.length + end.length
  }
  return candidates.toSorted((a, b) => shared(b) - shared(a))[0] ?? ''
}
