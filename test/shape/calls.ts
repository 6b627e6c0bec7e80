/** Calls in source text, for indexes: finds them by name and takes their arguments apart. */
import type { Source } from './source.ts'

export interface Call {
  readonly source: Source
  /** Where the call begins in the text. */
  readonly index: number
  /** The arguments as they are written, without white space around them. */
  readonly args: readonly string[]
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The end of the string or template at `from`. */
const stringEnd = (text: string, from: number): number => {
  const quote = text[from]
  let at = from + 1
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}

/** The arguments between the bracket at `open` and the one that closes it. */
export const argumentsAt = (text: string, open: number): readonly string[] => {
  const args: string[] = []
  const expected: string[] = []
  let from = open + 1
  for (let at = open; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === "'" || letter === '"' || letter === '`') at = stringEnd(text, at)
    else if (closing[letter] !== undefined) expected.push(closing[letter])
    else if (letter === expected.at(-1)) {
      expected.pop()
      if (expected.length > 0) continue
      args.push(text.slice(from, at).trim())
      break
    } else if (letter === ',' && expected.length === 1) {
      args.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return args.filter((arg) => arg !== '')
}

/** Every call of a function, or of a constructor where the name begins with `new `. */
export const callsOf = (name: string, files: readonly Source[]): readonly Call[] => {
  const pattern = new RegExp(`(?<![\\w.])${name.replace(' ', '\\s+')}\\(`, 'g')
  return files.flatMap((source) =>
    [...source.code.matchAll(pattern)].map(({ index, 0: match }) => ({
      source,
      index,
      args: argumentsAt(source.spoken, index + match.length - 1),
    })),
  )
}

/** What a string or template says; an insertion is shown as `*`. Null where it is neither. */
export const literalOf = (arg: string | undefined): string | null => {
  const parts = [
    ...(arg ?? '').matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g),
  ]
  const [first] = parts
  if (
    first === undefined ||
    parts.map(([all]) => all).join(' + ') !== (arg ?? '').replace(/\s+/g, ' ')
  ) {
    return null
  }
  return parts
    .map(
      ([, single, double, template]) =>
        single ?? double ?? (template ?? '').replace(/\$\{[^}]*\}/g, '*'),
    )
    .join('')
    .replaceAll("\\'", "'")
}
