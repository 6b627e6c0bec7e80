/** The form of files: length, names, first line, and forbidden constructs. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineOf, type Source, sourceOf, sources } from './source.ts'

const mostLines = 300
const mostFunctionLines = 70
/** Names that say nothing, so that everything ends up there. */
const emptyNames = /(^|[/-])(utils?|helpers?|commons?|managers?|misc|shared)([/.-]|$)/

/** Where a function body opens: an arrow, `function`, or a method; not `if (...) {` and the like. */
const functionOpenings =
  /=>\s*\{|\bfunction\b[^{]*\{|^ +(?:async )?(?!(?:if|for|while|switch|catch)\b)[a-zA-Z]\w*\([^()]*\)(?:: [^={]+)? \{/gm

const closingBrace = (code: string, open: number): number => {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth === 0) return at
  }
  return code.length
}

const longFunctionsOf = ({ path, code }: Source): readonly string[] =>
  [...code.matchAll(functionOpenings)]
    .map((match) => {
      const open = match.index + match[0].length - 1
      const first = lineOf(code, open)
      return { first, lines: lineOf(code, closingBrace(code, open)) - first + 1 }
    })
    .filter(({ lines }) => lines > mostFunctionLines)
    .map(({ first, lines }) => `${path}:${first} has a function of ${lines} lines`)

const faultsOf = (files: readonly Source[]): readonly string[] =>
  files.flatMap((file) => {
    const lines = file.text.split('\n').length - 1
    return [
      ...(lines > mostLines ? [`${file.path} has ${lines} lines`] : []),
      ...(emptyNames.test(file.path) ? [`${file.path} has a name that says nothing`] : []),
      ...(/^\/\*\*/.test(file.text) ? [] : [`${file.path} does not begin with what it is`]),
      ...(/\bexport\s+default\b/.test(file.code) ? [`${file.path} has a default export`] : []),
      ...longFunctionsOf(file),
    ]
  })

describe('the form of the source', () => {
  it('is kept by every file', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('would find what breaks it', () => {
    const doc = '/** What it is. */\n'
    const long = (opening: string) => `${doc}${opening}\n${'  x()\n'.repeat(70)}}\n`
    const planted = [
      sourceOf('tokens/long.ts', doc + '\n'.repeat(300)),
      sourceOf('tokens/utils.ts', doc),
      sourceOf('helpers/text.ts', doc),
      sourceOf('tokens/silent.ts', 'export const a = 1\n'),
      sourceOf('tokens/default.ts', `${doc}export default 1\n`),
      sourceOf('tokens/arrow.ts', long('const a = () => {')),
      sourceOf('tokens/function.ts', long('export function a(): void {')),
      sourceOf(
        'tokens/method.ts',
        `${doc}class A {\n${long('  a(b: string): void {').slice(19)}}\n`,
      ),
      sourceOf(
        'tokens/fine.ts',
        `${doc}const text = 'export default' // export default\n${'if (a) {\n}\n'.repeat(90)}`,
      ),
    ]
    assert.deepEqual(faultsOf(planted), [
      'tokens/long.ts has 301 lines',
      'tokens/utils.ts has a name that says nothing',
      'helpers/text.ts has a name that says nothing',
      'tokens/silent.ts does not begin with what it is',
      'tokens/default.ts has a default export',
      'tokens/arrow.ts:2 has a function of 72 lines',
      'tokens/function.ts:2 has a function of 72 lines',
      'tokens/method.ts:3 has a function of 72 lines',
    ])
  })
})
