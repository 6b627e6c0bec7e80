/**
 * Records the files and functions of `src/` that one request enters (V8's precise coverage). A function
 * without a name counts as a part of the function around it.
 */
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { root } from './source.ts'

export interface Entered {
  readonly files: number
  readonly functions: number
  /** As `tokens/issue.ts issueTokens`, each function once. */
  readonly names: readonly string[]
}

const source = `${pathToFileURL(root).href}/src/`

/** Nothing else may run in this process meanwhile. */
export const recordEntered = async (work: () => Promise<unknown>): Promise<Entered> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // What ran before counts as zero from here on.
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const entered = result
    .filter(({ url }) => url.startsWith(source))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [range] }) => range !== undefined && range.count > 0)
        .map(({ functionName: name, ranges: [range] }) => ({
          path: url.slice(source.length),
          // The first lines of a module are a function from its first letter to its last.
          name: name === '' && range?.startOffset === 0 ? null : name,
        })),
    )
    .filter(({ name }) => name !== null)
  const files = new Set(entered.map(({ path }) => path))
  const names = entered.filter(({ name }) => name !== '').map(({ path, name }) => `${path} ${name}`)
  return { files: files.size, functions: names.length, names }
}
