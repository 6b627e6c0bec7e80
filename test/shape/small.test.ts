/** The shape of `src/` in the small: no file is apart without a reason, and each folder says what it is for. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, root, type Source, sourceOf, sources } from './source.ts'

const smallLines = 40
/** No file may be longer (`form.test.ts`). */
const mostLines = 300

/** Lists whose entries have a file each, so that a further entry is one file and one line. */
const lists: readonly string[] = [
  'clients/methods/index.ts',
  'cli/program.ts',
  'grants/index.ts',
  'owners/hashes/index.ts',
  // A door of the package holds exported names alone.
  'resource/index.ts',
]

/** The `index.ts` of a room or of a feature lists its endpoints. */
const isList = ({ path }: Source): boolean =>
  lists.includes(path) || /^(rooms\/\w+|features(\/[\w-]+)?)\/index\.ts$/.test(path)

/** The words of a page stand beside it, for whoever changes a text. */
const isWords = ({ path }: Source): boolean => /\bwords\.ts$/.test(path)

/** Small files that still wait for their merge. The list only shrinks. */
const waiting: readonly string[] = []

/** Tests, measurements and the playground may need a file of `src/` by itself. */
const outside: readonly string[] = ['test', 'bench', 'playground']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  )
  .filter((path) => /\.[jt]s$/.test(path) && !/shape\/(small\.test|prose-baseline)\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))

const linesOf = ({ text }: Source): number => text.split('\n').length - 1

const isLoadedLate = ({ path }: Source, { spoken }: Source): boolean =>
  [...spoken.matchAll(/\bimport\s*\(\s*'([^']+)'/g)].some(([, to]) => to === `./${basename(path)}`)

/** Small files with one importer, which stands in the same folder. */
const smallFilesIn = (files: readonly Source[], texts: readonly string[]): readonly string[] => {
  const importers = new Map<string, Set<Source>>()
  for (const file of files) {
    for (const target of importsOf(file).filter((one) => one.startsWith('.'))) {
      const path = join(dirname(file.path), target)
      importers.set(path, (importers.get(path) ?? new Set()).add(file))
    }
  }
  const isNeedless = (file: Source): boolean => {
    const [importer, ...others] = importers.get(file.path) ?? []
    if (linesOf(file) > smallLines || importer === undefined || others.length > 0) return false
    return (
      dirname(importer.path) === dirname(file.path) &&
      linesOf(file) + linesOf(importer) <= mostLines &&
      !isList(importer) &&
      !isWords(file) &&
      !isLoadedLate(file, importer) &&
      !texts.some((text) => text.includes(file.path))
    )
  }
  return files.filter(isNeedless).map(({ path }) => path)
}

describe('the files', () => {
  it('are apart only where something needs it', () => {
    assert.deepEqual(smallFilesIn(sources, outside), waiting)
  })

  it('would be found if nothing needed them', () => {
    const planted = [
      sourceOf('tokens/issue.ts', "import './one.ts'\nimport './two.ts'\nimport './tested.ts'"),
      sourceOf('tokens/one.ts', "const load = () => import('./late.ts')"),
      sourceOf('tokens/two.ts', "import './shared.ts'\nimport '../model/three.ts'"),
      sourceOf('tokens/late.ts', "import './shared.ts'\nimport './long.ts'"),
      sourceOf('tokens/shared.ts', ''),
      sourceOf('tokens/tested.ts', ''),
      sourceOf('tokens/long.ts', '\n'.repeat(smallLines + 1)),
      sourceOf('model/three.ts', ''),
      sourceOf('grants/index.ts', "import './x.ts'"),
      sourceOf('grants/x.ts', ''),
    ]
    const texts = ["import '../../src/tokens/tested.ts'"]
    assert.deepEqual(smallFilesIn(planted, texts), ['tokens/one.ts', 'tokens/two.ts'])
  })
})

const src = join(root, 'src')
const folders: readonly string[] = [
  '',
  ...readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(src.length + 1))
    .sort(),
]

/** The sentence of a folder: the first comment of its `index.ts`, or its `README.md`. */
const sentenceOf = (folder: string): string => {
  const read = (name: string): string | null => {
    const path = join(src, folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }
  const comment = /^\/\*\*(?<said>.*?)\*\//s
  return (comment.exec(read('index.ts') ?? '')?.groups?.said ?? read('README.md') ?? '').trim()
}

describe('the folders', () => {
  it('say what they are for', () => {
    const silent = folders.filter((folder) => !/^[A-Z`].{10,}\.$/s.test(sentenceOf(folder)))
    assert.deepEqual(silent, [])
  })

  it('say it in one place, briefly', () => {
    const long = folders.filter((folder) => {
      const path = join(src, folder, 'README.md')
      if (!existsSync(path)) return false
      const isTwice = existsSync(join(src, folder, 'index.ts'))
      return isTwice || readFileSync(path, 'utf8').trim().split('\n').length > 2
    })
    assert.deepEqual(long, [])
  })
})
