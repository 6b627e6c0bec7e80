/** What the test of plain English looks at: every document, comment, string and type name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentsOf, type Passage, paragraphsOf, stringsOf, wordsIn } from './english.ts'
import { faultsOf, faultsOfComment } from './plain-english.ts'
import { root, type Source, sourceOf } from './source.ts'

/** Files whose strings are SQL, CSS or JavaScript. */
const isCodeInStrings = (path: string): boolean =>
  /^src\/store\/(records|schema|engines|sql|transfer)\/|script|style/.test(path)
/** Shorter strings are names and parts of sentences. */
const fewestWords = 6

export const glossary = 'docs/glossary.md'
/** The last cell of a row of the glossary, the only place for the words to avoid. */
export const avoidColumn = /\| ([^|\n]*)\|$/gm

const passagesOf = (path: string, text: string): readonly Passage[] => {
  if (path === glossary) return paragraphsOf(text.replaceAll(avoidColumn, ''))
  if (path.endsWith('.md')) return paragraphsOf(text)
  const source = sourceOf(path, text)
  const strings = path.startsWith('src/') && !isCodeInStrings(path) ? stringsOf(source) : []
  return [
    ...commentsOf(source),
    ...strings.filter(({ text: words }) => wordsIn(words) >= fewestWords),
  ]
}

const within = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

const files: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...within('docs', '.md'),
  ...['src', 'playground', 'test'].flatMap((folder) => within(folder, '.ts')),
].sort()

const faultsIn = (path: string, text: string): readonly string[] =>
  passagesOf(path, text).flatMap((passage) =>
    faultsOf(passage).map((fault) => `${path}:${passage.line} ${fault}`),
  )

/** Each file with its faults. */
export const faultsByFile: ReadonlyMap<string, readonly string[]> = new Map(
  files.map((path) => [path, faultsIn(path, readFileSync(join(root, path), 'utf8'))] as const),
)

/** Sentences of comments whose noun stands elsewhere, one line for each. */
export const findNounless = (all: readonly Source[]): readonly string[] =>
  all.flatMap((source) =>
    commentsOf(source).flatMap((passage) =>
      faultsOfComment(passage).map((fault) => `${source.path}:${passage.line} ${fault}`),
    ),
  )

const declaration = /^\s*(?:export )?(?:(?:interface|class) |type (?=\w+(?:<.*>)? =))(?<name>\w+)/gm

/** Types, interfaces and classes of one name in several files. */
export const repeatedTypes = (all: readonly Source[]): readonly string[] => {
  const places = new Map<string, Set<string>>()
  for (const { path, code } of all) {
    for (const { groups } of code.matchAll(declaration)) {
      const name = groups?.name ?? ''
      places.set(name, (places.get(name) ?? new Set()).add(path))
    }
  }
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name}: ${[...paths].join(' ')}`)
    .sort()
}
