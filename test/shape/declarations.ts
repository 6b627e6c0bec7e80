/** The doors of the package as the compiler declares them: names, docstrings, and the types in signatures. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The declarations of one file, and the names it imports. */
interface Declared {
  readonly own: ReadonlyMap<string, Declaration>
  /** By the name in this file: the file that declares it, and the name there. */
  readonly taken: ReadonlyMap<string, { readonly path: string; readonly name: string }>
  /** Files whose every type it exports. */
  readonly whole: readonly string[]
}

export interface Declaration {
  readonly path: string
  readonly name: string
  readonly isExported: boolean
  /** Empty where there is none. */
  readonly docstring: string
  /** Without comments and strings. */
  readonly code: string
}

const opening =
  /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?(export )?(?:declare )?(?:abstract )?(?:interface|type|const|class|function) (\w+)/gm

/** `a, type B, c as D` as pairs of the name there and the name here. */
const pairsOf = (list: string): readonly (readonly [string, string])[] =>
  list
    .split(',')
    .map((entry) => entry.trim().replace(/^type /, ''))
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [there = '', here = there] = entry.split(' as ')
      return [there, here]
    })

const targetOf = (path: string, from: string): string =>
  join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts'))

const withoutText = (code: string): string =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'[^'\n]*'|`[^`]*`/g, "''")

const declaredIn = (path: string, text: string): Declared => {
  const openings = [...text.matchAll(opening)]
  const own = openings.map((match, i): readonly [string, Declaration] => {
    const [whole, docstring = '', isExported, name = ''] = match
    const end = openings[i + 1]?.index ?? text.length
    const code = withoutText(text.slice(match.index, end)).replace(whole, '')
    const said = docstring.replaceAll(/^ *\* ?/gm, '').trim()
    return [name, { path, name, isExported: isExported !== undefined, docstring: said, code }]
  })
  const taken = [...text.matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from ['"]([^'"]+)/gm)]
  const named = taken.flatMap(([, list = '', from = '']) =>
    pairsOf(list).map(([name, here]) => [here, { path: targetOf(path, from), name }] as const),
  )
  const whole = [...text.matchAll(/^export type \* from ['"]([^'"]+)/gm)]
  return {
    own: new Map(own),
    taken: new Map(named),
    whole: whole.map(([, from = '']) => targetOf(path, from)),
  }
}

export interface Declarations {
  /** What a door exports, by its name there. */
  exportsOf(door: string): ReadonlyMap<string, Declaration>
  /** The types that these declarations name, directly or through local types. */
  namedBy(declarations: Iterable<Declaration>): readonly Declaration[]
}

/** @param folder the declarations that the compiler wrote (`.d.ts`) */
export const readDeclarations = (folder: string): Declarations => {
  const files = new Map<string, Declared>()
  const fileOf = (path: string): Declared => {
    const known = files.get(path) ?? declaredIn(path, readFileSync(join(folder, path), 'utf8'))
    files.set(path, known)
    return known
  }

  /** Null for a name of the language, or of a package. */
  const find = (path: string, name: string): Declaration | null => {
    const { own, taken, whole } = fileOf(path)
    const there = taken.get(name)
    if (there === undefined) {
      const inWhole = () => whole.map((file) => find(file, name)).find((found) => found?.isExported)
      return own.get(name) ?? inWhole() ?? null
    }
    return there.path.startsWith('..') || !there.path.endsWith('.d.ts')
      ? null
      : find(there.path, there.name)
  }

  const typesIn = ({ path, code }: Declaration): readonly Declaration[] =>
    [...new Set(code.match(/\b[A-Z]\w*/g))]
      .map((name) => find(path, name))
      .filter((found) => found !== null)

  return {
    exportsOf(door) {
      const { own, taken, whole } = fileOf(door)
      const others = whole.flatMap((file) => [...this.exportsOf(file)])
      const names = [...own.values()].filter(({ isExported }) => isExported).map(({ name }) => name)
      const found = [...names, ...taken.keys()].map((name) => [name, find(door, name)] as const)
      const given = found.flatMap(([name, one]) => (one === null ? [] : [[name, one] as const]))
      return new Map([...others, ...given])
    },
    namedBy(declarations) {
      const seen = new Set<Declaration>()
      const wanted = [...declarations]
      for (const declaration of wanted) {
        for (const type of typesIn(declaration)) {
          if (seen.has(type)) continue
          seen.add(type)
          if (!type.isExported) wanted.push(type)
        }
      }
      return [...seen].filter(({ isExported }) => isExported)
    },
  }
}
