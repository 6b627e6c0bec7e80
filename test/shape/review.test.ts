/** The page for a security review says what the source says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './source.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const page = read('docs/review.md')

const namesIn = (section: string, form: RegExp): readonly string[] => {
  const [, text = ''] = page.split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(form)].map(([, name = '']) => name)
}

test('each dependency has its purpose', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: object }
  assert.deepEqual(namesIn('Dependencies', /^\| `([^`]+)`/gm), Object.keys(dependencies))
})

test('each cookie is named', () => {
  const [, forms = ''] =
    /const forms = \{\n([^}]*)\n\} as const/.exec(
      read('src/http/cookies.ts').replaceAll(/\{\d+,\d*\}|\{\d+\}/g, ''),
    ) ?? []
  const names = [...forms.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => `latchkey_${name}`)
  assert.ok(names.length > 5)
  assert.deepEqual(namesIn('Headers and cookies', /^\| `(latchkey_\w+)`/gm), names)
})

test('the headers are those of the answers', () => {
  const source = read('src/http/answer.ts') + read('src/rooms/conclude.ts')
  const policies = /default-src 'none'; style-src 'self'[^"`]*/.exec(source)
  for (const value of [policies?.[0] ?? 'no policy', 'max-age=31536000', 'DENY', 'no-referrer']) {
    assert.ok(source.includes(value) && page.includes(value), value)
  }
})
