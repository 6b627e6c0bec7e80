/** Where two redirect URIs differ, marked: they are compared character by character (RFC 9700 section 4.1.3). */
import { spellOut } from '../model/plain/line.ts'
import { countCommonStart } from '../requests/redirect-difference.ts'
import { type Content, html, type Markup } from './markup.ts'

/** Two redirect URIs are compared finely where the product of their lengths is at most this. */
const comparedCells = 128 * 128

/** A text cut into runs: shared with the other text, or not. */
export type TextRuns = readonly { readonly text: string; readonly shared: boolean }[]

type Characters = readonly string[]

/** How much of `a` from i and `b` from j can be kept in common, for every i and j. */
const computeLengths = (a: Characters, b: Characters): readonly Uint16Array[] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const here = lengths[i]
      const below = lengths[i + 1]
      if (!here || !below) continue
      here[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, here[j + 1] ?? 0)
    }
  }
  return lengths
}

/** Which characters of both belong to a longest common subsequence. */
const findShared = (a: Characters, b: Characters): readonly [boolean[], boolean[]] => {
  const ofA = a.map(() => false)
  const ofB = b.map(() => false)
  if (a.length * b.length > comparedCells) return [ofA, ofB]
  const lengths = computeLengths(a, b)
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      ofA[i++] = true
      ofB[j++] = true
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) i++
    else j++
  }
  return [ofA, ofB]
}

const listRuns = (characters: Characters, shared: (index: number) => boolean): TextRuns => {
  const runs: { text: string; shared: boolean }[] = []
  for (const [index, character] of characters.entries()) {
    const last = runs.at(-1)
    if (last?.shared === shared(index)) last.text += character
    else runs.push({ text: character, shared: shared(index) })
  }
  return runs
}

/** Both texts in runs. Strangers choose them, so beyond a size the whole middle counts as different. */
export const compareRuns = (one: string, other: string): readonly [TextRuns, TextRuns] => {
  const a = [...one]
  const b = [...other]
  const start = countCommonStart(a, b)
  const end = countCommonStart(a.slice(start).reverse(), b.slice(start).reverse())
  const middle = (text: Characters): Characters => text.slice(start, text.length - end)
  const [insideA, insideB] = findShared(middle(a), middle(b))
  const shared = (inside: boolean[]) => (index: number) => inside[index - start] ?? true
  return [listRuns(a, shared(insideA)), listRuns(b, shared(insideB))]
}

/** The text with what differs in `mark`; unseen characters are spelled out. */
export const renderMarked = (runs: TextRuns): Markup =>
  html`<code>${runs.map(({ text, shared }) =>
    shared ? html`${spellOut(text)}` : html`<mark>${spellOut(text)}</mark>`,
  )}</code>`

/** Of several texts the one that begins and ends most like `received`. */
export const pickNearest = (received: string, candidates: readonly string[]): string => {
  const likeness = (candidate: string): number => {
    const start = countCommonStart([...received], [...candidate])
    const rest = (text: string): Characters => [...text].slice(start).reverse()
    return start + countCommonStart(rest(received), rest(candidate))
  }
  return candidates.toSorted((a, b) => likeness(b) - likeness(a))[0] ?? ''
}

/** Values of a list of facts, the further ones under `or`. */
export const renderTerms = (
  term: string,
  values: readonly Content[],
  or: string,
): readonly Markup[] =>
  values.map(
    (value, index) => html`<div><dt>${index === 0 ? term : or}</dt><dd>${value}</dd></div>
`,
  )

/** The received value above the expected ones, with its difference to the nearest marked. */
export const renderComparison = (
  received: string,
  expected: readonly string[],
  words: Readonly<Record<'received' | 'expected' | 'or', string>>,
): Markup => {
  const closest = pickNearest(received, expected)
  const [theirs, ours] = compareRuns(received, closest)
  const others = expected
    .filter((candidate) => candidate !== closest)
    .map((text) => html`<code>${spellOut(text)}</code>`)
  return html`${renderTerms(words.received, [renderMarked(theirs)], words.or)}${renderTerms(words.expected, [renderMarked(ours), ...others], words.or)}`
}
