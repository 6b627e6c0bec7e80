/** Plain English, in comments, strings, pages and documents; and one meaning for each type name. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { commentsOf, paragraphsOf, stringsOf } from './english.ts'
import { findVerbless } from './names.ts'
import { avoided, faultsOf } from './plain-english.ts'
import { avoidColumn, faultsByFile, findNounless, glossary, repeatedTypes } from './prose.ts'
import { notYetPlain, notYetUnique } from './prose-baseline.ts'
import { root, sourceOf, sources } from './source.ts'

describe('the English', () => {
  it('is plain in every file', () => {
    const faults = [...faultsByFile]
      .filter(([path]) => !notYetPlain.includes(path))
      .flatMap(([, of]) => of)
    assert.deepEqual(faults, [])
  })

  it('has no exception for a file that is plain, or gone', () => {
    assert.deepEqual(
      notYetPlain.filter((path) => (faultsByFile.get(path) ?? []).length === 0),
      [],
    )
  })
})

/** As written once, and the plain version of it. */
const examples: readonly (readonly [string, string])[] = [
  [
    'What of that its owner did not decide about, since it stands until taken back: unless it does, nothing is approved',
    'Permissions granted earlier without an end, so not asked again. If one no longer stands, answer `unsettled` and write nothing.',
  ],
  [
    'Of what is remembered they change the last use, which is known: nothing is forgotten for it',
    'Updates the cached `lastUsedAt`. Invalidates nothing.',
  ],
  [
    'Spoils all of them, and there are never any again',
    'Invalidates everything and turns the cache off.',
  ],
  [
    'Sends somebody to log in who comes back to the page afterwards. What a form of ours would have done is not done then',
    'Redirects to the login and back. A submitted form is not executed.',
  ],
  ['The one page that is of something', 'The access log page: needs an authorization id.'],
  [
    'What tries have in common that so may have to wait for one another',
    'Counters that concurrent attempts share.',
  ],
  ['How far those who hash stand behind those who answer', '`nice` of the hashing threads.'],
  [
    'over any number of parallel requests: the primary key makes it so, not a check',
    'Safe under parallel requests: a primary key enforces it.',
  ],
  [
    'What goes along has to stand at the very moment of the approval',
    'Permissions granted earlier must still be in force when the owner approves.',
  ],
  [
    'Lead from the proof of being there to what it is for, also where it was a login',
    'account: redirect to the target page after re-authentication or login',
  ],
]

describe('the rules of plain English', () => {
  const faultsOfText = (text: string) => faultsOf({ line: 1, text })

  for (const [odd, better] of examples) {
    it(`object to: ${odd}`, () => assert.notDeepEqual(faultsOfText(odd), []))
    it(`let pass: ${better}`, () => assert.deepEqual(faultsOfText(better), []))
  }

  it('count words: 25 pass, 26 do not', () => {
    const long = (words: number) => `${'word '.repeat(words - 1)}end.`
    assert.deepEqual(faultsOfText(`${long(25)} A${long(25)}`), [])
    assert.deepEqual(faultsOfText(`${long(26)} A${long(25)}`), [`26 words: ${long(26)}`])
  })

  it('let `that` pass where it begins no relative clause', () => {
    assert.deepEqual(
      faultsOfText('It checks that the row exists, so that the step that ran is known.'),
      [],
    )
    assert.deepEqual(faultsOfText('The step that ran wrote the row that exists.'), [
      '2 relative words: The step that ran wrote the row that exists.',
    ])
  })

  it('know each word that the glossary avoids, and no other', () => {
    const cells = [...readFileSync(join(root, glossary), 'utf8').matchAll(avoidColumn)]
      .map(([, cell = '']) => cell.trim().replace(/\.$/, ''))
      .filter((cell) => !/^(-+|\*Avoid\*)$/.test(cell))
    const words = new Set(cells.flatMap((cell) => cell.split(', ')))
    assert.deepEqual(Object.keys(avoided).sort(), [...words].sort())
  })

  it('find each avoided word that is wrong everywhere', () => {
    const silent = Object.entries(avoided)
      .filter(
        ([word, pattern]) => pattern !== null && word !== 'user' && !pattern.test(`the ${word}`),
      )
      .map(([word]) => word)
    assert.deepEqual(silent, [])
  })
})

describe('the reading of English', () => {
  it('finds comments, and joins their lines', () => {
    const text = [
      '/**',
      ' * A first',
      ' * line.',
      ' *',
      ' * Another.',
      ' * @param a text',
      ' */',
      "const a = 'http://b' // after code",
      '// one',
      '// two',
    ].join('\n')
    assert.deepEqual(commentsOf(sourceOf('a.ts', text)), [
      { line: 2, text: 'A first line.' },
      { line: 5, text: 'Another.' },
      { line: 6, text: '@param a text' },
      { line: 8, text: 'after code' },
      { line: 9, text: 'one two' },
    ])
  })

  it('finds strings, also around insertions and tags', () => {
    const text = "const a = `a \x24{b(`c \x24{d} e`)} f`\nconst g = html`<p>h</p> i`, j = 'k'"
    assert.deepEqual(
      stringsOf(sourceOf('a.ts', text)).map((passage) => `${passage.line} ${passage.text}`),
      ['1 c X e', '1 a X f', '2 ', '2 h', '2 i', '2 k'],
    )
  })

  it('finds paragraphs, items and cells, but no code', () => {
    const text = '# A\nb\nc\n\n- d\n  e\n- f\n\n| g | h; i |\n\n```sh\nj\n```\n1. k'
    assert.deepEqual(
      paragraphsOf(text).map((passage) => `${passage.line} ${passage.text}`),
      ['1 A', '2 b c', '5 d e', '7 f', '9 g', '9 h', '9 i', '14 k'],
    )
  })
})

describe('the names of types', () => {
  const nameOf = (line: string): string => line.split(':')[0] ?? ''

  it('have one meaning each', () => {
    assert.deepEqual(
      repeatedTypes(sources).filter((line) => !notYetUnique.includes(nameOf(line))),
      [],
    )
  })

  it('have no exception that is not needed', () => {
    const repeated = repeatedTypes(sources).map(nameOf)
    assert.deepEqual(
      notYetUnique.filter((name) => !repeated.includes(name)),
      [],
    )
  })
})

describe('the comments', () => {
  it('repeat the noun: no sentence begins with a word that stands for another one', () => {
    assert.deepEqual(findNounless(sources), [])
  })

  it('would show what does not', () => {
    const text =
      '/** A key. It never ends. */\nconst a = 1 // Those of a client.\n// An item ends.\n'
    assert.deepEqual(findNounless([sourceOf('a.ts', text)]), [
      'a.ts:1 repeat the noun: It never ends.',
      'a.ts:2 repeat the noun: Those of a client.',
    ])
  })
})

describe('the names of functions', () => {
  it('begin with a verb', () => {
    assert.deepEqual(findVerbless(sources), [])
  })

  it('would show which does not', () => {
    const text =
      'export const parseScope = (text: string) => text\nconst nearest = (to: number) => to\n' +
      'export function* keys(): Step<void> {}\nasync function sendMail() {}\n' +
      'const late = <Of = Map<string, Of>>(at: () => number): Of => of(at)\n'
    assert.deepEqual(findVerbless([sourceOf('a.ts', text)]), [
      'a.ts nearest',
      'a.ts keys',
      'a.ts late',
    ])
  })

  it('may be nouns for faults, words of a schema, tags of templates and users of the package', () => {
    const text =
      'const unknown = (id: string): Refusal => new Refusal(id)\nconst text: Schema = (z) => z.string()\n' +
      'const html = (strings: TemplateStringsArray) => strings\nexport const nearest = (to: number) => to\n'
    const door = "export { type To, nearest } from '../model/a.ts'\n"
    const files = [sourceOf('model/a.ts', text), sourceOf('store/index.ts', door)]
    assert.deepEqual(findVerbless(files), [])
    assert.deepEqual(findVerbless(files.slice(0, 1)), ['model/a.ts nearest'])
  })
})
