/** Reading source as text: comments, strings and regular expressions are told from code. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importsOf, sourceOf, sources } from './source.ts'

describe('reading source', () => {
  it('leaves out comments, and for code what stands in strings', () => {
    const text = [
      'const a = "x // y" // z',
      '/* b */ const c = /[/\'"]/g.test(d) ? e / f : g / h',
      'const i = `j \x24{k({ l: `m` })} n` + o',
    ].join('\n')
    const { spoken, code } = sourceOf('a.ts', text)
    assert.deepEqual(
      spoken.split('\n').map((line) => line.trim()),
      [
        'const a = "x // y"',
        'const c = /[/\'"]/g.test(d) ? e / f : g / h',
        'const i = `j \x24{k({ l: `m` })} n` + o',
      ],
    )
    assert.deepEqual(
      code.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()),
      ['const a =', 'const c = g.test(d) ? e / f : g / h', 'const i = k({ l: }) + o'],
    )
  })

  it('finds every way to import', () => {
    const text = [
      "import type { A } from './a.ts'",
      "import './b.ts'",
      "export * from './c.ts'",
      "const d = await import('./d.ts')",
      "import {\n  e,\n} from './e.ts'",
      "type F = import('./f.ts').F",
      "// import './g.ts'",
    ].join('\n')
    assert.deepEqual(importsOf(sourceOf('a.ts', text)), [
      './a.ts',
      './b.ts',
      './c.ts',
      './d.ts',
      './e.ts',
      './f.ts',
    ])
  })

  it('loses its way in no file: the braces of the code are in pairs', () => {
    const count = (text: string, brace: string) => text.split(brace).length
    assert.ok(sources.length > 0)
    assert.deepEqual(
      sources.filter(({ code }) => count(code, '{') !== count(code, '}')).map(({ path }) => path),
      [],
    )
  })
})
