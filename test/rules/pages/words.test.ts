/** The words of the pages: English is sound, and every other language is complete. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadEnglishMessages } from '../../../src/languages.ts'
import { listFileFaults } from '../../../src/paper/languages/open.ts'
import { chinese, languages } from '../../support/view.ts'

const root = join(import.meta.dirname, '../../..')

const words = await loadEnglishMessages()

/** The areas that files of the source define. */
const areasIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...readFileSync(join(root, folder, path), 'utf8').matchAll(/\bdefineWords\('([^']+)'/g),
    ])
    .map(([, area = '']) => area)

describe('the words in English', () => {
  test('are found wherever the source defines them, each area once', () => {
    const expected = areasIn('src')
    const found = new Set([...words.keys()].map((key) => key.split('.')[0]))
    assert.deepEqual([...found], expected.toSorted())
  })

  test('are messages that pages can speak', () => {
    assert.ok(words.size > 1000)
    assert.deepEqual(listFileFaults({ file: 'English', messages: words }, words), [])
  })
})

for (const { tag, messages } of languages.slice(1)) {
  describe(`the words in ${tag}`, () => {
    test('are complete', () => {
      const missing = [...words].filter(([key]) => !messages.has(key))
      assert.deepEqual(missing, [])
    })

    test('have the keys and the placeholders of English', () => {
      assert.deepEqual(listFileFaults({ file: tag, messages }, words), [])
    })

    test('break in no word of a duration: each has a quarter of a narrow screen', () => {
      const durations = [...messages].filter(([key]) => key.startsWith('phrases.duration.'))
      assert.equal(durations.length, 4)
      const long = durations.filter(([, text]) => /\p{Script=Latin}{8}/u.test(text))
      assert.deepEqual(long, [])
    })

    test('leave no sentence in English', () => {
      const wordsIn = (text: string) => text.match(/(?<!\{)\b[a-z]{2,}/gi)?.length ?? 0
      const same = [...messages].filter(([key, text]) => text === words.get(key))
      assert.deepEqual(
        same.filter(([, text]) => wordsIn(text) > 3),
        [],
      )
    })
  })
}

describe('the words in Chinese', () => {
  const { messages } = chinese.language

  test('leave nothing untranslated', () => {
    const same = [...messages].filter(([key, text]) => text === words.get(key))
    assert.deepEqual(same, [])
  })

  test('have Chinese punctuation', () => {
    const wrong = [...messages].filter(([, text]) => /\p{Script=Han}[,;:?!.]/u.test(text))
    assert.deepEqual(wrong, [])
  })
})
