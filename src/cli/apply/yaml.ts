/** A file in YAML or JSON, with the lines of its values. The work grows with its length. */
import type { Alias, Document, YAMLMap } from 'yaml'
import { UsageFault } from '../../config/remote.ts'
import { decodeUtf8 } from '../../model/json.ts'
import { cliLimits } from '../limits.ts'
import { readLimitedFile } from '../read-file.ts'

export type FilePath = readonly (string | number)[]

export interface ParsedFile {
  readonly content: unknown
  /** The file and the line of a value, as `file.yaml:7`. */
  readonly locate: (path: FilePath) => string
}

type Yaml = typeof import('yaml')

/** A fault, and where it is. */
interface Problem {
  readonly offset: number
  readonly said: string
}

/** What the parser finds only after each key was compared with each other one. */
const findProblem = (document: Document, { isScalar, visit }: Yaml): Problem | null => {
  const { aliases: most } = cliLimits.applyFile
  let found: Problem | null = null
  let aliases = 0
  const note = (node: { range?: readonly [number, ...unknown[]] | null }, said: string) => {
    found ??= { offset: node.range?.[0] ?? 0, said }
    return visit.BREAK
  }
  const checkAlias = (alias: Alias) => {
    if (++aliases > most) return note(alias, `there are more than ${most} aliases`)
    const said = 'an alias has to name an anchor before it'
    return alias.resolve(document) === undefined ? note(alias, said) : undefined
  }
  const checkKeys = (map: YAMLMap) => {
    const keys = new Set<string>()
    for (const { key } of map.items) {
      if (!isScalar(key)) return note(map, 'a key has to be text')
      const name = String(key.value)
      if (keys.has(name)) return note(key, 'map keys must be unique')
      keys.add(name)
    }
    return undefined
  }
  visit(document, {
    Alias: (_key, alias) => checkAlias(alias),
    Map: (_key, map) => checkKeys(map),
  })
  return found
}

const parseYaml = async (text: string, name: string): Promise<ParsedFile> => {
  const yaml = await import('yaml')
  const lineCounter = new yaml.LineCounter()
  const options = {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  } as const
  const document = yaml.parseDocument(text, options)
  const sayLine = (offset: number): string => `${name}:${lineCounter.linePos(offset).line}`
  const [problem] = [...document.errors, ...document.warnings]
  if (problem?.message.includes('call stack')) throw new RangeError(problem.message)
  if (problem?.code === 'TAG_RESOLVE_FAILED') {
    throw new UsageFault(`${sayLine(problem.pos[0])}: a tag (!) means nothing in this file`)
  }
  if (problem !== undefined) throw new UsageFault(`${sayLine(problem.pos[0])}: ${problem.message}`)
  const further = findProblem(document, yaml)
  if (further !== null) throw new UsageFault(`${sayLine(further.offset)}: ${further.said}`)
  const locate = (path: FilePath): string => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    if (yaml.isNode(node) && node.range) return sayLine(node.range[0])
    return path.length === 0 ? name : locate(path.slice(0, -1))
  }
  const { aliases: maxAliasCount } = cliLimits.applyFile
  return { content: document.toJS({ maxAliasCount }), locate }
}

/** @throws UsageFault */
export const openFile = async (path: string): Promise<ParsedFile> => {
  const text = decodeUtf8(await readLimitedFile(path, cliLimits.applyFile.bytes))
  if (text === null) throw new UsageFault(`${path} has to be text in UTF-8`)
  try {
    return await parseYaml(text, path)
  } catch (fault) {
    if (fault instanceof UsageFault) throw fault
    throw new UsageFault(`${path} nests too deep, or has too many aliases`)
  }
}
