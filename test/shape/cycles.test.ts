/** No file of `src/` imports itself by way of others, by value or by type. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, type Source, sourceOf, sources } from './source.ts'

/** What each file imports of the others. */
const graphOf = (files: readonly Source[]): ReadonlyMap<string, readonly string[]> => {
  const paths = new Set(files.map(({ path }) => path))
  const targetsOf = (file: Source): readonly string[] =>
    importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => join(dirname(file.path), target))
      .filter((target) => paths.has(target))
  return new Map(files.map((file) => [file.path, targetsOf(file)]))
}

/** The strongly connected components of more than one file, by Tarjan's algorithm. */
const cyclesOf = (files: readonly Source[]): readonly (readonly string[])[] => {
  const graph = graphOf(files)
  const order = new Map<string, number>()
  const open: string[] = []
  const cycles: (readonly string[])[] = []
  /** Returns the earliest open file that is within reach. */
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    open.push(file)
    let least = own
    for (const target of graph.get(file) ?? []) {
      const seen = order.get(target)
      if (seen === undefined) least = Math.min(least, visit(target))
      else if (open.includes(target)) least = Math.min(least, seen)
    }
    if (least < own) return least
    const cycle = open.splice(open.indexOf(file))
    const importsItself = graph.get(file)?.includes(file) ?? false
    if (cycle.length > 1 || importsItself) cycles.push(cycle.sort())
    return least
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles
}

describe('the imports', () => {
  it('go in no circle', () => {
    assert.deepEqual(cyclesOf(sources), [])
  })

  it('would be found in a circle', () => {
    const planted = [
      sourceOf('tokens/a.ts', "import { b } from './b.ts'\nimport type { D } from './d.ts'"),
      sourceOf('tokens/b.ts', "import type { C } from '../clients/c.ts'"),
      sourceOf('clients/c.ts', "const load = () => import('../tokens/a.ts')"),
      sourceOf('tokens/d.ts', "// import './a.ts'\nexport type { E } from './e.ts'"),
      sourceOf('tokens/e.ts', "import { readFileSync } from 'node:fs'\nimport '../model/ids.ts'"),
      sourceOf('tokens/f.ts', "export * from './f.ts'"),
    ]
    assert.deepEqual(cyclesOf(planted), [
      ['clients/c.ts', 'tokens/a.ts', 'tokens/b.ts'],
      ['tokens/f.ts'],
    ])
  })
})
