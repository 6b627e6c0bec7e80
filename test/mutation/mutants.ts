/** Small faults, planted one at a time: each is the text of a source file with one place changed. */
import { lineOf, type Source } from '../shape/source.ts'

export interface Mutant {
  /** Within `src/`. */
  readonly path: string
  readonly line: number
  /** Such as `=== to !==`. */
  readonly change: string
  /** The line with the fault in it, without its indentation. */
  readonly shown: string
  /** The whole file with the fault in it. */
  readonly text: string
}

interface Swap {
  readonly from: string
  readonly to: string
  /** In code outside strings, or in SQL. */
  readonly where: 'code' | 'sql'
}

const swap = (from: string, to: string, where: Swap['where'] = 'code'): Swap => ({
  from,
  to,
  where,
})

const swaps: readonly Swap[] = [
  swap(' === ', ' !== '),
  swap(' !== ', ' === '),
  swap(' <= ', ' < '),
  swap(' < ', ' <= '),
  swap(' >= ', ' > '),
  swap(' > ', ' >= '),
  swap(' && ', ' || '),
  swap(' || ', ' && '),
  swap(' + ', ' - '),
  swap(' - ', ' + '),
  swap(' true', ' false'),
  swap(' false', ' true'),
  swap(' and ', ' or ', 'sql'),
  swap(' <= ', ' < ', 'sql'),
  swap(' < ', ' <= ', 'sql'),
  swap(' > ', ' >= ', 'sql'),
  swap(' not exists', ' exists', 'sql'),
]

/** The closing parenthesis for the one at `from`. */
const closing = (code: string, from: number): number => {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    if (code[at] === '(') depth++
    else if (code[at] === ')' && --depth === 0) return at
  }
  return -1
}

const mutantAt = (
  { path, text }: Source,
  change: string,
  from: number,
  until: number,
  by: string,
): Mutant => {
  const mutated = text.slice(0, from) + by + text.slice(until)
  const line = lineOf(text, from)
  return { path, line, change, shown: mutated.split('\n')[line - 1]?.trim() ?? '', text: mutated }
}

/** Text in strings alone: everything else is blank, in its place. */
const stringsOf = ({ spoken, code }: Source): string =>
  [...spoken].map((letter, at) => (code[at] === letter ? ' ' : letter)).join('')

const isSql = (path: string): boolean =>
  /^store\/(records|schema|engines|sql|transfer)\//.test(path)

const swapped = (source: Source): readonly Mutant[] =>
  swaps.flatMap(({ from, to, where }) => {
    if (where === 'sql' && !isSql(source.path)) return []
    const searched = where === 'code' ? source.code : source.spoken
    const strings = where === 'code' ? null : stringsOf(source)
    const places = [
      ...searched.matchAll(new RegExp(from.replaceAll('|', '\\|').replaceAll('+', '\\+'), 'g')),
    ]
    return places
      .filter(({ index }) => strings === null || strings.slice(index, index + from.length) === from)
      .map(({ index }) =>
        mutantAt(source, `${from.trim()} to ${to.trim()}`, index, index + from.length, to),
      )
  })

/** A condition that is never true: its check is gone. */
const unchecked = (source: Source): readonly Mutant[] =>
  [...source.code.matchAll(/\bif \(/g)].flatMap(({ index }) => {
    const open = index + 'if '.length
    const end = closing(source.code, open)
    return end < 0 ? [] : [mutantAt(source, 'if never', open, end + 1, '(false as boolean)')]
  })

/** A statement of one line: a call with an unused result. */
const uncalled = (source: Source): readonly Mutant[] =>
  [...source.code.matchAll(/^( +)(?:await |yield\* |yield )?[a-z]\w*(?:\.\w+)*\(.*\)$/gm)].map(
    ({ index, 0: line, 1: indent = '' }) =>
      mutantAt(source, 'call left out', index + indent.length, index + line.length, ''),
  )

export const mutantsOf = (source: Source): readonly Mutant[] => [
  ...swapped(source),
  ...unchecked(source),
  ...uncalled(source),
]
