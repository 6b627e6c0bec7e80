/** The source files of the product as text, for tests that look at how they are written. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface Source {
  /** Within `src/`, such as `tokens/issue.ts`. */
  readonly path: string
  readonly text: string
  /** The text without comments. Everything keeps its line and column. */
  readonly spoken: string
  /** The text without comments and without what stands in strings and regular expressions. */
  readonly code: string
}

/** The end of a string, comment or regular expression that begins at `from`, or -1. */
const endAt = (text: string, from: number, close: string): number => {
  let isInClass = false
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === '\\') at++
    else if (close === '/' && letter === '[') isInClass = true
    else if (close === '/' && letter === ']') isInClass = false
    else if (!isInClass && text.startsWith(close, at)) return at + close.length
  }
  return text.length
}

/** A slash begins a regular expression where a value may begin, and divides anywhere else. */
const isRegularExpression = (before: string): boolean =>
  /(^|[(,=:[!&|?{};+\n]|=>|\breturn|\btypeof)\s*$/.test(before)

/** A template literal from its backtick or from the brace that ends an insertion. */
const templateEnd = (text: string, from: number): { end: number; isOpen: boolean } => {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '`') return { end: at + 1, isOpen: false }
    else if (text.startsWith('${', at)) return { end: at + 2, isOpen: true }
  }
  return { end: text.length, isOpen: false }
}

/** Where a comment, string, regular expression, template literal or insertion may begin or end. */
const edge = /["'`/{}]|$/g

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

const strip = (text: string, keepStrings: boolean): string => {
  let out = ''
  /** For each template literal that is open: how many braces its insertion has open. */
  const insertions: number[] = []
  const keep = (end: number, isString: boolean) => {
    const piece = text.slice(out.length, end)
    out += isString && keepStrings ? piece : blank(piece)
  }
  while (out.length < text.length) {
    const at = out.length
    const letter = text[at] ?? ''
    const last = insertions.length - 1
    const open = insertions[last]
    if (text.startsWith('//', at))
      keep(text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at), false)
    else if (text.startsWith('/*', at)) keep(text.indexOf('*/', at) + 2, false)
    else if (letter === "'" || letter === '"') keep(endAt(text, at + 1, letter), true)
    else if (letter === '/' && isRegularExpression(out.slice(-40)))
      keep(endAt(text, at + 1, '/'), true)
    else if (letter === '`' || (letter === '}' && open === 0)) {
      const { end, isOpen } = templateEnd(text, at + 1)
      if (letter === '}') insertions.pop()
      if (isOpen) insertions.push(0)
      keep(end, true)
    } else {
      if (open !== undefined && letter === '{') insertions[last] = open + 1
      if (open !== undefined && letter === '}') insertions[last] = open - 1
      edge.lastIndex = at + 1
      out += text.slice(at, edge.exec(text)?.index)
    }
  }
  return out
}

/** Many tests need few of the files, or only the folder: each text is made when it is asked for. */
const lazily = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

const sourceFrom = (path: string, read: () => string): Source => {
  const text = lazily(read)
  const spoken = lazily(() => strip(text(), true))
  const code = lazily(() => strip(text(), false))
  return {
    path,
    get text() {
      return text()
    },
    get spoken() {
      return spoken()
    },
    get code() {
      return code()
    },
  }
}

export const sourceOf = (path: string, text: string): Source => sourceFrom(path, () => text)

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => sourceFrom(path, () => readFileSync(join(root, folder, path), 'utf8')))

/** All TypeScript files below `src/`. */
export const sources: readonly Source[] = sourcesIn('src')

/** Those of the playground, which stands beside `src/`. Paths are within `playground/`. */
export const playground: readonly Source[] = sourcesIn('playground')

/** Everything a file imports or exports from elsewhere, types and `import()` too. */
export const importsOf = (source: Source): readonly string[] =>
  [...source.spoken.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map(
    (match) => match[1] ?? '',
  )

export const lineOf = (text: string, index: number): number =>
  text.slice(0, index).split('\n').length
