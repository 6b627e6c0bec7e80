/** The catalogs: complete, translated, and their functions say all that they are told. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const folder = join(import.meta.dirname, '../../../src/pages/words')

/** Words that are the same in both languages: names out of the RFCs. */
const untranslated = ['home.id', 'home.secret']

type Words = Readonly<Record<string, unknown>>

interface Catalog {
  readonly area: string
  readonly en: Words
  readonly zh: Words
}

const isWords = (value: unknown): value is Words => typeof value === 'object' && value !== null

const isCatalog = (value: unknown): value is Omit<Catalog, 'area'> =>
  isWords(value) && isWords(value.en) && isWords(value.zh)

const catalogs: readonly Catalog[] = await Promise.all(
  readdirSync(folder).map(async (name) => {
    const found = Object.values<unknown>(await import(join(folder, name))).filter(isCatalog)
    const [catalog] = found
    assert.ok(catalog && found.length === 1, `${name} has to export one catalog`)
    return { ...catalog, area: name.replace('.ts', '') }
  }),
)

/** A text or a function of a catalog, by the names that lead to it. */
interface Entry {
  readonly path: string
  readonly of: unknown
}

const entriesOf = (words: Words, path: string): readonly Entry[] =>
  Object.entries(words).flatMap(([key, of]) => {
    const here = `${path}.${key}`
    return isWords(of) && !(of instanceof String) ? entriesOf(of, here) : [{ path: here, of }]
  })

const entries = (language: 'en' | 'zh'): readonly Entry[] =>
  catalogs.flatMap((catalog) => entriesOf(catalog[language], catalog.area))

/** The text of a function, and the arguments it read; each argument is 7. */
const told = (say: (given: object) => unknown) => {
  const read = new Set<string>()
  const given = new Proxy(
    {},
    {
      get: (_, key) => {
        read.add(String(key))
        return 7
      },
    },
  )
  return { text: String(say(given)), read: [...read].sort() }
}

type Say = (given: object) => unknown
const isSay = (of: unknown): of is Say => typeof of === 'function'

const textOf = (of: unknown): string => (isSay(of) ? told(of).text : String(of))

describe('the catalogs of words', () => {
  test('have the same keys in both languages', () => {
    assert.ok(catalogs.length >= 7)
    const keys = (language: 'en' | 'zh') => entries(language).map(({ path }) => path)
    assert.deepEqual(keys('zh').toSorted(), keys('en').toSorted())
  })

  test('leave nothing empty', () => {
    const empty = [...entries('en'), ...entries('zh')].filter(({ of }) => textOf(of).trim() === '')
    assert.deepEqual(empty, [])
  })

  test('leave nothing untranslated, and have no exception that is none', () => {
    const chinese = new Map(entries('zh').map(({ path, of }) => [path, textOf(of)]))
    const same = entries('en').filter(({ path, of }) => chinese.get(path) === textOf(of))
    assert.deepEqual(same.map(({ path }) => path).toSorted(), untranslated.toSorted())
  })

  test('say in both languages whatever they are told', () => {
    const chinese = new Map(entries('zh').map(({ path, of }) => [path, of]))
    for (const { path, of } of entries('en').filter(({ of }) => isSay(of))) {
      const other = chinese.get(path)
      assert.ok(isSay(of) && isSay(other), path)
      const { read } = told(of)
      assert.deepEqual([path, told(other).read], [path, read])
      assert.ok(read.length > 0, `${path} says nothing of what it is told: make it a text`)
    }
  })

  test('are written in Chinese where they are Chinese, with Chinese punctuation', () => {
    const wrong = entries('zh')
      .filter(({ path }) => !untranslated.includes(path))
      .map(({ path, of }) => [path, textOf(of).replaceAll(/<[^>]*>/g, '')] as const)
      .filter(([, text]) => /\p{Script=Han}[,;:?!.]/u.test(text))
    assert.deepEqual(wrong, [])
  })
})
